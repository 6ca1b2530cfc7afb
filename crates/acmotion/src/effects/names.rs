//! The names of sounds and script types, by which sound tables and script tables are keyed.

use std::fmt;

/// The key of a sound in a body's sound table (0x20).
///
/// ```
/// use acmotion::effects::SoundKey;
///
/// assert_eq!(SoundKey(0x0F).name(), Some("Death1"));
/// assert_eq!(SoundKey(0x0F).to_string(), "Death1");
/// assert_eq!(SoundKey(9999).to_string(), "sound 9999");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "SoundType")]
pub struct SoundKey(pub u32);

impl SoundKey {
    /// Returns the game's name of the sound, `None` if the number is not one of the game's. A dataset can use the numbers
    /// in its own way, as the [mannequin](acmotion_dat::mannequin::sounds) does.
    pub fn name(self) -> Option<&'static str> {
        nth_name(SOUND_NAMES, self.0)
    }
}

impl fmt::Display for SoundKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "sound {}", self.0),
        }
    }
}

/// The key of a script in a body's table of physics scripts (0x34).
///
/// ```
/// use acmotion::effects::ScriptType;
///
/// assert_eq!(ScriptType::HIDDEN.name(), Some("Hidden"));
/// assert_eq!(ScriptType(9999).to_string(), "script type 9999");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "PScriptType")]
#[doc(alias = "PlayScript")]
pub struct ScriptType(pub u32);

impl ScriptType {
    /// Played when a body is shown again (rule C19).
    pub const UN_HIDE: Self = Self(0x75);
    /// Played when a body is hidden (rule C19).
    pub const HIDDEN: Self = Self(0x76);

    /// Returns the game's name of the script type, `None` if the number is not one of the game's.
    pub fn name(self) -> Option<&'static str> {
        nth_name(SCRIPT_TYPE_NAMES, self.0)
    }
}

impl fmt::Display for ScriptType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "script type {}", self.0),
        }
    }
}

