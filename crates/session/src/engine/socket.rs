//! Unix sockets that keep messages apart and carry one descriptor with a message.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::{
    self, AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketAddrUnix, SocketFlags, SocketType,
};
use std::collections::HashSet;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use super::place::RuntimeDir;
use super::sys;

/// Longest message.
pub(crate) const LONGEST: usize = 64 << 10;

/// Maximum number of pending connections; the system has another limit. Further connections wait.
const BACKLOG: i32 = 1024;

/// Longest wait for a place among those that wait to be taken.
const CONNECTION: Duration = Duration::from_secs(10);

/// One end of a connection.
#[derive(Debug)]
pub(crate) struct Socket(OwnedFd);

/// Returns `true` if a descriptor is memory that can neither shrink nor grow, so that it may be mapped regardless of
/// its sender.
pub(crate) fn is_sealed(file: &OwnedFd) -> bool {
    use rustix::fs::SealFlags;
    let sealed = SealFlags::SHRINK | SealFlags::GROW;
    rustix::fs::fcntl_get_seals(file).is_ok_and(|seals| seals.contains(sealed))
}

/// Why a daemon is not trusted.
#[derive(Debug)]
pub(crate) struct Untrusted(pub(crate) String);

impl std::fmt::Display for Untrusted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Untrusted {}

fn untrusted(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, Untrusted(why))
}

/// Why an error says that a daemon is not trusted; `None` if it says something else.
pub(crate) fn distrust(error: &io::Error) -> Option<&Untrusted> {
    error.get_ref()?.downcast_ref()
}

/// The owner of a daemon's folder, if it is the caller or the superuser and other users cannot write there. A link in
/// the folder's place is not followed.
fn trusted_owner(folder: &Path) -> io::Result<u32> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let shown = folder.display();
    let open = rustix::fs::open(folder, flags, Mode::empty());
    let folder = match open {
        Err(rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR) => {
            return Err(untrusted(format!("{shown} is no directory")));
        }
        folder => folder?,
    };
    let facts = rustix::fs::fstat(&folder)?;
    let own = rustix::process::geteuid().as_raw();
    if facts.st_uid != own && facts.st_uid != 0 {
        let owner = facts.st_uid;
        return Err(untrusted(format!(
            "{shown} belongs to user {owner}, and this program runs as user {own}"
        )));
    }
    if facts.st_mode & 0o022 != 0 {
        return Err(untrusted(format!("{shown} can be written by others than its owner")));
    }
    Ok(facts.st_uid)
}

