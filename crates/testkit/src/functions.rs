//! The functions of the machine's images: their names, where they are, and which call which.
//!
//! A function is named `IMAGE!NAME` here. Each image has the functions that some stack or table below names, spread
//! over its code in that order. [`databases`] writes them as program databases.

use std::sync::OnceLock;

use crate::images::{IMAGES, database_name, image_index, signature};
use crate::pdb::{Code, functions_database};

/// What a program does, as its stacks show it. Frames are innermost first.
struct Work {
    /// The program, or a part of it.
    part: &'static str,
    /// The library that must be there for this.
    needs: &'static str,
    /// Where it computes, most often first.
    hot: [&'static [&'static str]; 4],
    /// Who reads and writes files.
    files: &'static [&'static str],
    /// Who waits for something to do.
    waits: &'static [&'static str],
    /// Where its threads begin.
    bottom: &'static [&'static str],
}

/// A frame in code that the .NET runtime compiles: a number that chooses among the methods that are there by then.
const METHOD: &str = "method";

const FRONT_BOTTOM: &[&str] = &["CL.exe!Driver::CompileUnit", "CL.exe!main", "CL.exe!mainCRTStartup"];
const BACK_BOTTOM: &[&str] =
    &["c2.dll!InvokeCompilerPass", "CL.exe!Driver::CompileUnit", "CL.exe!main", "CL.exe!mainCRTStartup"];

