//! Object ids, and the kind of object that an id denotes.

use std::fmt;
use std::str::FromStr;

/// The id of an object in a dat file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "DID")]
pub struct DataId(pub u32);

impl fmt::Display for DataId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for DataId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DataId(0x{:08X})", self.0)
    }
}

impl From<u32> for DataId {
    fn from(id: u32) -> Self {
        Self(id)
    }
}

/// Parses hexadecimal digits, with or without `0x`.
impl FromStr for DataId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
        u32::from_str_radix(digits, 16).map(Self).map_err(|_| {
            format!("`{text}` is not an id: expected up to eight hexadecimal digits, as in 0x09000001")
        })
    }
}

/// The data set of a dat file: which of the game's files it is (`docs/dat.md` §1.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataSet {
    /// Models, animations and tables (`client_portal.dat`; the high-resolution textures have the same number).
    Portal,
    /// Terrain and rooms (`client_cell_1.dat`).
    Cell,
    /// Strings and user interface (`client_local_English.dat`).
    Local,
    /// Any other number.
    Other(u32),
}

impl DataSet {
    /// Converts the number in the header to a data set.
    pub const fn from_number(number: u32) -> Self {
        match number {
            1 => Self::Portal,
            2 => Self::Cell,
            3 => Self::Local,
            other => Self::Other(other),
        }
    }

    /// Returns the number in the header.
    pub const fn number(self) -> u32 {
        match self {
            Self::Portal => 1,
            Self::Cell => 2,
            Self::Local => 3,
            Self::Other(number) => number,
        }
    }
}

impl fmt::Display for DataSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Portal => f.write_str("portal"),
            Self::Cell => f.write_str("cell"),
            Self::Local => f.write_str("local"),
            Self::Other(number) => write!(f, "data set {number}"),
        }
    }
}

