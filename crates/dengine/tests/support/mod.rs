//! A host, names and an output for tests, and a run of a program in the text form.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::borrow::Cow;
use std::collections::HashMap;
use tracewell_dengine::host::{Host, Logged, Names, Output, ProbeNames, Symbol};
use tracewell_dengine::{Engine, RunOptions, StartError};
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::catalog::{Catalog, ProbeDesc, ProbeInfo};
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::ir::{Region, text};
use tracewell_dlang::program::{ProbeId, StackPart};

/// A traced system of fixed answers.
#[derive(Default)]
pub struct TestHost {
    pub args: [u64; 10],
    pub builtins: HashMap<BuiltinVar, u64>,
    /// Bytes of the first host region.
    pub memory: Vec<u8>,
    pub kernel_stack: Vec<u64>,
    pub user_stack: Vec<u64>,
}

impl TestHost {
    /// A string in host memory; its address.
    pub fn string(&mut self, s: &str) -> u64 {
        let at = self.memory.len() as u64;
        self.memory.extend_from_slice(s.as_bytes());
        self.memory.push(0);
        Region::HOST_FIRST.address(at)
    }

    pub fn set(&mut self, var: BuiltinVar, value: u64) {
        self.builtins.insert(var, value);
    }
}

/// The address of bytes that only `copyin` reads.
pub const PROCESS: u64 = 0x7fff_0000;

impl Host for TestHost {
    fn builtin(&mut self, _: ProbeId, var: BuiltinVar) -> u64 {
        self.builtins.get(&var).copied().unwrap_or(0)
    }

    fn arg(&mut self, n: u32) -> Option<u64> {
        Some(self.args.get(n as usize).copied().unwrap_or(0))
    }

    fn memory(&self, address: u64) -> Option<&[u8]> {
        let (region, offset) = Region::split(address)?;
        if region == Region::HOST_FIRST { self.memory.get(offset as usize..) } else { None }
    }

    fn process_memory(&self, address: u64) -> Option<&[u8]> {
        b"process memory\0more".get(usize::try_from(address.checked_sub(PROCESS)?).ok()?..)
    }

    fn stack(&mut self, part: StackPart, max: usize, frames: &mut Vec<u64>) {
        let (kernel, user) = match part {
            StackPart::Kernel => (&self.kernel_stack[..], &[][..]),
            StackPart::User => (&[][..], &self.user_stack[..]),
            StackPart::Whole => (&self.kernel_stack[..], &self.user_stack[..]),
        };
        frames.extend(kernel.iter().chain(user).take(max));
    }

    fn progeny_of(&mut self, pid: u64) -> bool {
        pid == 7
    }
}

/// Names: probe 4 is a function's entry, 5 its return; addresses 0x1000… are symbols.
pub struct TestNames;

impl Names for TestNames {
    fn probe(&self, id: ProbeId) -> ProbeNames<'_> {
        let dtrace = |name| ProbeNames { provider: "dtrace", module: "", function: "", name };
        let io = |name| ProbeNames { provider: "io", module: "disk", function: "read", name };
        match id.0 {
            1 => dtrace("BEGIN"),
            2 => dtrace("END"),
            3 => dtrace("ERROR"),
            4 => io("entry"),
            5 => io("return"),
            _ => ProbeNames::default(),
        }
    }

    fn symbol(&self, pid: Option<u64>, address: u64) -> Option<Symbol<'_>> {
        let module = if pid.is_some() { "app.exe" } else { "ntoskrnl" };
        match address {
            0x1000..0x2000 => {
                Some(Symbol { module: module.into(), symbol: Some("start".into()), offset: address - 0x1000 })
            }
            0x2000..0x3000 => Some(Symbol { module: module.into(), symbol: None, offset: address - 0x2000 }),
            _ => None,
        }
    }

    fn port(&self, port: u16) -> Option<Cow<'_, str>> {
        (port == 443).then_some("https".into())
    }
}

/// All that was written.
#[derive(Default)]
pub struct TestOutput {
    pub out: Vec<u8>,
    pub errors: Vec<String>,
    pub commands: Vec<String>,
    pub files: Vec<Option<String>>,
    pub truncated: usize,
    /// Number, level, keyword and payload of each event.
    pub logged: Vec<(u32, u8, u64, Vec<u8>)>,
}

