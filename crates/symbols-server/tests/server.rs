//! The client with a local test server.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tracewell_corpus::Scratch;
use tracewell_symbols::{
    FileStore, Origin, ProgramDatabase, SymbolPath, SymbolRequest, SymbolServer, SymbolStore,
};
use tracewell_symbols_server::HttpServer;

/// What the server answers to a path.
#[derive(Clone)]
enum Answer {
    File(Vec<u8>),
    /// Another path of this server.
    Redirect(&'static str),
    Status(u16),
    /// A whole length is promised and half of it sent.
    Half(Vec<u8>),
    /// So many mebibytes of zeros, compressed.
    Bomb(usize),
    /// A byte now and then, without end.
    Drops,
    /// A head and a body as they are, and then the rest without end.
    Raw(&'static str, &'static str),
}

struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(answers: HashMap<String, Answer>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = format!("http://{}/symbols", listener.local_addr().expect("it has an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let answers = answers.clone();
                let log = Arc::clone(&log);
                std::thread::spawn(move || serve(stream, &answers, &log));
            }
        });
        Server { address, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no thread panicked").clone()
    }
}

fn serve(mut stream: TcpStream, answers: &HashMap<String, Answer>, log: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream.try_clone().expect("the stream can be shared")).lines();
    let Some(Ok(first)) = lines.next() else { return };
    // The rest of the head, up to its empty line.
    for line in lines.by_ref() {
        if line.map_or(true, |line| line.is_empty()) {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    log.lock().expect("no thread panicked").push(path.clone());
    let head = |status: u16, more: String| format!("HTTP/1.1 {status} X\r\nConnection: close\r\n{more}\r\n");
    match answers.get(&path) {
        Some(Answer::Bomb(mebibytes)) => {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            let zeros = vec![0; 1 << 20];
            (0..*mebibytes).for_each(|_| packed.write_all(&zeros).expect("it is written"));
            let body = packed.finish().expect("it ends");
            assert!(body.len() < mebibytes << 14, "it is small");
            let _ = stream.write_all(head(200, "Content-Encoding: gzip\r\n".to_owned()).as_bytes());
            let _ = stream.write_all(&body);
            return;
        }
        Some(Answer::Drops) => {
            let mut sent = stream.write_all(head(200, String::new()).as_bytes());
            while sent.is_ok() {
                std::thread::sleep(std::time::Duration::from_millis(20));
                sent = stream.write_all(b"x");
            }
            return;
        }
        Some(Answer::Raw(text, rest)) => {
            let mut sent = stream.write_all(text.as_bytes());
            let many = rest.repeat(4096);
            while sent.is_ok() && !rest.is_empty() {
                sent = stream.write_all(many.as_bytes());
            }
            return;
        }
        _ => {}
    }
    let (head, body) = match answers.get(&path) {
        Some(Answer::File(bytes)) => {
            (head(200, format!("Content-Length: {}\r\n", bytes.len())), bytes.clone())
        }
        Some(Answer::Half(bytes)) => {
            (head(200, format!("Content-Length: {}\r\n", bytes.len())), bytes[..bytes.len() / 2].to_vec())
        }
        Some(Answer::Redirect(to)) => {
            (head(302, format!("Location: {to}\r\nContent-Length: 0\r\n")), Vec::new())
        }
        Some(Answer::Bomb(_) | Answer::Drops | Answer::Raw(..)) => return,
        Some(Answer::Status(status)) => (head(*status, "Content-Length: 0\r\n".to_owned()), Vec::new()),
        None => (head(404, "Content-Length: 0\r\n".to_owned()), Vec::new()),
    };
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&body);
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/symbols").join(name)
}

fn folder(name: &str) -> Scratch {
    Scratch::new(name)
}

fn request() -> SymbolRequest {
    let demo = ProgramDatabase::open(&fixture("demo.pdb")).expect("the database is sound");
    SymbolRequest {
        image: "demo.dll".to_owned(),
        time_stamp: Some(1_700_000_000),
        size: 0x4000,
        database: Some(("demo.pdb".to_owned(), demo.guid(), demo.age())),
        unix_path: None,
    }
}

