//! Keys that are pressed while `--watch` draws: they scroll, sort, and show rates.

use std::sync::{Arc, Mutex, PoisonError};

use tracewell_dengine::{Order, Shown};
use tracewell_live::interrupt::Interrupt;

/// What the picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct View {
    /// The order, and whether rates are shown.
    pub(super) shown: Shown,
    /// By how many lines the picture was moved down from where it is without keys.
    pub(super) moved: isize,
    /// A key has changed something that is not drawn yet.
    pub(super) stale: bool,
    /// Lines of the terminal, by which the picture is moved for a page.
    pub(super) page: usize,
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    Letter(u8),
}

impl View {
    fn press(&mut self, key: Key) -> Pressed {
        let page = isize::try_from(self.page.max(2) - 1).unwrap_or(1);
        let by = match key {
            Key::Up | Key::Letter(b'k') => -1,
            Key::Down | Key::Letter(b'j') => 1,
            Key::PageUp => -page,
            Key::PageDown => page,
            Key::Home => isize::MIN,
            Key::End => isize::MAX,
            Key::Letter(b's') => {
                self.shown.order = match self.shown.order {
                    Order::Asked => Order::Largest,
                    Order::Largest => Order::Keys,
                    Order::Keys => Order::Asked,
                };
                self.moved = 0;
                return Pressed::Changed;
            }
            Key::Letter(b'r') => {
                self.shown.rates = !self.shown.rates;
                return Pressed::Changed;
            }
            Key::Letter(b'q') => return Pressed::End,
            Key::Letter(_) => return Pressed::Nothing,
        };
        self.moved = self.moved.saturating_add(by);
        Pressed::Changed
    }

    /// What the picture shows, and the keys that change it.
    pub(super) fn help(&self) -> String {
        let order = match self.shown.order {
            Order::Asked => "as at the end",
            Order::Largest => "largest first",
            Order::Keys => "by key",
        };
        let rates = if self.shown.rates { ", per second" } else { "" };
        format!("[{order}{rates}]  s order  r rates  arrows scroll  q end")
    }
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pressed {
    Changed,
    End,
    Nothing,
}

/// The keys in bytes that a terminal sends. A sequence that is cut or unknown is no key.
fn keys(mut bytes: &[u8]) -> Vec<Key> {
    let known: [(&[u8], Key); 12] = [
        (b"\x1b[A", Key::Up),
        (b"\x1bOA", Key::Up),
        (b"\x1b[B", Key::Down),
        (b"\x1bOB", Key::Down),
        (b"\x1b[5~", Key::PageUp),
        (b"\x1b[6~", Key::PageDown),
        (b"\x1b[H", Key::Home),
        (b"\x1bOH", Key::Home),
        (b"\x1b[1~", Key::Home),
        (b"\x1b[F", Key::End),
        (b"\x1bOF", Key::End),
        (b"\x1b[4~", Key::End),
    ];
    let mut keys = Vec::new();
    while let Some((&first, rest)) = bytes.split_first() {
        bytes = rest;
        if first != b'\x1b' {
            keys.push(Key::Letter(first));
            continue;
        }
        let whole = [&[first], rest].concat();
        let found = known.iter().find(|(sequence, _)| whole.starts_with(sequence));
        let length = match found {
            Some((sequence, key)) => {
                keys.push(*key);
                sequence.len() - 1
            }
            // An unknown sequence ends with a letter or a tilde.
            None if rest.first() == Some(&b'[') => {
                rest.iter().skip(1).position(|b| (0x40..0x7f).contains(b)).map_or(rest.len(), |at| at + 2)
            }
            None => 0,
        };
        bytes = rest.get(length..).unwrap_or_default();
    }
    keys
}

/// The view that keys change.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Arc<Mutex<View>>);

impl Shared {
    /// The view.
    pub(super) fn get(&self) -> View {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the view.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut View) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes what was typed, and wakes the run if there is something to do.
    fn typed(&self, bytes: &[u8], interrupt: &Interrupt) {
        for key in keys(bytes) {
            let pressed = self.change(|view| {
                let pressed = view.press(key);
                view.stale |= pressed == Pressed::Changed;
                pressed
            });
            match pressed {
                Pressed::Changed => interrupt.nudge(),
                Pressed::End => {
                    interrupt.raise();
                }
                Pressed::Nothing => {}
            }
        }
    }
}

#[cfg(unix)]
pub(super) use terminal::Keyboard;

#[cfg(unix)]
mod terminal {
    use std::io::{IsTerminal, Read};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{
        LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
    };
    use tracewell_live::interrupt::Interrupt;

    use super::Shared;

    /// The terminal of standard input, which sends each key at once and does not show it, until this is dropped.
    #[derive(Debug)]
    pub(in crate::dtrace) struct Keyboard {
        before: Termios,
        ended: Arc<AtomicBool>,
    }

