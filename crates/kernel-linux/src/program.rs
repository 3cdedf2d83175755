//! Programs for tracepoints, put together from a few phrases: what runs, a field of a structure, a text, a sample.
//!
//! Registers: `R6` holds the arguments of the tracepoint, `R7` the sample, `R8` and `R9` what a program keeps across
//! calls. A program that takes stacks builds its sample in separate memory (one place for each program and processor: the kernel
//! never runs a program twice at once on one processor) and copies it to the ring, since only then its length may vary.
//! One that takes none builds it in the ring.

use std::mem::offset_of;
use std::os::fd::AsFd;

use crate::asm::{Asm, Helper, If, Label, Op, Reg, Size};
use crate::btf::{Btf, BtfError};
use crate::judged::{self, Judged};
use crate::limits::{self, CallLimit, CallMemory};
use crate::maps::{Maps, Rings};
use crate::merged::{Half, Key, Merged, Value};
use crate::owner::{self, Owner};
use crate::sample::{Ends, FRAMES, Head, PIECE_ROOM, Sample};
use tracewell_types::call::{CallTest, Relation, Subject};
use tracewell_types::hit::PIECE;

use Reg::{R0, R1, R2, R3, R4, R6, R7, R8, R9, R10};

/// The ring is read by the clock, not by wake-ups, which cost more than the events.
const NO_WAKEUP: i32 = 1;
/// Flag of a stack of the user.
const USER_STACK: i32 = 1 << 8;
/// Flag of an update that adds an element (`BPF_NOEXIST`).
const ONLY_NEW: i32 = 1;
/// Places of the key and the value of a call in the frame, below those of the other phrases.
const KEY: i16 = -128;
const VALUE: i16 = -144;
/// Places of what is noted of a process, and of its number.
const MARK: i16 = -40;
const NUMBER: i16 = -48;
/// Place of which halves of a switch are logged for a user: one bit for each thread, and one for a thread that ends.
const HALVES: i16 = -64;
pub(crate) const GOES: i32 = 1;
pub(crate) const COMES: i32 = 2;
pub(crate) const ENDS: i32 = 4;
/// Bytes of one half of a stack.
const HALF: i32 = (FRAMES * 8) as i32;

/// How a program reads the kernel's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// By plain loads, whose types the kernel checks (`tp_btf`).
    Typed,
    /// By calls that copy (`raw_tp`).
    Raw,
}

