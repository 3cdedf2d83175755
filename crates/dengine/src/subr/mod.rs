//! Subroutines: one arm each, and a function for those that need more than a line; the work on texts is in the submodules, which know no engine.

mod json;
mod net;
mod path;
mod text;
mod time;

use crate::context::Context;
use crate::fault::{Fault, FaultKind};
use crate::host::Host;
use crate::state::State;
use tracewell_dlang::builtins::Subr;

/// Most elements that a string of wide characters is read to.
const MOST_WIDE: usize = 1 << 16;

/// Calls a subroutine. Arguments that are missing are 0.
pub(crate) fn call<H: Host>(subr: Subr, args: &[u64], cx: &mut Context<'_, H>) -> Result<u64, Fault> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    match subr {
        Subr::Alloca => cx.state.memory.alloc(arg(0)),
        Subr::Bcopy => bcopy(cx, arg(0), arg(1), arg(2)),
        Subr::Memref => memref(cx, arg(0), arg(1)),
        Subr::Copyin => copyin(cx, arg(0), arg(1)),
        Subr::Copyinto => copyinto(cx, arg(0), arg(1), arg(2)),
        Subr::Copyinstr => copyinstr(cx, arg(0), args.get(1)),
        // Nothing of a process is writable to an engine that works on events.
        Subr::Copyout | Subr::Copyoutstr => Err(Fault::address(arg(1))),
        Subr::StrCopy if arg(0) == 0 => Ok(0),
        Subr::StrCopy => texts(cx, &[arg(0)], |out, s| {
            out.extend_from_slice(s[0]);
            true
        }),
        Subr::Strjoin => texts(cx, &[arg(0), arg(1)], |out, s| {
            s.iter().for_each(|s| out.extend_from_slice(s));
            true
        }),
        Subr::Basename => part(cx, arg(0), |s| Some(path::basename(s))),
        Subr::Dirname => part(cx, arg(0), |s| Some(path::dirname(s))),
        Subr::Cleanpath => texts(cx, &[arg(0)], |out, s| {
            path::clean(s[0], out);
            true
        }),
        Subr::Tolower => each_byte(cx, arg(0), u8::to_ascii_lowercase),
        Subr::Toupper => each_byte(cx, arg(0), u8::to_ascii_uppercase),
        Subr::Strchr => part(cx, arg(0), |s| from_char(s, arg(1), |s, c| s.iter().position(|&b| b == c))),
        Subr::Strrchr => part(cx, arg(0), |s| from_char(s, arg(1), |s, c| s.iter().rposition(|&b| b == c))),
        Subr::Strcontains => strcontains(cx, arg(0), arg(1)),
        Subr::Strftime => time::strftime(cx.state, cx.host, arg(0), arg(1) as i64),
        Subr::Strstr => texts(cx, &[arg(0), arg(1)], |out, s| {
            let at = text::find(s[0], s[1], 0);
            out.extend_from_slice(at.map_or(&[][..], |at| &s[0][at..]));
            at.is_some()
        }),
        Subr::Substr => {
            part(cx, arg(0), |s| Some(text::substr(s, arg(1) as i64, args.get(2).map(|&n| n as i64))))
        }
        Subr::Json => texts(cx, &[arg(0), arg(1)], |out, s| {
            let found = json::select(s[0], s[1]);
            out.extend_from_slice(found.unwrap_or_default());
            found.is_some()
        }),
        Subr::Strtok => strtok(cx, arg(0), arg(1)),
        Subr::Strlen => Ok(cx.state.memory.string(cx.host, arg(0))?.len() as u64),
        Subr::Index => index(cx, args, text::index),
        Subr::Rindex => index(cx, args, text::rindex),
        Subr::Strtoll => {
            let base = base(args.get(1))?;
            Ok(text::strtoll(cx.state.memory.string(cx.host, arg(0))?, base) as u64)
        }
        Subr::Lltostr => lltostr(cx.state, arg(0) as i64, base(args.get(1))?),
        Subr::InetNtoa => inet_ntoa(cx, arg(0)),
        Subr::InetNtoa6 => inet_ntoa6(cx, arg(0)),
        Subr::InetNtop => inet_ntop(cx, arg(0) as i32, arg(1)),
        Subr::Htons | Subr::Ntohs => Ok(u64::from((arg(0) as u16).to_be())),
        Subr::Htonl | Subr::Ntohl => Ok(u64::from((arg(0) as u32).to_be())),
        Subr::Htonll | Subr::Ntohll => Ok(arg(0).to_be()),
        Subr::Progenyof => Ok(u64::from(cx.host.progeny_of(arg(0)))),
        Subr::Rand => Ok(cx.state.rand() & 0x7fff_ffff),
        Subr::Speculation => Ok(speculation(cx.state)),
        Subr::Wstringof => wstringof(cx, arg(0), most_wide(args)),
        Subr::Wstrlen => {
            Ok(wide(cx.state.memory.tail(cx.host, arg(0))?).take(most_wide(args)).count() as u64)
        }
        Subr::Getmajor => Ok(arg(0) >> 32),
        Subr::Getminor => Ok(arg(0) & 0xffff_ffff),
        // Kernel objects that no event stream has: reading one is reading its address.
        Subr::MutexOwned
        | Subr::MutexOwner
        | Subr::MutexTypeAdaptive
        | Subr::MutexTypeSpin
        | Subr::RwIswriter
        | Subr::RwReadHeld
        | Subr::RwWriteHeld
        | Subr::Msgsize
        | Subr::Msgdsize
        | Subr::DdiPathname => cx.state.memory.bytes(cx.host, arg(0), 1).map(|_| 0),
        Subr::Getf => Ok(0),
    }
}

