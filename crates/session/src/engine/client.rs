//! Controllers and consumers: the side of a session that asks.

use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tracewell_types::Guid;

use super::live::{EngineLive, Reattach};
use super::place::RuntimeDir;
use super::socket::{Socket, distrust, wait_readable, waiting_processes};
use super::source::Offers;
use super::status::DaemonStatus;
use super::wire::{self, Answer, NOT_KNOWN, Request, VERSION, Wire};
use crate::controller::Controller;
use crate::error::{Code, Error};
use crate::live::LiveSource;
use crate::properties::{
    Backlog, Enable, Properties, ProviderStatus, SessionStatus, SystemAccess, SystemTracing, Update,
};

/// Longest wait for a daemon that was started, and that has not failed: the machine may be very busy.
const START: Duration = Duration::from_secs(60);
/// Daemons in a row that may fail before it is given up. One may, when the folder it has just made is taken away by
/// another one that is leaving.
const FAILURES: u32 = 8;
/// How long an answer may take that needs no disk and no other program.
const ANSWER: Duration = Duration::from_secs(10);
/// How long an answer may take that waits for disks: ends of sessions, changes of files.
const SLOW_ANSWER: Duration = Duration::from_secs(600);
/// How often a request is sent that found a daemon which then did not answer: it was killed over it, or just leaving.
const ATTEMPTS: u32 = 3;

/// Sessions of our engine.
#[derive(Clone, Debug)]
pub struct Engine {
    place: RuntimeDir,
    /// Program and arguments that run the daemon.
    daemon: Vec<OsString>,
    /// See [`Engine::with_empty_kernel_logger`].
    empty_kernel_logger: bool,
    expects_system: bool,
    /// Which kernel events the daemon has for this caller, once it was asked.
    access: Arc<OnceLock<SystemAccess>>,
}

impl Engine {
    /// The engine whose daemon meets programs in `place`. `daemon` is the command that runs it, for when a session is
    /// started and there is none; it must run a [`Service`](super::Service) with that place.
    #[must_use]
    pub fn new(place: RuntimeDir, daemon: Vec<OsString>) -> Engine {
        Engine { place, daemon, empty_kernel_logger: false, expects_system: false, access: Arc::default() }
    }

    /// The same, asking for a kernel logger although nothing comes from it. A daemon without a source of kernel events refuses
    /// one otherwise; this is for callers that report it themselves.
    #[must_use]
    pub fn with_empty_kernel_logger(mut self) -> Engine {
        self.empty_kernel_logger = true;
        self
    }

    /// What the sources of the daemon offer this caller apart from the events of programs; `None` when there is no daemon.
    ///
    /// # Errors
    ///
    /// When there is one and it does not answer.
    pub fn offers(&self) -> Result<Option<Offers>, Error> {
        Ok(self.ask_offers()?.map(|(offers, _)| offers))
    }

    /// The same, and whether kernel events are only those of processes that this user owns.
    fn ask_offers(&self) -> Result<Option<(Offers, bool)>, Error> {
        match self.ask(&Request::Offers {})? {
            Some((Answer::Offers { offers, own_processes }, _)) => Ok(Some((offers, own_processes))),
            Some((answer, _)) => Err(unexpected(answer)),
            None => Ok(None),
        }
    }

    /// The same engine, for a daemon that offers kernel events when it runs: what [`Controller::has_system_events`] answers
    /// while there is no daemon to ask.
    #[must_use]
    pub fn expecting_system_events(mut self, expected: bool) -> Engine {
        self.expects_system = expected;
        self
    }