static WORK: &[Work] = &[
    Work {
        part: "CL.exe",
        needs: "c2.dll",
        hot: [
            &["c2.dll!RegisterAllocator::Color", "c2.dll!RegisterAllocator::Run", "c2.dll!Function::Emit"],
            &["c2.dll!Ssa::PropagateConstants", "c2.dll!Optimizer::Round", "c2.dll!Function::Optimize"],
            &[
                "c2.dll!Inliner::Cost",
                "c2.dll!Inliner::Visit",
                "c2.dll!Optimizer::Round",
                "c2.dll!Function::Optimize",
            ],
            &["c2.dll!Arena::Grow", "c2.dll!Ssa::NewNode", "c2.dll!Ssa::Build", "c2.dll!Function::Optimize"],
        ],
        files: &["c2.dll!ObjectWriter::Flush"],
        waits: &["c2.dll!ThreadPool::Join"],
        bottom: BACK_BOTTOM,
    },
    Work {
        part: "CL.exe",
        needs: "CL.exe",
        hot: [
            &[
                "CL.exe!Parser::ParseExpression",
                "CL.exe!Parser::ParseStatement",
                "CL.exe!Parser::ParseFunction",
                "CL.exe!Parser::ParseTranslationUnit",
            ],
            &[
                "CL.exe!Lexer::NextToken",
                "CL.exe!Parser::ParseDeclaration",
                "CL.exe!Parser::ParseTranslationUnit",
            ],
            &[
                "CL.exe!Templates::Substitute",
                "CL.exe!Templates::Instantiate",
                "CL.exe!Parser::ParseDeclaration",
                "CL.exe!Parser::ParseTranslationUnit",
            ],
            &[
                "CL.exe!Names::Find",
                "CL.exe!Scope::LookUp",
                "CL.exe!Parser::ParseExpression",
                "CL.exe!Parser::ParseTranslationUnit",
            ],
        ],
        files: &["CL.exe!SourceFile::Load", "CL.exe!Preprocessor::Include"],
        waits: &["CL.exe!ThreadPool::Join"],
        bottom: FRONT_BOTTOM,
    },
    Work {
        part: "Heron.exe",
        needs: "heron_core.dll",
        hot: [
            &[
                "heron_core.dll!Layout::ReflowBlock",
                "heron_core.dll!Layout::Reflow",
                "heron_core.dll!Document::Flush",
            ],
            &[
                "heron_core.dll!Script::Interpret",
                "heron_core.dll!Script::Call",
                "heron_core.dll!Document::RunTimers",
            ],
            &[
                "heron_core.dll!Style::Match",
                "heron_core.dll!Style::Resolve",
                "heron_core.dll!Document::Flush",
            ],
            &[
                "heron_core.dll!Paint::FillText",
                "heron_core.dll!Paint::Layer",
                "heron_core.dll!Compositor::Frame",
            ],
        ],
        files: &["heron_core.dll!Cache::Store"],
        waits: &["heron_core.dll!EventLoop::Wait"],
        bottom: &["heron_core.dll!EventLoop::Run", "Heron.exe!wWinMain", "Heron.exe!wWinMainCRTStartup"],
    },
    Work {
        part: "collector",
        needs: "coreclr.dll",
        hot: [
            &[
                "coreclr.dll!gc_heap::mark_object",
                "coreclr.dll!gc_heap::mark_phase",
                "coreclr.dll!gc_heap::collect",
            ],
            &[
                "coreclr.dll!gc_heap::relocate_references",
                "coreclr.dll!gc_heap::relocate_phase",
                "coreclr.dll!gc_heap::collect",
            ],
            &["coreclr.dll!gc_heap::plan_phase", "coreclr.dll!gc_heap::collect"],
            &["coreclr.dll!gc_heap::compact_phase", "coreclr.dll!gc_heap::collect"],
        ],
        files: &["coreclr.dll!gc_heap::commit"],
        waits: &["coreclr.dll!GCEvent::Wait"],
        bottom: &["coreclr.dll!gc_heap::thread_function"],
    },
    Work {
        part: "ShopApi.exe",
        needs: "coreclr.dll",
        hot: [
            &[METHOD, METHOD, "coreclr.dll!ThreadPool::RunWorkItem", "coreclr.dll!ThreadPool::Worker"],
            &[
                "coreclr.dll!JIT_New",
                METHOD,
                "coreclr.dll!ThreadPool::RunWorkItem",
                "coreclr.dll!ThreadPool::Worker",
            ],
            &[
                METHOD,
                METHOD,
                METHOD,
                "coreclr.dll!ThreadPool::RunWorkItem",
                "coreclr.dll!ThreadPool::Worker",
            ],
            &[
                "coreclr.dll!Compiler::optimize",
                "coreclr.dll!UnsafeJitFunction",
                METHOD,
                "coreclr.dll!ThreadPool::Worker",
            ],
        ],
        files: &["ws2_32.dll!WSARecv", METHOD, "coreclr.dll!ThreadPool::Worker"],
        waits: &["coreclr.dll!ThreadPool::WaitForWork", "coreclr.dll!ThreadPool::Worker"],
        bottom: &["coreclr.dll!ManagedThread::Start"],
    },
    Work {
        part: "OakDB.exe",
        needs: "oakdb.exe",
        hot: [
            &["oakdb.exe!BTree::Descend", "oakdb.exe!Index::Seek", "oakdb.exe!Plan::Execute"],
            &["oakdb.exe!Expression::Evaluate", "oakdb.exe!Filter::Next", "oakdb.exe!Plan::Execute"],
            &["oakdb.exe!Page::Checksum", "oakdb.exe!BufferPool::Fetch", "oakdb.exe!Plan::Execute"],
            &["oakdb.exe!Lock::Acquire", "oakdb.exe!Transaction::Commit"],
        ],
        files: &["oakdb.exe!BufferPool::ReadPage", "oakdb.exe!BufferPool::Fetch", "oakdb.exe!Plan::Execute"],
        waits: &["oakdb.exe!Session::NextRequest"],
        bottom: &["oakdb.exe!Session::Serve", "oakdb.exe!main", "oakdb.exe!mainCRTStartup"],
    },
    Work {
        part: "GuardSvc.exe",
        needs: "GuardSvc.exe",
        hot: [
            &[
                "GuardSvc.exe!Signatures::Match",
                "GuardSvc.exe!Scanner::ScanBuffer",
                "GuardSvc.exe!Scanner::ScanFile",
            ],
            &[
                "GuardSvc.exe!Hash::Update",
                "GuardSvc.exe!Scanner::ScanBuffer",
                "GuardSvc.exe!Scanner::ScanFile",
            ],
            &["GuardSvc.exe!Archive::Unpack", "GuardSvc.exe!Scanner::ScanFile"],
            &["GuardSvc.exe!Emulator::Step", "GuardSvc.exe!Scanner::ScanFile"],
        ],
        files: &["GuardSvc.exe!Scanner::ReadFile"],
        waits: &["GuardSvc.exe!Scanner::NextFile"],
        bottom: &["GuardSvc.exe!Scanner::Run", "GuardSvc.exe!ServiceMain"],
    },
    Work {
        part: "LINK.exe",
        needs: "LINK.exe",
        hot: [
            &["LINK.exe!Symbols::Resolve", "LINK.exe!Linker::AddObject"],
            &["LINK.exe!Relocations::Apply", "LINK.exe!Linker::Layout"],
            &["LINK.exe!Sections::Fold", "LINK.exe!Linker::Layout"],
            &["LINK.exe!Database::AddModule", "LINK.exe!Linker::Write"],
        ],
        files: &["LINK.exe!Object::Load", "LINK.exe!Linker::AddObject"],
        waits: &["LINK.exe!Linker::Join"],
        bottom: &["LINK.exe!Linker::Run", "LINK.exe!main", "LINK.exe!mainCRTStartup"],
    },
    Work {
        part: "VaultBackup.exe",
        needs: "VaultBackup.exe",
        hot: [
            &["VaultBackup.exe!Cipher::EncryptBlock", "VaultBackup.exe!Archive::Append"],
            &["VaultBackup.exe!Compressor::Deflate", "VaultBackup.exe!Archive::Append"],
            &["VaultBackup.exe!Hash::Update", "VaultBackup.exe!Archive::Append"],
            &["VaultBackup.exe!Catalog::Add"],
        ],
        files: &["VaultBackup.exe!Archive::WriteChunk"],
        waits: &["VaultBackup.exe!Schedule::Wait"],
        bottom: &["VaultBackup.exe!Copier::Run", "VaultBackup.exe!main", "VaultBackup.exe!mainCRTStartup"],
    },
    Work {
        part: "Quill.exe",
        needs: "Quill.exe",
        hot: [
            &["Quill.exe!Highlighter::Colour", "Quill.exe!View::Refresh"],
            &["Quill.exe!Layout::BreakLines", "Quill.exe!View::Refresh"],
            &["Quill.exe!Spelling::Check", "Quill.exe!Document::Idle"],
            &["user32.dll!DrawTextExW", "Quill.exe!View::Paint"],
        ],
        files: &["Quill.exe!Document::Save"],
        waits: &["user32.dll!GetMessageW"],
        bottom: &["Quill.exe!MessageLoop", "Quill.exe!wWinMain", "Quill.exe!wWinMainCRTStartup"],
    },
    Work {
        part: "Explorer.EXE",
        needs: "explorer.exe",
        hot: [
            &["explorer.exe!Taskbar::Layout", "user32.dll!DispatchMessageW"],
            &["explorer.exe!Tray::Update", "user32.dll!DispatchMessageW"],
            &["explorer.exe!Desktop::Paint", "user32.dll!DispatchMessageW"],
            &["explorer.exe!IconCache::Find", "explorer.exe!Desktop::Paint"],
        ],
        files: &["explorer.exe!IconCache::Load"],
        waits: &["user32.dll!GetMessageW"],
        bottom: &["explorer.exe!MessageLoop", "explorer.exe!wWinMain", "explorer.exe!wWinMainCRTStartup"],
    },
    Work {
        part: "Invoicer.exe",
        needs: "Invoicer.exe",
        hot: [
            &["Invoicer.exe!Invoice::Render", "Invoicer.exe!Batch::Next"],
            &["Invoicer.exe!Money::Format", "Invoicer.exe!Invoice::Render", "Invoicer.exe!Batch::Next"],
            &["Invoicer.exe!Template::Expand", "Invoicer.exe!Invoice::Render", "Invoicer.exe!Batch::Next"],
            &["Invoicer.exe!Printer::Spool", "Invoicer.exe!Batch::Next"],
        ],
        files: &["Invoicer.exe!Printer::Write"],
        waits: &["Invoicer.exe!Batch::Wait"],
        bottom: &["Invoicer.exe!WinMain", "Invoicer.exe!WinMainCRTStartup"],
    },
    Work {
        part: "ninja.exe",
        needs: "ninja.exe",
        hot: [
            &["ninja.exe!Graph::UpdateEdge", "ninja.exe!Builder::StartNext"],
            &["ninja.exe!Log::Append", "ninja.exe!Builder::Finish"],
            &["ninja.exe!Disk::Stat", "ninja.exe!Graph::UpdateEdge", "ninja.exe!Builder::StartNext"],
            &["ninja.exe!Subprocess::Start", "ninja.exe!Builder::StartNext"],
        ],
        files: &["ninja.exe!Log::Append"],
        waits: &["ninja.exe!Subprocesses::Wait"],
        bottom: &["ninja.exe!Builder::Build", "ninja.exe!main", "ninja.exe!mainCRTStartup"],
    },
    Work {
        part: "NOTEPAD.EXE",
        needs: "NOTEPAD.EXE",
        hot: [
            &["NOTEPAD.EXE!Document::Measure", "NOTEPAD.EXE!WindowProcedure"],
            &["NOTEPAD.EXE!Document::Paint", "NOTEPAD.EXE!WindowProcedure"],
            &["NOTEPAD.EXE!Document::Load", "NOTEPAD.EXE!WindowProcedure"],
            &["NOTEPAD.EXE!Caret::Move", "NOTEPAD.EXE!WindowProcedure"],
        ],
        files: &["NOTEPAD.EXE!Document::Load"],
        waits: &["NOTEPAD.EXE!MessageLoop"],
        bottom: &["NOTEPAD.EXE!wWinMain", "NOTEPAD.EXE!wWinMainCRTStartup"],
    },
    service(
        "svchost.exe",
        [
            &["svchost.exe!Task::Run", "svchost.exe!ServiceWorker"],
            &["svchost.exe!Settings::Read", "svchost.exe!ServiceWorker"],
            &["svchost.exe!Queue::Take", "svchost.exe!ServiceWorker"],
            &["svchost.exe!Log::Write", "svchost.exe!ServiceWorker"],
        ],
        &["svchost.exe!Log::Write"],
        &["svchost.exe!Queue::Take", "svchost.exe!ServiceWorker"],
        &["svchost.exe!ServiceMain", "svchost.exe!wmainCRTStartup"],
    ),
    service(
        "csrss.exe",
        [
            &["csrss.exe!Console::Refresh"],
            &["csrss.exe!Request::Answer"],
            &["csrss.exe!Console::Scroll"],
            &["csrss.exe!Request::Read"],
        ],
        &["csrss.exe!Request::Read"],
        &["csrss.exe!Request::Read"],
        &["csrss.exe!RequestThread"],
    ),
    service(
        "services.exe",
        [
            &["services.exe!Service::Check", "services.exe!Database::Walk"],
            &["services.exe!Database::Walk"],
            &["services.exe!Service::Notify"],
            &["services.exe!Settings::Read"],
        ],
        &["services.exe!Settings::Read"],
        &["services.exe!ControlLoop"],
        &["services.exe!ServicesMain", "services.exe!wmainCRTStartup"],
    ),
    service(
        "smss.exe",
        [&["smss.exe!Session::Watch"]; 4],
        &["smss.exe!Session::Watch"],
        &["smss.exe!Session::Wait"],
        &["smss.exe!SmssMain"],
    ),
    service(
        "wpr.exe",
        [
            &["wpr.exe!Session::Query"],
            &["wpr.exe!Session::Flush"],
            &["wpr.exe!Profile::Apply"],
            &["wpr.exe!Session::Stop"],
        ],
        &["wpr.exe!Session::Flush"],
        &["wpr.exe!Session::Wait"],
        &["wpr.exe!wmain", "wpr.exe!wmainCRTStartup"],
    ),
];

