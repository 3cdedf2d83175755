//! The first pass: collects what defines processes, threads, images and files.

use rustc_hash::FxHashMap;
use tracewell_decode::Accessor;
use tracewell_etl::read::Wanted;
use tracewell_etl::{HeaderKind, Record};
use tracewell_schema::{EventClass, kernel};
use tracewell_types::Guid;

use crate::files::FileName;
use crate::images::{Image, ImageIdentity};
use crate::machine::{Machine, Tables, idle_process};
use crate::methods::MethodReader;
use crate::names::{NameId, Names};
use crate::processes::Process;
use crate::reader::{ClassReader, unvarying};
use crate::spans::{Mark, Sighting, forget};
use crate::threads::Thread;
use crate::volumes::{SYSTEM_ROOT, Volumes};

/// Processes every record of a trace, in any order, and keeps the definitions for the [`Machine`].
///
/// Give it file order: that is the fastest, and time order brings nothing here.
#[derive(Debug)]
pub struct MachineBuilder {
    names: Names,
    readers: Readers,
    processes: Vec<Sighting<u32, Process>>,
    threads: Vec<Sighting<u32, Thread>>,
    images: Vec<Sighting<(u32, u64), Image>>,
    files: Vec<Sighting<u64, FileName>>,
    keys: Vec<Sighting<u64, FileName>>,
    identities: FxHashMap<(u32, u64), ImageIdentity>,
    image_stamps: FxHashMap<(u32, u64), u32>,
    volumes: Vec<(Box<str>, Box<str>)>,
    /// For each processor the earliest context switch: its time and the thread that left.
    first_switch: FxHashMap<u16, (i64, u32)>,
    methods: MethodReader,
    owners: Owners,
    needs: Needs,
    rundown: bool,
    unread: u64,
}

/// Which tables are wanted. Processes and threads always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Images with their identities, and methods that the .NET runtime compiled.
    pub images: bool,
    /// Names of files, the volumes they lie on, and names of registry keys.
    pub files: bool,
    /// Read stack records, for the thread and process in each. If a trace runs down its threads, that is
    /// better and cheaper, because stack records are many.
    pub stacks: bool,
}

impl Default for Needs {
    /// All of them.
    fn default() -> Needs {
        Needs { images: true, files: true, stacks: true }
    }
}

impl Needs {
    /// The records that [`MachineBuilder::observe`] looks at for this.
    #[must_use]
    pub fn records(self) -> Wanted {
        let mut wanted = Wanted::nothing();
        // Every record with a thread in its header shows the thread's process.
        (wanted.named, wanted.classes, wanted.events) = (true, true, true);
        let mut group = |group: u8| {
            for opcode in 0..=u8::MAX {
                wanted.add_hook(u16::from(group) << 8 | u16::from(opcode));
            }
        };
        group(group::PROCESS);
        group(group::THREAD);
        if self.files {
            group(group::FILE_IO);
            group(group::REGISTRY);
        }
        if self.images {
            group(group::IMAGE);
        }
        if self.stacks {
            add_stacks(&mut wanted);
        }
        wanted
    }

    /// Selects only the stack records, for a separate pass over a trace that turned out to need
    /// them.
    #[must_use]
    pub fn stack_records() -> Wanted {
        let mut wanted = Wanted::nothing();
        add_stacks(&mut wanted);
        wanted
    }
}

fn add_stacks(wanted: &mut Wanted) {
    for opcode in [opcode::STACK, opcode::STACK_KEY_KERNEL, opcode::STACK_KEY_USER] {
        wanted.add_hook(u16::from(group::STACK_WALK) << 8 | u16::from(opcode));
    }
}

/// The groups of short-header records this pass looks at.
mod group {
    use tracewell_schema::kernel::hook;

    const fn of(hook: u16) -> u8 {
        (hook >> 8) as u8
    }