    /// The daemon's status; `None` if there is no daemon.
    ///
    /// # Errors
    ///
    /// If there is a daemon and it does not answer.
    pub fn daemon_status(&self) -> Result<Option<DaemonStatus>, Error> {
        match self.ask(&Request::Status {}) {
            Ok(Some((answer, _))) => match answer {
                Answer::Daemon { status } => Ok(Some(status)),
                answer => Err(unexpected(answer)),
            },
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Stops all sessions and ends the daemon, where there is one: whether there was. It may be of any version.
    ///
    /// # Errors
    ///
    /// 5 when the daemon is another user's.
    pub fn end_daemon(&self) -> Result<bool, Error> {
        let Some(socket) = self.connect()? else { return Ok(false) };
        let answer = match exchange(&socket, &Request::End {}) {
            // One that is older than the versions of requests knows it by itself.
            Err(error) if error.code == Code::NOT_SUPPORTED => say(&socket, &Request::End {}.encode()),
            answer => answer,
        };
        match answer {
            Ok((Answer::Done {}, _)) => {}
            Ok((answer, _)) => return Err(unexpected(answer)),
            // It was leaving already.
            Err(error) if error.code == Code::SERVICE_NOT_ACTIVE => return Ok(self.connect()?.is_none()),
            Err(error) => return Err(error),
        }
        // The daemon closes the connection last, so a caller that looks now finds no daemon.
        let _ = receive(&socket);
        Ok(true)
    }

    fn connect(&self) -> Result<Option<Socket>, Error> {
        use std::io::ErrorKind as Kind;
        match Socket::connect_to_daemon(&self.place.control()) {
            Ok(socket) => Ok(Some(socket)),
            Err(e) if matches!(e.kind(), Kind::NotFound | Kind::ConnectionRefused) => Ok(None),
            Err(e) if e.kind() == Kind::PermissionDenied => {
                let detail = match distrust(&e) {
                    Some(why) => format!(
                        "the session daemon cannot be trusted: {why}; remove the folder, or use another one"
                    ),
                    None => {
                        format!("the session daemon in {} serves another user", self.place.path().display())
                    }
                };
                Err(Error::new(Code::ACCESS_DENIED, detail))
            }
            Err(e) => Err(Error::io(&e, "cannot reach the session daemon")),
        }
    }

    /// The connection to the daemon, which is started if need be.
    fn connect_or_start(&self) -> Result<Socket, Error> {
        let end = Instant::now() + START;
        let mut child: Option<std::process::Child> = None;
        let mut failures = 0;
        loop {
            if let Some(socket) = self.connect()? {
                if let Some(mut child) = child {
                    // It outlives this call; if it ends before this process, someone must take note.
                    let _ = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
                        let child: &mut std::process::Child = &mut child;
                        child.wait()
                    });
                }
                return Ok(socket);
            }
            let ended = child.as_mut().map(|child| child.try_wait());
            if let Some(Ok(Some(status))) = ended {
                // One that ends well has found another one there.
                failures = if status.success() { 0 } else { failures + 1 };
                std::thread::sleep(Duration::from_millis(failures.into()));
            }
            if failures >= FAILURES || Instant::now() > end {
                let detail = format!("the session daemon did not come up in {}", self.place.path().display());
                return Err(Error::new(Code::SERVICE_NOT_ACTIVE, detail));
            }
            if !matches!(ended, Some(Ok(None))) {
                child = Some(self.start_daemon()?);
            }
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    fn start_daemon(&self) -> Result<std::process::Child, Error> {
        let Some((program, arguments)) = self.daemon.split_first() else {
            let detail = "no session daemon is running, and this program does not start one";
            return Err(Error::new(Code::SERVICE_NOT_ACTIVE, detail));
        };
        Command::new(program)
            .args(arguments)
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| Error::io(&e, &format!("cannot start the session daemon {}", program.display())))
    }

    /// Asks the daemon, if there is one.
    fn ask(&self, request: &Request) -> Result<Option<(Answer, Option<OwnedFd>)>, Error> {
        self.ask_with(request, |socket| exchange(socket, request))
    }

    /// Has an exchange with the daemon, if there is one. `None` too when it was just leaving, as it does when it has no
    /// sessions.
    fn ask_with<T>(
        &self,
        request: &Request,
        exchange: impl Fn(&Socket) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        // What comes to the same when it is done twice may be asked again when the daemon was killed over it: its successor
        // goes on where it was.
        let once = matches!(
            request,
            Request::Start { .. }
                | Request::Stop { .. }
                | Request::End {}
                | Request::Flush { file: Some(_), .. }
        );
        let mut unanswered = None;
        for _ in 0..ATTEMPTS {
            let Some(socket) = self.connect()? else { return Ok(None) };
            if once && let Some(error) = unanswered.take() {
                return Err(error);
            }
            match exchange(&socket) {
                Err(error) if error.code == Code::SERVICE_NOT_ACTIVE => unanswered = Some(error),
                result => return result.map(Some),
            }
        }
        unanswered.map_or(Ok(None), Err)
    }

    /// Asks about a session: without a daemon there is none.
    fn ask_session(&self, name: &str, request: &Request) -> Result<(Answer, Option<OwnedFd>), Error> {
        self.ask(request)?.ok_or_else(|| {
            Error::new(
                Code::WMI_INSTANCE_NOT_FOUND,
                format!("no session is named {name:?}: none is running at all"),
            )
        })
    }

    fn status(&self, name: &str, request: &Request) -> Result<SessionStatus, Error> {
        one_status(self.ask_session(name, request)?.0)
    }

    fn done(&self, name: &str, request: &Request) -> Result<(), Error> {
        match self.ask_session(name, request)?.0 {
            Answer::Done {} => Ok(()),
            answer => Err(unexpected(answer)),
        }
    }

    /// Attaches to a session.
    fn ask_stream(&self, name: &str, backlog: Backlog) -> Result<(Answer, Option<OwnedFd>), Error> {
        let hold = backlog == Backlog::Hold;
        self.ask_session(name, &Request::Attach { name: name.to_owned(), hold })
    }

    /// Attaches to a session anew, whose daemon was killed; its stream.
    fn stream_again(&self, name: &str, backlog: Backlog) -> Result<OwnedFd, Error> {
        match self.ask_stream(name, backlog)? {
            (Answer::Done {}, Some(stream)) => Ok(stream),
            (answer, _) => Err(unexpected(answer)),
        }
    }

    /// A list that may come in several messages.
    fn all<T>(
        &self,
        request: &Request,
        take: impl Fn(Answer) -> Result<(Vec<T>, bool), Error>,
    ) -> Result<Vec<T>, Error> {
        let all = self.ask_with(request, |socket| {
            let (answer, _) = exchange(socket, request)?;
            let (mut items, mut last) = take(answer)?;
            while !last {
                let (answer, _) = receive(socket)?;
                let (more, now_last) = take(answer)?;
                items.extend(more);
                last = now_last;
            }
            Ok(items)
        })?;
        Ok(all.unwrap_or_default())
    }
}

/// The time limit of the daemon for a request.
fn patience(request: &Request) -> Duration {
    match request {
        // These wait for disks, or as long as the caller says.
        Request::Stop { .. } | Request::End {} | Request::Flush { .. } | Request::Update { .. } => {
            SLOW_ANSWER
        }
        Request::Enable { enable, .. } | Request::EnableNamed { enable, .. } => {
            ANSWER + 2 * Duration::from_millis(enable.timeout.into())
        }
        _ => ANSWER,
    }
}

fn exchange(socket: &Socket, request: &Request) -> Result<(Answer, Option<OwnedFd>), Error> {
    match say_within(socket, &wire::ask(request, VERSION), patience(request)) {
        // All that a daemon finds to say to whom it does not understand, when it is older than the versions of requests.
        Err(error) if error.code == Code::INVALID_PARAMETER && error.detail == NOT_KNOWN => {
            let detail = format!(
                "the session daemon is older than this program, which is of version {VERSION}: end it (`etw daemon \
                 stop`), which stops its sessions, so that one of this version starts"
            );
            Err(Error::new(Code::NOT_SUPPORTED, detail))
        }
        answer => answer,
    }
}

fn say(socket: &Socket, message: &[u8]) -> Result<(Answer, Option<OwnedFd>), Error> {
    say_within(socket, message, ANSWER)
}

fn say_within(socket: &Socket, message: &[u8], time: Duration) -> Result<(Answer, Option<OwnedFd>), Error> {
    socket.try_send(message, None).map_err(|e| Error::io(&e, "cannot ask the session daemon"))?;
    receive_within(socket, time)
}

fn receive(socket: &Socket) -> Result<(Answer, Option<OwnedFd>), Error> {
    receive_within(socket, ANSWER)
}

fn receive_within(socket: &Socket, time: Duration) -> Result<(Answer, Option<OwnedFd>), Error> {
    let end = Instant::now() + time;
    while !wait_readable(socket.as_fd(), end.saturating_duration_since(Instant::now()))
        .map_err(|e| Error::io(&e, "no answer from the session daemon"))?
    {
        if Instant::now() >= end {
            let daemon = match socket.peer() {
                Ok(peer) if peer.pid > 0 => format!(" (process {})", peer.pid),
                _ => String::new(),
            };
            let detail = format!(
                "the session daemon{daemon} does not answer for {} s: it is stopped or hangs; continue it (kill -CONT), \
                 or end it",
                time.as_secs()
            );
            return Err(Error::new(Code::WAIT_TIMEOUT, detail));
        }
    }
    let mut buffer = Vec::new();
    let file = socket.receive(&mut buffer).map_err(|e| Error::io(&e, "no answer from the session daemon"))?;
    let Some(file) = file else {
        return Err(Error::new(Code::SERVICE_NOT_ACTIVE, "the session daemon ended before it answered"));
    };
    match Answer::decode(&buffer) {
        Some(Answer::Refused { code, detail }) => Err(Error { code: Code(code), detail }),
        Some(answer) => Ok((answer, file)),
        None => Err(Error::new(
            Code::NOT_SUPPORTED,
            "the session daemon answers what this program does not know: end it (`etw daemon stop`)",
        )),
    }
}

fn one_status(answer: Answer) -> Result<SessionStatus, Error> {
    match answer {
        Answer::Sessions { mut sessions, .. } if sessions.len() == 1 => Ok(sessions.remove(0)),
        answer => Err(unexpected(answer)),
    }
}

fn unexpected(_: Answer) -> Error {
    Error::new(Code::NOT_SUPPORTED, "the session daemon answered something else")
}

/// A path that means the same in the daemon.
fn absolute(path: &str) -> Result<String, Error> {
    if path.is_empty() {
        return Ok(String::new());
    }
    let bad = |why: &str| Error::new(Code::BAD_PATHNAME, format!("{path:?} cannot be a log file: {why}"));
    let absolute = std::path::absolute(path).map_err(|e| bad(&e.to_string()))?;
    absolute.into_os_string().into_string().map_err(|_| bad("its folder's name is not UTF-8"))
}

impl Controller for Engine {
    fn start(&self, properties: &Properties) -> Result<SessionStatus, Error> {
        let log_file = absolute(&properties.log_file)?;
        let properties = Properties { log_file, ..properties.clone() };
        let request = Request::Start { properties, empty_kernel_logger: self.empty_kernel_logger };
        // A daemon that is just leaving may take the connection and not answer.
        for _ in 1..ATTEMPTS {
            let socket = self.connect_or_start()?;
            match exchange(&socket, &request) {
                Err(error) if error.code == Code::SERVICE_NOT_ACTIVE => {}
                result => return one_status(result?.0),
            }
        }
        one_status(exchange(&self.connect_or_start()?, &request)?.0)
    }