/// The work of a program that consists of one image.
const fn service(
    part: &'static str,
    hot: [&'static [&'static str]; 4],
    files: &'static [&'static str],
    waits: &'static [&'static str],
    bottom: &'static [&'static str],
) -> Work {
    Work { part, needs: part, hot, files, waits, bottom }
}

/// A program whose images are not mapped yet.
const LOADING: &[&str] =
    &["ntdll.dll!LdrpMapDll", "ntdll.dll!LdrpLoadDependencies", "ntdll.dll!LdrInitializeThunk"];

/// Where all threads of programs begin, by the width of the program.
const THREAD_START: &[&str] = &["kernel32.dll!BaseThreadInitThunk", "ntdll.dll!RtlUserThreadStart"];
const THREAD_START_32: &[&str] = &["SysWOW64/ntdll.dll!_RtlUserThreadStart"];

/// The library calls under which a thread waits in the kernel: reading, waiting, writing, sleeping.
const CALLS: [&[&str]; 4] = [
    &["ntdll.dll!NtReadFile", "KernelBase.dll!ReadFile"],
    &["ntdll.dll!NtWaitForSingleObject", "KernelBase.dll!WaitForSingleObjectEx"],
    &["ntdll.dll!NtWriteFile", "KernelBase.dll!WriteFile"],
    &["ntdll.dll!NtDelayExecution", "KernelBase.dll!SleepEx"],
];
const CALLS_32: [&[&str]; 4] = [
    &["SysWOW64/ntdll.dll!NtReadFile"],
    &["SysWOW64/ntdll.dll!NtWaitForSingleObject"],
    &["SysWOW64/ntdll.dll!NtWriteFile"],
    &["SysWOW64/ntdll.dll!NtDelayExecution"],
];

