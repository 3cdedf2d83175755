//! What descriptions match in programs that are made up byte by byte, and what is watched then.

use std::collections::BTreeSet;
use std::rc::Rc;

use tracewell_corpus::Scratch;
use tracewell_types::operand::Place;

use crate::find::{Fault, Finder, Found, Refusal, Way, provider_pid};
use crate::made::{AsModule as _, CODE, DATA, FUNCTION, INDIRECT, Made, VARIABLE};
use crate::mechanism::{Caller, Watch};
use crate::modules::Module;

/// An empty pattern matches all; a star is any text.
fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern.is_empty() || pattern == text,
        Some((head, rest)) => text.strip_prefix(head).is_some_and(|text| {
            rest.is_empty() || (0..=text.len()).any(|at| glob(rest, &text[at..]) && (!rest.is_empty()))
        }),
    }
}

/// Names and addresses of what [`program`] has.
struct Places {
    start: u64,
    main: u64,
    twice: u64,
    cold: u64,
}

/// A program whose functions begin and end in different ways.
fn program() -> (Made, Places) {
    let mut made = Made::default();
    // xor %ebp,%ebp; mov %rdx,%r9; hlt
    let start = made.function("_start", &[0x31, 0xED, 0x49, 0x89, 0xD1, 0xF4]);
    made.entry = start;
    // endbr64; push %rbp; mov %rsp,%rbp; pop %rbp; ret
    let main = made.function("main", &[0xF3, 0x0F, 0x1E, 0xFA, 0x55, 0x48, 0x89, 0xE5, 0x5D, 0xC3]);
    made.symbol("_main", FUNCTION, main, 10);
    // test %edi,%edi; je +1; ret; xor %eax,%eax; ret
    let twice = made.function("twice", &[0x85, 0xFF, 0x74, 0x01, 0xC3, 0x31, 0xC0, 0xC3]);
    // xor %eax,%eax; ret: the part of `twice` that the compiler put elsewhere.
    let cold = made.function("twice.cold", &[0x31, 0xC0, 0xC3]);
    // push %rbp; call main; pop %rbp; ret
    let distance = (main as i64 - (made.here() as i64 + 6)) as i32;
    made.function("calls", &[&[0x55, 0xE8][..], &distance.to_le_bytes(), &[0x5D, 0xC3]].concat());
    let chooser = made.here();
    // lea main(%rip),%rax; ret
    made.bytes(&[0x48, 0x8D, 0x05, 0, 0, 0, 0, 0xC3]);
    made.symbol("chosen", INDIRECT, chooser, 8);
    made.symbol("nowhere", FUNCTION, 0x10_0000, 4);
    made.symbol("counter", VARIABLE, DATA.1 + 0x40, 8);
    (made, Places { start, main, twice, cold })
}

fn finder(folder: &Scratch, modules: Vec<Module>, limit: usize) -> Finder {
    Finder::new(modules, vec![folder.join("later")], folder.to_path_buf(), limit)
}

fn shown(found: Result<Vec<Found>, Refusal>) -> String {
    let line = |found: &Found| format!("{}:{}:{}", found.module, found.function, found.name);
    match found {
        Ok(found) => found.iter().map(line).collect::<Vec<_>>().join(" "),
        Err(error) => error.why,
    }
}