#[test]
fn a_database_is_fetched_once_and_kept() {
    let key = request().database_key().expect("it has a key");
    let bytes = std::fs::read(fixture("demo.pdb")).expect("the database is there");
    let answers = HashMap::from([
        (format!("/symbols/demo.pdb/{key}/demo.pdb"), Answer::Redirect("/elsewhere")),
        ("/elsewhere".to_owned(), Answer::File(bytes.clone())),
    ]);
    let server = Server::start(answers);
    let cache = folder("fetched");
    let path = SymbolPath::parse(&format!("srv*{}*{}", cache.display(), server.address), None);
    let client = HttpServer::new();
    for round in 0..2 {
        let store = FileStore::new(path.clone(), Some(&client));
        let symbols = store.symbols(&request()).expect("symbols are found");
        assert_eq!(&*symbols.function(0x1010).expect("a function").name, "shop::Basket::total");
        let kept = cache.join("demo.pdb").join(&key).join("demo.pdb");
        assert_eq!(store.resolutions()[0].origin, Origin::Database(kept.clone()));
        assert_eq!(std::fs::read(kept).expect("it is kept"), bytes);
        assert_eq!((store.problems(), store.silent_servers()), (vec![], vec![]), "round {round}");
    }
    assert_eq!(server.asked(), [format!("/symbols/demo.pdb/{key}/demo.pdb"), "/elsewhere".to_owned()]);
}

#[test]
fn what_a_server_does_not_have_leaves_no_trace() {
    let server = Server::start(HashMap::new());
    let cache = folder("missing");
    let path = SymbolPath::parse(&format!("srv*{}*{}", cache.display(), server.address), None);
    let client = HttpServer::new();
    let store = FileStore::new(path, Some(&client));
    assert!(store.symbols(&request()).is_none());
    assert_eq!(store.problems(), []);
    assert_eq!(std::fs::read_dir(&cache).expect("the cache is there").count(), 0, "nothing is left");
    // The database, its compressed form, and the image whose exports would do.
    let kinds: Vec<String> =
        server.asked().iter().map(|path| path.rsplit('/').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(kinds, ["demo.pdb", "demo.pd_", "demo.dll", "demo.dl_"]);
}

#[test]
fn failures_are_reported_once_and_end_the_requests() {
    let key = request().database_key().expect("it has a key");
    let file = format!("/symbols/demo.pdb/{key}/demo.pdb");
    let bytes = std::fs::read(fixture("demo.pdb")).expect("the database is there");
    for (name, answer, want) in
        [("forbidden", Answer::Status(403), "with status 403"), ("broken", Answer::Half(bytes), "broke off")]
    {
        let server = Server::start(HashMap::from([(file.clone(), answer)]));
        let cache = folder(name);
        let path = SymbolPath::parse(&format!("srv*{}*{}", cache.display(), server.address), None);
        let client = HttpServer::new();
        let store = FileStore::new(path, Some(&client));
        assert!(store.symbols(&request()).is_none());
        let other = SymbolRequest { image: "other.dll".to_owned(), ..request() };
        assert!(store.symbols(&other).is_none());
        let problems = store.problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].what.contains(want), "{problems:?}");
        assert_eq!(server.asked().len(), 1, "it is not asked again");
        assert_eq!(store.silent_servers(), std::slice::from_ref(&server.address));
        assert_eq!(std::fs::read_dir(&cache).expect("the cache is there").count(), 0, "nothing is left");
    }
}

#[test]
fn a_compressed_file_is_reported() {
    let key = request().database_key().expect("it has a key");
    let file = format!("/symbols/demo.pdb/{key}/demo.pd_");
    let server = Server::start(HashMap::from([(file, Answer::File(b"MSCF".to_vec()))]));
    let cache = folder("compressed");
    let path = SymbolPath::parse(&format!("srv*{}*{}", cache.display(), server.address), None);
    let client = HttpServer::new();
    let store = FileStore::new(path, Some(&client));
    assert!(store.symbols(&request()).is_none());
    assert_eq!(store.problems()[0].what, "is compressed: expand it first");
}

