//! Members of D's structures that are constant, because no record has them, say so where they are declared (issue 15).

use std::collections::{BTreeMap, BTreeSet};

use tracewell_probes::libraries::LIBRARIES;

/// The members that the translator of each native record fills with a constant.
const CONSTANT: &[(&str, &str, &str)] = &[
    ("bufinfo_t", "etw_disk", "b_resid b_iodone b_error"),
    ("cpuinfo_t", "etw_cpu", "cpu_chip cpu_lgrp"),
    ("csinfo_t", "etw_net", "cs_zoneid"),
    ("devinfo_t", "etw_disk", "dev_major dev_pathname"),
    (
        "fileinfo_t",
        "etw_disk",
        "fi_fs fi_mount fi_cflags fi_aflags fi_sflags fi_extinfo fi_class fi_rstatus fi_dbuflen fi_dpattern",
    ),
    ("fileinfo_t", "etw_fileop", "fi_fs fi_mount"),
    ("ifinfo_t", "etw_net", "if_name if_ipstack if_addr"),
    (
        "ipv4info_t",
        "etw_net",
        "ipv4_ihl ipv4_tos ipv4_ident ipv4_flags ipv4_offset ipv4_ttl ipv4_checksum ipv4_hdr",
    ),
    ("ipv6info_t", "etw_net", "ipv6_tclass ipv6_flow ipv6_hlim ipv6_hdr"),
    ("lwpsinfo_t", "etw_thread", "pr_syscall pr_wchan"),
    ("netgc_t", "etw_dotnet_gc", "gc_addr gc_size"),
    ("pktinfo_t", "etw_net", "pkt_addr"),
    ("psinfo_t", "etw_proc", "pr_projid pr_taskid pr_zoneid pr_poolid"),
    ("psinfo_t", "etw_thread", "pr_projid pr_taskid pr_zoneid pr_poolid"),
    ("tcpinfo_t", "etw_net", "tcp_ack tcp_offset tcp_flags tcp_checksum tcp_urgent tcp_hdr"),
    (
        "tcpsinfo_t",
        "etw_net",
        "tcps_active tcps_iss tcps_suna tcps_snxt tcps_rack tcps_rnxt tcps_swnd tcps_cwnd tcps_cwnd_ssthresh tcps_sack_fack \
         tcps_sack_snxt tcps_rto tcps_retransmit",
    ),
    ("udpinfo_t", "etw_net", "udp_checksum udp_hdr"),
];

/// Returns `true` if a value does not depend on a record.
fn is_constant(value: &str) -> bool {
    value.starts_with('"') || value.parse::<i64>().is_ok() || value == "NULL"
}

#[test]
fn issue_15_members_that_no_record_fills_are_listed_and_say_so() {
    let mut found: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    let mut comments: BTreeMap<(String, String), String> = BTreeMap::new();
    for (_, text) in LIBRARIES {
        let (mut structure, mut translator) = (None, None);
        // The comment of a member is that of those which follow without one.
        let mut comment = "";
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("typedef struct ") {
                structure = name.split_whitespace().next();
                comment = "";
            } else if let Some(head) = line.strip_prefix("translator ") {
                let words: Vec<&str> = head.split_whitespace().collect();
                translator = Some((words[0], words[3]));
            } else if line.starts_with('}') {
                (structure, translator) = (None, None);
            } else if let Some(structure) = structure {
                let Some((declared, after)) = line.split_once(';') else { continue };
                let name = declared.split_whitespace().last().expect("a member has a name");
                comment = after.trim().strip_prefix("/*").unwrap_or(comment);
                comments.insert((format!("{structure}_t"), name.to_owned()), comment.to_owned());
            } else if let Some((to, from)) = translator
                && let Some((member, value)) = line.trim().trim_end_matches(';').split_once(" = ")
                && is_constant(value)
            {
                found.entry((to.to_owned(), from.to_owned())).or_default().insert(member.to_owned());
            }
        }
    }
    let listed: BTreeMap<_, BTreeSet<String>> = CONSTANT
        .iter()
        .map(|(to, from, members)| {
            ((to.to_string(), from.to_string()), members.split_whitespace().map(str::to_owned).collect())
        })
        .collect();
    assert_eq!(found, listed);
    for ((to, _), members) in found {
        for member in members {
            let comment = &comments[&(to.clone(), member.clone())];
            let says = comment.contains("not known");
            assert!(says, "{to}: {member}:{comment}");
        }
    }
}