#[test]
fn issue_23_descriptions_match_functions_and_say_why_they_do_not() {
    let folder = Scratch::new("find");
    let (made, _) = program();
    let mut finder = finder(&folder, vec![made.module(&folder, "made")], 100);
    let all = "made:_start:entry made:main:entry made:main:return made:twice:entry made:twice:return \
               made:calls:entry made:calls:return";
    for (way, function, name, expected) in [
        (Way::Kernel, "main", "entry", "made:main:entry"),
        (Way::Kernel, "main", "return", "made:main:return"),
        (
            Way::Kernel,
            "main",
            "",
            "made:main:entry made:main:return made:main:0 made:main:4 made:main:5 made:main:8 made:main:9",
        ),
        // An alias has its own name only if it is asked for.
        (Way::Kernel, "_main", "entry", "made:_main:entry"),
        (Way::Kernel, "*main", "entry", "made:main:entry"),
        (Way::Kernel, "main", "4", "made:main:4"),
        (Way::Kernel, "main", "0x5", "made:main:5"),
        (Way::Kernel, "main", "0", "made:main:0"),
        (Way::Kernel, "main", "6", "no instruction of main begins at the offset 0x6"),
        (Way::Kernel, "main", "9", "made:main:9"),
        (Way::Kernel, "main", "a", "main has 0xa bytes: the offset 0xa is behind it"),
        (Way::Kernel, "main", "exit", "exit is neither entry, nor return, nor an offset in hexadecimal"),
        (
            Way::Kernel,
            "twice",
            "*",
            "made:twice:entry made:twice:return made:twice:0 made:twice:2 made:twice:4 \
                                     made:twice:5 made:twice:7",
        ),
        (Way::Kernel, "twice", "e*", "made:twice:entry"),
        (Way::Kernel, "twice", "4*", "made:twice:4"),
        (Way::Kernel, "twice.cold", "entry", "made:twice.cold:entry"),
        (Way::Kernel, "_start", "*r*", "made:_start:entry"),
        (Way::Kernel, "_start", "return", "_start does not return: the program begins there"),
        (Way::Kernel, "", "*r*", all),
        (
            Way::Kernel,
            "chosen",
            "entry",
            "chosen is chosen when the program is loaded: probe the functions that it is \
                                          chosen from (dtrace -l lists *chosen*)",
        ),
        (Way::Kernel, "nowhere", "entry", "nowhere has no code in the file"),
        (
            Way::Kernel,
            "absent",
            "entry",
            "no function of made matches absent; a function that the compiler inlined has \
                                          no separate code",
        ),
        (Way::Hooks, "main", "entry", "made:main:entry"),
        (Way::Hooks, "main", "", "made:main:entry made:main:return"),
        (Way::Hooks, "twice", "return", "made:twice:return"),
        (Way::Hooks, "_start", "", "made:_start:entry"),
        (Way::Hooks, "_start", "return", "_start does not return: the program begins there"),
        (Way::Hooks, "main", "4", "4: fpid has probes on entry and return only; use pid"),
        (Way::Hooks, "calls", "entry", "made:calls:entry"),
        (Way::Hooks, "nowhere", "entry", "nowhere has no code in the file"),
        (
            Way::Hooks,
            "chosen",
            "entry",
            "chosen is chosen when the program is loaded: probe the functions that it is \
                                         chosen from (dtrace -l lists *chosen*)",
        ),
        (Way::Hooks, "-", "7000", "fpid has no probes on addresses (-): use pid"),
    ] {
        assert_eq!(
            shown(finder.find(glob, way, ["", function, name])),
            expected,
            "{way:?} {function}:{name}"
        );
    }
    // Each place has one number.
    let site =
        |finder: &mut Finder, name| finder.find(glob, Way::Kernel, ["", "main", name]).unwrap()[0].site;
    assert_eq!(site(&mut finder, "entry"), site(&mut finder, "entry"));
    assert_ne!(site(&mut finder, "entry"), site(&mut finder, "return"));
}

#[test]
fn issue_23_what_a_probe_watches() {
    let folder = Scratch::new("watches");
    let (made, at) = program();
    let module = made.module(&folder, "made");
    let mut finder = finder(&folder, vec![module.clone()], 100);
    let offset = |address: u64| address - CODE.1 + CODE.0;
    let mut watch = |function, name| {
        let found = finder.find(glob, Way::Kernel, ["made", function, name]).unwrap();
        let watches = finder.watches(found[0].site, 7);
        (watches, finder.is_stepped(found[0].site), finder.function_of(found[0].site).map(|f| (f.2, f.3)))
    };
    let one = |address, returns, caller| Watch {
        probe: 7,
        file: module.path.clone(),
        offset: offset(address),
        returns,
        return_offset: None,
        counter: 0,
        operands: None,
        caller,
        deeds: Rc::default(),
        unfit: false,
    };
    let entry = one(at.main, false, Caller::OnTopRecognized);
    assert_eq!(watch("main", "entry"), (vec![entry], true, Some((at.main, false))));
    // What the kernel need not step through: push %rbp.
    let inside = one(at.main + 4, false, Caller::InFrame);
    assert_eq!(watch("main", "4"), (vec![inside], false, None));
    let entry = one(at.twice, false, Caller::OnTop);
    assert_eq!(watch("twice", "entry"), (vec![entry], true, Some((at.twice, false))));
    assert!(!watch("twice", "2").1);
    let back = one(at.twice, true, Caller::InFrame);
    assert_eq!(watch("twice", "return"), (vec![back], true, Some((at.twice, true))));
    assert_eq!(watch("calls", "entry").0[0].caller, Caller::OnTopRecognized);
    assert_eq!(finder.beginning(), Some((module.path.clone(), offset(at.start))));
    // No such place.
    assert_eq!((finder.watches(99, 0), finder.is_stepped(99)), (vec![], false));

    // Returns that must not be changed are watched one by one, also in the part that is elsewhere.
    let mut made = made;
    made.symbol("__gxx_personality_v0", FUNCTION, at.main, 10);
    let module = made.module(&folder, "unwound");
    let mut finder = self::finder(&folder, vec![module], 100);
    let found = finder.find(glob, Way::Kernel, ["", "twice", "return"]).unwrap();
    let watches = finder.watches(found[0].site, 1);
    let seen: Vec<_> = watches.iter().map(|w| (w.offset, w.returns, w.return_offset)).collect();
    let expected = [at.twice + 4, at.twice + 7, at.cold + 2]
        .map(|address| (offset(address), false, Some(address - at.twice)));
    assert_eq!(seen, expected);
}

