//! The scripts that come with Tracewell: one table of names and of the questions that they answer.

/// A script that comes with Tracewell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuiltIn {
    /// What it is called.
    pub name: &'static str,
    /// Its macro arguments, in capitals; those in brackets may be left out.
    pub arguments: &'static str,
    /// The question that it answers.
    pub question: &'static str,
    /// The groups of kernel events, or the providers, that must have been recorded.
    pub needs: &'static str,
    /// Its text in D. The comment at the top says what it prints and how it is run.
    pub text: &'static str,
}

macro_rules! scripts {
    ($($section:literal { $($name:ident $arguments:literal, $question:literal, $needs:literal;)+ })+) => {
        /// All scripts, by what they are about.
        ///
        /// ```
        /// let questions: usize = tracewell::scripts::SECTIONS.iter().map(|(_, scripts)| scripts.len()).sum();
        /// assert!(questions > 40);
        /// ```
        pub const SECTIONS: &[(&str, &[BuiltIn])] = &[$(($section, &[$(BuiltIn {
            name: stringify!($name),
            arguments: $arguments,
            question: $question,
            needs: $needs,
            text: include_str!(concat!("../scripts/", stringify!($name), ".d")),
        }),+])),+];
    };
}

scripts! {
    "First steps" {
        hello "", "When does a trace begin and end?", "nothing";
        clocks "", "What are its clocks?", "any events";
        events "", "What is in it?", "nothing";
        coverage "", "Is it suitable for an analysis of processor time and waits?", "samples, switches, wake-ups";
        providers "PROVIDER", "What did a provider log?", "that provider";
        hardware "", "On which computer was it recorded?", "any kernel session";
    }
    "Processor time" {
        whorun "", "Which programs got the processors, by switches?", "CSWITCH";
        samples "", "Which programs got the processors, by samples?", "PROFILE";
        whererun "", "On which processors do programs run, moving how often?", "CSWITCH";
        slices "", "For how long do threads run at a time?", "CSWITCH";
        hotfuncs "", "In which modules and functions is the time spent?", "PROFILE";
        hotstacks "", "In which stacks is the time spent?", "PROFILE with stacks";
        ustacks "PROGRAM", "In which stacks does one program spend its time?", "PROFILE with stacks";
        resolution "", "What is the resolution of the profile?", "PROFILE";
        perfstat "PROGRAM", "What did a program cost, in processor time, instructions per cycle, faults, transfers?", "CSWITCH; more if recorded";
        counters "", "What do hardware counters say?", "counters with CSWITCH, or PMC_PROFILE";
        interrupts "", "How long did interrupts and deferred procedure calls take?", "INTERRUPT, DPC";
        syscalls "", "Which system calls were made, how long, which failed?", "SYSTEMCALL";
    }
    "Waits" {
        waits "", "How long did threads wait, and where?", "CSWITCH with stacks";
        uidelay "", "When did the user interface hang?", "Microsoft-Windows-Win32k";
        hang "TID FROM TO", "What did one thread do in that time?", "CSWITCH; more if recorded";
        waitedfor "TID [MS]", "Whom did a thread wait for?", "CSWITCH; DISPATCHER makes it a fact";
        wakeups "", "Who wakes whom?", "DISPATCHER";
        wakers "PROGRAM", "Who wakes the threads of one program?", "DISPATCHER";
        wakechains "", "Which thread woke the thread that woke another?", "DISPATCHER, CSWITCH";
    }
    "Disks and files" {
        iotop "", "Which programs kept the disks busy?", "DISK_IO";
        iosnoop "[MICROSECONDS]", "What was each transfer?", "DISK_IO";
        disktop "", "Which file was slow?", "DISK_IO, DISK_FILE_IO";
        diskresp "", "How long did transfers take?", "DISK_IO";
        filesnoop "", "What was each operation on a file?", "FILE_IO_INIT, FILE_IO";
        filetop "", "Which files were used most?", "FILE_IO_INIT";
        fileops "", "Which operations on files did each program make?", "FILE_IO_INIT";
        opens "[MICROSECONDS]", "Which opens were slow or failed?", "FILE_IO_INIT, FILE_IO";
    }
    "Memory" {
        faults "", "How many page faults of each kind did programs cause?", "MEMORY_PAGE_FAULTS";
        hardfaults "", "Which files were paged in?", "MEMORY_HARD_FAULTS";
    }
    "Registry" {
        regsnoop "", "What was each operation on the registry?", "REGISTRY";
        regops "", "Which operations on which keys, and how long in all?", "REGISTRY";
    }
    "Network" {
        talkers "", "Who talked to whom?", "NETWORK_TCPIP";
        tcpsnoop "", "Which connections were opened and closed, and how much did they carry?", "NETWORK_TCPIP";
        dns "", "Which names were looked up?", "Microsoft-Windows-DNS-Client";
        packets "", "What is in captured packets?", "Microsoft-Windows-NDIS-PacketCapture, or Microsoft-Windows-PktMon";
    }
    "Programs" {
        proctree "", "Which processes were started, and how did they end?", "PROCESS";
        lifecycle "", "When did processes, threads and modules start and end?", "PROCESS, THREAD, IMAGE_LOAD";
        modules "", "Which modules were loaded?", "IMAGE_LOAD";
        powershell "", "What did PowerShell do?", "Microsoft-Windows-PowerShell";
        gpu "", "What did programs use the graphics processor for?", "Microsoft-Windows-DxgKrnl";
    }
    ".NET" {
        dotnet "", "What did the runtime do?", "Microsoft-Windows-DotNETRuntime";
        gc "", "How long did garbage collections pause programs?", "its keyword GC";
        exceptions "", "Which exceptions were thrown, and where?", "its keyword Exception";
    }
}

/// All scripts.
pub fn all() -> impl Iterator<Item = &'static BuiltIn> {
    SECTIONS.iter().flat_map(|(_, scripts)| *scripts)
}

/// Returns the script of that name.
///
/// ```
/// use tracewell::{Script, scripts};
///
/// let whorun = scripts::named("whorun").expect("it is one of them");
/// assert_eq!(whorun.question, "Which programs got the processors, by switches?");
/// let script = Script::new(whorun.text);
/// # let _ = script;
/// ```
#[must_use]
pub fn named(name: &str) -> Option<&'static BuiltIn> {
    all().find(|script| script.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_21_the_table_and_the_folder_have_the_same_scripts() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
        let files = std::fs::read_dir(folder).expect("the folder is there");
        let mut files: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        let mut table: Vec<_> = all().map(|script| format!("{}.d", script.name)).collect();
        files.sort();
        table.sort();
        assert_eq!(files, table);
    }

    /// A missing argument is answered with the line that says how a script is run.
    #[test]
    fn issue_21_scripts_begin_with_their_name_and_how_they_are_run() {
        for script in all() {
            let mut lines = script.text.lines();
            let begin = [lines.next(), lines.next()];
            assert_eq!(begin, [Some("#!/usr/bin/env -S dtrace -s"), Some("/*")], "{}", script.name);
            let title = lines.next().unwrap_or_default();
            assert!(title.starts_with(&format!(" * {}.d: ", script.name)), "{title}");
            let usage = format!(" *   dtrace {} trace.etl", script.name);
            let line = lines.take(6).find(|line| line.starts_with(&usage));
            let given =
                line.unwrap_or_else(|| panic!("{} says how it is run", script.name))[usage.len()..].trim();
            assert_eq!(given.is_empty(), script.arguments.is_empty(), "{}: {given}", script.name);
        }
        assert_eq!(named("whorun.d"), None);
    }
}
