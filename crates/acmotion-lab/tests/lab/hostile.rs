//! Clients that mean harm, or are broken: each test is named after its entry in the list of hostile inputs.
//!
//! Where a time limit is tested, the clock of the server is paused: it jumps to the next deadline when all wait.

use std::time::Duration;

use crate::support::{Received, Running, assert_security_headers, start};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

const ABOUT: &str = "/api/about";

/// Calls `is_done` until it returns `true`.
async fn until(message: &str, mut is_done: impl AsyncFnMut() -> bool) {
    for _ in 0..1200 {
        if is_done().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{message}");
}

/// Waits for something that a time limit of the server ends, for at most some seconds of its clock.
async fn within<T>(seconds: u64, wait: impl Future<Output = T>) -> T {
    let limit = Duration::from_secs(seconds);
    tokio::time::timeout(limit, wait).await.unwrap_or_else(|_| panic!("the server waits for {seconds} s"))
}

async fn connect(lab: &Running) -> TcpStream {
    TcpStream::connect(("127.0.0.1", lab.port)).await.unwrap()
}

/// Entry 6: five tabs have ten sessions, and the ninth was refused without a reason that a page can show.
#[tokio::test]
async fn hostile_06_the_ninth_session_is_refused_with_the_reason() {
    let lab = start().await;
    let mut sessions = Vec::new();
    for _ in 0..8 {
        sessions.push(lab.live("&mode=walk").await);
    }
    let refused = lab.live("&mode=walk").await.next().await;
    let Received::Text(refused) = refused else { panic!("{refused:?}") };
    assert_eq!(refused["type"], "end");
    assert_eq!(refused["reason"], "8 sessions are open already: close another tab of the lab.");
    sessions.pop();
    until("a closed session makes room for another one", async || {
        matches!(lab.live("&mode=walk").await.next().await, Received::Text(first) if first["type"] == "hello")
    })
    .await;
}

/// Sends the head of an upload of 60 MB and none of the file.
async fn begin_upload(lab: &Running, token: &str) -> TcpStream {
    let mut stream = connect(lab).await;
    let head = format!(
        "POST /api/capture?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 62914560\r\n\r\n",
        lab.port
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

async fn status_of(stream: &mut TcpStream) -> String {
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer[9..]).into_owned()
}

/// Entry 17: bodies were read before the token was checked.
#[tokio::test]
async fn hostile_17_uploads_without_a_token_are_refused_before_the_body() {
    let lab = start().await;
    assert_eq!(status_of(&mut begin_upload(&lab, "wrong").await).await, "401");
    assert_eq!(status_of(&mut begin_upload(&lab, "").await).await, "401");
}

/// The length that a client states is enough to refuse a file: none of it has to be read.
#[tokio::test]
async fn hostile_17_an_upload_that_is_too_large_is_refused_before_the_body() {
    let lab = start().await;
    for length in ["67108865", "99999999999"] {
        let mut stream = connect(&lab).await;
        let head = format!(
            "POST /api/capture?token={} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {length}\r\n\r\n",
            lab.token, lab.port
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        assert_eq!(status_of(&mut stream).await, "413", "{length}");
    }
}

#[tokio::test]
async fn hostile_17_a_third_upload_at_a_time_is_refused() {
    let lab = start().await;
    let first = begin_upload(&lab, &lab.token).await;
    let second = begin_upload(&lab, &lab.token).await;
    // Whichever of the three the lab sees last is refused, and a request that is dropped makes room.
    let mut third = begin_upload(&lab, &lab.token).await;
    assert_eq!(status_of(&mut third).await, "503");
    drop((first, second, third));
    until("uploads that were broken off make room for others", async || {
        lab.upload("x", b"not a capture").await.status != 503
    })
    .await;
}

/// Entry 17: there was no time limit for an upload.
#[tokio::test(start_paused = true)]
async fn hostile_17_an_upload_that_does_not_arrive_ends_with_a_timeout() {
    let lab = start().await;
    let mut upload = begin_upload(&lab, &lab.token).await;
    assert_eq!(within(240, status_of(&mut upload)).await, "408");
}

/// Entry 17: a thousand half-sent heads were still open after 40 s.
#[tokio::test(start_paused = true)]
async fn hostile_17_half_sent_heads_are_closed_after_a_timeout() {
    let lab = start().await;
    let mut half = Vec::new();
    for _ in 0..100 {
        let mut stream = connect(&lab).await;
        stream.write_all(b"GET /api/about HTTP/1.1\r\nHost: 127").await.unwrap();
        half.push(stream);
    }
    for mut stream in half {
        // The connection ends, with or without an answer.
        let mut rest = Vec::new();
        let _ = within(60, stream.read_to_end(&mut rest)).await;
        assert!(!rest.starts_with(b"HTTP/1.1 200"));
    }
    assert_eq!(lab.get(ABOUT).await.status, 200);
}

/// The HTTP library answers these by itself, before the lab's own code sees them.
#[tokio::test]
async fn requests_that_cannot_be_parsed_are_answered_with_security_headers() {
    let lab = start().await;
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(70_000));
    let heads = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(500));
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n", "400"),
        ("\u{1}\u{2}\u{3}\r\n\r\n", "400"),
        ("GET / HTTP/9.9\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
        (&long, "414"),
        (&heads, "431"),
    ] {
        let mut stream = connect(&lab).await;
        // The lab may close the connection before it has read all of it.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request:.40}: {answer}");
        assert!(answer.ends_with("\r\n\r\n"), "nothing but a head: {answer}");
        assert_security_headers(&answer);
    }
}

/// What a page asks for has limits too, whatever numbers it sends.
#[tokio::test]
async fn lists_steps_and_names_that_a_page_asks_for_are_limited() {
    let lab = start().await;
    let mut live = lab.live("&mode=walk").await;
    live.execute(json!({ "command": "crowd", "count": 500 })).await;
    for (command, answer, list, rest) in
        [("messages", "messages", "messages", "dropped"), ("events", "event_log", "events", "more")]
    {
        let ask = json!({ "command": command, "from": 0, "to": 1e9, "limit": 1_000_000_000 });
        until("more entries than an answer lists", async || {
            let answer = live.ask(answer, ask.clone()).await;
            let count = answer[list].as_array().map_or(0, Vec::len);
            assert!(count <= 2_000, "{count} {command}");
            answer[rest].as_u64().is_some_and(|rest| rest > 0)
        })
        .await;
    }
    for ticks in [601, -601, i64::MAX, i64::MIN] {
        let error = live.ask("error", json!({ "command": "step", "ticks": ticks })).await;
        assert!(error["error"].as_str().is_some_and(|text| text.contains("−600 to 600")), "{error}");
    }
    let error =
        live.ask("error", json!({ "command": "moments", "ticks": [1, 2, 3, 4, 5, 6, 7, 8, 9] })).await;
    assert!(error["error"].as_str().is_some_and(|text| text.contains("8 are allowed")), "{error}");
    let error = live.ask("error", json!({ "command": "x".repeat(10_000) })).await;
    assert_eq!(error["command"].as_str().map(str::len), Some(40), "{error}");
    let line = r#"{"t":0,"guid":"0x70000000","cell":"0xA9B40019","origin":[1,60,94],"rotation":[1,0,0,0]}"#;
    let answer = lab.upload(&"n".repeat(10_000), line.as_bytes()).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["name"].as_str().map(str::len), Some(80));
}