    pub(super) const PROCESS: u8 = of(hook::PROCESS_START);
    pub(super) const FILE_IO: u8 = of(hook::FILE_IO_NAME);
    pub(super) const THREAD: u8 = of(hook::THREAD_START);
    pub(super) const REGISTRY: u8 = of(hook::REGISTRY_CREATE);
    pub(super) const IMAGE: u8 = of(hook::IMAGE_UNLOAD);
    pub(super) const STACK_WALK: u8 = of(hook::STACK_WALK_STACK);

    /// One bit for each group whose events define something.
    pub(super) const DEFINING: u32 = 1 << PROCESS | 1 << FILE_IO | 1 << THREAD | 1 << REGISTRY | 1 << IMAGE;
}

/// Opcodes; those of the first four are shared by the Process, Thread and Image classes.
mod opcode {
    use tracewell_schema::kernel::hook;

    const fn of(hook: u16) -> u8 {
        hook as u8
    }

    pub(super) const START: u8 = of(hook::PROCESS_START);
    pub(super) const END: u8 = of(hook::PROCESS_END);
    pub(super) const DC_START: u8 = of(hook::PROCESS_DCSTART);
    pub(super) const DC_END: u8 = of(hook::PROCESS_DCEND);
    pub(super) const IMAGE_LOAD: u8 = of(hook::IMAGE_LOAD);
    pub(super) const CSWITCH: u8 = of(hook::THREAD_CSWITCH);
    pub(super) const DEFUNCT: u8 = of(hook::PROCESS_DEFUNCT);
    pub(super) const SET_NAME: u8 = of(hook::THREAD_SET_NAME);
    pub(super) const FILE_NAME: u8 = of(hook::FILE_IO_NAME);
    pub(super) const FILE_CREATE: u8 = of(hook::FILE_IO_FILE_CREATE);
    pub(super) const FILE_DELETE: u8 = of(hook::FILE_IO_FILE_DELETE);
    pub(super) const FILE_RUNDOWN: u8 = of(hook::FILE_IO_FILE_RUNDOWN);
    pub(super) const STACK: u8 = of(hook::STACK_WALK_STACK);
    pub(super) const STACK_KEY_KERNEL: u8 = of(hook::STACK_WALK_STACK_KEY_KERNEL);
    pub(super) const STACK_KEY_USER: u8 = of(hook::STACK_WALK_STACK_KEY_USER);
    pub(super) const KEY_CREATE: u8 = of(hook::REGISTRY_KCBCREATE);
    pub(super) const KEY_DELETE: u8 = of(hook::REGISTRY_KCBDELETE);
    pub(super) const KEY_RUNDOWN_BEGIN: u8 = of(hook::REGISTRY_KCBRUNDOWN_BEGIN);
    pub(super) const KEY_RUNDOWN_END: u8 = of(hook::REGISTRY_KCBRUNDOWN_END);
    // What merging tools add; these classes have no group, and so no hooks.
    pub(super) const IMAGE_ID: u8 = 0;
    pub(super) const DBG_ID_RSDS: u8 = 36;
    pub(super) const SYSTEM_PATHS: u8 = 33;
    pub(super) const VOLUME_MAPPING: u8 = 35;
}

