//! Access control: only the lab's own page on this machine is answered, and changes need the token.

use crate::support::{assert_security_headers, start};

const ABOUT: &str = "/api/about";

#[tokio::test]
async fn a_foreign_host_is_rejected() {
    let lab = start().await;
    for host in ["example.com", "example.com:80", "127.0.0.1:1", "127.0.0.1", "127.0.0.1.example.com", ""] {
        let answer = lab.request("GET", ABOUT, &[("Host", host)], &[]).await;
        assert_eq!(answer.status, 403, "{host}");
        assert!(answer.error().contains("only answers for 127.0.0.1"), "{}", answer.error());
    }
    let own = format!("localhost:{}", lab.port);
    assert_eq!(lab.request("GET", ABOUT, &[("Host", &own)], &[]).await.status, 200);
}

#[tokio::test]
async fn a_foreign_origin_is_rejected() {
    let lab = start().await;
    for origin in ["http://example.com", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        let answer = lab.request("GET", ABOUT, &[("Origin", origin)], &[]).await;
        assert_eq!(answer.status, 403, "{origin}");
        assert!(answer.error().contains("own page"), "{}", answer.error());
    }
    let own = format!("http://127.0.0.1:{}", lab.port);
    assert_eq!(lab.request("GET", ABOUT, &[("Origin", &own)], &[]).await.status, 200);
}

#[tokio::test]
async fn uploads_and_sessions_need_the_token() {
    let lab = start().await;
    let wrong = "0".repeat(lab.token.len());
    let half = &lab.token[..10];
    for token in ["", wrong.as_str(), half] {
        let answer = lab.request("POST", &format!("/api/capture?token={token}"), &[], b"x").await;
        assert_eq!(answer.status, 401, "{token}");
        assert!(answer.error().contains("token"));
        let live = format!("ws://127.0.0.1:{}/api/live?token={token}", lab.port);
        assert!(tokio_tungstenite::connect_async(live).await.is_err());
    }
    assert_eq!(lab.request("POST", "/api/capture", &[], b"x").await.status, 401);
    let about = lab.get(ABOUT).await.json();
    assert!(!about.to_string().contains(&lab.token), "answers do not reveal the token");
}

/// A page of another site can open a socket to any address, but the browser sends the page's origin.
#[tokio::test]
async fn a_foreign_origin_gets_no_socket() {
    use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
    let lab = start().await;
    let address = format!("ws://127.0.0.1:{}/api/live?token={}", lab.port, lab.token);
    let mut request = address.into_client_request().unwrap();
    request.headers_mut().insert("origin", "http://example.com".parse().unwrap());
    let error = tokio_tungstenite::connect_async(request).await.unwrap_err();
    assert!(error.to_string().contains("403"), "{error}");
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let lab = start().await;
    let own_host = format!("127.0.0.1:{}", lab.port);
    for (method, target, host) in [
        ("GET", "/", own_host.as_str()),
        ("GET", ABOUT, &own_host),
        ("GET", "/api/nothing", &own_host),
        ("GET", "/nothing", &own_host),
        ("GET", "/api/live", &own_host),
        ("GET", "/api/setup/xyz", &own_host),
        ("GET", ABOUT, "example.com"),
        ("DELETE", ABOUT, &own_host),
        ("POST", "/api/capture", &own_host),
    ] {
        let answer = lab.request(method, target, &[("Host", host)], &[]).await;
        assert_security_headers(&answer.head);
    }
}

#[tokio::test]
async fn a_bad_request_is_answered_with_a_reason() {
    let lab = start().await;
    for (method, target, status) in [
        ("GET", "/api/nothing", 404),
        ("GET", "/../Cargo.toml", 404),
        ("DELETE", "/api/about", 405),
        ("GET", "/api/setup/0x02FFFFFF", 404),
        ("GET", "/api/setup/xyz", 400),
        ("GET", "/api/mesh/0x09000001", 422),
        ("GET", "/api/clip", 400),
        ("GET", "/api/clip?table=0x09000001&style=NonCombat&motion=Fly", 400),
        ("GET", "/api/clip?table=0x09000001&style=NonCombat&motion=SlashHigh", 404),
        ("GET", "/api/clip?table=0x09000001&style=NonCombat&motion=Ready&speed=NaN", 400),
    ] {
        let answer = lab.request(method, target, &[], &[]).await;
        assert_eq!(answer.status, status, "{method} {target}: {}", String::from_utf8_lossy(&answer.body));
        assert!(!answer.error().is_empty());
    }
}

#[tokio::test]
async fn a_lab_whose_port_is_taken_uses_another_one() {
    use acmotion::dat::Assets;
    use acmotion_lab::{Lab, Options};
    let first = start().await;
    let options = Options { port: first.port, ..Options::new(Assets::mannequin(), "mannequin") };
    let second = Lab::bind(options).await.unwrap();
    assert_ne!(second.port(), first.port);
    assert_ne!(second.token(), first.token);
    assert!(second.address().starts_with(&format!("http://127.0.0.1:{}/?token=", second.port())));
}
