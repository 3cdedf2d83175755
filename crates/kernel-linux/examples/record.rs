//! Records the kernel into a trace: `record FILE SECONDS FLAGS [STACKS]`.

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    linux::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
#[path = "../tests/writer/mod.rs"]
mod writer;

#[cfg(target_os = "linux")]
mod linux {
    use super::writer::Writer;
    use std::time::{Duration, Instant};
    use tracewell_kernel_linux::{Monotonic, Options, Session, events, flags};

    #[expect(clippy::print_stdout, reason = "an example is a command")]
    pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let [file, seconds, names, stacks @ ..] = &arguments[..] else {
            return Err("usage: record FILE SECONDS FLAGS [STACKS]".into());
        };
        let parse = |names: &str| if names == "all" { Ok(flags::all()) } else { flags::parse(names) };
        let options = Options {
            flags: parse(names)? | Options::default().flags,
            stacks: events(stacks.first().map_or(Ok(0), |names| parse(names))?),
            ..Options::default()
        };
        let begin = Instant::now();
        let mut writer = Writer::create(file.as_ref())?;
        let mut session = Session::start(options, Box::new(Monotonic))?;
        println!("started in {:?}", begin.elapsed());
        for missing in session.missing() {
            println!("missing: {}: {}", missing.source, missing.why);
        }
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs_f64(seconds.parse()?) {
            std::thread::sleep(Duration::from_millis(50));
            session.read(&mut writer);
        }
        let totals = session.stop(&mut writer);
        writer.finish()?;
        println!("{totals:#?}");
        Ok(())
    }
}