#[derive(Debug)]
struct Readers {
    process: ClassReader<13>,
    thread: ClassReader<14>,
    image: ClassReader<7>,
    file: ClassReader<2>,
    registry: ClassReader<2>,
    stack_thread: Option<Accessor>,
    stack_process: Option<Accessor>,
    old_thread: Option<Accessor>,
    image_id: ClassReader<5>,
    image_stamp: ClassReader<3>,
    volume: ClassReader<2>,
    system_paths: ClassReader<1>,
    classes: [Option<&'static EventClass>; 7],
}

impl Readers {
    fn new() -> Readers {
        Readers {
            process: ClassReader::new(
                "Process",
                [
                    "ProcessId",
                    "ParentId",
                    "SessionId",
                    "ExitStatus",
                    "Flags",
                    "UniqueProcessKey",
                    "ImageFileName",
                    "CommandLine",
                    "PackageFullName",
                    "ApplicationId",
                    "UserSID",
                    "DirectoryTableBase",
                    "PageDirectoryBase",
                ],
            ),
            thread: ClassReader::new(
                "Thread",
                [
                    "TThreadId",
                    "ProcessId",
                    "ThreadName",
                    "StackBase",
                    "StackLimit",
                    "UserStackBase",
                    "UserStackLimit",
                    "Win32StartAddr",
                    "Affinity",
                    "BasePriority",
                    "PagePriority",
                    "IoPriority",
                    "ThreadId",
                    "ThreadFlags",
                ],
            ),
            image: ClassReader::new(
                "Image",
                [
                    "ProcessId",
                    "ImageBase",
                    "ImageSize",
                    "FileName",
                    "TimeDateStamp",
                    "ImageChecksum",
                    "DefaultBase",
                ],
            ),
            file: ClassReader::new("FileIo", ["FileObject", "FileName"]),
            registry: ClassReader::new("Registry", ["KeyHandle", "KeyName"]),
            stack_thread: unvarying("StackWalk", opcode::STACK, "StackThread"),
            stack_process: unvarying("StackWalk", opcode::STACK, "StackProcess"),
            old_thread: unvarying("Thread", opcode::CSWITCH, "OldThreadId"),
            image_id: ClassReader::new(
                "KernelTraceControl",
                ["ProcessId", "ImageBase", "GuidSig", "Age", "PdbFileName"],
            ),
            image_stamp: ClassReader::new("KernelTraceControl", ["ProcessId", "ImageBase", "TimeDateStamp"]),
            volume: ClassReader::new("SystemConfigEx", ["NtPath", "DosPath"]),
            system_paths: ClassReader::new("SystemConfigEx", ["SystemWindowsDirectory"]),
            classes: [
                "Process",
                "Thread",
                "Image",
                "FileIo",
                "KernelTraceControl",
                "SystemConfigEx",
                "Registry",
            ]
            .map(kernel::class),
        }
    }

    /// Which of the classes of this pass a class GUID names.
    fn class(&self, guid: &Guid) -> Option<usize> {
        self.classes.iter().position(|class| class.is_some_and(|class| class.guid == *guid))
    }
}

impl Default for MachineBuilder {
    fn default() -> MachineBuilder {
        MachineBuilder::new()
    }
}

impl MachineBuilder {
    /// Knows nothing yet.
    #[must_use]
    pub fn new() -> MachineBuilder {
        MachineBuilder {
            names: Names::default(),
            readers: Readers::new(),
            processes: Vec::new(),
            threads: Vec::new(),
            images: Vec::new(),
            files: Vec::new(),
            keys: Vec::new(),
            identities: FxHashMap::default(),
            image_stamps: FxHashMap::default(),
            volumes: Vec::new(),
            first_switch: FxHashMap::default(),
            methods: MethodReader::default(),
            owners: Owners::default(),
            needs: Needs::default(),
            rundown: false,
            unread: 0,
        }
    }

    /// Leaves out the tables that are not wanted.
    #[must_use]
    pub fn only(mut self, needs: Needs) -> MachineBuilder {
        self.needs = needs;
        self
    }

    /// Processes a record.
    #[inline]
    pub fn observe(&mut self, record: &Record<'_>) {
        // Most records define nothing and have no ids in their header. Plain branches leave early for
        // them; a jump by group would be mispredicted for nearly every record.
        let Some(hook) = record.hook() else { return self.other(record) };
        let (group, opcode) = ((hook >> 8) as u8, hook as u8);
        if group < 32 && group::DEFINING >> group & 1 != 0 {
            self.definition(group, opcode, record);
        } else if group == group::STACK_WALK {
            let read = self.stack(opcode, record);
            self.unread += u64::from(read.is_none());
        }
        if !matches!(record.kind(), HeaderKind::PERFINFO32 | HeaderKind::PERFINFO64) {
            self.header_ids(record);
        }
    }

