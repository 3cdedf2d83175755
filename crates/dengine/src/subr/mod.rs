//! Subroutines: one arm each; the work on texts is in the submodules, which know no engine.

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
    let host = &mut *cx.host;
    let state = &mut *cx.state;
    match subr {
        Subr::Alloca => state.memory.alloc(arg(0)),
        Subr::Bcopy => {
            let len = length(arg(2), arg(0))?;
            let State { memory, temp, .. } = state;
            temp.clear();
            temp.extend_from_slice(memory.bytes(host, arg(0), len)?);
            memory.writable(arg(1), len)?.copy_from_slice(temp);
            Ok(0)
        }
        Subr::Copyin => {
            let len = length(arg(1), arg(0))?;
            let to = state.memory.alloc(len as u64)?;
            process(state, host, arg(0), len)?;
            let State { memory, temp, .. } = state;
            memory.writable(to, len)?.copy_from_slice(temp);
            Ok(to)
        }
        Subr::Copyinto => {
            let len = length(arg(1), arg(0))?;
            process(state, host, arg(0), len)?;
            let State { memory, temp, .. } = state;
            memory.writable(arg(2), len)?.copy_from_slice(temp);
            Ok(0)
        }
        Subr::Copyinstr => {
            let limit = args.get(1).map_or(usize::MAX, |&n| usize::try_from(n).unwrap_or(usize::MAX));
            let limit = limit.min(state.memory.strsize);
            let State { memory, temp, .. } = state;
            let bytes = process_tail(memory, host, arg(0))?;
            let bytes = bytes.get(..limit).unwrap_or(bytes);
            temp.clear();
            temp.extend_from_slice(&bytes[..crate::memory::find_nul(bytes).unwrap_or(bytes.len())]);
            memory.put_string(temp)
        }
        // Nothing of a process is writable to an engine that works on events.
        Subr::Copyout | Subr::Copyoutstr => Err(Fault::address(arg(1))),
        Subr::StrCopy => {
            if arg(0) == 0 {
                return Ok(0);
            }
            texts(cx, &[arg(0)], |out, s| {
                out.extend_from_slice(s[0]);
                true
            })
        }
        Subr::Strjoin => texts(cx, &[arg(0), arg(1)], |out, s| {
            out.extend_from_slice(s[0]);
            out.extend_from_slice(s[1]);
            true
        }),
        Subr::Basename => texts(cx, &[arg(0)], |out, s| {
            out.extend_from_slice(path::basename(s[0]));
            true
        }),
        Subr::Dirname => texts(cx, &[arg(0)], |out, s| {
            out.extend_from_slice(path::dirname(s[0]));
            true
        }),
        Subr::Cleanpath => texts(cx, &[arg(0)], |out, s| {
            path::clean(s[0], out);
            true
        }),
        Subr::Tolower => texts(cx, &[arg(0)], |out, s| {
            out.extend(s[0].iter().map(u8::to_ascii_lowercase));
            true
        }),
        Subr::Toupper => texts(cx, &[arg(0)], |out, s| {
            out.extend(s[0].iter().map(u8::to_ascii_uppercase));
            true
        }),
        Subr::Strchr | Subr::Strrchr => texts(cx, &[arg(0)], |out, s| {
            let c = arg(1) as u8;
            let at = match subr {
                Subr::Strchr => s[0].iter().position(|&b| b == c),
                _ => s[0].iter().rposition(|&b| b == c),
            };
            // The end of a string counts as its NUL.
            let at = at.or((c == 0).then_some(s[0].len()));
            out.extend_from_slice(at.map_or(&[][..], |at| &s[0][at..]));
            at.is_some()
        }),
        Subr::Strcontains => {
            let memory = &state.memory;
            let (text, part) = (memory.string_or_empty(host, arg(0))?, memory.string_or_empty(host, arg(1))?);
            Ok(u64::from(text::find(text, part, 0).is_some()))
        }
        Subr::Strftime => time::strftime(state, host, arg(0), arg(1) as i64),
        Subr::Strstr => texts(cx, &[arg(0), arg(1)], |out, s| {
            let at = text::find(s[0], s[1], 0);
            out.extend_from_slice(at.map_or(&[][..], |at| &s[0][at..]));
            at.is_some()
        }),
        Subr::Substr => texts(cx, &[arg(0)], |out, s| {
            out.extend_from_slice(text::substr(s[0], arg(1) as i64, args.get(2).map(|&n| n as i64)));
            true
        }),
        Subr::Json => texts(cx, &[arg(0), arg(1)], |out, s| match json::select(s[0], s[1]) {
            Some(found) => {
                out.extend_from_slice(found);
                true
            }
            None => false,
        }),
        Subr::Strtok => strtok(cx, arg(0), arg(1)),
        Subr::Strlen => Ok(state.memory.string(host, arg(0))?.len() as u64),
        Subr::Index | Subr::Rindex => {
            let s = state.memory.string(host, arg(0))?;
            let sub = state.memory.string(host, arg(1))?;
            let start = args.get(2).map(|&n| n as i64);
            let at = match subr {
                Subr::Index => text::index(s, sub, start),
                _ => text::rindex(s, sub, start),
            };
            Ok(at.map_or(-1i64 as u64, |n| n as u64))
        }
        Subr::Strtoll => {
            let base = base(args.get(1))?;
            Ok(text::strtoll(state.memory.string(host, arg(0))?, base) as u64)
        }
        Subr::Lltostr => {
            let base = base(args.get(1))?;
            let State { memory, temp, .. } = state;
            temp.clear();
            text::lltostr(arg(0) as i64, base, temp);
            memory.put_string(temp)
        }
        Subr::InetNtoa => {
            let State { memory, temp, .. } = state;
            let address: [u8; 4] = memory.load(host, arg(0))?;
            net::ipv4(address, temp);
            memory.put_string(temp)
        }
        Subr::InetNtoa6 => {
            let State { memory, temp, .. } = state;
            let address: [u8; 16] = memory.load(host, arg(0))?;
            net::ipv6_bare(address, temp);
            memory.put_string(temp)
        }
        Subr::InetNtop => {
            let State { memory, temp, .. } = state;
            match arg(0) as i32 {
                net::AF_INET => net::ipv4(memory.load(host, arg(1))?, temp),
                f if net::AF_INET6.contains(&f) => net::ipv6(memory.load(host, arg(1))?, temp),
                _ => return Err(Fault::new(FaultKind::IllegalOp)),
            }
            memory.put_string(temp)
        }
        Subr::Htons | Subr::Ntohs => Ok(u64::from((arg(0) as u16).to_be())),
        Subr::Htonl | Subr::Ntohl => Ok(u64::from((arg(0) as u32).to_be())),
        Subr::Htonll | Subr::Ntohll => Ok(arg(0).to_be()),
        Subr::Progenyof => Ok(u64::from(host.progeny_of(arg(0)))),
        Subr::Rand => Ok(state.rand() & 0x7fff_ffff),
        Subr::Speculation => match state.speculations.open() {
            Some(id) => Ok(id),
            None => {
                state.drops.speculation_unavailable += 1;
                Ok(0)
            }
        },
        Subr::Wstringof => {
            let State { memory, temp, .. } = state;
            let units = wide(memory.tail(host, arg(0))?).take(most_wide(args));
            temp.clear();
            let strsize = memory.strsize;
            for c in char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)) {
                if temp.len() + c.len_utf8() > strsize {
                    break;
                }
                temp.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            memory.put_string(temp)
        }
        Subr::Wstrlen => Ok(wide(state.memory.tail(host, arg(0))?).take(most_wide(args)).count() as u64),
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
        | Subr::DdiPathname => {
            state.memory.bytes(host, arg(0), 1)?;
            Ok(0)
        }
        Subr::Getf => Ok(0),
    }
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
