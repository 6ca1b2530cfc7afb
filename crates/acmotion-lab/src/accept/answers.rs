//! Covers what the HTTP library does not: security headers for its own answers to requests that it cannot parse, and a time
//! limit for clients that do not read.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How long a client may leave an answer unread while there is no room for more of it.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// The beginning of an answer to a bad request.
const BAD_REQUEST: &[u8] = b"HTTP/1.1 4";
/// A header of every answer that has the others too.
const POLICY: &[u8] = b"content-security-policy:";

/// A connection. Answers to bad requests that are written to it without security headers get them. Writing fails if the
/// client reads nothing for [`READ_TIMEOUT`].
pub(super) struct Connection<S> {
    stream: S,
    /// Lines of a head.
    headers: Arc<[u8]>,
    /// What is still to be written.
    waiting: Vec<u8>,
    /// When writing fails; `None` unless there is no room.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<S> Connection<S> {
    pub(super) fn new(stream: S, headers: Arc<[u8]>) -> Self {
        Self { stream, headers, waiting: Vec::new(), deadline: None }
    }
}

/// Returns an answer with further headers, or `None` if it is none that lacks them.
fn completed(answer: &[u8], headers: &[u8]) -> Option<Vec<u8>> {
    let is_bare = answer.starts_with(BAD_REQUEST)
        && !answer.windows(POLICY.len()).any(|bytes| bytes.eq_ignore_ascii_case(POLICY));
    let status = answer.iter().position(|byte| *byte == b'\n')?;
    is_bare.then(|| [&answer[..=status], headers, &answer[status + 1..]].concat())
}

impl<S: AsyncWrite + Unpin> Connection<S> {
    /// Writes to the stream, unless the client has read nothing for too long.
    fn poll_stream(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(READ_TIMEOUT)));
        deadline.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Writes what waits.
    fn poll_waiting(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.waiting.is_empty() {
            let waiting = std::mem::take(&mut self.waiting);
            let written = self.poll_stream(context, &waiting);
            self.waiting = waiting;
            let written = ready!(written)?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.waiting.drain(..written);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_waiting(context))?;
        match completed(bytes, &self.headers) {
            Some(answer) => {
                self.waiting = answer;
                Poll::Ready(Ok(bytes.len()))
            }
            None => self.poll_stream(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_waiting(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_waiting(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