    impl Keyboard {
        /// Reads keys for a view. Returns [`None`] if standard input is not a terminal, or this process is not the one that may
        /// read it.
        pub(in crate::dtrace) fn new(view: &Shared, interrupt: &Interrupt) -> Option<Keyboard> {
            let input = std::io::stdin();
            if !input.is_terminal() || !is_ours() {
                return None;
            }
            let before = tcgetattr(&input).ok()?;
            set(&before)?;
            let restored = before.clone();
            interrupt.before_exit(move || restore(&restored));
            let ended = Arc::new(AtomicBool::new(false));
            let (view, interrupt, over) = (view.clone(), interrupt.clone(), Arc::clone(&ended));
            std::thread::spawn(move || read(&view, &interrupt, &over));
            Some(Keyboard { before, ended })
        }

        /// Prepares the terminal again: a shell may have changed it while this process was stopped.
        pub(in crate::dtrace) fn keep(&self) {
            let changed =
                tcgetattr(std::io::stdin()).is_ok_and(|now| now.local_modes.contains(LocalModes::ICANON));
            if changed && is_ours() {
                set(&self.before);
            }
        }
    }

    impl Drop for Keyboard {
        fn drop(&mut self) {
            self.ended.store(true, Ordering::SeqCst);
            restore(&self.before);
        }
    }

    /// Returns `true` if this process is in the foreground: the system stops others that read the terminal or change it.
    fn is_ours() -> bool {
        tcgetpgrp(std::io::stdin()).is_ok_and(|group| group == rustix::process::getpgrp())
    }

    /// Has the terminal send each key at once. Ctrl-C stays a signal.
    fn set(before: &Termios) -> Option<()> {
        let mut raw = before.clone();
        raw.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        raw.special_codes[SpecialCodeIndex::VMIN] = 1;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(std::io::stdin(), OptionalActions::Now, &raw).ok()
    }

    fn restore(before: &Termios) {
        if is_ours() {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
        }
    }

    fn read(view: &Shared, interrupt: &Interrupt, over: &AtomicBool) {
        /// How long to wait for a key before looking whether the run has ended.
        const WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
        let input = std::io::stdin();
        while !over.load(Ordering::SeqCst) {
            let mut ready = [PollFd::new(&input, PollFlags::IN)];
            if !poll(&mut ready, Some(&WAIT)).is_ok_and(|count| count > 0) {
                continue;
            }
            if !is_ours() {
                std::thread::sleep(std::time::Duration::from_millis(200));
                continue;
            }
            let mut bytes = [0; 64];
            match input.lock().read(&mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(count) => view.typed(bytes.get(..count).unwrap_or_default(), interrupt),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_21_keys_are_recognised_in_what_a_terminal_sends() {
        assert_eq!(keys(b"\x1b[A\x1bOBsr"), [Key::Up, Key::Down, Key::Letter(b's'), Key::Letter(b'r')]);
        assert_eq!(keys(b"\x1b[5~\x1b[6~\x1b[H\x1b[F"), [Key::PageUp, Key::PageDown, Key::Home, Key::End]);
        assert_eq!(keys(b"\x1b[1~\x1b[4~\x1bOH\x1bOF"), [Key::Home, Key::End, Key::Home, Key::End]);
        assert_eq!(keys(b"\x1bOA\x1b[B"), [Key::Up, Key::Down]);
        // Others are left out as a whole, and one that is cut does not hide what comes later.
        assert_eq!(keys(b"\x1b[15;2~q"), [Key::Letter(b'q')]);
        assert_eq!(keys(b"\x1b[1"), []);
        assert_eq!(keys(b"\x1b"), []);
        assert_eq!(keys(b"\x1bs"), [Key::Letter(b's')]);
    }

    #[test]
    fn issue_21_keys_change_what_is_shown() {
        let (view, interrupt) = (Shared::default(), Interrupt::default());
        view.change(|view| view.page = 10);
        let after = |bytes: &[u8]| {
            view.typed(bytes, &interrupt);
            view.get()
        };
        assert_eq!(after(b"x"), View { page: 10, ..View::default() });
        assert_eq!((after(b"j").moved, after(b"\x1b[B").moved, after(b"k").moved), (1, 2, 1));
        assert!(view.get().stale);
        assert_eq!((after(b"\x1b[6~").moved, after(b"\x1b[5~").moved), (10, 1));
        assert_eq!((after(b"\x1b[H").moved, after(b"\x1b[F").moved), (isize::MIN + 1, 0));
        assert_eq!((after(b"\x1b[F").moved, after(b"j").moved), (isize::MAX, isize::MAX));
        assert_eq!(after(b"r").shown, Shown { rates: true, ..Shown::default() });
        assert_eq!(view.get().help(), "[as at the end, per second]  s order  r rates  arrows scroll  q end");
        assert_eq!((after(b"rs").shown.order, view.get().moved), (Order::Largest, 0));
        assert!(view.get().help().starts_with("[largest first]"));
        assert_eq!(after(b"s").shown.order, Order::Keys);
        assert!(view.get().help().starts_with("[by key]"));
        assert_eq!(after(b"s").shown, Shown::default());
        assert!(!interrupt.raised());
        after(b"q");
        assert!(interrupt.raised());
    }
}