/// Copies bytes within the engine's memory, also between places that overlap.
fn bcopy<H: Host>(cx: &mut Context<'_, H>, from: u64, to: u64, size: u64) -> Result<u64, Fault> {
    let len = length(size, from)?;
    let State { memory, temp, .. } = &mut *cx.state;
    temp.clear();
    temp.extend_from_slice(memory.bytes(cx.host, from, len)?);
    memory.writable(to, len)?.copy_from_slice(temp);
    Ok(0)
}

/// New memory with an address and a size.
fn memref<H: Host>(cx: &mut Context<'_, H>, address: u64, size: u64) -> Result<u64, Fault> {
    let to = cx.state.memory.alloc(16)?;
    let words = cx.state.memory.writable(to, 16)?;
    let (first, second) = words.split_at_mut(8);
    first.copy_from_slice(&address.to_le_bytes());
    second.copy_from_slice(&size.to_le_bytes());
    Ok(to)
}

/// Copies bytes of the process to new memory.
fn copyin<H: Host>(cx: &mut Context<'_, H>, from: u64, size: u64) -> Result<u64, Fault> {
    let len = length(size, from)?;
    let to = cx.state.memory.alloc(len as u64)?;
    process(cx.state, cx.host, from, len)?;
    let State { memory, temp, .. } = &mut *cx.state;
    memory.writable(to, len)?.copy_from_slice(temp);
    Ok(to)
}

/// Copies bytes of the process to memory of the engine.
fn copyinto<H: Host>(cx: &mut Context<'_, H>, from: u64, size: u64, to: u64) -> Result<u64, Fault> {
    let len = length(size, from)?;
    process(cx.state, cx.host, from, len)?;
    let State { memory, temp, .. } = &mut *cx.state;
    memory.writable(to, len)?.copy_from_slice(temp);
    Ok(0)
}

/// Copies a string of the process, up to a limit.
fn copyinstr<H: Host>(cx: &mut Context<'_, H>, from: u64, limit: Option<&u64>) -> Result<u64, Fault> {
    let limit = limit.map_or(usize::MAX, |&n| usize::try_from(n).unwrap_or(usize::MAX));
    let State { memory, temp, .. } = &mut *cx.state;
    let limit = limit.min(memory.strsize);
    let bytes = process_tail(memory, cx.host, from)?;
    let window = bytes.get(..limit).unwrap_or(bytes);
    let end = crate::memory::find_nul(window).unwrap_or(window.len());
    memory.note_cut(end == memory.strsize && bytes.get(end).is_some_and(|&next| next != 0));
    temp.clear();
    temp.extend_from_slice(&window[..end]);
    memory.put_string(temp)
}