impl TestOutput {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }
}

impl Output for TestOutput {
    fn write(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    fn error(&mut self, line: &str) {
        self.errors.push(line.to_owned());
    }

    fn reopen(&mut self, path: Option<&[u8]>) -> Result<(), String> {
        self.files.push(path.map(|p| String::from_utf8_lossy(p).into_owned()));
        match path {
            Some(b"/bad") => Err("no such folder".into()),
            _ => Ok(()),
        }
    }

    fn system(&mut self, command: &[u8]) {
        self.commands.push(String::from_utf8_lossy(command).into_owned());
    }

    fn truncate(&mut self) {
        self.truncated += 1;
    }

    fn log(&mut self, event: &Logged<'_>) {
        self.logged.push((event.at, event.level, event.keyword, event.payload.to_vec()));
    }
}

/// Options by name and value.
pub fn options(list: &[(&str, &str)]) -> RunOptions {
    let mut options = RunOptions::default();
    for (name, value) in list {
        options.set(name, Some(value)).unwrap();
    }
    options
}

pub fn engine(program: &str, list: &[(&str, &str)]) -> Result<Engine, StartError> {
    let program = text::parse(program).unwrap_or_else(|e| panic!("{e}\n{program}"));
    Engine::new(program, options(list))
}

/// What a run came to.
pub struct Run {
    pub text: String,
    pub output: TestOutput,
    pub engine: Engine,
}

/// Fires the probes in order on CPU 0 and finishes.
pub fn run(program: &str, list: &[(&str, &str)], host: &mut TestHost, probes: &[u32]) -> Run {
    let mut engine = engine(program, list).unwrap_or_else(|e| panic!("{e}"));
    for &probe in probes {
        engine.fire(ProbeId(probe), 0, host);
    }
    let mut output = TestOutput::default();
    engine.finish(&TestNames, &mut output);
    Run { text: output.text(), output, engine }
}

/// Runs a single quiet BEGIN clause: its actions, its code without `ret`, its program's tables.
pub fn quiet(tables: &str, actions: &str, code: &str, host: &mut TestHost) -> Run {
    let program =
        format!("{tables}\nclause \"BEGIN\" {{ probes 1 registers 64\n{actions}\ncode\n{code}\nret\n}}");
    run(&program, &[("quiet", "on"), ("destructive", "on")], host, &[1])
}

/// The three probes that are always there.
pub struct Few(Vec<ProbeInfo>);

impl Catalog for Few {
    fn matches(&mut self, desc: &ProbeDesc, out: &mut Vec<ProbeId>) {
        out.extend(self.0.iter().filter(|p| p.name == desc.name).map(|p| p.id));
    }

    fn probe(&self, id: ProbeId) -> Option<&ProbeInfo> {
        self.0.iter().find(|p| p.id == id)
    }
}

/// A catalog of these probes.
pub fn few() -> Few {
    let probe = |(n, name): (u32, &str)| ProbeInfo {
        id: ProbeId(n),
        provider: "dtrace".to_owned(),
        module: String::new(),
        function: String::new(),
        name: name.to_owned(),
        args: Vec::new(),
    };
    Few([(1, "BEGIN"), (2, "END"), (3, "ERROR")].map(probe).to_vec())
}

/// Compiles a D program, fires `BEGIN` once for each set of arguments, and returns what it prints.
pub fn run_d(source: &str, args: &[[u64; 2]]) -> TestOutput {
    run_d_with(source, args, options(&[("quiet", "on")]))
}

/// The same with other options.
pub fn run_d_with(source: &str, args: &[[u64; 2]], options: RunOptions) -> TestOutput {
    let mut catalog = few();
    let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
    let program = compiler
        .compile(&[ProgramText::script("test.d", source)])
        .unwrap_or_else(|e| panic!("{}\n{source}", e.classic(compiler.sources(), true)));
    let mut engine = Engine::new(program, options).unwrap();
    let mut host = TestHost::default();
    for args in args {
        host.args[..2].copy_from_slice(args);
        engine.fire(ProbeId::BEGIN, 0, &mut host);
    }
    let mut output = TestOutput::default();
    engine.finish(&TestNames, &mut output);
    output
}