fn nth_name(names: &'static str, index: u32) -> Option<&'static str> {
    names.split_ascii_whitespace().nth(index as usize)
}

/// The names of the game's sounds, in the order of their numbers from 0.
const SOUND_NAMES: &str = "
    Invalid Speak1 Random Attack1 Attack2 Attack3 SpecialAttack1 SpecialAttack2 SpecialAttack3 Damage1 Damage2 Damage3
    Wound1 Wound2 Wound3 Death1 Death2 Death3 Grunt1 Grunt2 Grunt3 Oh1 Oh2 Oh3 Heave1 Heave2 Heave3 Knockdown1
    Knockdown2 Knockdown3 Swoosh1 Swoosh2 Swoosh3 Thump1 Smash1 Scratch1 Spear Sling Dagger ArrowWhiz1 ArrowWhiz2
    CrossbowPull CrossbowRelease BowPull BowRelease ThrownWeaponRelease1 ArrowLand Collision HitFlesh1 HitLeather1
    HitChain1 HitPlate1 HitMissile1 HitMissile2 HitMissile3 Footstep1 Footstep2 Walk1 Dance1 Dance2 Dance3 Hidden1
    Hidden2 Hidden3 Eat1 Drink1 Open Close OpenSlam CloseSlam Ambient1 Ambient2 Ambient3 Ambient4 Ambient5 Ambient6
    Ambient7 Ambient8 Waterfall LogOut LogIn LifestoneOn AttribUp AttribDown SkillUp SkillDown HealthUp HealthDown
    ShieldUp ShieldDown EnchantUp EnchantDown VisionUp VisionDown Fizzle Launch Explode TransUp TransDown BreatheFlame
    BreatheAcid BreatheFrost BreatheLightning Create Destroy Lockpicking UI_EnterPortal UI_ExitPortal UI_GeneralQuery
    UI_GeneralError UI_TransientMessage UI_IconPickUp UI_IconSuccessfulDrop UI_IconInvalid_Drop UI_ButtonPress
    UI_GrabSlider UI_ReleaseSlider UI_NewTargetSelected UI_Roar UI_Bell UI_Chant1 UI_Chant2 UI_DarkWhispers1
    UI_DarkWhispers2 UI_DarkLaugh UI_DarkWind UI_DarkSpeech UI_Drums UI_GhostSpeak UI_Breathing UI_Howl UI_LostSouls
    UI_Squeal UI_Thunder1 UI_Thunder2 UI_Thunder3 UI_Thunder4 UI_Thunder5 UI_Thunder6 RaiseTrait WieldObject
    UnwieldObject ReceiveItem PickUpItem DropItem ResistSpell PicklockFail LockSuccess OpenFailDueToLock
    TriggerActivated SpellExpire ItemManaDepleted TriggerActivated1 TriggerActivated2 TriggerActivated3
    TriggerActivated4 TriggerActivated5 TriggerActivated6 TriggerActivated7 TriggerActivated8 TriggerActivated9
    TriggerActivated10 TriggerActivated11 TriggerActivated12 TriggerActivated13 TriggerActivated14 TriggerActivated15
    TriggerActivated16 TriggerActivated17 TriggerActivated18 TriggerActivated19 TriggerActivated20 TriggerActivated21
    TriggerActivated22 TriggerActivated23 TriggerActivated24 TriggerActivated25 TriggerActivated26 TriggerActivated27
    TriggerActivated28 TriggerActivated29 TriggerActivated30 TriggerActivated31 TriggerActivated32 TriggerActivated33
    TriggerActivated34 TriggerActivated35 TriggerActivated36 TriggerActivated37 TriggerActivated38 TriggerActivated39
    TriggerActivated40 TriggerActivated41 TriggerActivated42 TriggerActivated43 TriggerActivated44 TriggerActivated45
    TriggerActivated46 TriggerActivated47 TriggerActivated48 TriggerActivated49 TriggerActivated50 HealthDownVoid
    RegenDownVoid SkillDownVoid
";

/// The names of the game's script types, in the order of their numbers from 0.
const SCRIPT_TYPE_NAMES: &str = "
    Invalid Test1 Test2 Test3 Launch Explode AttribUpRed AttribDownRed AttribUpOrange AttribDownOrange AttribUpYellow
    AttribDownYellow AttribUpGreen AttribDownGreen AttribUpBlue AttribDownBlue AttribUpPurple AttribDownPurple SkillUpRed
    SkillDownRed SkillUpOrange SkillDownOrange SkillUpYellow SkillDownYellow SkillUpGreen SkillDownGreen SkillUpBlue
    SkillDownBlue SkillUpPurple SkillDownPurple SkillDownBlack HealthUpRed HealthDownRed HealthUpBlue HealthDownBlue
    HealthUpYellow HealthDownYellow RegenUpRed RegenDownRed RegenUpBlue RegenDownBlue RegenUpYellow RegenDownYellow
    ShieldUpRed ShieldDownRed ShieldUpOrange ShieldDownOrange ShieldUpYellow ShieldDownYellow ShieldUpGreen
    ShieldDownGreen ShieldUpBlue ShieldDownBlue ShieldUpPurple ShieldDownPurple ShieldUpGrey ShieldDownGrey EnchantUpRed
    EnchantDownRed EnchantUpOrange EnchantDownOrange EnchantUpYellow EnchantDownYellow EnchantUpGreen EnchantDownGreen
    EnchantUpBlue EnchantDownBlue EnchantUpPurple EnchantDownPurple VitaeUpWhite VitaeDownBlack VisionUpWhite
    VisionDownBlack SwapHealth_Red_To_Yellow SwapHealth_Red_To_Blue SwapHealth_Yellow_To_Red SwapHealth_Yellow_To_Blue
    SwapHealth_Blue_To_Red SwapHealth_Blue_To_Yellow TransUpWhite TransDownBlack Fizzle PortalEntry PortalExit
    BreatheFlame BreatheFrost BreatheAcid BreatheLightning Create Destroy ProjectileCollision SplatterLowLeftBack
    SplatterLowLeftFront SplatterLowRightBack SplatterLowRightFront SplatterMidLeftBack SplatterMidLeftFront
    SplatterMidRightBack SplatterMidRightFront SplatterUpLeftBack SplatterUpLeftFront SplatterUpRightBack
    SplatterUpRightFront SparkLowLeftBack SparkLowLeftFront SparkLowRightBack SparkLowRightFront SparkMidLeftBack
    SparkMidLeftFront SparkMidRightBack SparkMidRightFront SparkUpLeftBack SparkUpLeftFront SparkUpRightBack
    SparkUpRightFront PortalStorm Hide UnHide Hidden DisappearDestroy SpecialState1 SpecialState2 SpecialState3
    SpecialState4 SpecialState5 SpecialState6 SpecialState7 SpecialState8 SpecialState9 SpecialState0 SpecialStateRed
    SpecialStateOrange SpecialStateYellow SpecialStateGreen SpecialStateBlue SpecialStatePurple SpecialStateWhite
    SpecialStateBlack LevelUp EnchantUpGrey EnchantDownGrey WeddingBliss EnchantUpWhite EnchantDownWhite CampingMastery
    CampingIneptitude DispelLife DispelCreature DispelAll BunnySmite BaelZharonSmite WeddingSteele RestrictionEffectBlue
    RestrictionEffectGreen RestrictionEffectGold LayingofHands AugmentationUseAttribute AugmentationUseSkill
    AugmentationUseResistances AugmentationUseOther BlackMadness AetheriaLevelUp AetheriaSurgeDestruction
    AetheriaSurgeProtection AetheriaSurgeRegeneration AetheriaSurgeAffliction AetheriaSurgeFestering HealthDownVoid
    RegenDownVoid SkillDownVoid DirtyFightingHealDebuff DirtyFightingAttackDebuff DirtyFightingDefenseDebuff
    DirtyFightingDamageOverTime
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_belong_to_their_numbers() {
        let sounds = [(0, "Invalid"), (0x37, "Footstep1"), (0x63, "BreatheFlame"), (0x8B, "RaiseTrait")];
        for (number, name) in
            sounds.into_iter().chain([(0xC9, "TriggerActivated50"), (0xCC, "SkillDownVoid")])
        {
            assert_eq!(SoundKey(number).name(), Some(name));
        }
        assert_eq!(SoundKey(0xCD).name(), None);
        let scripts =
            [(4, "Launch"), (0x26, "RegenDownRed"), (0x58, "Create"), (0x75, "UnHide"), (0x8A, "LevelUp")];
        for (number, name) in scripts.into_iter().chain([(0xAD, "DirtyFightingDamageOverTime")]) {
            assert_eq!(ScriptType(number).name(), Some(name));
        }
        assert_eq!(ScriptType(0xAE).name(), None);
    }
}