#[test]
fn issue_23_hooks_move_the_first_instructions_and_say_why_they_cannot() {
    let folder = Scratch::new("moved");
    let mut made = Made::default();
    let nop = 0x90;
    let mut cases: Vec<(&str, Result<usize, &str>)> = Vec::new();
    // Name, code, what follows it, and the number of bytes that are moved.
    for (name, code, behind, expected) in [
        // push %rbp; mov %rsp,%rbp; nop
        ("whole", &[0x55, 0x48, 0x89, 0xE5, nop, 0xC3][..], &[][..], Ok(5)),
        // sub $imm32,%rsp
        ("long", &[0x48, 0x81, 0xEC, 0, 1, 0, 0, 0xC3], &[], Ok(7)),
        // xor %eax,%eax; ret, then padding
        ("padded", &[0x31, 0xC0, 0xC3], &[nop, nop, 0xCC], Ok(3)),
        ("exactly_padded", &[0x31, 0xC0, 0xC3], &[nop, nop], Ok(3)),
        ("crowded", &[0x31, 0xC0, 0xC3], &[nop], Err("it is too short")),
        ("other_code_behind", &[0x31, 0xC0, 0xC3], &[nop, 0x55, nop, nop], Err("it is too short")),
        // call *%rax; nop
        ("calls_at_once", &[0xFF, 0xD0, nop, nop, nop, 0xC3], &[], Err("it begins with a call")),
        // push %rbp; nop; call *%rax: indirect calls cannot be moved at all
        ("calls_indirectly", &[0x55, nop, nop, 0xFF, 0xD0, 0xC3], &[], Err("it begins with a call")),
        // push %rbp; call +0: the call is the last of those that are moved
        ("calls_last", &[0x55, 0xE8, 0, 0, 0, 0, 0xC3], &[], Ok(6)),
        // call +0; nop
        ("calls_first", &[0xE8, 0, 0, 0, 0, nop, 0xC3], &[], Ok(5)),
        ("trap", &[0xCC, nop, nop, nop, nop, 0xC3], &[], Err("its first bytes are no instructions")),
        ("invalid", &[0x06, nop, nop, nop, nop, 0xC3], &[], Err("its first bytes are no instructions")),
        // xbegin +0
        ("transaction", &[0xC7, 0xF8, 0, 0, 0, 0, 0xC3], &[], Err("it begins with a transaction")),
        // nop; nop; dec %eax; jne -4: the jump leads to the third byte
        ("loops", &[nop, nop, 0xFF, 0xC8, 0x75, 0xFC, 0xC3], &[], Err("a jump leads into its first bytes")),
        // nop * 5; dec %eax; jne -4: to the sixth
        ("loops_later", &[nop, nop, nop, nop, nop, 0xFF, 0xC8, 0x75, 0xFC, 0xC3], &[], Ok(5)),
        // dec %eax; nop; nop; nop; jne -7: to the first
        ("loops_whole", &[0xFF, 0xC8, nop, nop, nop, 0x75, 0xF9, 0xC3], &[], Ok(5)),
        // nop * 4; dec %eax; jne -3: to the fifth, inside what the jump overwrites
        (
            "loops_to_last",
            &[nop, nop, nop, nop, 0xFF, 0xC8, 0x75, 0xFC, 0xC3],
            &[],
            Err("a jump leads into its first bytes"),
        ),
    ] {
        made.function(name, code);
        made.bytes(behind);
        cases.push((name, expected));
    }
    made.function("setjmp", &[0x55, nop, nop, nop, nop, 0xC3]);
    let last = made.function("unsized_at_the_end", &[0x55, nop, 0xC3]);
    made.symbol("goes_on", FUNCTION, last, 0);
    let module = made.module(&folder, "made");
    let mut finder = finder(&folder, vec![module.clone()], 100);
    for (name, expected) in &cases {
        let found = finder.find(glob, Way::Hooks, ["made", name, ""]);
        let expected = expected.map_err(|why| format!("{name} cannot have a hook: {why}; use pid"));
        let moved = found.map_err(|error| error.why).map(|found| {
            let [entry, back] = [0, 1].map(|at| finder.hooks(found[at].site, 3 + at as u32).unwrap());
            assert_eq!((entry.probe, back.probe, entry.returns, back.returns), (3, 4, false, true), "{name}");
            assert_eq!((&*entry.function, &entry.file), (*name, &module.path));
            assert_eq!((entry.offset, &entry.moved), (back.offset, &back.moved));
            let start = entry.offset as usize;
            assert_eq!(entry.moved, std::fs::read(&module.path).unwrap()[start..start + entry.moved.len()]);
            entry.moved.len()
        });
        assert_eq!(moved, expected, "{name}");
    }
    let refused: BTreeSet<String> = cases
        .iter()
        .filter_map(|(name, expected)| {
            expected.err().map(|why| format!("{name} cannot have a hook: {why}; use pid"))
        })
        .collect();
    assert_eq!(finder.unhooked(), &refused);
    // Its return address is not touched.
    assert_eq!(shown(finder.find(glob, Way::Hooks, ["", "setjmp", ""])), "made:setjmp:entry");
    assert_eq!(
        shown(finder.find(glob, Way::Hooks, ["", "setjmp", "return"])),
        "the return of setjmp cannot have a hook: its return address must not be changed"
    );
    assert_eq!(
        shown(finder.find(glob, Way::Hooks, ["", "goes_on", "entry"])),
        // What has no size in the table goes on.
        "made:goes_on:entry"
    );
    made.symbol("runtime.goexit.abi0", FUNCTION, CODE.1, 1);
    let mut finder = self::finder(&folder, vec![made.module(&folder, "of-go")], 100);
    assert_eq!(
        shown(finder.find(glob, Way::Hooks, ["", "whole", "entry"])),
        "programs of Go move their stacks, so they have no hooks: use pid"
    );
    // The kernel can watch it, but not where it must find a return instruction and there is none.
    made.function("never", &[0x0F, 0x0B]);
    made.symbol("rust_eh_personality", FUNCTION, CODE.1, 1);
    let mut finder = self::finder(&folder, vec![made.module(&folder, "of-rust")], 100);
    assert_eq!(shown(finder.find(glob, Way::Kernel, ["", "never", "*r*"])), "of-rust:never:entry");
    let error = shown(finder.find(glob, Way::Kernel, ["", "never", "return"]));
    assert!(error.starts_with("never has no return instruction, and "), "{error}");
}