/// The kernel's half: four ways to wait, a page fault, and copying what was read.
const KERNEL: [&[&str]; 6] = [
    &[
        "ntoskrnl.exe!KiSwapThread",
        "ntoskrnl.exe!KeWaitForSingleObject",
        "Ntfs.sys!NtfsNonCachedRead",
        "Ntfs.sys!NtfsCommonRead",
        "ntoskrnl.exe!NtReadFile",
        "ntoskrnl.exe!KiSystemServiceCopyEnd",
    ],
    &[
        "ntoskrnl.exe!KiSwapThread",
        "ntoskrnl.exe!KeWaitForSingleObject",
        "ntoskrnl.exe!NtWaitForSingleObject",
        "ntoskrnl.exe!KiSystemServiceCopyEnd",
    ],
    &[
        "ntoskrnl.exe!KiSwapThread",
        "ntoskrnl.exe!KeWaitForSingleObject",
        "storport.sys!RaidUnitSubmitRequest",
        "Ntfs.sys!NtfsCommonWrite",
        "ntoskrnl.exe!NtWriteFile",
        "ntoskrnl.exe!KiSystemServiceCopyEnd",
    ],
    &[
        "ntoskrnl.exe!KiSwapThread",
        "ntoskrnl.exe!KeDelayExecutionThread",
        "ntoskrnl.exe!NtDelayExecution",
        "ntoskrnl.exe!KiSystemServiceCopyEnd",
    ],
    &[
        "ntoskrnl.exe!MiZeroPage",
        "ntoskrnl.exe!MiResolveDemandZeroFault",
        "ntoskrnl.exe!MmAccessFault",
        "ntoskrnl.exe!KiPageFault",
    ],
    &[
        "ntoskrnl.exe!RtlCopyMemory",
        "ntoskrnl.exe!CcCopyRead",
        "Ntfs.sys!NtfsCopyRead",
        "ntoskrnl.exe!NtReadFile",
        "ntoskrnl.exe!KiSystemServiceCopyEnd",
    ],
];

