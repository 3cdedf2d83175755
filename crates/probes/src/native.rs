//! Native records: what a probe's `arg0`, `curthread` and `curcpu` point at, before a translator of
//! `lib/` makes them into `psinfo_t`, `bufinfo_t` and the rest.
//!
//! Each record is declared once, here. Its D declaration in `lib/native.d` is printed from the same
//! table ([`d_text`]); a test holds the two together. Layouts follow C's rules with no implicit padding,
//! little-endian.

use zerocopy::{Immutable, IntoBytes};

/// The name that a field has in D: its own, or the short one that scripts in the field know.
macro_rules! d_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $short:literal) => {
        $short
    };
}

macro_rules! natives {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $d:literal {
            $( $(#[doc = $fdoc:literal])+ $field:ident $(($short:literal))?: $ty:ty = $dty:literal $($suffix:literal)?; )+
        }
    )+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Copy, Debug, Default, IntoBytes, Immutable)]
            #[repr(C)]
            pub struct $name {
                $( $(#[doc = $fdoc])+ pub $field: $ty, )+
            }
        )+

        /// The D declarations of all native records.
        #[must_use]
        pub fn d_text() -> String {
            let mut text = String::from(HEAD);
            $(
                text.push_str(concat!("\n/*", $($doc,)+ " */\ntypedef struct ", $d, " {\n"));
                $( text.push_str(concat!("\t", $dty, " ", d_name!($field $($short)?), $($suffix,)? ";\t/*", $($fdoc,)+ " */\n")); )+
                text.push_str(concat!("} ", $d, "_t;\n"));
            )+
            text
        }
    };
}

const HEAD: &str = "\
/*
 * Native records of the probes over ETW events: what the probes pass, before translators.
 * Printed from the table in crates/probes/src/native.rs by `cargo run -p xtask -- goldens`.
 */

#pragma D depends_on library types.d
";