#[test]
fn a_server_that_is_not_there_is_an_error() {
    // The port is bound and released, so no server listens on it.
    let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port is free").port();
    let mut nowhere = Vec::new();
    let error =
        HttpServer::new().fetch(&format!("http://127.0.0.1:{port}"), "a/b/a", &mut nowhere).unwrap_err();
    assert!(error.starts_with("cannot be asked: "), "{error}");
}

/// A server that answers in the clear on an HTTPS address is an error, and so is HTTPS that was not built in.
#[test]
fn https_is_never_treated_as_http() {
    let bytes = b"secret".to_vec();
    let server = Server::start(HashMap::from([("/symbols/a/b/a".to_owned(), Answer::File(bytes.clone()))]));
    let mut got = Vec::new();
    assert_eq!(HttpServer::new().fetch(&server.address, "a/b/a", &mut got), Ok(true));
    assert_eq!(got, bytes);

    let secure = server.address.replace("http:", "HTTPS:");
    let mut nothing = Vec::new();
    let error = HttpServer::new().fetch(&secure, "a/b/a", &mut nothing).unwrap_err();
    assert!(error.starts_with("cannot be asked: "), "{error}");
    assert_eq!(error.ends_with("built without HTTPS"), cfg!(not(feature = "tls")), "{error}");
    assert!(nothing.is_empty());
}

/// The limit counted compressed bytes, and a server could take half an hour for a file.
#[test]
fn issue_14_limits_count_expanded_bytes_and_the_time_of_all_files() {
    let server = Server::start(HashMap::from([
        ("/symbols/bomb".to_owned(), Answer::Bomb(512)),
        ("/symbols/small".to_owned(), Answer::Bomb(3)),
        ("/symbols/drops".to_owned(), Answer::Drops),
    ]));
    let fetch = |client: &HttpServer, path: &str| {
        let mut got = Vec::new();
        let answer = client.fetch(&server.address, path, &mut got);
        (answer, got.len())
    };
    let long = std::time::Duration::from_secs(600);
    let client = HttpServer::within(8 << 20, long);
    assert_eq!(fetch(&client, "small"), (Ok(true), 3 << 20));
    let (answer, got) = fetch(&client, "bomb");
    let error = answer.unwrap_err();
    assert!(error.contains("beyond the limit of 8388608 bytes in all"), "{error}");
    assert!(got <= 5 << 20, "{got} bytes of the bomb were kept");

    let client = HttpServer::within(8 << 20, std::time::Duration::from_millis(300));
    let began = std::time::Instant::now();
    let (answer, _) = fetch(&client, "drops");
    let error = answer.unwrap_err();
    assert!(error.contains("took drops beyond the limit of 0.3 s in all"), "{error}");
    assert!(began.elapsed() < std::time::Duration::from_secs(30));
    // Nothing is left for the next one.
    assert!(fetch(&client, "small").0.is_err());
    assert_eq!(server.asked(), ["/symbols/small", "/symbols/bomb", "/symbols/drops"]);
}

