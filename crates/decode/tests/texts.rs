//! What errors and names are shown as, text by text. `TRACEWELL_BLESS=1` rewrites `texts.golden`.

#![allow(missing_docs)]

use std::fmt::Write as _;
use std::path::Path;

use tracewell_decode::event_info::InfoError;
use tracewell_decode::manifest::ManifestError;
use tracewell_decode::mof::{BinaryMofError, MofError};
use tracewell_decode::pdb::PdbError;
use tracewell_decode::tmf::TmfError;
use tracewell_decode::tracelogging::SchemaError;
use tracewell_decode::wevt::BinaryError;
use tracewell_decode::{DecodeError, DescriptionError, DescriptionForm, Lack, Problem, Source};
use tracewell_etl::Reading;

#[test]
fn issue_23_errors_and_names_have_their_texts() {
    let mut text = String::new();
    let mut show = |kind: &str, all: &[&dyn std::fmt::Display]| {
        for each in all {
            let _ = writeln!(text, "{kind}: {each}");
        }
    };
    show(
        "source",
        &[
            &Source::None,
            &Source::Kernel,
            &Source::TraceLogging,
            &Source::TraceManifest,
            &Source::Merged,
            &Source::User,
            &Source::Bundled,
            &Source::Collected,
            &Source::Header,
        ],
    );
    let reading = Reading { version: 3, pointer_size: 4, inferred: true };
    show(
        "lack",
        &[
            &Lack::Description,
            &Lack::Version,
            &Lack::ByVersion(2),
            &Lack::Part,
            &Lack::Payload,
            &Lack::Inferred(reading),
        ],
    );
    let at = |problem| DecodeError { field: 4, offset: 17, problem };
    show(
        "payload",
        &[
            &at(Problem::Truncated),
            &at(Problem::BadSid),
            &at(Problem::Degenerate),
            &at(Problem::BadReference),
            &at(Problem::Unfit),
        ],
    );
    for form in [
        DescriptionForm::Manifest,
        DescriptionForm::Image,
        DescriptionForm::Mof,
        DescriptionForm::BinaryMof,
        DescriptionForm::Tmf,
        DescriptionForm::Pdb,
        DescriptionForm::Table,
    ] {
        show("form", &[&format_args!("{form} (.{})", form.extension())]);
    }
    show(
        "description",
        &[
            &DescriptionError::Form { is_trace: true },
            &DescriptionError::Form { is_trace: false },
            &DescriptionError::Manifest(ManifestError::Xml("no end".to_owned())),
            &DescriptionError::Manifest(ManifestError::NoProvider),
            &DescriptionError::Image(BinaryError::NoImage),
            &DescriptionError::Image(BinaryError::NoManifest),
            &DescriptionError::Image(BinaryError::Damaged(99)),
            &DescriptionError::Mof(MofError::NoEvents),
            &DescriptionError::BinaryMof(BinaryMofError::NoMof),
            &DescriptionError::BinaryMof(BinaryMofError::Compressed(11)),
            &DescriptionError::BinaryMof(BinaryMofError::Damaged(22)),
            &DescriptionError::BinaryMof(BinaryMofError::NoEvents),
            &DescriptionError::Tmf(TmfError::NoMessages),
            &DescriptionError::Pdb(PdbError::Damaged("no streams".to_owned())),
            &DescriptionError::Pdb(PdbError::NoMessages),
        ],
    );
    show(
        "event information",
        &[&InfoError::Truncated(5), &InfoError::UnknownType(6, 77), &InfoError::BadReference(7)],
    );
    show(
        "TraceLogging",
        &[&SchemaError::Truncated(1), &SchemaError::UnknownType(2, 33), &SchemaError::BadStruct(4)],
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts.golden");
    tracewell_corpus::golden(&path, &text).unwrap_or_else(|why| panic!("{why}"));
}