    /// Adds a process without a record, which exists all the time: one of the current machine. Its name is used unchanged.
    pub fn add_process(&mut self, pid: u32, parent: Option<u32>, name: &str, command_line: &str) {
        let image = self.names.intern(name);
        let value = Process {
            pid,
            parent,
            session: None,
            exit_status: None,
            flags: None,
            page_directory: None,
            image,
            image_lower: image,
            command_line: self.names.intern(command_line),
            package: NameId::EMPTY,
            application: NameId::EMPTY,
            user: NameId::EMPTY,
            key: None,
        };
        self.processes.push(Sighting { key: pid, time: 0, mark: Mark::Alive, value });
    }

    /// Sets the user of the process that was added last, if it has that id.
    pub fn set_user(&mut self, pid: u32, user: &str) {
        let user = self.names.intern(user);
        if let Some(process) = self.processes.last_mut().filter(|process| process.key == pid) {
            process.value.user = user;
        }
    }

    /// Adds an image without a record, mapped into a process all the time: one of the current machine.
    pub fn add_image(&mut self, pid: u32, base: u64, size: u64, path: &str) {
        let file = self.names.intern(path);
        let value = Image {
            pid,
            base,
            size,
            file,
            module: self.names.intern_base_lower(file),
            has_device: false,
            time_stamp: None,
            checksum: None,
            default_base: None,
            identity: None,
        };
        self.images.push(Sighting { key: (pid, base), time: 0, mark: Mark::Alive, value });
    }

    /// Returns `true` if the trace runs down its threads, at its start or its end.
    #[must_use]
    pub fn has_thread_rundown(&self) -> bool {
        self.rundown
    }

    /// The number of defining events without the fields that their layout requires.
    #[must_use]
    pub fn unread(&self) -> u64 {
        self.unread
    }

    fn definition(&mut self, group: u8, opcode: u8, record: &Record<'_>) {
        let read = match group {
            group::PROCESS if opcode == opcode::IMAGE_LOAD && !self.needs.images => return,
            group::IMAGE if !self.needs.images => return,
            group::FILE_IO | group::REGISTRY if !self.needs.files => return,
            group::REGISTRY => self.registry(opcode, record),
            group::PROCESS if opcode == opcode::IMAGE_LOAD => self.image(record),
            group::PROCESS => self.process(opcode, record),
            group::THREAD if opcode == opcode::CSWITCH => self.switch(record),
            group::THREAD => self.thread(opcode, record),
            group::IMAGE => self.image(record),
            _ => self.file(opcode, record),
        };
        self.unread += u64::from(read.is_none());
    }

    fn other(&mut self, record: &Record<'_>) {
        if record.is_class() {
            let opcode = record.opcode();
            let read = match self.readers.class(&record.guid()) {
                Some(0) => self.process(opcode, record),
                Some(1) => self.thread(opcode, record),
                Some(2 | 4) if !self.needs.images => Some(()),
                Some(3 | 5 | 6) if !self.needs.files => Some(()),
                Some(2) => self.image(record),
                Some(3) => self.file(opcode, record),
                Some(4) => self.image_identity(opcode, record),
                Some(5) => self.volume(opcode, record),
                Some(6) => self.registry(opcode, record),
                _ => Some(()),
            };
            self.unread += u64::from(read.is_none());
        }
        if self.needs.images && record.is_event() {
            let read = self.methods.observe(record, &mut self.names);
            self.unread += u64::from(read.is_none());
        }
        self.header_ids(record);
    }

    /// A header with a thread and a process shows which process the thread belongs to.
    #[inline]
    fn header_ids(&mut self, record: &Record<'_>) {
        if let (Some(tid), Some(pid)) = (record.tid(), record.pid()) {
            self.owners.note(tid, pid, record.time());
        }
    }

