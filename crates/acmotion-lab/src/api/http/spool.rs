//! `POST /api/dat`: dat and cell files are large, so what the page uploads goes to a temporary file that has no name, and is
//! read there.

use std::fs::File;
use std::io::Write as _;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use acmotion::dat::SeekSource;
use axum::Json;
use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Query, Request, State};

use super::super::dat::{self, MAX_DAT_BYTES};
use super::{ApiError, ApiResult, Parameters, admit, blocking, too_large, too_slow};
use crate::protocol::api::FileSummary;
use crate::server::ServerState;

/// How long such an upload may take.
const DAT_TIMEOUT: Duration = Duration::from_secs(600);

pub(super) async fn upload(
    State(server): State<Arc<ServerState>>,
    Query(parameters): Query<Parameters>,
    request: Request,
) -> ApiResult<Json<FileSummary>> {
    let _permit = admit(&request, &server, MAX_DAT_BYTES)?;
    let file = receive(request.into_body(), MAX_DAT_BYTES).await?;
    blocking(move || {
        let source = SeekSource::new(file).map_err(|error| cannot_keep(&error))?;
        dat::open(server.shared(), &parameters, source).map(Json)
    })
    .await
}

/// Writes a body to a temporary file, which is gone when it is closed.
async fn receive(body: Body, max_bytes: u64) -> ApiResult<File> {
    tokio::time::timeout(DAT_TIMEOUT, spool(body, max_bytes)).await.map_err(|_| too_slow(DAT_TIMEOUT))?
}

async fn spool(body: Body, max_bytes: u64) -> ApiResult<File> {
    let mut file = blocking(|| tempfile::tempfile().map_err(|error| cannot_keep(&error))).await?;
    let mut body = pin!(body);
    let mut received = 0;
    while let Some(frame) = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|error| ApiError::bad_request(error.to_string()))?;
        let Ok(bytes) = frame.into_data() else { continue };
        received += bytes.len() as u64;
        if received > max_bytes {
            return Err(too_large(max_bytes));
        }
        file = blocking(move || write(file, &bytes)).await?;
    }
    Ok(file)
}

fn write(mut file: File, bytes: &Bytes) -> ApiResult<File> {
    file.write_all(bytes).map_err(|error| cannot_keep(&error))?;
    Ok(file)
}

fn cannot_keep(error: &std::io::Error) -> ApiError {
    ApiError::internal(format!("the file cannot be kept: {error}"))
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;

    #[tokio::test]
    async fn a_file_that_is_larger_than_allowed_is_refused() {
        assert!(
            receive(Body::from(vec![7; 1000]), 1000)
                .await
                .is_ok_and(|file| file.metadata().unwrap().len() == 1000)
        );
        let error = receive(Body::from(vec![7; 1001]), 1000).await.unwrap_err();
        assert_eq!(error.status, StatusCode::PAYLOAD_TOO_LARGE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_file_that_does_not_arrive_ends_with_a_timeout() {
        let start = tokio::time::Instant::now();
        let silence = futures_util::stream::pending::<Result<Bytes, std::convert::Infallible>>();
        let error = receive(Body::from_stream(silence), 1000).await.unwrap_err();
        assert_eq!((error.status, start.elapsed().as_secs()), (StatusCode::REQUEST_TIMEOUT, 600));
    }
}