/// Who is at the other end, as the kernel says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peer {
    pub(crate) pid: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl Socket {
    /// Connects to the socket at a path.
    pub(crate) fn connect(path: &Path) -> io::Result<Socket> {
        let socket = unix()?;
        let address = Address::of(path)?;
        // A daemon that is stopped takes no connections, and those that wait may be many.
        net::sockopt::set_socket_timeout(&socket, net::sockopt::Timeout::Send, Some(CONNECTION))?;
        net::connect(&socket, &address.address)?;
        net::sockopt::set_socket_timeout(&socket, net::sockopt::Timeout::Send, None)?;
        Ok(Socket(socket))
    }

    /// Connects to the daemon of a folder, if it may be trusted: one of the caller or of the superuser, in a folder that
    /// only its owner can write. Others could run the caller's sessions, and read what its programs log.
    ///
    /// # Errors
    ///
    /// `NotFound` or `ConnectionRefused` if there is none; [`Untrusted`] in a `PermissionDenied`, if it is not trusted.
    pub(crate) fn connect_to_daemon(path: &Path) -> io::Result<Socket> {
        let folder = path.parent().unwrap_or(path);
        let owner = trusted_owner(folder)?;
        let socket = Socket::connect(path)?;
        // A user who replaced the folder in the meantime has no socket of the owner.
        let uid = sys::peer_of(&socket.0)?[1];
        if uid != owner {
            let why =
                format!("the daemon in {} is user {uid}'s, its folder user {owner}'s", folder.display());
            return Err(untrusted(why));
        }
        Ok(socket)
    }

    /// Makes the socket at a path and listens there.
    pub(crate) fn listen(path: &Path) -> io::Result<Socket> {
        let socket = unix()?;
        // Who takes connections does something else while there are none.
        rustix::io::ioctl_fionbio(&socket, true)?;
        let address = Address::of(path)?;
        net::bind(&socket, &address.address)?;
        net::listen(&socket, BACKLOG)?;
        Ok(Socket(socket))
    }

    /// The next connection, which must have come: else fails with `WouldBlock`.
    pub(crate) fn accept(&self) -> io::Result<Socket> {
        Ok(Socket(net::accept_with(&self.0, SocketFlags::CLOEXEC)?))
    }

    /// One end of a pair.
    #[cfg(test)]
    pub(crate) fn of(end: OwnedFd) -> Socket {
        Socket(end)
    }

    pub(crate) fn peer(&self) -> io::Result<Peer> {
        let [pid, uid, gid] = sys::peer_of(&self.0)?;
        Ok(Peer { pid, uid, gid })
    }

    /// Sends a message, waiting for room.
    pub(crate) fn send(&self, message: &[u8], descriptor: Option<BorrowedFd<'_>>) -> io::Result<()> {
        self.send_with(message, descriptor, SendFlags::NOSIGNAL)
    }

    /// Sends a message if there is room for it at once; else fails with `WouldBlock`.
    pub(crate) fn try_send(&self, message: &[u8], descriptor: Option<BorrowedFd<'_>>) -> io::Result<()> {
        self.send_with(message, descriptor, SendFlags::NOSIGNAL | SendFlags::DONTWAIT)
    }

    fn send_with(
        &self,
        message: &[u8],
        descriptor: Option<BorrowedFd<'_>>,
        flags: SendFlags,
    ) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        let descriptors = descriptor.map(|d| [d]);
        if let Some(descriptors) = &descriptors {
            ancillary.push(SendAncillaryMessage::ScmRights(descriptors));
        }
        loop {
            match net::sendmsg(&self.0, &[IoSlice::new(message)], &mut ancillary, flags) {
                Ok(_) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Waits for the next message; `None` when the other end is gone. A message that is too long is an error.
    pub(crate) fn receive(&self, buffer: &mut Vec<u8>) -> io::Result<Option<Option<OwnedFd>>> {
        self.receive_with(buffer, RecvFlags::CMSG_CLOEXEC)
    }

    /// The same when a message is there; else fails with `WouldBlock`.
    pub(crate) fn try_receive(&self, buffer: &mut Vec<u8>) -> io::Result<Option<Option<OwnedFd>>> {
        self.receive_with(buffer, RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT)
    }

    fn receive_with(&self, buffer: &mut Vec<u8>, flags: RecvFlags) -> io::Result<Option<Option<OwnedFd>>> {
        buffer.resize(LONGEST, 0);
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let result = loop {
            let mut parts = [IoSliceMut::new(buffer)];
            match net::recvmsg(&self.0, &mut parts, &mut ancillary, flags) {
                Err(rustix::io::Errno::INTR) => {}
                result => break result?,
            }
        };
        let mut descriptor = None;
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                // Unexpected descriptors are closed here.
                descriptors.for_each(|d| descriptor = Some(d));
            }
        }
        if result.bytes == 0 {
            return Ok(None);
        }
        if result.flags.contains(net::ReturnFlags::TRUNC) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a message is too long"));
        }
        buffer.truncate(result.bytes);
        Ok(Some(descriptor))
    }

    /// Ends the connection for both sides, also for threads that wait on it.
    pub(crate) fn shut_down(&self) {
        let _ = net::shutdown(&self.0, net::Shutdown::Both);
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// The address of a socket with a name. Addresses have room for some hundred bytes; a longer path is reached by way of
/// its folder, which is open as long as this value is.
struct Address {
    address: SocketAddrUnix,
    _folder: Option<OwnedFd>,
}

impl Address {
    fn of(path: &Path) -> io::Result<Address> {
        use rustix::fs::{Mode, OFlags};
        match SocketAddrUnix::new(path) {
            Ok(address) => Ok(Address { address, _folder: None }),
            Err(rustix::io::Errno::NAMETOOLONG) => {
                let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
                    return Err(io::ErrorKind::InvalidFilename.into());
                };
                let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
                let folder = rustix::fs::open(folder, flags, Mode::empty())?;
                let short = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&folder));
                let address = SocketAddrUnix::new(Path::new(&short).join(name))?;
                Ok(Address { address, _folder: Some(folder) })
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Says that this process has providers for a daemon, for as long as it lives: a socket with a name outside of all folders, which
/// the daemon finds in the list of sockets when it comes up.
#[derive(Debug)]
pub(crate) struct WaitMark {
    _socket: Option<OwnedFd>,
}

/// Name of the marks of processes that wait for the daemon of a folder, without the process id.
fn mark_name(place: &RuntimeDir) -> String {
    use std::os::unix::ffi::OsStrExt;
    // FNV-1a: the name has no room for any path.
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
    let hash = place.path().as_os_str().as_bytes().iter().fold(0xCBF2_9CE4_8422_2325, mix);
    format!("tracewell-waits-{hash:016x}-")
}

impl WaitMark {
    /// Sets the mark. Without it the process is served all the same, only perhaps after a session has started.
    pub(crate) fn set(place: &RuntimeDir) -> WaitMark {
        let name = format!("{}{}", mark_name(place), std::process::id());
        let socket = SocketAddrUnix::new_abstract_name(name.as_bytes())
            .and_then(|address| {
                let socket = net::socket_with(
                    AddressFamily::UNIX,
                    SocketType::DGRAM,
                    SocketFlags::CLOEXEC | SocketFlags::NONBLOCK,
                    None,
                )?;
                net::bind(&socket, &address)?;
                Ok(socket)
            })
            .ok();
        WaitMark { _socket: socket }
    }
}

/// The processes that wait for the daemon of a folder.
pub(crate) fn waiting_processes(place: &RuntimeDir) -> HashSet<u32> {
    let name = format!("@{}", mark_name(place));
    let list = std::fs::read_to_string("/proc/net/unix").unwrap_or_default();
    list.lines().filter_map(|line| line.rsplit_once(&name)?.1.parse().ok()).take(CROWD).collect()
}

/// Most processes to wait for.
const CROWD: usize = 4096;

/// Waits until a descriptor is readable or at its end; `false` when the time is over.
pub(crate) fn wait_readable(descriptor: BorrowedFd<'_>, time: Duration) -> io::Result<bool> {
    let time = rustix::time::Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    };
    let mut fds = [PollFd::new(&descriptor, PollFlags::IN)];
    match poll(&mut fds, Some(&time)) {
        Ok(count) => Ok(count > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Two connected sockets that keep messages apart.
pub(crate) fn pair() -> io::Result<(Socket, Socket)> {
    let (a, b) = net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    Ok((Socket(a), Socket(b)))
}

/// Two connected stream sockets.
pub(crate) fn stream_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(net::socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?)
}

fn unix() -> io::Result<OwnedFd> {
    Ok(net::socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}