    fn process(&mut self, opcode: u8, record: &Record<'_>) -> Option<()> {
        let mark = match opcode {
            opcode::START => Mark::Begin,
            // A zombie in the rundown: it ended at some time before.
            opcode::END | opcode::DEFUNCT => Mark::End,
            opcode::DC_START | opcode::DC_END => Mark::Alive,
            _ => return Some(()),
        };
        let names = &mut self.names;
        let fields = self.readers.process.read(record)?;
        let pid = fields.u32(0)?;
        let image = names.intern_ansi(fields.ansi(6)?);
        let mut text = |field| fields.utf16(field).map_or(NameId::EMPTY, |text| names.intern_utf16(text));
        let (command_line, package, application) = (text(7), text(8), text(9));
        let user = fields.sid(10).map_or(NameId::EMPTY, |sid| names.intern(&sid.to_string()));
        let value = Process {
            pid,
            parent: fields.u32(1),
            session: fields.u32(2),
            exit_status: (mark == Mark::End).then(|| fields.u32(3)).flatten().map(u32::cast_signed),
            flags: fields.u32(4),
            page_directory: fields.u64(11).or_else(|| fields.u64(12)),
            image,
            image_lower: names.intern_base_lower(image),
            command_line,
            package,
            application,
            user,
            key: fields.u64(5),
        };
        self.processes.push(Sighting { key: pid, time: record.time(), mark, value });
        Some(())
    }

    fn thread(&mut self, opcode: u8, record: &Record<'_>) -> Option<()> {
        let mark = match opcode {
            opcode::START => Mark::Begin,
            opcode::END => Mark::End,
            opcode::DC_START | opcode::DC_END | opcode::SET_NAME => Mark::Alive,
            _ => return Some(()),
        };
        self.rundown |= matches!(opcode, opcode::DC_START | opcode::DC_END);
        let fields = self.readers.thread.read(record)?;
        let tid = fields.u32(0).or_else(|| fields.u32(12))?;
        let name = fields.utf16(2).map_or(NameId::EMPTY, |text| self.names.intern_utf16(text));
        let pair = |base, limit| Some((fields.u64(base)?, fields.u64(limit)?)).filter(|(base, _)| *base != 0);
        let value = Thread {
            name,
            kernel_stack: pair(3, 4),
            user_stack: pair(5, 6),
            win32_start: fields.u64(7),
            affinity: fields.u64(8),
            base_priority: fields.u8(9),
            page_priority: fields.u8(10),
            io_priority: fields.u8(11),
            flags: fields.u8(13),
            ..Thread::new(tid, fields.u32(1)?, record.time())
        };
        self.threads.push(Sighting { key: tid, time: record.time(), mark, value });
        Some(())
    }

    fn image(&mut self, record: &Record<'_>) -> Option<()> {
        let mark = match record.opcode() {
            opcode::IMAGE_LOAD => Mark::Begin,
            opcode::END => Mark::End,
            opcode::DC_START | opcode::DC_END => Mark::Alive,
            _ => return Some(()),
        };
        let fields = self.readers.image.read(record)?;
        let base = fields.u64(1)?;
        // The first layout does not contain the process, so the process that logged the event
        // applies.
        let pid = fields.u32(0).or_else(|| record.pid())?;
        let file = self.names.intern_utf16(fields.utf16(3)?);
        let value = Image {
            pid,
            base,
            size: fields.u64(2)?,
            file,
            module: self.names.intern_base_lower(file),
            has_device: self.names.get(file).starts_with("\\Device\\"),
            time_stamp: fields.u32(4),
            checksum: fields.u32(5),
            default_base: fields.u64(6),
            identity: None,
        };
        self.images.push(Sighting { key: (pid, base), time: record.time(), mark, value });
        Some(())
    }