/// Threads of the kernel itself, by the last two paths.
const SYSTEM: [&[&str]; 2] = [
    &["ntoskrnl.exe!MiZeroPage", "ntoskrnl.exe!MmZeroPageThread", "ntoskrnl.exe!KiStartSystemThread"],
    &["ntoskrnl.exe!CcWriteBehind", "ntoskrnl.exe!ExpWorkerThread", "ntoskrnl.exe!KiStartSystemThread"],
];

/// Idle processors, by the last two paths.
const IDLE: [&[&str]; 2] = [
    &["ntoskrnl.exe!PpmIdleExecute", "ntoskrnl.exe!PoIdle", "ntoskrnl.exe!KiIdleLoop"],
    &["ntoskrnl.exe!PoIdle", "ntoskrnl.exe!KiIdleLoop"],
];

/// Functions that no stack has but other records name.
const OTHERS: &[&str] = &[
    "ntoskrnl.exe!NtCreateFile",
    "ntoskrnl.exe!NtClose",
    "ntoskrnl.exe!NtQueryValueKey",
    "ntoskrnl.exe!NtDeviceIoControlFile",
    "ntoskrnl.exe!KiTimerExpiration",
    "hal.dll!HalpTimerClockInterrupt",
    "tcpip.sys!TcpPeriodicTimeoutHandler",
    "tcpip.sys!NdisReceiveDpc",
    "tcpip.sys!NdisMessageInterrupt",
    "storport.sys!RaidpAdapterInterruptRoutine",
    "storport.sys!RaidpAdapterDpcRoutine",
    "win32kfull.sys!NtUserGetMessage",
    "win32kfull.sys!NtUserPeekMessage",
    "ShopApi.exe!wmain",
];

