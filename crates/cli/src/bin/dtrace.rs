//! The `dtrace` command.

fn main() -> std::process::ExitCode {
    tracewell_cli::dtrace::main()
}
