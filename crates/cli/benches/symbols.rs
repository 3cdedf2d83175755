//! A million distinct addresses to names, with the symbol files in the system's cache.
//!
//! `cargo bench -p tracewell-cli --bench symbols [-- DATABASE]`. The first part uses the whole path of a script's
//! stacks: `testdata/symbols/demo.dll` mapped at thousands of places of a process. If a database is named, the
//! second part looks up a million addresses spread over its code, once by function and once with lines.
#![allow(clippy::print_stdout, reason = "a benchmark reports")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use tracewell_etl::Trace;
use tracewell_probes::replay;
use tracewell_state::Needs;
use tracewell_symbols::{FileStore, PeImage, ProgramDatabase, SymbolPath, SymbolSource, Symbols};
use tracewell_testkit::{PROFILED_PID, ProfiledImage, profiled};

const MILLION: u32 = 1_000_000;
/// The code of `demo.dll`.
const CODE: std::ops::Range<u64> = 0x1000..0x1193;

fn main() {
    through_everything();
    let named = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    if let Some(path) = named {
        over_database(Path::new(&path));
    }
}

fn through_everything() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/symbols");
    let demo = PeImage::open(&folder.join("demo.dll")).expect("the image is sound");
    let database = ProgramDatabase::open(&folder.join("demo.pdb")).expect("the database is sound");
    // What fills up between functions belongs to none.
    let with_names = CODE.filter(|a| database.function(*a as u32).is_some()).count() as u64;
    let places = u64::from(MILLION) / (CODE.end - CODE.start) + 1;
    let image = |place: u64| ProfiledImage {
        pid: PROFILED_PID,
        base: 0x7ff6_0000_0000 + place * 0x1_0000,
        size: demo.size.into(),
        time_stamp: demo.time_stamp,
        path: r"\Device\HarddiskVolume3\demo.dll".to_owned(),
        database: demo.database.clone().map(|(path, guid, age)| (guid, age, path)),
    };
    let images: Vec<ProfiledImage> = (0..places).map(image).collect();
    let trace = profiled(&images, &[]).expect("the records fit");
    let traces = [Trace::open(&trace).expect("the trace is sound")];
    let (machine, _) = replay::survey(&traces, Needs::default(), |_| {});
    let (mut first, mut again) = (f64::MAX, f64::MAX);
    for _ in 0..5 {
        let store = FileStore::new(SymbolPath::parse(&folder.display().to_string(), None), None);
        let symbols = Symbols::new(&machine).with_store(&store);
        for best in [&mut first, &mut again] {
            let begun = Instant::now();
            let mut named = 0;
            for image in &images {
                for address in CODE {
                    let found = symbols.locate(PROFILED_PID, image.base + address, i64::MAX);
                    named += u32::from(found.is_some_and(|found| found.symbol.is_some()));
                }
            }
            assert_eq!(u64::from(named), places * with_names, "every address in a function has a name");
            *best = best.min(begun.elapsed().as_secs_f64());
        }
    }
    let count = places * (CODE.end - CODE.start);
    println!("{count} distinct addresses of {places} mappings: {first:.3} s, asked again {again:.3} s");
}

fn over_database(path: &Path) {
    let begun = Instant::now();
    let database = ProgramDatabase::open(path).expect("the database can be read");
    println!("{}: opened in {:.3} s", path.display(), begun.elapsed().as_secs_f64());
    let code = database.code();
    let total: u64 = code.iter().map(|(from, to)| u64::from(to - from)).sum();
    let step = (total / u64::from(MILLION)).max(1) as usize;
    let addresses: Vec<u32> =
        code.iter().flat_map(|&(from, to)| from..to).step_by(step).take(MILLION as usize).collect();
    let begun = Instant::now();
    let named = addresses.iter().filter(|a| database.function(**a).is_some()).count();
    println!(
        "{} distinct addresses, {named} with names: {:.3} s",
        addresses.len(),
        begun.elapsed().as_secs_f64()
    );
    let begun = Instant::now();
    let frames: usize = addresses.iter().map(|a| database.frames(*a).len()).sum();
    println!("the same with lines and {frames} frames: {:.3} s", begun.elapsed().as_secs_f64());
}
