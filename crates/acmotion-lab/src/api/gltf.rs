//! `/api/gltf`: a motion as a glTF file, as `acmotion export gltf` writes it.

use acmotion_gltf::{Export, FigureOptions, GltfError, Interpolation, RootMotion, figure};
use http::StatusCode;

use super::clip::Asked;
use super::{Answer, ApiError, ApiResult, Parameters, dat_file, parameter};
use crate::shared::Shared;

impl From<GltfError> for ApiError {
    fn from(error: GltfError) -> Self {
        match error {
            GltfError::Dat(error) => error.into(),
            GltfError::Undefined { undefined, .. } => undefined.into(),
            other => Self::new(StatusCode::UNPROCESSABLE_ENTITY, other.to_string()),
        }
    }
}

pub(super) fn gltf(shared: &Shared, parameters: &Parameters) -> ApiResult<Answer> {
    let dat = dat_file(shared, parameters)?;
    let Asked { table, setup, query } = Asked::parse(&dat, parameters)?;
    let is_on = |name: &str| parameter(parameters, name, parse_switch).map(Option::unwrap_or_default);
    let options = FigureOptions {
        table: Some(table),
        motions: vec![query],
        interpolation: if is_on("smooth")? { Interpolation::Linear } else { Interpolation::Step },
        root_motion: if is_on("stay")? { RootMotion::InPlace } else { RootMotion::Node },
        ..FigureOptions::default()
    };
    let message = || format!("no setup of the dat file fits table {table}; name one");
    let setup = setup.ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, message()))?;
    let Export { glb, .. } = figure(&dat.assets, setup, &options)?;
    Ok(Answer { content_type: "model/gltf-binary", bytes: glb })
}

fn parse_switch(text: &str) -> Result<bool, String> {
    match text {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(format!("`{text}` is neither 0 nor 1")),
    }
}
