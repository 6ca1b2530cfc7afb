//! Accepts connections. Their number and the time for a request's head are limited, so that clients that send nothing
//! cannot use up the server.

mod answers;

use std::io::{self, Write as _};
use std::net::Shutdown;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderName, HeaderValue};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use answers::Connection;

/// The maximum number of connections at a time. Further ones are answered with 503.
pub(crate) const MAX_CONNECTIONS: usize = 256;
/// The maximum number of refused connections that are kept until the client has read the answer. Further ones are closed
/// as soon as the answer is sent.
const MAX_REFUSALS: usize = 64;
/// How long a client may take to send the head of a request, idle time between requests included.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a client that is refused may take to read the answer.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum number of bytes that are read of a connection that is closed as soon as the answer is sent.
const MAX_REFUSED_BYTES: u64 = 64 << 10;
/// The pause after a connection could not be accepted, for example because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Answers connections until `shutdown` completes, and then waits until the requests under way are answered. Answers that
/// do not come from the router have the same headers as those that do.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    headers: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
    shutdown: impl Future<Output = ()>,
) {
    let headers: Arc<[u8]> = header_lines(headers).into();
    let refusal: Arc<[u8]> = refusal(&headers).into();
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
    let graceful = GracefulShutdown::new();
    let mut http = conn::auto::Builder::new(TokioExecutor::new()).http1_only();
    http.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else {
            // Whether the client reads the answer does not matter.
            if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                let refusal = Arc::clone(&refusal);
                tokio::spawn(async move {
                    let _ = tokio::time::timeout(REFUSAL_TIMEOUT, refuse(stream, &refusal)).await;
                    drop(permit);
                });
            } else {
                let _ = refuse_at_once(stream, &refusal);
            }
            continue;
        };
        let io = TokioIo::new(Connection::new(stream, Arc::clone(&headers)));
        let service = TowerToHyperService::new(router.clone());
        let connection = http.serve_connection_with_upgrades(io, service);
        let connection = graceful.watch(connection.into_owned());
        tokio::spawn(async move {
            // An error concerns only this client, which is gone.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Returns headers as lines of a head.
fn header_lines(headers: impl IntoIterator<Item = (HeaderName, HeaderValue)>) -> Vec<u8> {
    let line = |(name, value): (HeaderName, HeaderValue)| {
        [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat()
    };
    headers.into_iter().flat_map(line).collect()
}

/// Returns the answer to a connection beyond the limit, with these lines in its head.
fn refusal(headers: &[u8]) -> Vec<u8> {
    let body = format!(r#"{{"error":"{MAX_CONNECTIONS} connections are open already; close a page"}}"#);
    let status = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n";
    let length = format!("Content-Length: {}\r\nRetry-After: 5\r\nConnection: close\r\n", body.len());
    [status.as_bytes(), length.as_bytes(), headers, b"\r\n", body.as_bytes()].concat()
}

/// Sends the answer and waits until the client closes the connection.
async fn refuse(mut stream: TcpStream, answer: &[u8]) -> io::Result<()> {
    stream.write_all(answer).await?;
    stream.shutdown().await?;
    // Closing a socket with unread bytes resets it, and the client might lose the answer.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

/// Sends the answer, which fits into the buffer of a new connection, reads what has arrived so far, and closes.
fn refuse_at_once(stream: TcpStream, answer: &[u8]) -> io::Result<()> {
    // The socket still does not block.
    let mut stream = stream.into_std()?;
    stream.write_all(answer)?;
    stream.shutdown(Shutdown::Write)?;
    discard(stream)
}

/// Reads what has arrived. A client that sends without end does not hold up others for long.
fn discard(input: impl io::Read) -> io::Result<()> {
    io::copy(&mut input.take(MAX_REFUSED_BYTES), &mut io::sink()).map(drop)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::{MAX_REFUSED_BYTES, discard};

    /// A client that always has more to send, and counts what was read.
    struct Endless(u64);

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 += buffer.len() as u64;
            assert!(self.0 <= MAX_REFUSED_BYTES, "{} bytes were read", self.0);
            Ok(buffer.len())
        }
    }

    #[test]
    fn little_is_read_of_a_refused_client_that_sends_without_end() {
        let mut client = Endless(0);
        discard(&mut client).unwrap();
        assert_eq!(client.0, MAX_REFUSED_BYTES);
    }
}