/// The place of a function: its image, and the bytes from the image's base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    image: usize,
    start: u32,
    /// From the start of the function to the address that stacks have.
    inside: u32,
}

/// Bytes before an image's code.
const HEADERS: u64 = 0x1000;

/// All functions with their places, by name, and by image in the order of their addresses.
struct Functions {
    places: std::collections::BTreeMap<&'static str, Place>,
    by_image: Vec<Vec<(&'static str, u32)>>,
    /// Bytes from one function of an image to the next.
    strides: Vec<u32>,
}

fn image_of(function: &str) -> usize {
    let image = function.split_once('!').map_or(function, |(image, _)| image);
    match image.strip_prefix("SysWOW64/") {
        Some(_) => IMAGES.iter().position(|image| image.path.contains("SysWOW64")).unwrap_or(0),
        None => image_index(image),
    }
}

fn functions() -> &'static Functions {
    static FUNCTIONS: OnceLock<Functions> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let of_work = WORK.iter().flat_map(|work| {
            let hot = work.hot.iter().copied().flatten();
            hot.chain(work.files).chain(work.waits).chain(work.bottom)
        });
        let lists = KERNEL.iter().chain(&SYSTEM).chain(&IDLE).chain(&CALLS).chain(&CALLS_32);
        let names = lists.copied().flatten().chain(LOADING).chain(THREAD_START).chain(THREAD_START_32);
        let mut by_image: Vec<Vec<&'static str>> = vec![Vec::new(); IMAGES.len()];
        for &name in names.chain(OTHERS).chain(of_work).filter(|name| **name != METHOD) {
            let list = &mut by_image[image_of(name)];
            if !list.contains(&name) {
                list.push(name);
            }
        }
        let mut all = Functions {
            places: std::collections::BTreeMap::new(),
            by_image: Vec::new(),
            strides: Vec::new(),
        };
        for (image, names) in by_image.iter().enumerate() {
            let code = IMAGES[image].size - HEADERS;
            let stride = (code / names.len().max(1) as u64) as u32 & !15;
            let mut list = Vec::new();
            for (number, &name) in names.iter().enumerate() {
                let start = HEADERS as u32 + stride * number as u32;
                let inside =
                    0x14 + name.bytes().fold(0, |sum: u32, byte| (sum * 31 + u32::from(byte)) % 0x61);
                all.places.insert(name, Place { image, start, inside });
                list.push((name.split_once('!').map_or(name, |(_, name)| name), start));
            }
            all.by_image.push(list);
            all.strides.push(stride);
        }
        all
    })
}

/// The address where a function begins. An unknown name has none, which would be a mistake in the tables.
pub(crate) fn start(name: &str) -> u64 {
    functions().places.get(name).map_or(0, |place| IMAGES[place.image].base + u64::from(place.start))
}

/// The address inside a function that stacks have.
pub(crate) fn frame(name: &str) -> u64 {
    functions().places.get(name).map_or(0, |place| start(name) + u64::from(place.inside))
}

