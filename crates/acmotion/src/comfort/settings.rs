//! How remotes are shown.

/// How a world shows remotes: the bodies that a server's messages move.
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{ComfortSettings, Presentation, Settings, World};
///
/// let presentation = Presentation::Comfort(ComfortSettings::default());
/// let mut world = World::with_settings(Assets::mannequin(), Settings { presentation, ..Settings::default() });
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// let id = world.add_stand_in(Guid(0x5000_0001), &position, 0.0);
///
/// world.set_round_trip(Some(0.12)); // as the network layer measures it
/// world.tick(1.0 / 30.0);
/// let simulated = world.get(id).map(|entity| entity.position());
/// assert_eq!(world.shown_position(id), simulated, "it stands");
///
/// world.set_presentation(Presentation::Faithful); // at any time
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Presentation {
    /// Where the original shows them: at the positions of the simulated bodies.
    #[default]
    Faithful,
    /// At a second position, which follows the truth more closely and more smoothly.
    Comfort(ComfortSettings),
}

/// How comfort shows remotes. Values out of range are clamped.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ComfortSettings {
    /// The share of the message delay by which a remote is shown ahead of where it is known to have been, 0 to 1. With 0 it
    /// is shown one delay late, with 1 where it should be now, and goes too far by the most when it stops or turns.
    pub lead: f32,
    /// The maximum time by which a remote is shown ahead, 0 to 1 seconds.
    pub max_lead: f32,
    /// The lowest rate at which a motion is played so that the body falls back to where it should be, 0.25 to 1.
    pub min_rate: f32,
    /// The highest rate at which a motion is played so that the body catches up, 1 to 3.
    pub max_rate: f32,
    /// The maximum speed at which an error is blended away, on top of the motion, 0.5 to 50 metres a second.
    pub blend_speed: f32,
    /// The maximum acceleration beyond that of the motion, 1 to 500 metres a second squared. Whatever it is, a step is at
    /// most 4.8 cm longer than the one before, or than the motion.
    pub acceleration: f32,
}

impl Default for ComfortSettings {
    fn default() -> Self {
        Self {
            lead: 0.85,
            max_lead: 0.4,
            min_rate: 0.6,
            max_rate: 1.5,
            blend_speed: 12.0,
            acceleration: 45.0,
        }
    }
}

impl ComfortSettings {
    /// Returns settings that show remotes one message delay late and never ahead of what is known. They go too far only
    /// where a message is late.
    pub fn behind() -> Self {
        Self { lead: 0.0, ..Self::default() }
    }

    /// Returns the settings with every value within its range. A value that is NaN becomes the default.
    pub(crate) fn clamped(self) -> Self {
        let usual = Self::default();
        let clamp = |value: f32, usual: f32, low: f32, high: f32| {
            if value.is_nan() { usual } else { value.clamp(low, high) }
        };
        Self {
            lead: clamp(self.lead, usual.lead, 0.0, 1.0),
            max_lead: clamp(self.max_lead, usual.max_lead, 0.0, 1.0),
            min_rate: clamp(self.min_rate, usual.min_rate, 0.25, 1.0),
            max_rate: clamp(self.max_rate, usual.max_rate, 1.0, 3.0),
            blend_speed: clamp(self.blend_speed, usual.blend_speed, 0.5, 50.0),
            acceleration: clamp(self.acceleration, usual.acceleration, 1.0, 500.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_out_of_range_are_clamped() {
        let wild = ComfortSettings {
            lead: 7.0,
            max_lead: f32::INFINITY,
            min_rate: -1.0,
            max_rate: f32::NAN,
            blend_speed: f32::NEG_INFINITY,
            acceleration: 1e30,
        };
        let clamped = ComfortSettings {
            lead: 1.0,
            max_lead: 1.0,
            min_rate: 0.25,
            max_rate: 1.5,
            blend_speed: 0.5,
            acceleration: 500.0,
        };
        assert_eq!(wild.clamped(), clamped);
        assert_eq!(ComfortSettings::default().clamped(), ComfortSettings::default());
        assert_eq!(ComfortSettings::behind().clamped(), ComfortSettings::behind());
    }
}