/// Builds one program.
pub(crate) struct Builder<'a> {
    pub(crate) asm: Asm,
    btf: &'a Btf<'a>,
    maps: &'a Maps,
    mode: Mode,
    /// Which row of the table it is for.
    row: u32,
    stacks: bool,
    size: usize,
    /// The only system calls that the program logs if it is one for calls, or the only events.
    limits: Option<&'a [CallLimit]>,
    /// The maps in which it counts equal calls instead.
    merged: Option<&'a Merged>,
    /// The memory that it reads at calls.
    memory: Option<&'a CallMemory>,
    /// What a reader has found out about processes.
    judged: Option<&'a Judged>,
    /// The user whose processes alone are logged.
    owner: Option<Owner>,
    /// Whether the program has checked that itself.
    is_checked: bool,
    /// The innermost frames of the kernel, which a stack leaves out: the program itself and what runs it.
    skipped: i32,
    lost: Label,
    out: Label,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(btf: &'a Btf<'a>, maps: &'a Maps, mode: Mode, row: u32, stacks: bool) -> Builder<'a> {
        let mut asm = Asm::default();
        let (lost, out) = (asm.label(), asm.label());
        asm.mov(R6, R1);
        Builder {
            asm,
            btf,
            maps,
            mode,
            row,
            stacks,
            size: 0,
            limits: None,
            merged: None,
            memory: None,
            judged: None,
            owner: None,
            is_checked: false,
            skipped: 2,
            lost,
            out,
        }
    }

    pub(crate) fn btf(&self) -> &Btf<'a> {
        self.btf
    }

    pub(crate) fn maps(&self) -> &'a Maps {
        self.maps
    }

    /// Sets the only system calls or events that are logged.
    pub(crate) fn limit_to(&mut self, limits: Option<&'a [CallLimit]>) {
        self.limits = limits;
    }

    /// Has equal calls counted.
    pub(crate) fn merge_into(&mut self, merged: Option<&'a Merged>) {
        self.merged = merged;
    }

    /// Has the memory read that arguments of calls point to.
    pub(crate) fn read_memory(&mut self, memory: Option<&'a CallMemory>) {
        self.memory = memory;
    }

    /// Has tests of users and names made by what a reader has found out.
    pub(crate) fn judge_by(&mut self, judged: Option<&'a Judged>) {
        self.judged = judged;
    }

    /// Has only samples made of the processes of a user.
    pub(crate) fn only_of(&mut self, owner: Option<Owner>) {
        self.owner = owner;
    }

    /// Ends the program unless the thread that runs is of a process of the user, if there is one. No sample begins without this, or
    /// [`Builder::check_owner_of_switch`].
    fn check_owner(&mut self) {
        let Some(owner) = self.owner.filter(|_| !self.is_checked) else { return };
        let out = self.out;
        // Most threads of others end here.
        self.asm.call(Helper::Uid);
        self.asm.imm(Op::Shl, R0, 32);
        self.asm.imm(Op::Shr, R0, 32);
        self.asm.set_wide(R2, owner.uid.into());
        self.asm.reg(Op::Sub, R0, R2);
        self.asm.jump_if(If::Ne, R0, 0, out);
        let no_memory = self.asm.label();
        self.unless_dumped(owner, None, (no_memory, out));
        // A process that ends may have given up its memory; it is known already, or not logged.
        self.asm.place(no_memory);
        self.unless_plain(owner, None, out);
    }

    /// Leaves a task in `R7`: that in a register, or the current one.
    fn task(&mut self, task: Option<Reg>) {
        match task {
            Some(task) => self.asm.mov(R7, task),
            None => {
                self.asm.call(Helper::CurrentTask);
                self.asm.mov(R7, R0);
            }
        }
    }

    /// Goes to one label if a task has no memory, and to another if its user may not dump that.
    fn unless_dumped(&mut self, owner: Owner, task: Option<Reg>, (no_memory, otherwise): (Label, Label)) {
        self.task(task);
        self.peek_at(R7, R7, owner.memory, Size::D);
        self.asm.jump_if(If::Eq, R7, 0, no_memory);
        self.peek_at(R1, R7, owner.flags, Size::D);
        self.asm.imm(Op::And, R1, owner::DUMP);
        self.asm.jump_if(If::Ne, R1, owner::BY_USER, otherwise);
    }

    /// Ends the program of a switch unless one of the threads is of a process of the user, and notes which. `R8` is the thread that
    /// goes, and `R9` the one that comes. Returns `true` if the other one may not be shown.
    pub(crate) fn check_owner_of_switch(&mut self) -> bool {
        let Some(owner) = self.owner else { return false };
        self.is_checked = true;
        let (ends, second, last) = (self.asm.label(), self.asm.label(), self.asm.label());
        let note = |asm: &mut Asm, half: i32| {
            asm.load(Size::D, R1, R10, HALVES);
            asm.imm(Op::Add, R1, half);
            asm.store(Size::D, R10, HALVES, R1);
        };
        self.asm.store_imm(Size::D, R10, HALVES, 0);
        self.unless_plain(owner, Some(R8), second);
        self.unless_dumped(owner, Some(R8), (ends, second));
        note(&mut self.asm, GOES);
        self.asm.jump(second);
        self.asm.place(ends);
        note(&mut self.asm, ENDS);
        self.asm.place(second);
        self.unless_plain(owner, Some(R9), last);
        self.unless_dumped(owner, Some(R9), (last, last));
        note(&mut self.asm, COMES);
        self.asm.place(last);
        self.asm.load(Size::D, R1, R10, HALVES);
        self.asm.jump_if(If::Eq, R1, 0, self.out);
        true
    }

    /// Overwrites numbers of the halves of a switch that are not logged: of each half, 32-bit numbers by their places, and what takes
    /// their place. Stores which are logged in the second byte of a number.
    pub(crate) fn keep_halves(&mut self, at: usize, goes: &[(usize, i32)], comes: &[(usize, i32)]) {
        self.asm.load(Size::D, R8, R10, HALVES);
        for (bits, fields) in [(GOES | ENDS, goes), (COMES, comes)] {
            let shown = self.asm.label();
            self.asm.jump_if(If::Set, R8, bits, shown);
            for (at, other) in fields {
                self.put_imm(*at, Size::W, *other);
            }
            self.asm.place(shown);
        }
        self.asm.load(Size::W, R1, R7, at as i16);
        self.asm.imm(Op::And, R1, 0xFF);
        self.asm.imm(Op::Shl, R8, 8);
        self.asm.reg(Op::Add, R1, R8);
        self.put(at, Size::W, R1);
    }

    /// Goes to a label unless a task has the user's credentials alone.
    fn unless_plain(&mut self, owner: Owner, task: Option<Reg>, out: Label) {
        const GROUP: i16 = -56;
        let is_user = |asm: &mut Asm, found: Reg| {
            asm.set_wide(R2, owner.uid.into());
            asm.reg(Op::Sub, found, R2);
            asm.jump_if(If::Ne, found, 0, out);
        };
        self.task(task);
        self.peek_at(R7, R7, owner.credentials, Size::D);
        for place in owner.users {
            self.peek_at(R1, R7, place, Size::W);
            is_user(&mut self.asm, R1);
        }
        for (number, place) in (0..).zip(owner.groups) {
            self.peek_at(R1, R7, place, Size::W);
            if number == 0 {
                self.asm.store(Size::D, R10, GROUP, R1);
            } else {
                self.asm.load(Size::D, R2, R10, GROUP);
                self.asm.reg(Op::Sub, R1, R2);
                self.asm.jump_if(If::Ne, R1, 0, out);
            }
        }
        self.peek_at(R1, R7, owner.capabilities, Size::D);
        self.asm.jump_if(If::Ne, R1, 0, out);
    }

    /// Leaves the number of the process in `R0`: of a task in a register, or the current one.
    fn process_number(&mut self, task: Option<Reg>) -> Result<(), BtfError> {
        match task {
            Some(task) => self.field(R0, task, "task_struct.tgid"),
            None => {
                self.asm.call(Helper::PidTgid);
                self.asm.imm(Op::Shr, R0, 32);
                Ok(())
            }
        }
    }

    /// Leaves the address of what is known about the process with the number in `R0` in `R3`, and what distinguishes it from others
    /// with this place in `R0`.
    fn place_of_process(&mut self, judged: &Judged) {
        let asm = &mut self.asm;
        asm.mov(R1, R0);
        asm.imm(Op::And, R1, judged::PLACES - 1);
        asm.imm(Op::Shl, R1, 3);
        asm.map_value(R3, judged.map.as_fd());
        asm.reg(Op::Add, R3, R1);
        asm.imm(Op::Shr, R0, judged::PLACES.trailing_zeros().cast_signed());
    }

    /// Forgets what is known about the process of a task, or of the current one: it begins, ends, or runs another program. From now
    /// on all tests of it hold, until the reader knows better.
    pub(crate) fn forget_verdict(&mut self, task: Option<Reg>) -> Result<(), BtfError> {
        let Some(judged) = self.judged else { return Ok(()) };
        self.process_number(task)?;
        self.asm.store(Size::D, R10, NUMBER, R0);
        self.asm.call(Helper::Nanoseconds);
        self.asm.imm(Op::Shl, R0, judged::TIME);
        self.asm.store(Size::D, R10, MARK, R0);
        self.asm.load(Size::D, R0, R10, NUMBER);
        self.place_of_process(judged);
        self.asm.imm(Op::Shl, R0, judged::TESTS);
        self.asm.load(Size::D, R1, R10, MARK);
        self.asm.reg(Op::Add, R0, R1);
        self.asm.store(Size::D, R10, MARK, R0);
        self.asm.store(Size::D, R3, 0, R0);
        Ok(())
    }

    /// Notes nothing, for a sample that has a place for what [`Builder::forget_verdict`] notes.
    pub(crate) fn no_mark(&mut self) {
        if self.judged.is_some() {
            self.asm.store_imm(Size::D, R10, MARK, 0);
        }
    }

    /// Puts what [`Builder::forget_verdict`] has noted into the sample; 0 where it notes nothing.
    pub(crate) fn put_mark(&mut self, at: usize) {
        if self.judged.is_none() {
            return self.put_imm(at, Size::D, 0);
        }
        self.asm.load(Size::D, R1, R10, MARK);
        self.put(at, Size::D, R1);
    }

    /// Goes to a label if the reader has found that a test fails for a process.
    fn unless_judged(
        &mut self,
        test: &CallTest,
        task: Option<Reg>,
        otherwise: Label,
    ) -> Result<(), BtfError> {
        let Some((judged, bit)) = self.judged.and_then(|judged| Some((judged, judged.bit(test)?))) else {
            return Ok(());
        };
        let holds = self.asm.label();
        self.process_number(task)?;
        self.place_of_process(judged);
        let asm = &mut self.asm;
        asm.load(Size::D, R2, R3, 0);
        asm.mov(R1, R2);
        asm.imm(Op::Shr, R1, judged::TESTS);
        asm.imm(Op::And, R1, judged::OTHERS - 1);
        // Another process has this place.
        asm.reg(Op::Sub, R1, R0);
        asm.jump_if(If::Ne, R1, 0, holds);
        asm.jump_if(If::Set, R2, bit, otherwise);
        asm.place(holds);
        Ok(())
    }

    /// The arguments of calls whose memory is read.
    fn pointers(&self) -> impl Iterator<Item = usize> + use<> {
        let arguments = self.memory.map_or(0, |memory| memory.arguments);
        (0..6).filter(move |argument| arguments & 1 << argument != 0)
    }

    /// Where the program goes with a call whose memory is not read, and the number of pieces of memory of others; [`None`] if
    /// it reads none.
    pub(crate) fn memory_or(&mut self) -> Result<Option<(Label, usize)>, BtfError> {
        let Some(memory) = self.memory else { return Ok(None) };
        let without = self.asm.label();
        self.unless_any(&memory.calls, None, without)?;
        Ok(Some((without, self.pointers().count())))
    }

    /// Counts the call with the number in `R9` and the registers in `R8` and ends the program, if calls are merged. Goes on
    /// where a map has no place for it.
    pub(crate) fn count_call(&mut self, returns: bool) -> Result<(), BtfError> {
        let Some(merged) = self.merged else { return Ok(()) };
        let alone = self.asm.label();
        self.write_key(merged, returns)?;
        let second = self.asm.label();
        self.asm.map_value(R1, merged.chosen.as_fd());
        self.asm.load(Size::W, R7, R1, 0);
        let [first_half, second_half] = &merged.halves;
        self.asm.jump_if(If::Ne, R7, 0, second);
        self.count_in(merged, first_half, alone);
        self.asm.place(second);
        self.count_in(merged, second_half, alone);
        self.asm.place(alone);
        Ok(())
    }

    /// Writes the key of a call to the frame, except the numbers of its stacks.
    fn write_key(&mut self, merged: &Merged, returns: bool) -> Result<(), BtfError> {
        let place = |field: usize| KEY + field as i16;
        self.asm.call(Helper::PidTgid);
        self.asm.store(Size::D, R10, place(offset_of!(Key, ids)), R0);
        let typed = self.mode == Mode::Typed;
        self.asm.call(if typed { Helper::CurrentTaskTyped } else { Helper::CurrentTask });
        self.asm.mov(R7, R0);
        self.field(R1, R7, "task_struct.start_time")?;
        self.asm.store(Size::D, R10, place(offset_of!(Key, start)), R1);
        self.field(R1, R7, "task_struct.self_exec_id")?;
        self.asm.store(Size::D, R10, place(offset_of!(Key, programs)), R1);
        self.asm.store(Size::D, R10, place(offset_of!(Key, number)), R9);
        self.asm.store_imm(Size::D, R10, place(offset_of!(Key, stacks)), -1);
        for index in 0..merged.merging.arguments() {
            if returns {
                self.argument(1, R1);
            } else {
                self.call_argument(R1, R8, index)?;
            }
            self.asm.store(Size::D, R10, place(offset_of!(Key, arguments) + 8 * index), R1);
        }
        Ok(())
    }

    /// Counts the call of the key in the frame in one of the maps, and ends the program.
    fn count_in(&mut self, merged: &Merged, half: &Half, alone: Label) {
        let (out, skipped) = (self.out, self.skipped);
        let asm = &mut self.asm;
        if let Some(stacks) = &half.stacks {
            let stacks_of = [(merged.merging.kernel_stack, skipped), (merged.merging.user_stack, USER_STACK)];
            for (place, (_, flags)) in (0..).zip(stacks_of).filter(|(_, (wanted, _))| *wanted) {
                let (known, none) = (asm.label(), asm.label());
                asm.mov(R1, R6);
                asm.map(R2, stacks.as_fd());
                asm.set(R3, flags);
                asm.call(Helper::StackNumber);
                asm.jump_if(If::SGt, R0, -1, known);
                // Threads of the kernel have none. Another failure is that its place in the map has another stack.
                asm.jump_if(If::Eq, R0, -libc::EFAULT, none);
                asm.jump(alone);
                asm.place(known);
                asm.store(Size::W, R10, KEY + offset_of!(Key, stacks) as i16 + 4 * place, R0);
                asm.place(none);
            }
        }
        let (new, counted) = (asm.label(), asm.label());
        asm.map(R1, half.calls.as_fd());
        asm.mov(R2, R10);
        asm.imm(Op::Add, R2, KEY.into());
        asm.call(Helper::MapLookup);
        asm.jump_if(If::Eq, R0, 0, new);
        asm.load(Size::D, R1, R0, offset_of!(Value, count) as i16);
        asm.jump_if(If::Ne, R1, 0, counted);
        // Only other processors have counted such calls.
        asm.mov(R7, R0);
        asm.call(Helper::Nanoseconds);
        asm.store(Size::D, R7, offset_of!(Value, first) as i16, R0);
        asm.store_imm(Size::D, R7, offset_of!(Value, count) as i16, 1);
        asm.jump(out);
        asm.place(counted);
        asm.imm(Op::Add, R1, 1);
        asm.store(Size::D, R0, offset_of!(Value, count) as i16, R1);
        asm.jump(out);
        asm.place(new);
        asm.call(Helper::Nanoseconds);
        asm.store(Size::D, R10, VALUE + offset_of!(Value, first) as i16, R0);
        asm.store_imm(Size::D, R10, VALUE + offset_of!(Value, count) as i16, 1);
        asm.map(R1, half.calls.as_fd());
        asm.mov(R2, R10);
        asm.imm(Op::Add, R2, KEY.into());
        asm.mov(R3, R10);
        asm.imm(Op::Add, R3, VALUE.into());
        asm.set(R4, ONLY_NEW);
        asm.call(Helper::MapUpdate);
        asm.jump_if(If::Eq, R0, 0, out);
        asm.jump(alone);
    }

    /// Ends the program unless a limit applies to the call with the number in `R9`, or to what the current thread does.
    pub(crate) fn check_limits(&mut self) -> Result<(), BtfError> {
        self.limits.map_or(Ok(()), |limits| self.unless_any(limits, None, self.out))
    }

    /// Ends the program unless a limit applies to the current thread or to the one in `R9`, to which the processor goes.
    pub(crate) fn check_switch(&mut self) -> Result<(), BtfError> {
        let Some(limits) = self.limits.filter(|limits| !limits::allow_all(limits)) else { return Ok(()) };
        let (second, logged) = (self.asm.label(), self.asm.label());
        self.unless_any(limits, None, second)?;
        self.asm.jump(logged);
        self.asm.place(second);
        self.unless_any(limits, Some(R9), self.out)?;
        self.asm.place(logged);
        Ok(())
    }

    /// Goes to a label unless any of the limits applies to the call with the number in `R9` and the registers in `R8`, or to the
    /// event. A task in a register takes the place of the current one.
    fn unless_any(
        &mut self,
        limits: &[CallLimit],
        task: Option<Reg>,
        otherwise: Label,
    ) -> Result<(), BtfError> {
        if limits::allow_all(limits) {
            return Ok(());
        }
        let logged = self.asm.label();
        for limit in limits {
            let next = self.asm.label();
            if let Some(number) = limit.number {
                self.asm.jump_if(If::Ne, R9, number.cast_signed(), next);
            }
            for test in &limit.tests {
                self.unless(test, task, next)?;
            }
            self.asm.jump(logged);
            self.asm.place(next);
        }
        self.asm.jump(otherwise);
        self.asm.place(logged);
        Ok(())
    }

    /// Goes to a label if a test fails.
    fn unless(&mut self, test: &CallTest, task: Option<Reg>, otherwise: Label) -> Result<(), BtfError> {
        match (test.subject, task) {
            (Subject::User | Subject::Name, _) => return self.unless_judged(test, task, otherwise),
            (Subject::Process, _) => self.process_number(task)?,
            (Subject::Thread, Some(task)) => self.field(R0, task, "task_struct.pid")?,
            (Subject::Thread, None) => {
                self.asm.call(Helper::PidTgid);
                self.asm.imm(Op::Shl, R0, 32);
                self.asm.imm(Op::Shr, R0, 32);
            }
            (Subject::Processor, _) => self.asm.call(Helper::Processor),
            (Subject::Argument(number), _) => self.call_argument(R0, R8, number.into())?,
            (Subject::Result, _) => self.argument(1, R0),
            // Tests of fields are left out where programs do not know them.
            (Subject::Field(_), _) => return Ok(()),
        }
        let fails = match (test.relation, test.holds) {
            (Relation::Equal, true) => If::Ne,
            (Relation::Equal, false) => If::Eq,
            (Relation::Less, true) => If::SGe,
            (Relation::Less, false) => If::SLt,
            (Relation::LessOrEqual, true) => If::SGt,
            (Relation::LessOrEqual, false) => If::SLe,
            (Relation::Below, true) => If::Ge,
            (Relation::Below, false) => If::Lt,
            (Relation::BelowOrEqual, true) => If::Gt,
            (Relation::BelowOrEqual, false) => If::Le,
        };
        self.asm.jump_if(fails, R0, test.number, otherwise);
        Ok(())
    }

    /// Leaves out so many of the innermost frames of the kernel.
    pub(crate) fn skip_frames(&mut self, count: i32) {
        self.skipped = count;
    }

    /// Where a program goes that has nothing to say.
    pub(crate) fn out(&self) -> Label {
        self.out
    }

    /// Puts an argument of the tracepoint into a register.
    pub(crate) fn argument(&mut self, index: i16, dst: Reg) {
        self.asm.load(Size::D, dst, R6, 8 * index);
    }

    /// Looks up an element of a map by a number at `R10 - 4`; leaves its address, or null, in `R0`.
    fn lookup(&mut self, map: impl AsFd) {
        self.asm.map(R1, map.as_fd());
        self.asm.mov(R2, R10);
        self.asm.imm(Op::Add, R2, -4);
        self.asm.call(Helper::MapLookup);
    }

    /// Leaves the address of an element in `R0`; ends the program if there is none.
    pub(crate) fn element(&mut self, map: impl AsFd, key: Reg) {
        self.asm.store(Size::W, R10, -4, key);
        self.lookup(map);
        self.asm.jump_if(If::Eq, R0, 0, self.out);
    }

    fn ring(&mut self) {
        self.asm.call(Helper::Processor);
        match &self.maps.rings {
            Rings::Few(rings) => {
                let found = self.asm.label();
                for (cpu, ring) in (0..).zip(rings) {
                    let next = self.asm.label();
                    self.asm.jump_if(If::Ne, R0, cpu, next);
                    self.asm.map(R0, ring.as_fd());
                    self.asm.jump(found);
                    self.asm.place(next);
                }
                self.asm.jump(self.out);
                self.asm.place(found);
            }
            Rings::Many(rings) => {
                self.asm.store(Size::W, R10, -4, R0);
                self.lookup(rings);
                self.asm.jump_if(If::Eq, R0, 0, self.out);
            }
        }
    }

    /// Begins a sample: from here on `R7` is its address. The head is filled in.
    pub(crate) fn begin<S: Sample>(&mut self) {
        self.begin_with::<S>(0);
    }

    /// As [`Builder::begin`], for a sample that more bytes follow.
    pub(crate) fn begin_with<S: Sample>(&mut self, more: usize) {
        self.check_owner();
        self.size = size_of::<S>() + more;
        let size = self.size as i32;
        if self.stacks {
            self.asm.store_imm(Size::W, R10, -4, self.row.cast_signed());
            self.lookup(&self.maps.scratch);
            self.asm.jump_if(If::Eq, R0, 0, self.out);
            self.asm.mov(R7, R0);
        } else {
            self.ring();
            self.asm.mov(R1, R0);
            self.asm.set(R2, size);
            self.asm.set(R3, 0);
            self.asm.call(Helper::RingReserve);
            self.asm.jump_if(If::Eq, R0, 0, self.lost);
            self.asm.mov(R7, R0);
        }
        self.asm.store_imm(Size::W, R7, offset_of!(Head, kind) as i16, S::KIND.cast_signed());
        self.asm.store_imm(Size::W, R7, offset_of!(Head, row) as i16, self.row.cast_signed());
        self.asm.call(Helper::Nanoseconds);
        self.asm.store(Size::D, R7, offset_of!(Head, time) as i16, R0);
        self.asm.call(Helper::PidTgid);
        self.asm.store(Size::D, R7, offset_of!(Head, tid) as i16, R0);
    }

    /// Ends the sample and the program.
    pub(crate) fn finish(&mut self) {
        self.submit();
        self.end();
    }

    /// Ends the sample.
    pub(crate) fn submit(&mut self) {
        let asm = &mut self.asm;
        if self.stacks {
            let size = self.size as i32;
            let empty = |asm: &mut Asm| {
                let some = asm.label();
                asm.jump_if(If::SGt, R0, -1, some);
                asm.set(R0, 0);
                asm.place(some);
            };
            asm.mov(R1, R6);
            asm.mov(R2, R7);
            asm.imm(Op::Add, R2, size);
            asm.set(R3, HALF);
            asm.set(R4, self.skipped);
            asm.call(Helper::Stack);
            empty(asm);
            asm.mov(R8, R0);
            asm.mov(R1, R6);
            asm.mov(R2, R7);
            asm.imm(Op::Add, R2, size);
            asm.reg(Op::Add, R2, R8);
            asm.set(R3, HALF);
            asm.set(R4, USER_STACK);
            asm.call(Helper::Stack);
            empty(asm);
            asm.reg(Op::Add, R8, R0);
            asm.imm(Op::Add, R8, size);
            self.ring();
            let asm = &mut self.asm;
            asm.mov(R1, R0);
            asm.mov(R2, R7);
            asm.mov(R3, R8);
            asm.set(R4, NO_WAKEUP);
            asm.call(Helper::RingOutput);
            asm.jump_if(If::Ne, R0, 0, self.lost);
        } else {
            asm.mov(R1, R7);
            asm.set(R2, NO_WAKEUP);
            asm.call(Helper::RingSubmit);
        }
    }

    /// Ends the program, followed by the code that counts a loss.
    pub(crate) fn end(&mut self) {
        let out = self.out;
        // The kernel refuses instructions that nothing leads to: what makes no sample loses none.
        if self.size > 0 {
            self.asm.jump(out);
            self.asm.place(self.lost);
            self.asm.store_imm(Size::W, R10, -4, 0);
            self.lookup(&self.maps.lost);
            let asm = &mut self.asm;
            asm.jump_if(If::Eq, R0, 0, out);
            asm.mov(R7, R0);
            asm.set(R1, 1);
            asm.add_atomic(R7, 0, R1);
            asm.call(Helper::Nanoseconds);
            asm.store(Size::D, R7, 8, R0);
        }
        let asm = &mut self.asm;
        asm.place(out);
        asm.set(R0, 0);
        asm.exit();
    }

    /// Stores a register in the sample.
    pub(crate) fn put(&mut self, at: usize, size: Size, src: Reg) {
        self.asm.store(size, R7, at as i16, src);
    }

    /// Stores a number in the sample.
    pub(crate) fn put_imm(&mut self, at: usize, size: Size, imm: i32) {
        self.asm.store_imm(size, R7, at as i16, imm);
    }

    /// Loads a field of a structure that a typed pointer leads to. `R1` to `R5` change if the kernel's memory has to be copied.
    pub(crate) fn field(&mut self, dst: Reg, base: Reg, path: &str) -> Result<(), BtfError> {
        if self.mode == Mode::Raw {
            return self.peek(dst, base, path);
        }
        let field = self.btf.field(path)?;
        let size = Size::of(field.size).ok_or_else(|| BtfError::Missing(format!("number in {path}")))?;
        self.asm.load(size, dst, base, field.offset);
        Ok(())
    }

    /// Loads a field of a structure by its address, of whatever type that is; 0 where there is no memory.
    pub(crate) fn peek(&mut self, dst: Reg, base: Reg, path: &str) -> Result<(), BtfError> {
        let field = self.btf.field(path)?;
        let size = Size::of(field.size).ok_or_else(|| BtfError::Missing(format!("number in {path}")))?;
        self.peek_at(dst, base, field.offset, size);
        Ok(())
    }

    /// As [`Builder::peek`], at an offset.
    pub(crate) fn peek_at(&mut self, dst: Reg, base: Reg, offset: i16, size: Size) {
        let bytes = match size {
            Size::B => 1,
            Size::H => 2,
            Size::W => 4,
            Size::D => 8,
        };
        let asm = &mut self.asm;
        asm.mov(R3, base);
        asm.imm(Op::Add, R3, offset.into());
        asm.mov(R1, R10);
        asm.imm(Op::Add, R1, -16);
        asm.set(R2, bytes);
        asm.call(Helper::ReadKernel);
        asm.load(size, dst, R10, -16);
    }

    /// Copies a field into the sample.
    pub(crate) fn copy(&mut self, at: usize, size: Size, base: Reg, path: &str) -> Result<(), BtfError> {
        self.field(R1, base, path)?;
        self.put(at, size, R1);
        Ok(())
    }

    /// Copies the bytes of a field into the sample, however many they are.
    pub(crate) fn copy_bytes(
        &mut self,
        at: usize,
        room: usize,
        base: Reg,
        path: &str,
    ) -> Result<(), BtfError> {
        let field = self.btf.field(path)?;
        let asm = &mut self.asm;
        asm.mov(R3, base);
        asm.imm(Op::Add, R3, field.offset.into());
        self.copy_to(at, (field.size as usize).min(room), Helper::ReadKernel);
        Ok(())
    }

    /// Copies from the address in `R3` into the sample.
    pub(crate) fn copy_to(&mut self, at: usize, size: usize, helper: Helper) {
        let asm = &mut self.asm;
        asm.mov(R1, R7);
        asm.imm(Op::Add, R1, at as i32);
        asm.set(R2, size as i32);
        asm.call(helper);
    }

    /// Copies as many bytes as `R2` says, and at most `room`, from the address in `R3` into the sample.
    pub(crate) fn copy_up_to(&mut self, at: usize, room: usize, helper: Helper) {
        let asm = &mut self.asm;
        let (fits, goes) = (asm.label(), asm.label());
        asm.jump_if(If::Gt, R2, room as i32, fits);
        asm.jump(goes);
        asm.place(fits);
        asm.set(R2, room as i32);
        asm.place(goes);
        asm.mov(R1, R7);
        asm.imm(Op::Add, R1, at as i32);
        asm.call(helper);
    }

    /// Fills in both ends of the socket in `R8`.
    pub(crate) fn ends(&mut self, at: usize) -> Result<(), BtfError> {
        self.put(at + offset_of!(Ends, socket), Size::D, R8);
        self.copy(at + offset_of!(Ends, protocol), Size::H, R8, "sock.sk_protocol")?;
        self.copy(at + offset_of!(Ends, local_port), Size::H, R8, "sock.__sk_common.skc_num")?;
        self.copy(at + offset_of!(Ends, remote_port), Size::H, R8, "sock.__sk_common.skc_dport")?;
        self.field(R9, R8, "sock.__sk_common.skc_family")?;
        self.put(at + offset_of!(Ends, family), Size::H, R9);
        let (four, done) = (self.asm.label(), self.asm.label());
        let (local, remote) = (at + offset_of!(Ends, local), at + offset_of!(Ends, remote));
        self.asm.jump_if(If::Ne, R9, libc::AF_INET6, four);
        self.copy_bytes(local, 16, R8, "sock.__sk_common.skc_v6_rcv_saddr")?;
        self.copy_bytes(remote, 16, R8, "sock.__sk_common.skc_v6_daddr")?;
        self.asm.jump(done);
        self.asm.place(four);
        self.copy(local, Size::W, R8, "sock.__sk_common.skc_rcv_saddr")?;
        self.copy(remote, Size::W, R8, "sock.__sk_common.skc_daddr")?;
        self.asm.place(done);
        Ok(())
    }

    /// Loads an argument of a system call from the registers in `base`.
    pub(crate) fn call_argument(&mut self, dst: Reg, base: Reg, index: usize) -> Result<(), BtfError> {
        if cfg!(target_arch = "x86_64") {
            let names = ["di", "si", "dx", "r10", "r8", "r9"];
            let name = names.get(index).copied().unwrap_or("di");
            return self.field(dst, base, &format!("pt_regs.{name}"));
        }
        // arm64: the result has taken the place of the first argument, which is kept beside.
        if index == 0 {
            return self.field(dst, base, "pt_regs.orig_x0");
        }
        let field = self.btf.field("pt_regs.regs")?;
        self.peek_at(dst, base, field.offset + 8 * index as i16, Size::D);
        Ok(())
    }

    /// Reads the memory that arguments of the call with the registers in `R8` point to. `R9` changes.
    pub(crate) fn read_pieces(&mut self, at: usize) -> Result<(), BtfError> {
        for (index, argument) in self.pointers().enumerate() {
            let place = at + index * PIECE_ROOM;
            self.call_argument(R9, R8, argument)?;
            self.put(place, Size::D, R9);
            self.put_imm(place + 8, Size::D, 0);
            self.read_piece(place);
        }
        Ok(())
    }

    /// Reads memory of the process at the address in `R9`, as much as there is of it in the page at which it begins, and in the
    /// next one if that is there, too. Programs of tracepoints cannot wait for a page.
    fn read_piece(&mut self, place: usize) {
        const PAGE: i32 = 4096;
        const SIZE: i16 = -32;
        let (all, done) = (self.asm.label(), self.asm.label());
        let asm = &mut self.asm;
        let target = |asm: &mut Asm| {
            asm.mov(R1, R7);
            asm.imm(Op::Add, R1, (place + 16) as i32);
            asm.mov(R3, R9);
        };
        target(asm);
        asm.set(R2, PIECE as i32);
        asm.call(Helper::ReadUser);
        asm.jump_if(If::Eq, R0, 0, all);
        asm.mov(R1, R9);
        asm.imm(Op::And, R1, PAGE - 1);
        asm.set(R2, PAGE);
        asm.reg(Op::Sub, R2, R1);
        asm.jump_if(If::Gt, R2, PIECE as i32 - 1, done);
        asm.store(Size::D, R10, SIZE, R2);
        target(asm);
        asm.call(Helper::ReadUser);
        asm.jump_if(If::Ne, R0, 0, done);
        asm.load(Size::D, R1, R10, SIZE);
        asm.store(Size::D, R7, place as i16 + 8, R1);
        asm.jump(done);
        asm.place(all);
        asm.store_imm(Size::D, R7, place as i16 + 8, PIECE as i32);
        asm.place(done);
    }

    /// Loads the number of the system call from the registers in `base`.
    pub(crate) fn call_number(&mut self, dst: Reg, base: Reg) -> Result<(), BtfError> {
        self.field(
            dst,
            base,
            if cfg!(target_arch = "x86_64") { "pt_regs.orig_ax" } else { "pt_regs.syscallno" },
        )
    }

    /// Leaves the address of the open file in `R9` whose descriptor `dst` holds (`R8` is kept); ends the program if there is none.
    pub(crate) fn open_file(&mut self, descriptor: Reg) -> Result<(), BtfError> {
        let asm = &mut self.asm;
        asm.store(Size::D, R10, -24, descriptor);
        asm.call(Helper::CurrentTask);
        asm.mov(R9, R0);
        self.peek(R9, R9, "task_struct.files")?;
        self.peek(R9, R9, "files_struct.fdt")?;
        self.peek(R1, R9, "fdtable.max_fds")?;
        let asm = &mut self.asm;
        asm.load(Size::W, R2, R10, -24);
        // A descriptor beyond the table is not open.
        let inside = asm.label();
        asm.reg(Op::Sub, R1, R2);
        asm.jump_if(If::SGt, R1, 0, inside);
        asm.jump(self.out);
        asm.place(inside);
        self.peek(R9, R9, "fdtable.fd")?;
        let asm = &mut self.asm;
        asm.load(Size::W, R2, R10, -24);
        asm.imm(Op::Shl, R2, 3);
        asm.reg(Op::Add, R9, R2);
        self.peek_at(R9, R9, 0, Size::D);
        self.asm.jump_if(If::Eq, R9, 0, self.out);
        Ok(())
    }

    /// Keeps the time in a place of this processor, for [`Builder::since`].
    pub(crate) fn note_time(&mut self, slot: u32) {
        self.asm.store_imm(Size::W, R10, -4, slot.cast_signed());
        self.lookup(&self.maps.slots);
        self.asm.jump_if(If::Eq, R0, 0, self.out);
        self.asm.mov(R8, R0);
        self.asm.call(Helper::Nanoseconds);
        self.asm.store(Size::D, R8, 0, R0);
    }

    /// Leaves the time that was kept in `R9`; ends the program if there is none.
    pub(crate) fn since(&mut self, slot: u32) {
        self.asm.store_imm(Size::W, R10, -4, slot.cast_signed());
        self.lookup(&self.maps.slots);
        self.asm.jump_if(If::Eq, R0, 0, self.out);
        self.asm.load(Size::D, R9, R0, 0);
        self.asm.jump_if(If::Eq, R9, 0, self.out);
    }

    /// The instructions; `None` if a label has no place.
    pub(crate) fn code(self) -> Option<Vec<u64>> {
        self.asm.finish()
    }
}

/// A program that does nothing, for finding out whether the kernel takes its type.
pub(crate) fn nothing() -> Vec<u64> {
    let mut asm = Asm::default();
    asm.set(R0, 0);
    asm.exit();
    asm.finish().unwrap_or_default()
}

#[cfg(test)]
#[path = "program_tests.rs"]
mod tests;