natives! {
    /// A process, as process events describe it.
    Process = "etw_proc" {
        /// process id
        pid: u32 = "uint32_t";
        /// id of the process that created it
        ppid: u32 = "uint32_t";
        /// terminal session
        session("sessid"): u32 = "uint32_t";
        /// exit status, once it has exited
        exit_status("exitval"): i32 = "int32_t";
        /// pointer size in bits, 32 or 64; 0 when unknown
        model: u32 = "uint32_t";
        /// flags of the process event; 0 in versions before 4, which have none
        flags: u32 = "uint32_t";
        /// address of the kernel's process object
        unique_key("addr"): u64 = "uint64_t";
        /// page directory; 0 in versions 0 and 2, which have none, and for processes of Linux
        dir_table("pageaddr"): u64 = "uint64_t";
        /// image name, lower case
        name: u64 = "char *";
        /// command line
        command_line("cmdline"): u64 = "char *";
        /// real user; on Linux its number
        uid: u32 = "uint32_t";
        /// real group; 4294967295 if unknown
        gid: u32 = "uint32_t";
        /// effective user
        euid: u32 = "uint32_t";
        /// effective group
        egid: u32 = "uint32_t";
        /// process group; 0 if unknown
        pgid: u32 = "uint32_t";
        /// number of threads; 0 if unknown
        threads("nlwp"): u32 = "uint32_t";
        /// number of arguments; 0 if unknown
        argument_count("argc"): u32 = "uint32_t";
        /// not used
        reserved: u32 = "uint32_t";
        /// address of the pointers to its arguments
        arguments("argv"): u64 = "uintptr_t";
        /// address of the pointers to its environment
        environment("envp"): u64 = "uintptr_t";
    }

    /// A thread, with facts from its last context switches.
    Thread = "etw_thread" {
        /// thread id
        tid: u32 = "uint32_t";
        /// process id
        pid: u32 = "uint32_t";
        /// parent process id
        ppid: u32 = "uint32_t";
        /// flags of the thread event; 0 in versions before 3, which have none, and for threads of Linux
        flags: u32 = "uint32_t";
        /// its process
        process("proc"): u64 = "struct etw_proc *";
        /// kernel stack base
        stack_base("kbase"): u64 = "uint64_t";
        /// kernel stack limit
        stack_limit("klimit"): u64 = "uint64_t";
        /// user stack base
        user_stack_base("ubase"): u64 = "uint64_t";
        /// user stack limit
        user_stack_limit("ulimit"): u64 = "uint64_t";
        /// start address
        start: u64 = "uint64_t";
        /// processors it may run on
        affinity: u64 = "uint64_t";
        /// name given to it
        name("t_name"): u64 = "char *";
        /// how long it waited, in ticks
        wait_time("waittm"): u32 = "uint32_t";
        /// processor it last ran on
        cpu: u32 = "uint32_t";
        /// priority
        priority("pri"): i8 = "int8_t";
        /// wait reason
        wait_reason("waitr"): i8 = "int8_t";
        /// wait mode, 0 kernel and 1 user
        wait_mode("waitm"): i8 = "int8_t";
        /// thread state
        state: i8 = "int8_t";
        /// ideal processor of the wait
        ideal_cpu("wipr"): i8 = "int8_t";
        /// input and output priority
        io_priority("iopri"): u8 = "uint8_t";
        /// page priority
        page_priority("pagepri"): u8 = "uint8_t";
        /// base priority
        base_priority: u8 = "uint8_t";
    }

    /// A processor.
    Cpu = "etw_cpu" {
        /// its number
        id: u32 = "uint32_t";
        /// processor group
        group: u32 = "uint32_t";
    }

    /// A wait that ended.
    Wait = "etw_wait" {
        /// when it began, in nanoseconds as timestamp
        start: u64 = "uint64_t";
        /// how long it took, in nanoseconds
        time: u64 = "uint64_t";
        /// how long the thread that it was for ran meanwhile, in nanoseconds
        ran: u64 = "uint64_t";
        /// when that thread left its processor, in nanoseconds after the end of the wait
        gap: i64 = "int64_t";
        /// how sure it is that the wait was for that thread, in percent
        confidence: u32 = "uint32_t";
        /// whether that is inferred
        inferred: i8 = "int8_t";
        /// wait reason
        reason("waitr"): i8 = "int8_t";
        /// not used
        reserved: u16 = "uint16_t";
    }

    /// A disk transfer.
    Disk = "etw_disk" {
        /// B_READ, B_WRITE or B_FLUSH
        flags: u32 = "uint32_t";
        /// flags of the request packet
        irp_flags: u32 = "uint32_t";
        /// bytes
        size: u32 = "uint32_t";
        /// disk number
        disk: u32 = "uint32_t";
        /// byte offset on the disk
        offset: u64 = "uint64_t";
        /// address of the request packet
        irp: u64 = "uint64_t";
        /// address of the file object
        file_object: u64 = "uint64_t";
        /// response time in nanoseconds
        response: u64 = "uint64_t";
        /// path of the file, or `<none>`
        path: u64 = "char *";
        /// thread that issued it
        tid: u32 = "uint32_t";
        /// not used
        reserved: u32 = "uint32_t";
    }

    /// A file operation.
    FileOp = "etw_fileop" {
        /// offset of a read or write in the file, in bytes
        offset: u64 = "uint64_t";
        /// address of the request packet
        irp: u64 = "uint64_t";
        /// address of the file object
        object: u64 = "uint64_t";
        /// address of the file's control block
        key: u64 = "uint64_t";
        /// what comes with a class of information; bytes done when an operation is done
        extra: u64 = "uint64_t";
        /// path of the file, or `<none>`
        path: u64 = "char *";
        /// pattern of a listed folder
        pattern: u64 = "char *";
        /// thread that asked
        tid: u32 = "uint32_t";
        /// bytes
        size: u32 = "uint32_t";
        /// flags of the request packet
        io_flags: u32 = "uint32_t";
        /// disposition and options of an opening
        options: u32 = "uint32_t";
        /// attributes of an opening
        attributes: u32 = "uint32_t";
        /// sharing of an opening
        share: u32 = "uint32_t";
        /// class of information
        info_class: u32 = "uint32_t";
        /// index of a listing
        index: u32 = "uint32_t";
        /// NTSTATUS, when done
        status: u32 = "uint32_t";
        /// not used
        reserved: u32 = "uint32_t";
    }

    /// A registry operation.
    Registry = "etw_reg" {
        /// when it began, in nanoseconds as timestamp
        initial_time: u64 = "uint64_t";
        /// handle, or control block, of the key
        key: u64 = "uint64_t";
        /// name as the event gives it: of a value, or of a key below the key
        name: u64 = "char *";
        /// full path: of the key and what the event names below it
        path: u64 = "char *";
        /// NTSTATUS
        status: u32 = "uint32_t";
        /// index of a listing
        index: u32 = "uint32_t";
        /// how long it took, in nanoseconds
        elapsed: u64 = "uint64_t";
    }

    /// A TCP or UDP transfer.
    Net = "etw_net" {
        /// address family: 2 or 23
        family: u32 = "uint32_t";
        /// bytes
        size: u32 = "uint32_t";
        /// process id
        pid: u32 = "uint32_t";
        /// sequence number
        seq: u32 = "uint32_t";
        /// local address; of a datagram its sender's
        saddr: [u8; 16] = "uint8_t" "[16]";
        /// remote address; of a datagram the one it was sent to
        daddr: [u8; 16] = "uint8_t" "[16]";
        /// connection; 0 on every Windows that we have seen
        connid: u64 = "uint64_t";
        /// start time of a send, in ticks
        start_time: u32 = "uint32_t";
        /// end time of a send, in ticks
        end_time: u32 = "uint32_t";
        /// receive window
        window: u32 = "uint32_t";
        /// local port; of a datagram its sender's
        sport: u16 = "uint16_t";
        /// remote port; of a datagram the one it was sent to
        dport: u16 = "uint16_t";
        /// largest segment
        mss: u16 = "uint16_t";
        /// selective acknowledgement
        sackopt: u16 = "uint16_t";
        /// time stamps
        tsopt: u16 = "uint16_t";
        /// window scaling
        wsopt: u16 = "uint16_t";
        /// scale of the receive window
        rcv_scale: i16 = "int16_t";
        /// scale of the send window
        snd_scale: i16 = "int16_t";
        /// of a connection, on Linux: its state by the numbers of net/tcp_states.h
        state: u8 = "uint8_t";
        /// the state before
        old_state("oldstate"): u8 = "uint8_t";
        /// whether it was received: then the source is the remote end
        received: u8 = "uint8_t";
        /// protocol: 6 TCP, 17 UDP
        protocol("proto"): u8 = "uint8_t";
    }
}

#[cfg(test)]
mod tests {
    /// `lib/native.d` says what the table says. `TRACEWELL_BLESS=1` rewrites it.
    #[test]
    fn the_library_file_agrees_with_the_table() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("lib/native.d");
        let text = super::d_text();
        if tracewell_corpus::bless() {
            std::fs::write(&path, &text).expect("lib/native.d can be written");
        }
        let have = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(have == text, "lib/native.d differs from the table: run with TRACEWELL_BLESS=1");
    }
}