fn frames(names: &[&str]) -> Vec<u64> {
    names.iter().map(|name| frame(name)).collect()
}

/// The kernel's half of the stack on a path, of a thread of a program, of the kernel itself, or of an idle processor.
pub(crate) fn kernel_stack(path: u64, is_system: bool) -> Vec<u64> {
    let path = path as usize % KERNEL.len();
    frames(if is_system && path >= 4 { SYSTEM[path - 4] } else { KERNEL[path] })
}

/// The stack of an idle processor.
pub(crate) fn idle_stack(path: u64) -> Vec<u64> {
    frames(IDLE[usize::from(path == 5)])
}

/// What a user half needs to know about its thread.
pub(crate) struct Position<'a> {
    /// The program's image, as the kernel logs it.
    pub(crate) program: &'a str,
    pub(crate) wow64: bool,
    /// Images that are mapped.
    pub(crate) images: &'a [usize],
    pub(crate) is_collector: bool,
    /// Addresses in the methods that the .NET runtime has compiled.
    pub(crate) methods: &'a [u64],
    /// Chooses among the methods.
    pub(crate) turn: usize,
}

/// What a thread does in its program.
#[derive(Clone, Copy)]
pub(crate) enum Doing {
    /// Computes, in one of four ways.
    Computing(usize),
    /// Waits in the kernel, on one of four paths.
    Calling(usize),
}

/// The program's half of a stack.
pub(crate) fn user_stack(position: &Position<'_>, doing: Doing) -> Vec<u64> {
    let part = if position.is_collector { "collector" } else { position.program };
    let mapped = |work: &&Work| position.images.contains(&image_index(work.needs));
    let work = WORK.iter().filter(|work| work.part == part).find(mapped);
    let (calls, start) = if position.wow64 { (&CALLS_32, THREAD_START_32) } else { (&CALLS, THREAD_START) };
    let mut names: Vec<&str> = Vec::new();
    match doing {
        Doing::Computing(way) => names.extend(work.map_or(LOADING, |work| work.hot[way % 4])),
        Doing::Calling(path) => {
            names.extend(calls[path % 4]);
            let reads = path.is_multiple_of(2);
            names.extend(work.map_or(LOADING, |work| if reads { work.files } else { work.waits }));
        }
    }
    if let Some(work) = work {
        names.extend(work.bottom);
        names.extend(start);
    }
    let mut addresses = Vec::new();
    for (depth, name) in names.into_iter().enumerate() {
        if name != METHOD {
            addresses.push(frame(name));
        } else if !position.methods.is_empty() {
            addresses.push(position.methods[(position.turn + 5 * depth) % position.methods.len()]);
        }
    }
    addresses
}

/// The program databases of all images: where a symbol store has each, and its bytes.
pub(crate) fn databases() -> Vec<(String, Vec<u8>)> {
    let all = functions();
    IMAGES
        .iter()
        .enumerate()
        .filter(|(index, _)| !all.by_image[*index].is_empty())
        .map(|(index, image)| {
            let name = database_name(image);
            let guid = signature(index);
            let key: String = guid.to_string().chars().filter(char::is_ascii_hexdigit).collect();
            let key = format!("{}1", key.to_ascii_uppercase());
            let code = Code {
                size: image.size as u32,
                stride: all.strides[index],
                x86: image.base < 1 << 32 && index != image_index("ShopApi.dll"),
            };
            (format!("{name}/{key}/{name}"), functions_database(guid, &code, &all.by_image[index]))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_21_functions_are_apart_and_inside_their_images() {
        for (name, place) in &functions().places {
            let image = &IMAGES[place.image];
            let stride = functions().strides[place.image];
            let file = name.split_once('!').unwrap().0.trim_start_matches("SysWOW64/");
            assert!(image.path.to_lowercase().ends_with(&format!("\\{}", file.to_lowercase())), "{name}");
            assert!(place.inside < stride, "{name}: {:#x} of {stride:#x}", place.inside);
            assert!(u64::from(place.start + stride) <= image.size, "{name}");
        }
    }
}