    fn query(&self, name: &str) -> Result<SessionStatus, Error> {
        self.status(name, &Request::Query { name: name.to_owned() })
    }

    fn stop(&self, name: &str) -> Result<SessionStatus, Error> {
        self.status(name, &Request::Stop { name: name.to_owned() })
    }

    fn flush(&self, name: &str, file: Option<&str>) -> Result<SessionStatus, Error> {
        let file = file.map(absolute).transpose()?;
        self.status(name, &Request::Flush { name: name.to_owned(), file })
    }

    fn update(&self, name: &str, update: &Update) -> Result<SessionStatus, Error> {
        let log_file = update.log_file.as_deref().map(absolute).transpose()?;
        let update = Update { log_file, ..update.clone() };
        self.status(name, &Request::Update { name: name.to_owned(), update })
    }

    fn list(&self) -> Result<Vec<SessionStatus>, Error> {
        self.all(&Request::List {}, |answer| match answer {
            Answer::Sessions { sessions, last } => Ok((sessions, last)),
            answer => Err(unexpected(answer)),
        })
    }

    fn has_system_events(&self) -> bool {
        self.system_access().flags != 0
    }

    fn system_access(&self) -> SystemAccess {
        if let Some(&known) = self.access.get() {
            return known;
        }
        match self.ask_offers() {
            Ok(Some((Offers { kernel_flags: flags, .. }, own_processes))) => {
                *self.access.get_or_init(|| SystemAccess { flags, own_processes })
            }
            _ => SystemAccess { flags: if self.expects_system { u32::MAX } else { 0 }, own_processes: false },
        }
    }

