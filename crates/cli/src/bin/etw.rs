//! The `etw` command.

fn main() -> std::process::ExitCode {
    tracewell_cli::etw::main()
}