/// A server that does all it can to harm its clients. Each answer ends with an error in a bounded time and nothing is kept.
#[test]
fn issue_14_a_server_that_lies_is_reported_and_leaves_nothing() {
    const OK: &str = "HTTP/1.1 200 X\r\nConnection: close\r\n";
    let lies: &[(&str, Answer, &str)] = &[
        ("endless-head", Answer::Raw(OK, "X: y\r\n"), "cannot be asked"),
        ("long-line", Answer::Raw("HTTP/1.1 200 X\r\nA: ", "aaaaaaaa"), "cannot be asked"),
        ("no-http", Answer::Raw("\x1b[2Jgarbage\r\n\r\n", ""), "cannot be asked"),
        ("nothing", Answer::Raw("", ""), "cannot be asked"),
        (
            "too-long",
            Answer::Raw("HTTP/1.1 200 X\r\nContent-Length: 99999999999999999999999\r\n\r\n", ""),
            "",
        ),
        (
            "less",
            Answer::Raw("HTTP/1.1 200 X\r\nContent-Length: 9000000000000000000\r\n\r\nx", ""),
            "broke off",
        ),
        ("endless", Answer::Raw("HTTP/1.1 200 X\r\n\r\n", "zzzzzzzz"), "limit"),
        (
            "chunks",
            Answer::Raw("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n", "8\r\nzzzzzzzz\r\n"),
            "limit",
        ),
        (
            "bad-chunk",
            Answer::Raw("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", ""),
            "",
        ),
        (
            "bad-gzip",
            Answer::Raw("HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\n\r\nnot gzip", ""),
            "broke off",
        ),
        ("continue", Answer::Raw("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"), ""),
        ("status", Answer::Status(500), "with status 500"),
        ("around", Answer::Redirect("/symbols/around"), "redirects more than 5 times"),
        ("file", Answer::Redirect("file:///etc/shadow"), "not an address of HTTP"),
        ("empty", Answer::Redirect(""), "without an address"),
        ("port", Answer::Redirect("http://127.0.0.1:1/x"), "cannot be asked"),
        ("half", Answer::Half(vec![7; 5000]), "broke off"),
    ];
    let key = request().database_key().expect("it has a key");
    let path_of = |lie: &str| format!("/{lie}/demo.pdb/{key}/demo.pdb");
    let answers = lies.iter().flat_map(|(lie, answer, _)| {
        let own = (path_of(lie), answer.clone());
        [own, (format!("/symbols/{lie}"), answer.clone())]
    });
    let server = Server::start(answers.collect());
    for (lie, _, want) in lies {
        let cache = folder("lies");
        let address = server.address.replace("/symbols", &format!("/{lie}"));
        let path = SymbolPath::parse(&format!("srv*{}*{address}", cache.display()), None);
        let client = HttpServer::within(1 << 20, std::time::Duration::from_secs(20));
        let began = std::time::Instant::now();
        let store = FileStore::new(path, Some(&client));
        assert!(store.symbols(&request()).is_none(), "{lie}");
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "{lie}");
        let problems = store.problems();
        assert!(problems.iter().any(|problem| problem.what.contains(want)), "{lie}: {problems:?}");
        let mut left = Vec::new();
        find_files(&cache, &mut left);
        assert!(left.is_empty(), "{lie} leaves {left:?}");
    }
}

fn find_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("it is there").flatten() {
        match entry.path() {
            path if path.is_dir() => find_files(&path, found),
            path => found.push(path),
        }
    }
}

/// A server sends another file than it was asked for: the database of another build, or anything else. It is kept, because a
/// request is for a file by its name, but names come only from the right one.
#[test]
fn issue_14_wrong_files_of_a_server_give_no_names() {
    let key = request().database_key().expect("it has a key");
    let bare = std::fs::read(fixture("bare.dll")).expect("it is there");
    let mut other = std::fs::read(fixture("demo.pdb")).expect("it is there");
    let guid = request().database.expect("it has one").1.to_bytes();
    let at = other.windows(16).position(|bytes| bytes == guid).expect("the database has its GUID");
    other[at] ^= 1;
    for (what, bytes) in [
        ("another build", other),
        ("a library", bare),
        ("text", b"<html>no</html>".to_vec()),
        ("empty", Vec::new()),
    ] {
        let file = format!("/symbols/demo.pdb/{key}/demo.pdb");
        let server = Server::start(HashMap::from([(file, Answer::File(bytes))]));
        let cache = folder("wrong");
        let path = SymbolPath::parse(&format!("srv*{}*{}", cache.display(), server.address), None);
        let client = HttpServer::new();
        let store = FileStore::new(path, Some(&client));
        assert!(store.symbols(&request()).is_none(), "{what}");
        assert!(!store.problems().is_empty(), "{what} is reported");
    }
}