#[test]
fn issue_23_modules_are_named_in_many_ways() {
    let folder = Scratch::new("modules");
    let made = program().0;
    let mut library = program().0;
    library.entry = 0;
    let mut modules = vec![made.module(&folder, "a program")];
    for name in ["libc.so.6", "libm.so", "tool.1", "notes.txt"] {
        modules.push(library.module(&folder, name));
    }
    let names = modules.iter().map(|module| module.name.clone()).collect::<Vec<_>>();
    let path = modules[2].path.to_string_lossy().into_owned();
    std::fs::create_dir(folder.join("later")).unwrap();
    library.module(&folder, "later/libz.so");
    let absolute = library.module(&folder, "elsewhere").path.to_string_lossy().into_owned();
    let mut finder = finder(&folder, modules, 100);
    for (module, expected) in [
        ("", &["a program", "libc.so.6", "libm.so", "tool.1", "notes.txt"][..]),
        ("a.out", &["a program"]),
        ("a program", &["a program"]),
        ("libc.so.6", &["libc.so.6"]),
        ("libc", &["libc.so.6"]),
        ("libc.so", &["libc.so.6"]),
        ("tool", &["tool.1"]),
        ("lib*", &["libc.so.6", "libm.so"]),
        (&path, &["libm.so"]),
        // Those are found where libraries are looked for.
        ("libz", &["libz.so"]),
        ("libz.so", &["libz.so"]),
        (&absolute, &["elsewhere"]),
    ] {
        let found = finder.modules_of(glob, module).unwrap();
        let found: Vec<&str> = found.iter().map(|index| &*finder.modules[*index].name).collect();
        assert_eq!(found, expected, "{module}");
    }
    // Modules of one name are not looked for in the folders again, nor are patterns that match a module.
    let count = finder.modules.len();
    assert_eq!(count, names.len() + 2);
    for absent in ["libq", "li", "not*", "a.outs"] {
        let found = finder.modules_of(glob, absent);
        if absent == "not*" {
            assert_eq!(found, Ok(vec![4]));
            continue;
        }
        let expected = format!(
            "the process has no module {absent}: it has {}, libz.so, elsewhere; a library that is loaded later is found in \
             its usual folders, beside the program, by LD_LIBRARY_PATH and by RUNPATH, and -Z waits for one from elsewhere",
            names.join(", ")
        );
        assert_eq!(found.unwrap_err(), expected);
    }
    assert_eq!(finder.modules.len(), count);
    while finder.modules.len() < 13 {
        let next = finder.modules[0].clone();
        finder.modules.push(next);
    }
    let error = finder.modules_of(glob, "none").unwrap_err();
    assert!(error.contains(", a program, ...; a library"), "{error}");
    finder.modules.truncate(12);
    let error = finder.modules_of(glob, "none").unwrap_err();
    assert!(error.contains(", a program; a library"), "{error}");
}