/// Entry 17: a thousand connections that send nothing used up the server. Those beyond the limit are answered, each.
#[tokio::test]
async fn hostile_17_a_thousand_connections_are_refused_politely() {
    const HELD: usize = 256;
    let lab = start().await;
    let mut idle = Vec::new();
    for _ in 0..HELD {
        idle.push(connect(&lab).await);
    }
    // They send nothing, so that the lab cannot know that they have read the answer before they close. In two rounds, because
    // the test holds both ends of each, and a process may often have no more than 1,024 files open.
    let mut refused = Vec::new();
    for _ in 0..2 {
        refused.clear();
        for _ in 0..(1_000 - HELD) / 2 {
            refused.push(connect(&lab).await);
        }
        for stream in &mut refused {
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await.unwrap();
            let answer = String::from_utf8(answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
            assert!(
                answer.ends_with(r#"{"error":"256 connections are open already; close a page"}"#),
                "{answer}"
            );
            assert_security_headers(&answer);
        }
    }
    let answer = lab.get(ABOUT).await;
    assert_eq!((answer.status, answer.error().contains("256 connections")), (503, true));
    drop((idle, refused));
    until("closed connections make room for others", async || lab.get(ABOUT).await.status == 200).await;
}

/// Entry 17: sessions of pages that read nothing went on for ever.
#[tokio::test(start_paused = true)]
async fn hostile_17_a_page_that_is_silent_is_dropped() {
    let lab = start().await;
    let mut silent = lab.live("&mode=walk").await;
    // Reading is what answers pings, so the socket is not read while the clock of the server advances.
    tokio::time::sleep(Duration::from_secs(300)).await;
    loop {
        match silent.next().await {
            Received::Text(message) if message["type"] == "end" => {
                assert_eq!(message["reason"], "The page did not answer.");
                break;
            }
            Received::Closed => break,
            _ => {}
        }
    }
    while !matches!(silent.next().await, Received::Closed) {}
}

/// Entry 17: a page that sends commands but does not read the answers is dropped, and its session with it.
#[tokio::test(start_paused = true)]
async fn hostile_17_a_page_that_does_not_read_is_dropped() {
    let lab = start().await;
    let mut deaf = lab.live("&mode=walk").await;
    let command = json!({ "command": "messages", "from": 0, "to": 1e9 }).to_string();
    let mut sent = 0;
    while within(40, deaf.socket.send(Message::Text(command.clone().into()))).await.is_ok() {
        sent += 1;
        assert!(sent < 1_000_000, "the lab still takes commands");
    }
}

/// A client that sends requests but does not read the answers is dropped. Its connection would be held for ever.
#[tokio::test(start_paused = true)]
async fn hostile_17_a_client_that_does_not_read_answers_is_dropped() {
    let lab = start().await;
    let mut deaf = connect(&lab).await;
    let request = format!("GET {ABOUT} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", lab.port).repeat(100);
    let mut sent = 0;
    while within(120, deaf.write_all(request.as_bytes())).await.is_ok() {
        sent += 1;
        assert!(sent < 10_000, "the lab still takes requests");
    }
}

/// Entry 17: a file was worked on to the end after its client had left.
#[tokio::test]
async fn hostile_17_the_work_on_a_file_stops_when_its_client_leaves() {
    let lab = start().await;
    let mut scenario = String::from("seconds = 600\n");
    for number in 0..60 {
        scenario +=
            &format!("[[player]]\nname = \"P{number}\"\nat = [{}, {}]\n", 20 + number * 2, 30 + number);
    }
    // Two uploads at a time: if one of the abandoned ones went on, it would keep its place for many minutes.
    for _ in 0..3 {
        let mut stream = connect(&lab).await;
        let head = format!(
            "POST /api/capture?token={}&name=x.toml HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\n\r\n",
            lab.token,
            lab.port,
            scenario.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(scenario.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        drop(stream);
    }
    until("abandoned uploads make room for others", async || lab.upload("x", b"nothing").await.status == 422)
        .await;
}

/// Entry 21: the close frame of a page was not answered.
#[tokio::test]
async fn hostile_21_the_closing_handshake_of_a_socket_is_answered() {
    let lab = start().await;
    let mut live = lab.live("&mode=walk").await;
    live.message("hello", |_| true).await;
    let frame = CloseFrame { code: CloseCode::Normal, reason: "bye".into() };
    live.socket.send(Message::Close(Some(frame))).await.unwrap();
    let answer = loop {
        match live.socket.next().await {
            Some(Ok(Message::Close(answer))) => break answer,
            Some(Ok(_)) => {}
            other => panic!("closed without an answer: {other:?}"),
        }
    };
    assert_eq!(answer.map(|frame| frame.code), Some(CloseCode::Normal));
}

/// A recording of many ticks or entities is answered in part.
#[tokio::test]
async fn figures_and_comparisons_of_a_recording_are_limited() {
    let lab = start().await;
    let state = |t: f64, entity: u32, x: f64| {
        let guid = 0x7000_0000 + entity;
        format!(
            r#"{{"t":{t},"guid":"{guid:#010x}","cell":"0xA9B40019","origin":[{x},60,94],"rotation":[1,0,0,0]}}"#
        ) + "\n"
    };
    let long: String = (0..9_000).map(|tick| state(f64::from(tick) / 30.0, 0, 1.0)).collect();
    let recording = lab.upload("long", long.as_bytes()).await.json();
    let mut live = lab.live(&format!("&mode=replay&recording={}", recording["id"])).await;
    let command = json!({ "command": "series", "guid": "0x70000000", "view": 0, "from": 0, "to": 1e9 });
    let series = live.ask("series", command).await;
    let points = series["t"].as_array().map_or(0, Vec::len);
    assert!((2_000..=4_000).contains(&points), "{points} points");
    let crowd = |x: f64| (0..520).map(|entity| state(0.0, entity, x)).collect::<String>();
    let a = lab.upload("a", crowd(1.0).as_bytes()).await.json();
    let b = lab.upload("b", crowd(2.0).as_bytes()).await.json();
    let answer = lab.get(&format!("/api/compare?a={}&b={}", a["id"], b["id"])).await.json();
    assert_eq!((answer["entities"].as_array().map_or(0, Vec::len), &answer["more"]), (500, &json!(20)));
}

/// A motion that is played slowly enough takes for ever.
#[tokio::test]
async fn the_ticks_of_a_clip_are_limited() {
    let lab = start().await;
    for speed in ["1e-6", "1e-30"] {
        let target = format!("/api/clip?table=0x09000001&style=NonCombat&motion=RunForward&speed={speed}");
        let clip = lab.get(&target).await.json();
        assert_eq!(clip["ticks"]["t"].as_array().map(Vec::len), Some(1_201), "{speed}");
    }
}
