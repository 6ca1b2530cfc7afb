//! Errors of JavaScript. Their texts are those of the engine; their names are those of the exceptions in Python.

use std::fmt::Display;

use wasm_bindgen::JsValue;

/// The result of a function that JavaScript calls: an `Error` is thrown.
pub(crate) type Outcome<T> = Result<T, JsValue>;

/// What an error is about: its `name` in JavaScript.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// An argument is not valid.
    Argument,
    /// A dat file is damaged, or lacks an object.
    Dat,
    /// A motion table does not have a motion.
    UndefinedMotion,
    /// The bytes of a message are not valid.
    Decode,
    /// A file is not a capture, or is damaged.
    Capture,
    /// An entity cannot be added to a world.
    Spawn,
    /// An entity cannot be placed at a position, or attached to another.
    Placement,
    /// The local player cannot do what was asked of it.
    Request,
    /// Bytes are not a snapshot that can be restored.
    #[cfg(feature = "full")]
    Restore,
    /// A scenario is not valid.
    #[cfg(feature = "full")]
    Scenario,
    /// Land, rooms or buildings cannot be loaded, or have no room for a body.
    Scene,
    /// A result would be larger than allowed, a queue is full, or there is no memory left.
    Limit,
    /// There is no such entity.
    Entity,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Argument => "RangeError",
            Self::Dat => "DatError",
            Self::UndefinedMotion => "UndefinedMotion",
            Self::Decode => "DecodeError",
            Self::Capture => "CaptureError",
            Self::Spawn => "SpawnError",
            Self::Placement => "PlacementError",
            Self::Request => "RequestError",
            #[cfg(feature = "full")]
            Self::Restore => "RestoreError",
            #[cfg(feature = "full")]
            Self::Scenario => "ScenarioError",
            Self::Scene => "SceneError",
            Self::Limit => "LimitError",
            Self::Entity => "EntityError",
        }
    }

    /// Returns a function that creates an error of this kind with the text of another.
    pub(crate) fn of<E: Display>(self) -> impl Fn(E) -> JsValue {
        move |error| self.error(error)
    }

    /// Creates an error.
    pub(crate) fn error(self, text: impl Display) -> JsValue {
        let error = js_sys::Error::new(&text.to_string());
        error.set_name(self.name());
        error.into()
    }
}

/// Creates the error of a scene.
pub(crate) fn scene_error(error: &acmotion::scene::LoadError) -> JsValue {
    match error {
        acmotion::scene::LoadError::Dat(error) => Kind::Dat.error(error),
        _ => Kind::Scene.error(error),
    }
}