/// What a process maps later is a module once, under its real path; only descriptions that name it find functions in it.
#[test]
fn issue_17_files_that_are_mapped_later_are_modules() {
    let folder = Scratch::new("arrivals");
    let mut library = program().0;
    library.entry = 0;
    let modules = vec![program().0.module(&folder, "program"), library.module(&folder, "libfirst.so")];
    library.module(&folder, "libplug.so.2");
    for (link, to) in [("libplug.so", "libplug.so.2"), ("linked", "libfirst.so")] {
        std::os::unix::fs::symlink(to, folder.join(link)).unwrap();
    }
    let mut finder = finder(&folder, modules, 3);
    // Paths are those that the process sees: its root is the folder.
    for (path, expected) in [
        ("/libfirst.so", None),
        ("/linked", None),
        ("/absent.so", None),
        ("/libplug.so.2", Some(2)),
        ("/libplug.so", None),
    ] {
        let size = std::fs::metadata(folder.join(&path[1..])).map_or(0, |file| file.len());
        let expected = expected.map(|index| (index, size));
        assert_eq!(finder.arrive(std::path::Path::new(path)), expected, "{path}");
    }
    assert_eq!(finder.modules.len(), 3);
    for (parts, index, expected) in [
        (["libplug.so", "main", "entry"], 2, "libplug.so.2:main:entry"),
        (["lib*", "main", "return"], 2, "libplug.so.2:main:return"),
        (["", "main", "entry"], 2, "libplug.so.2:main:entry"),
        (["libfirst.so", "main", "entry"], 2, ""),
        (["libplug.so", "absent", "entry"], 2, ""),
        (["libplug.so", "main", "begin"], 2, ""),
        (["libplug.so", "-", "10"], 2, ""),
        (["", "main", "entry"], 3, ""),
        (
            ["", "", "entry"],
            2,
            "the description matches 4 places, and the limit is 3: name fewer functions, or raise it with -x pidlimit=N",
        ),
    ] {
        assert_eq!(shown(finder.find_later(glob, parts, index)), expected, "{parts:?} {index}");
    }
    let site = finder.find_later(glob, ["", "main", "entry"], 2).unwrap()[0].site;
    let watches = finder.watches(site, 9);
    assert_eq!((watches.len(), watches[0].probe), (1, 9));
    assert!(watches[0].file.ends_with("libplug.so.2"), "{watches:?}");
    // What is not there is watched nowhere.
    let absent = finder.absent(["libq.so", "f", "entry"]);
    let other = finder.absent(["libq.so", "g", "entry"]);
    assert_ne!(absent.site, other.site);
    assert!(finder.watches(absent.site, 1).is_empty() && !finder.is_stepped(absent.site));
    assert_eq!(finder.function_of(absent.site), None);
    assert_eq!(shown(Ok(vec![absent])), "libq.so:f:entry");
}