    fn file(&mut self, opcode: u8, record: &Record<'_>) -> Option<()> {
        let mark = match opcode {
            opcode::FILE_CREATE => Mark::Begin,
            opcode::FILE_DELETE => Mark::End,
            opcode::FILE_NAME | opcode::FILE_RUNDOWN => Mark::Alive,
            _ => return Some(()),
        };
        let fields = self.readers.file.read(record)?;
        let key = fields.u64(0)?;
        let path = self.names.intern_utf16(fields.utf16(1)?);
        self.files.push(Sighting { key, time: record.time(), mark, value: FileName { key, path } });
        Some(())
    }

    /// Key control blocks name the keys that other registry events identify by address.
    fn registry(&mut self, opcode: u8, record: &Record<'_>) -> Option<()> {
        let mark = match opcode {
            // Up to version 1 this was the rundown.
            opcode::KEY_CREATE if record.layout_version() >= 2 => Mark::Begin,
            opcode::KEY_CREATE | opcode::KEY_RUNDOWN_BEGIN | opcode::KEY_RUNDOWN_END => Mark::Alive,
            opcode::KEY_DELETE => Mark::End,
            _ => return Some(()),
        };
        let fields = self.readers.registry.read(record)?;
        let key = fields.u64(0)?;
        let path = self.names.intern_utf16(fields.utf16(1)?);
        self.keys.push(Sighting { key, time: record.time(), mark, value: FileName { key, path } });
        Some(())
    }

    #[inline]
    fn stack(&mut self, opcode: u8, record: &Record<'_>) -> Option<()> {
        if !matches!(opcode, opcode::STACK | opcode::STACK_KEY_KERNEL | opcode::STACK_KEY_USER) {
            return Some(());
        }
        let payload = record.payload();
        let id = |field: &Option<Accessor>| field.as_ref()?.int(payload).map(|id| id as u32);
        self.owners.note(id(&self.readers.stack_thread)?, id(&self.readers.stack_process)?, record.time());
        Some(())
    }

    fn switch(&mut self, record: &Record<'_>) -> Option<()> {
        let (cpu, time) = (record.cpu(), record.time());
        if self.first_switch.get(&cpu).is_some_and(|(first, _)| *first <= time) {
            return Some(());
        }
        let old = self.readers.old_thread.as_ref()?.int(record.payload())? as u32;
        self.first_switch.insert(cpu, (time, old));
        Some(())
    }

    fn image_identity(&mut self, opcode: u8, record: &Record<'_>) -> Option<()> {
        if opcode == opcode::IMAGE_ID {
            let fields = self.readers.image_stamp.read(record)?;
            self.image_stamps.insert((fields.u32(0)?, fields.u64(1)?), fields.u32(2)?);
            return Some(());
        }
        if opcode != opcode::DBG_ID_RSDS {
            return Some(());
        }
        let fields = self.readers.image_id.read(record)?;
        let key = (fields.u32(0)?, fields.u64(1)?);
        let pdb = self.names.intern_ansi(fields.ansi(4)?);
        let identity = ImageIdentity { guid: fields.guid(2)?, age: fields.u32(3)?, pdb };
        self.identities.insert(key, identity);
        Some(())
    }

    fn volume(&mut self, opcode: u8, record: &Record<'_>) -> Option<()> {
        if opcode == opcode::SYSTEM_PATHS {
            let fields = self.readers.system_paths.read(record)?;
            let windows = fields.utf16(0)?.to_string().into_boxed_str();
            self.volumes.push((SYSTEM_ROOT.into(), windows));
            return Some(());
        }
        if opcode != opcode::VOLUME_MAPPING {
            return Some(());
        }
        let fields = self.readers.volume.read(record)?;
        let text = |field| fields.utf16(field).map(|text| text.to_string().into_boxed_str());
        self.volumes.push((text(0)?, text(1)?));
        Some(())
    }

    /// A measure of how many definitions were read. If it has grown, a new [`MachineBuilder::snapshot`] contains
    /// more.
    #[must_use]
    pub fn definitions(&self) -> usize {
        let things = self.processes.len() + self.threads.len() + self.images.len();
        let names = self.files.len() + self.keys.len() + self.volumes.len() + self.methods.len();
        things
            + names
            + self.identities.len()
            + self.image_stamps.len()
            + self.owners.list.len()
            + self.first_switch.len()
    }

