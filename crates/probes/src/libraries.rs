//! The D library files that ship in `lib/`, compiled in.

/// Name and text of each library file. Their order is settled by their `depends_on` lines.
pub const LIBRARIES: &[(&str, &str)] = &[
    ("dnet.d", include_str!("../lib/dnet.d")),
    ("hwconfig.d", include_str!("../lib/hwconfig.d")),
    ("inet.d", include_str!("../lib/inet.d")),
    ("io.d", include_str!("../lib/io.d")),
    ("ip.d", include_str!("../lib/ip.d")),
    ("native.d", include_str!("../lib/native.d")),
    ("nt.d", include_str!("../lib/nt.d")),
    ("pmc.d", include_str!("../lib/pmc.d")),
    ("psinfo.d", include_str!("../lib/psinfo.d")),
    ("records.d", include_str!("../lib/records.d")),
    ("registry.d", include_str!("../lib/registry.d")),
    ("regs.d", include_str!("../lib/regs.d")),
    ("sched.d", include_str!("../lib/sched.d")),
    ("signal.d", include_str!("../lib/signal.d")),
    ("tcpip.d", include_str!("../lib/tcpip.d")),
    ("types.d", include_str!("../lib/types.d")),
    ("unistd.d", include_str!("../lib/unistd.d")),
    ("windows.d", include_str!("../lib/windows.d")),
];

#[cfg(test)]
mod tests {
    #[test]
    fn every_file_of_lib_is_compiled_in() {
        let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("lib");
        let mut on_disk: Vec<String> = std::fs::read_dir(dir)
            .expect("lib/ is there")
            .filter_map(|e| e.ok()?.file_name().into_string().ok())
            .filter(|n| n.ends_with(".d"))
            .collect();
        on_disk.sort();
        let ours: Vec<&str> = super::LIBRARIES.iter().map(|(name, _)| *name).collect();
        assert_eq!(on_disk, ours);
    }
}