/// Patterns that no module matches are looked for in the folders: each file once, and of a name the first.
#[test]
fn issue_17_patterns_match_libraries_that_are_loaded_later() {
    let folder = Scratch::new("later-patterns");
    let mut library = program().0;
    library.entry = 0;
    for name in ["later", "other"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    for name in [
        "later/libz.so.1.3",
        "later/libq.so",
        "other/libq.so",
        "other/libzz.so.2",
        "later/libz.some",
        "later/notes",
    ] {
        library.module(&folder, name);
    }
    for (link, to) in [("libz.so.1", "libz.so.1.3"), ("libz.so", "libz.so.1"), ("libx.so", "absent")] {
        std::os::unix::fs::symlink(to, folder.join("later").join(link)).unwrap();
    }
    std::fs::create_dir(folder.join("later/libd.so")).unwrap();
    let folders = ["later", "other", "missing"].map(|name| folder.join(name)).to_vec();
    let modules = vec![program().0.module(&folder, "program")];
    let finder = || Finder::new(modules.clone(), folders.clone(), folder.to_path_buf(), 100);
    for (pattern, expected) in [
        ("libz.so*", &["later/libz.so.1.3"][..]),
        ("*z.so.1", &["later/libz.so.1.3"]),
        ("libz*", &["later/libz.so.1.3", "other/libzz.so.2"]),
        ("libq*", &["later/libq.so"]),
        ("p*", &["program"]),
    ] {
        let mut finder = finder();
        for _ in 0..2 {
            let found = finder.modules_of(glob, pattern).unwrap();
            let paths: Vec<_> = found.iter().map(|index| finder.modules[*index].path.clone()).collect();
            assert_eq!(paths, expected.iter().map(|name| folder.join(name)).collect::<Vec<_>>(), "{pattern}");
        }
    }
    let mut named = finder();
    let name = |finder: &mut Finder, pattern| {
        let found = finder.modules_of(glob, pattern).unwrap();
        finder.modules[found[0]].name.clone()
    };
    assert_eq!(name(&mut named, "libz.so*"), "libz.so.1.3", "the file's name");
    assert_eq!(name(&mut finder(), "*z.so.1"), "libz.so.1", "the name that the pattern matches");
    for absent in ["libx*", "not*", "libd*"] {
        let error = finder().modules_of(glob, absent).unwrap_err();
        assert!(
            error.starts_with(&format!("the process has no module {absent}: it has program; ")),
            "{error}"
        );
    }
    for number in 0..=64 {
        library.module(&folder, &format!("later/libmany{number}.so"));
    }
    let error = finder().modules_of(glob, "libm*").unwrap_err();
    assert_eq!(
        error,
        "the process has no module libm* yet, and 65 libraries that it could load match: name fewer"
    );
}

#[test]
fn issue_23_modules_that_cannot_be_read_are_reported_if_no_other_has_the_function() {
    let folder = Scratch::new("unreadable");
    let mut foreign = program().0;
    foreign.foreign = true;
    let foreign = foreign.module(&folder, "foreign");
    let text = Module { name: "text".into(), path: folder.write("text", b"x"), program: false, mapped: None };
    let (foreign_path, text_path) = (foreign.path.display().to_string(), text.path.display().to_string());
    let made = program().0.module(&folder, "made");
    let mut finder = finder(&folder, vec![foreign, text, made], 100);
    let mut error = |module, function| finder.find(glob, Way::Kernel, [module, function, "entry"]);
    assert_eq!(shown(error("", "main")), "made:main:entry");
    assert_eq!(shown(error("", "absent")), format!("{foreign_path}: not a program for x86-64"));
    assert!(shown(error("text", "main")).starts_with(&format!("{text_path}: ")));
    // What is stripped has another hint.
    let mut stripped = program().0;
    stripped.stripped = true;
    let mut finder = self::finder(&folder, vec![stripped.module(&folder, "stripped")], 100);
    let error = shown(finder.find(glob, Way::Kernel, ["", "absent", "entry"]));
    assert!(error.starts_with("no function of stripped matches absent: it is stripped, so only "), "{error}");
    assert_eq!(shown(finder.find(glob, Way::Kernel, ["", "main", "entry"])), "stripped:main:entry");
}

#[test]
fn issue_23_the_limit_counts_places() {
    let folder = Scratch::new("limit");
    let module = program().0.module(&folder, "made");
    let refused = |limit| {
        format!(
            "the description matches 2 places, and the limit is {limit}: name fewer functions, or raise it with -x \
             pidlimit=N"
        )
    };
    for (limit, expected) in
        [(2, "made:main:entry made:main:return".to_owned()), (1, refused(1)), (0, refused(0))]
    {
        let mut finder = finder(&folder, vec![module.clone()], limit);
        assert_eq!(shown(finder.find(glob, Way::Kernel, ["", "main", "*r*"])), expected);
    }
}

#[test]
fn issue_17_a_refusal_says_what_of_a_description_is_at_fault() {
    let folder = Scratch::new("fault");
    let mut finder = finder(&folder, vec![program().0.module(&folder, "made")], 2);
    for (way, parts, expected) in [
        (Way::Kernel, ["", "absent", "entry"], Fault::Function),
        (Way::Kernel, ["", "absent*", "entry"], Fault::Other),
        (Way::Kernel, ["", "main", "beginning"], Fault::Name),
        // The name is read first.
        (Way::Kernel, ["", "absent", "beginning"], Fault::Name),
        (Way::Kernel, ["", "-", ""], Fault::Name),
        (Way::Kernel, ["", "-", "10*"], Fault::Name),
        (Way::Kernel, ["", "main", "a"], Fault::Offset),
        (Way::Kernel, ["", "main", "6"], Fault::Offset),
        (Way::Kernel, ["", "-", "1"], Fault::Address),
        (Way::Kernel, ["", "", ""], Fault::Limit),
        (Way::Kernel, ["none", "main", "entry"], Fault::Other),
        (Way::Kernel, ["", "chosen", "entry"], Fault::Other),
        (Way::Hooks, ["", "absent", "entry"], Fault::Function),
        (Way::Hooks, ["", "main", "4"], Fault::Name),
    ] {
        assert_eq!(finder.find(glob, way, parts).unwrap_err().fault, expected, "{way:?} {parts:?}");
    }
    assert_eq!(finder.find_static(glob, "none", [""; 3]).unwrap_err().fault, Fault::Other);
    for (name, expected) in [
        ("", "an empty name is not an address in hexadecimal"),
        ("1*", "1* is not an address in hexadecimal"),
    ] {
        assert_eq!(shown(finder.find(glob, Way::Kernel, ["", "-", name])), expected);
    }
}

#[test]
fn issue_23_addresses_are_those_of_the_process_if_the_module_is_mapped() {
    let folder = Scratch::new("absolute");
    let (made, at) = program();
    let mut module = made.module(&folder, "made");
    let base = 0x5555_0000_0000;
    for (mapped, bias) in [(None, 0), (Some((base, CODE.0)), base - CODE.1)] {
        module.mapped = mapped;
        let mut finder = finder(&folder, vec![module.clone()], 100);
        let hex = |address: u64| format!("{:x}", address + bias);
        for (address, function) in
            [(at.main, "main"), (at.main + 4, "main"), (at.main + 9, "main"), (at.cold, "twice.cold")]
        {
            let name = hex(address);
            let found = finder.find(glob, Way::Kernel, ["", "-", &name]).unwrap();
            assert_eq!((&*found[0].function, &found[0].name, found.len()), (function, &name, 1));
            assert_eq!(finder.watches(found[0].site, 0)[0].offset, address - CODE.1 + CODE.0);
        }
        let mut error = |name: &str, module| shown(finder.find(glob, Way::Kernel, [module, "-", name]));
        assert_eq!(error("x1", ""), "x1 is not an address in hexadecimal");
        let inside = hex(at.main + 6);
        assert_eq!(error(&inside, ""), format!("no instruction begins at 0x{inside} (main+0x6)"));
        let data = hex(DATA.1);
        assert_eq!(
            error(&data, ""),
            format!("0x{data} is not an address of code in the modules of the process")
        );
        assert_eq!(error(&data, "made"), format!("0x{data} is not an address of code in made"));
    }
    let mut made = made;
    made.bytes(&[0x90; 8]);
    let unnamed = made.here() - 2;
    let mut finder = finder(&folder, vec![made.module(&folder, "more")], 100);
    assert_eq!(
        shown(finder.find(glob, Way::Kernel, ["", "-", &format!("0x{unnamed:x}")])),
        format!("{unnamed:#x} is in no function, so it is unknown whether an instruction begins there")
    );
}

#[test]
fn issue_23_probes_that_programs_contain_have_places_counters_and_arguments() {
    let folder = Scratch::new("statics");
    let (mut made, at) = program();
    let counter = DATA.1 + 0x20;
    made.probes = vec![
        ("app", "call__start", at.main + 4, counter, "8@%rdi -4@$5"),
        ("app", "call__start", at.main + 9, counter, "8@%rsi -4@$6"),
        ("app", "done", at.twice, 0, "8@counter"),
        ("app", "outside", 0x10_0000, 0, ""),
        ("other", "done", at.main, 0, ""),
    ];
    let module = made.module(&folder, "made");
    let mut finder = finder(&folder, vec![module, program().0.module(&folder, "plain")], 100);
    assert_eq!(finder.providers().into_iter().collect::<Vec<_>>(), ["app", "other"]);
    let both = "made:main:call-start made:twice:done";
    for (function, name, expected) in [
        ("", "", both),
        ("", "call-start", "made:main:call-start"),
        ("", "call__start", "made:main:call-start"),
        ("main", "", "made:main:call-start"),
        ("tw*", "", "made:twice:done"),
        ("main", "done", "the provider app has no such probe (dtrace -l -P 'app*' lists them)"),
        ("", "outside", "the provider app has no such probe (dtrace -l -P 'app*' lists them)"),
    ] {
        assert_eq!(
            shown(finder.find_static(glob, "app", ["", function, name])),
            expected,
            "{function}:{name}"
        );
    }
    assert_eq!(shown(finder.find_static(glob, "other", ["", "", ""])), "made:main:done");
    assert_eq!(
        shown(finder.find_static(glob, "third", ["", "", ""])),
        "the process contains no provider third: it has app, other"
    );
    let found = finder.find_static(glob, "app", ["", "", ""]).unwrap();
    let again = finder.find_static(glob, "app", ["", "", "call*"]).unwrap();
    assert_eq!(found[0].site, again[0].site);
    let watches = finder.watches(found[0].site, 5);
    let seen: Vec<_> = watches.iter().map(|w| (w.offset - CODE.0, w.counter, w.returns, w.probe)).collect();
    let of = |address: u64| address - CODE.1;
    let counted = DATA.0 + 0x20;
    assert_eq!(seen, [(of(at.main + 4), counted, false, 5), (of(at.main + 9), counted, false, 5)]);
    let registers = watches.iter().map(|watch| watch.operands.as_ref().unwrap()[0].place);
    let registers: Vec<Place> = registers.collect();
    assert_eq!(registers, [14, 13].map(|register| Place::Register { register, high: false }));
    // One of its places is stepped through.
    assert!(finder.is_stepped(found[0].site));
    let done = finder.watches(found[1].site, 6);
    assert_eq!((done[0].counter, done.len()), (0, 1));
    let variable = Place::Memory { base: None, index: None, displacement: (DATA.1 + 0x40) as i64 };
    assert_eq!(done[0].operands.as_ref().unwrap()[0].place, variable);
    assert_eq!(found[1].operands.as_ref().unwrap()[0].place, variable);
    // Neither entry nor return.
    assert!(finder.function_of(found[0].site).is_none());
    let mut few = self::finder(&folder, finder.modules.clone(), 2);
    assert_eq!(
        shown(few.find_static(glob, "app", ["", "", ""])),
        "the description matches 3 places, and the limit is 2: name fewer probes, or raise it with -x pidlimit=N"
    );
    few.limit = 3;
    assert_eq!(shown(few.find_static(glob, "app", ["", "", ""])), both);
    let mut none = self::finder(&folder, vec![program().0.module(&folder, "without")], 9);
    assert_eq!(
        shown(none.find_static(glob, "app", ["", "", ""])),
        "the process contains no probes, so none of a provider app"
    );
}

#[test]
fn issue_23_the_loader_announces_libraries_and_runs_first() {
    let folder = Scratch::new("loader");
    let mut loader = Made::default();
    loader.bytes(&[0x90; 16]);
    loader.entry = loader.here() - 12;
    // endbr64; ret, then padding
    let function = loader.function("_dl_debug_state", &[0xF3, 0x0F, 0x1E, 0xFA, 0xC3]);
    loader.symbol("_r_debug", VARIABLE, DATA.1 + 8, 40);
    let offset = |address: u64| address - CODE.1 + CODE.0;
    std::fs::create_dir(folder.join("lib64")).unwrap();
    let file = loader.module(&folder, "lib64/ld-linux-x86-64.so.2").path;
    let (mut made, at) = program();
    made.interpreter = Some("/lib64/ld-linux-x86-64.so.2");
    let mut finder = finder(&folder, vec![made.module(&folder, "made")], 9);
    let found = finder.loader().unwrap().unwrap();
    assert_eq!(found.file, std::fs::canonicalize(&file).unwrap());
    assert_eq!(found.function, (function, offset(function), vec![0xF3, 0x0F, 0x1E, 0xFA, 0xC3]));
    assert_eq!(found.changing, DATA.1 + 8 + 24);
    let beginning = finder.beginning().unwrap();
    assert_eq!(
        (std::fs::canonicalize(beginning.0).unwrap(), beginning.1),
        (found.file, offset(loader.entry))
    );
    // Another loader is not known, and a program may have none.
    for interpreter in [Some("/lib/ld-musl-x86_64.so.1"), None] {
        made.interpreter = interpreter;
        let module = made.module(&folder, "musl");
        let mut finder = self::finder(&folder, vec![module.clone()], 9);
        assert_eq!(
            finder.loader().unwrap_err(),
            "musl is not started by the loader of glibc, which loads the agent of fpid: use pid"
        );
        let alone = interpreter.is_none().then(|| (module.path, offset(at.start)));
        assert_eq!(finder.beginning(), alone);
    }
    let mut finder = self::finder(&folder, Vec::new(), 9);
    assert_eq!(finder.loader().unwrap_err(), "the process has no program");
}

#[test]
fn issue_23_providers_name_processes() {
    for (provider, expected) in [
        ("pid1", Some((Way::Kernel, 1))),
        ("fpid123", Some((Way::Hooks, 123))),
        ("pid4294967295", Some((Way::Kernel, u32::MAX))),
        ("pid4294967296", None),
        ("pid", None),
        ("pid+1", None),
        ("pid1x", None),
        ("fpid", None),
        ("ffpid1", None),
        ("xpid1", None),
        ("kernel", None),
    ] {
        assert_eq!(provider_pid(provider), expected, "{provider}");
    }
    assert!(glob("a*c", "abc") && !glob("a*c", "ab") && !glob("a", "ab") && glob("*", ""));
}