macro_rules! kinds {
    ($($(#[$meta:meta])* $variant:ident = $name:literal,)*) => {
        /// The kind of an object, derived from its id (`docs/dat.md` §1.5).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "the variants are the names of the object types")]
        pub enum ObjectKind {
            $($(#[$meta])* $variant,)*
        }

        impl ObjectKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name of the kind, a single word.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

kinds! {
    GfxObj = "GfxObj",
    Setup = "Setup",
    Animation = "Animation",
    Palette = "Palette",
    SurfaceTexture = "SurfaceTexture",
    RenderSurface = "RenderSurface",
    Surface = "Surface",
    MotionTable = "MotionTable",
    Wave = "Wave",
    Environment = "Environment",
    CharGen = "CharGen",
    VitalTable = "VitalTable",
    SkillTable = "SkillTable",
    ChatPoseTable = "ChatPoseTable",
    ObjectHierarchy = "ObjectHierarchy",
    SpellTable = "SpellTable",
    SpellComponentTable = "SpellComponentTable",
    XpTable = "XpTable",
    BadData = "BadData",
    ContractTable = "ContractTable",
    TabooTable = "TabooTable",
    NameFilter = "NameFilter",
    QualityFilter = "QualityFilter",
    MonitoredProperties = "MonitoredProperties",
    PalSet = "PalSet",
    Clothing = "Clothing",
    GfxObjDegrade = "GfxObjDegrade",
    Scene = "Scene",
    Region = "Region",
    Keymap = "Keymap",
    RenderTexture = "RenderTexture",
    Material = "Material",
    SoundTable = "SoundTable",
    UiLayout = "UiLayout",
    EnumMapper = "EnumMapper",
    StringTable = "StringTable",
    IdMap = "IdMap",
    ActionMap = "ActionMap",
    CombatTable = "CombatTable",
    String = "String",
    ParticleEmitter = "ParticleEmitter",
    PhysicsScript = "PhysicsScript",
    PhysicsScriptTable = "PhysicsScriptTable",
    MasterProperty = "MasterProperty",
    Font = "Font",
    LanguageInfo = "LanguageInfo",
    DbProperties = "DbProperties",
    LandBlock = "LandBlock",
    LandBlockInfo = "LandBlockInfo",
    EnvCell = "EnvCell",
    Iteration = "Iteration",
    Unknown = "Unknown",
}

impl ObjectKind {
    /// Returns the maximum size of a compressed object of this kind, in bytes after decompression. A few kilobytes can
    /// decompress to gigabytes, and no object of the game comes near these limits.
    pub const fn max_decompressed_size(self) -> u32 {
        match self {
            Self::RenderSurface | Self::Wave | Self::Unknown => 64 << 20,
            _ => 16 << 20,
        }
    }

    /// Returns the kind that an id denotes in a file of the given data set.
    pub const fn of(id: DataId, set: DataSet) -> Self {
        if id.0 == ITERATION_ID.0 {
            return Self::Iteration;
        }
        match set {
            DataSet::Cell => Self::in_cell_file(id.0),
            _ => Self::in_portal_file(id.0),
        }
    }

    const fn in_cell_file(id: u32) -> Self {
        match id & 0xFFFF {
            0xFFFF => Self::LandBlock,
            0xFFFE => Self::LandBlockInfo,
            0x0100..=0xFFFD => Self::EnvCell,
            _ => Self::Unknown,
        }
    }

    const fn in_portal_file(id: u32) -> Self {
        match id >> 24 {
            0x01 => Self::GfxObj,
            0x02 => Self::Setup,
            0x03 => Self::Animation,
            0x04 => Self::Palette,
            0x05 => Self::SurfaceTexture,
            0x06 | 0x07 => Self::RenderSurface,
            0x08 => Self::Surface,
            0x09 => Self::MotionTable,
            0x0A => Self::Wave,
            0x0D => Self::Environment,
            0x0E => Self::single_instance(id),
            0x0F => Self::PalSet,
            0x10 => Self::Clothing,
            0x11 => Self::GfxObjDegrade,
            0x12 => Self::Scene,
            0x13 => Self::Region,
            0x14 => Self::Keymap,
            0x15 => Self::RenderTexture,
            0x16..=0x18 => Self::Material,
            0x20 => Self::SoundTable,
            0x21 => Self::UiLayout,
            0x22 => Self::EnumMapper,
            0x23 => Self::StringTable,
            0x25 | 0x27 => Self::IdMap,
            0x26 => Self::ActionMap,
            0x30 => Self::CombatTable,
            0x31 => Self::String,
            0x32 => Self::ParticleEmitter,
            0x33 => Self::PhysicsScript,
            0x34 => Self::PhysicsScriptTable,
            0x39 => Self::MasterProperty,
            0x40 => Self::Font,
            0x41 => Self::LanguageInfo,
            0x78 => Self::DbProperties,
            _ => Self::Unknown,
        }
    }

    const fn single_instance(id: u32) -> Self {
        match id {
            0x0E00_0002 => Self::CharGen,
            0x0E00_0003 => Self::VitalTable,
            0x0E00_0004 => Self::SkillTable,
            0x0E00_0007 => Self::ChatPoseTable,
            0x0E00_000D => Self::ObjectHierarchy,
            0x0E00_000E => Self::SpellTable,
            0x0E00_000F => Self::SpellComponentTable,
            0x0E00_0018 => Self::XpTable,
            0x0E00_001A => Self::BadData,
            0x0E00_001D => Self::ContractTable,
            0x0E00_001E => Self::TabooTable,
            0x0E00_0020 => Self::NameFilter,
            0x0E01_0000..=0x0E01_FFFF => Self::QualityFilter,
            0x0E02_0000..=0x0E02_FFFF => Self::MonitoredProperties,
            _ => Self::Unknown,
        }
    }
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the name of a kind, ignoring case.
impl FromStr for ObjectKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|kind| kind.name().eq_ignore_ascii_case(text));
        found.copied().ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|kind| kind.name()).collect();
            format!("`{text}` is not an object type, expected one of {}", names.join(", "))
        })
    }
}

/// The id of the [`Iteration`](crate::Iteration) object, which every dat file has (`docs/dat.md` §1.4).
pub const ITERATION_ID: DataId = DataId(0xFFFF_0001);