/// The part of a string from a character on. The end of a string counts as its NUL.
fn from_char(s: &[u8], c: u64, find: impl FnOnce(&[u8], u8) -> Option<usize>) -> Option<&[u8]> {
    let c = c as u8;
    let at = find(s, c).or((c == 0).then_some(s.len()))?;
    s.get(at..)
}

/// Returns 1 if a string contains another.
fn strcontains<H: Host>(cx: &mut Context<'_, H>, text: u64, part: u64) -> Result<u64, Fault> {
    let memory = &cx.state.memory;
    let (text, part) = (memory.string_or_empty(cx.host, text)?, memory.string_or_empty(cx.host, part)?);
    Ok(u64::from(text::find(text, part, 0).is_some()))
}

/// Returns the position of a string in another, or -1.
fn index<H: Host>(
    cx: &mut Context<'_, H>,
    args: &[u64],
    find: impl FnOnce(&[u8], &[u8], Option<i64>) -> Option<usize>,
) -> Result<u64, Fault> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    let s = cx.state.memory.string(cx.host, arg(0))?;
    let sub = cx.state.memory.string(cx.host, arg(1))?;
    let at = find(s, sub, args.get(2).map(|&n| n as i64));
    Ok(at.map_or(-1i64 as u64, |n| n as u64))
}

fn lltostr(state: &mut State, number: i64, base: u32) -> Result<u64, Fault> {
    let State { memory, temp, .. } = state;
    temp.clear();
    text::lltostr(number, base, temp);
    memory.put_string(temp)
}

fn inet_ntoa<H: Host>(cx: &mut Context<'_, H>, address: u64) -> Result<u64, Fault> {
    let State { memory, temp, .. } = &mut *cx.state;
    let address: [u8; 4] = memory.load(cx.host, address)?;
    net::ipv4(address, temp);
    memory.put_string(temp)
}

fn inet_ntoa6<H: Host>(cx: &mut Context<'_, H>, address: u64) -> Result<u64, Fault> {
    let State { memory, temp, .. } = &mut *cx.state;
    let address: [u8; 16] = memory.load(cx.host, address)?;
    net::ipv6_bare(address, temp);
    memory.put_string(temp)
}

fn inet_ntop<H: Host>(cx: &mut Context<'_, H>, family: i32, address: u64) -> Result<u64, Fault> {
    let State { memory, temp, .. } = &mut *cx.state;
    match family {
        net::AF_INET => net::ipv4(memory.load(cx.host, address)?, temp),
        f if net::AF_INET6.contains(&f) => net::ipv6(memory.load(cx.host, address)?, temp),
        _ => return Err(Fault::new(FaultKind::IllegalOp)),
    }
    memory.put_string(temp)
}

/// Opens a speculation; returns 0 if none is free.
fn speculation(state: &mut State) -> u64 {
    let open = state.speculations.open();
    if open.is_none() {
        state.drops.speculation_unavailable += 1;
    }
    open.unwrap_or(0)
}

/// Makes a string of UTF-16 units, at most `most`.
fn wstringof<H: Host>(cx: &mut Context<'_, H>, from: u64, most: usize) -> Result<u64, Fault> {
    let State { memory, temp, .. } = &mut *cx.state;
    let units = wide(memory.tail(cx.host, from)?).take(most);
    temp.clear();
    let strsize = memory.strsize;
    for c in char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)) {
        if temp.len() + c.len_utf8() > strsize {
            memory.note_cut(true);
            break;
        }
        temp.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    memory.put_string(temp)
}

/// A length that memory can have.
fn length(n: u64, address: u64) -> Result<usize, Fault> {
    usize::try_from(n).ok().filter(|&n| n <= u32::MAX as usize).ok_or_else(|| Fault::address(address))
}