    /// Removes what ended before a raw time, for callers that follow a machine indefinitely. Names stay.
    pub fn forget(&mut self, before: i64) {
        forget(&mut self.processes, before);
        forget(&mut self.threads, before);
        forget(&mut self.images, before);
        forget(&mut self.files, before);
        forget(&mut self.keys, before);
        self.owners.forget(before);
    }

    /// Puts together what was collected so far. Names keep their places from one to the next.
    #[must_use]
    pub fn snapshot(&mut self) -> Machine {
        // The tables must add names at the same positions each time.
        idle_process(&mut self.names);
        self.owners.settle();
        Machine::build(Tables {
            names: self.names.clone(),
            processes: self.processes.clone(),
            threads: self.threads.clone(),
            images: self.images.clone(),
            files: self.files.clone(),
            keys: self.keys.clone(),
            identities: self.identities.clone(),
            image_stamps: self.image_stamps.clone(),
            volumes: Volumes::new(self.volumes.clone()),
            first_switch: self.first_switch.clone(),
            methods: self.methods.methods(),
            owners: self.owners.list.clone(),
        })
    }

    /// Puts together what was collected.
    #[must_use]
    pub fn finish(self) -> Machine {
        Machine::build(Tables {
            names: self.names,
            processes: self.processes,
            threads: self.threads,
            images: self.images,
            files: self.files,
            keys: self.keys,
            identities: self.identities,
            image_stamps: self.image_stamps,
            volumes: Volumes::new(self.volumes),
            first_switch: self.first_switch,
            methods: self.methods.finish(),
            owners: self.owners.into_list(),
        })
    }
}

/// Which process each thread was seen in: evidence for threads that no event defines.
#[derive(Debug, Default)]
struct Owners {
    list: FxHashMap<(u32, u32), (i64, i64)>,
    /// The pair noted last for each slot, so that the same thread over and over costs no lookup.
    recent: Recent,
}

#[derive(Debug)]
struct Recent([Seen; 256]);

/// A thread and process, with the times of what was seen of them since they are in the slot.
#[derive(Clone, Copy, Debug)]
struct Seen {
    pair: (u32, u32),
    first: i64,
    last: i64,
}

impl Default for Recent {
    fn default() -> Recent {
        Recent([Seen { pair: (u32::MAX, u32::MAX), first: i64::MAX, last: i64::MIN }; 256])
    }
}

impl Owners {
    fn forget(&mut self, before: i64) {
        self.settle();
        self.list.retain(|_, (_, last)| *last >= before);
        self.recent = Recent::default();
    }

    #[inline]
    fn note(&mut self, tid: u32, pid: u32, time: i64) {
        // Ids are multiples of four.
        let slot = &mut self.recent.0[(tid >> 2) as usize % 256];
        if slot.pair == (tid, pid) {
            (slot.first, slot.last) = (slot.first.min(time), slot.last.max(time));
        } else {
            widen(&mut self.list, slot);
            *slot = Seen { pair: (tid, pid), first: time, last: time };
            self.list.entry(slot.pair).or_insert((time, time));
        }
    }

    /// Brings the list up to date with the slots.
    fn settle(&mut self) {
        self.recent.0.iter().for_each(|seen| widen(&mut self.list, seen));
    }

    /// The first and last time of each thread in each process.
    fn into_list(mut self) -> FxHashMap<(u32, u32), (i64, i64)> {
        self.settle();
        self.list
    }
}

fn widen(list: &mut FxHashMap<(u32, u32), (i64, i64)>, seen: &Seen) {
    if let Some((first, last)) = list.get_mut(&seen.pair) {
        (*first, *last) = (seen.first.min(*first), seen.last.max(*last));
    }
}