    fn trace_system(&self, name: &str, tracing: &SystemTracing) -> Result<(), Error> {
        self.done(name, &Request::TraceSystem { name: name.to_owned(), tracing: tracing.clone() })
    }

    fn enable(&self, name: &str, enable: &Enable) -> Result<(), Error> {
        self.done(name, &Request::Enable { name: name.to_owned(), enable: enable.clone() })
    }

    fn enable_named(&self, name: &str, provider: &str, enable: &Enable) -> Result<(), Error> {
        let request = Request::EnableNamed {
            name: name.to_owned(),
            provider: provider.to_owned(),
            enable: enable.clone(),
        };
        self.done(name, &request)
    }

    fn disable(&self, name: &str, provider: Guid) -> Result<(), Error> {
        self.done(name, &Request::Disable { name: name.to_owned(), provider })
    }

    fn capture_state(&self, name: &str, provider: Guid) -> Result<(), Error> {
        self.done(name, &Request::CaptureState { name: name.to_owned(), provider })
    }

    fn providers(&self) -> Result<Vec<ProviderStatus>, Error> {
        // Only a daemon knows what programs have: where there is none, and programs wait for one, it is started to ask them.
        let unknown = self.connect()?.is_none() && !self.daemon.is_empty();
        let _stays = (unknown && !waiting_processes(&self.place).is_empty())
            .then(|| self.connect_or_start())
            .transpose()?;
        self.all(&Request::Providers {}, |answer| match answer {
            Answer::Providers { providers, last } => Ok((providers, last)),
            answer => Err(unexpected(answer)),
        })
    }

    fn attach(&self, name: &str, backlog: Backlog) -> Result<Box<dyn LiveSource>, Error> {
        match self.ask_stream(name, backlog)? {
            (Answer::Done {}, Some(stream)) => {
                let (engine, name) = (Engine::new(self.place.clone(), Vec::new()), name.to_owned());
                let again = Reattach(Box::new(move || engine.stream_again(&name, backlog)));
                Ok(Box::new(EngineLive::open(stream, again)?))
            }
            (answer, _) => Err(unexpected(answer)),
        }
    }
}