/// The base of a number's text: 10 unless given.
fn base(arg: Option<&u64>) -> Result<u32, Fault> {
    match arg.map_or(10, |&n| n as i64) {
        n @ 2..=36 => Ok(n as u32),
        _ => Err(Fault::new(FaultKind::IllegalOp)),
    }
}

/// The readable memory of the process, or of the engine, from an address on.
fn process_tail<'m, H: Host>(
    memory: &'m crate::memory::Memory,
    host: &'m H,
    address: u64,
) -> Result<&'m [u8], Fault> {
    if tracewell_dlang::ir::Region::split(address).is_some() {
        memory.tail(host, address)
    } else {
        host.process_memory(address).ok_or_else(|| Fault::address(address))
    }
}

/// Brings bytes of the process to `temp`.
fn process<H: Host>(state: &mut State, host: &H, address: u64, len: usize) -> Result<(), Fault> {
    let State { memory, temp, .. } = state;
    let bytes = process_tail(memory, host, address)?.get(..len).ok_or_else(|| Fault::address(address))?;
    temp.clear();
    temp.extend_from_slice(bytes);
    Ok(())
}

/// UTF-16 units up to the first zero.
fn wide(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.as_chunks::<2>().0.iter().map(|c| u16::from_le_bytes(*c)).take_while(|&u| u != 0).take(MOST_WIDE)
}

/// Maximum number of units of a wide string to read: the second argument, if there is one.
fn most_wide(args: &[u64]) -> usize {
    args.get(1).map_or(MOST_WIDE, |&most| usize::try_from(most).unwrap_or(MOST_WIDE))
}

/// Makes a string of a part of another; [`None`] is the null string.
fn part<H: Host>(
    cx: &mut Context<'_, H>,
    address: u64,
    of: impl for<'s> FnOnce(&'s [u8]) -> Option<&'s [u8]>,
) -> Result<u64, Fault> {
    texts(cx, &[address], |out, s| {
        let part = of(s[0]);
        out.extend_from_slice(part.unwrap_or_default());
        part.is_some()
    })
}

/// Makes a string of another, byte by byte.
fn each_byte<H: Host>(
    cx: &mut Context<'_, H>,
    address: u64,
    change: impl Fn(&u8) -> u8,
) -> Result<u64, Fault> {
    texts(cx, &[address], |out, s| {
        out.extend(s[0].iter().map(change));
        true
    })
}

/// Makes a string of strings; `false` of the function is the null string.
fn texts<H: Host, const N: usize>(
    cx: &mut Context<'_, H>,
    addresses: &[u64; N],
    make: impl FnOnce(&mut Vec<u8>, [&[u8]; N]) -> bool,
) -> Result<u64, Fault> {
    let State { memory, temp, .. } = &mut *cx.state;
    let mut strings: [&[u8]; N] = [&[]; N];
    for (string, address) in strings.iter_mut().zip(addresses) {
        *string = memory.string(cx.host, *address)?;
    }
    temp.clear();
    if make(temp, strings) { memory.put_string(temp) } else { Ok(0) }
}

/// The next token. What is left is kept until the firing ends.
fn strtok<H: Host>(cx: &mut Context<'_, H>, from: u64, delimiters: u64) -> Result<u64, Fault> {
    let State { memory, temp, strtok: rest, strtok_goes_on, .. } = &mut *cx.state;
    let goes_on = std::mem::take(strtok_goes_on);
    if from != 0 {
        rest.clear();
        rest.extend_from_slice(memory.string(cx.host, from)?);
    } else if !goes_on {
        return Err(Fault::address(0));
    }
    let delimiters = memory.string(cx.host, delimiters)?;
    let Some(start) = rest.iter().position(|b| !delimiters.contains(b)) else {
        return Ok(0);
    };
    let end = rest[start..].iter().position(|b| delimiters.contains(b)).map_or(rest.len(), |n| start + n);
    temp.clear();
    temp.extend_from_slice(&rest[start..end]);
    rest.drain(..(end + 1).min(rest.len()));
    *strtok_goes_on = true;
    memory.put_string(temp)
}
