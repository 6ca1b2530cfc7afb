//! Which players the houses let in (`docs/collision.md` 8.7).

use std::collections::BTreeMap;
#[cfg(feature = "serde")]
use std::collections::BTreeSet;

use acmotion_types::{CellPosition, Guid};
use acmotion_wire::WeenieDesc;

/// Decides which players may enter the cells of houses, before the world decides by what it knows about them
/// (`docs/collision.md` 8.7).
///
/// It is asked in every test of a restricted cell, possibly from several threads at once, and must return the same
/// answer for the same arguments for as long as a tick lasts. Closures implement it:
///
/// ```
/// use std::sync::Arc;
///
/// use acmotion::types::Guid;
/// use acmotion::{HouseGuard, Settings};
///
/// const COTTAGE: Guid = Guid(0x7526_200C);
/// const FRIEND: Guid = Guid(0x5000_0001);
/// let guard = |player: Guid, house: Guid| (house == COTTAGE).then_some(player == FRIEND);
/// let settings = Settings { house_guard: Some(Arc::new(guard)), ..Settings::default() };
/// # assert_eq!(settings.house_guard.unwrap().may_enter(FRIEND, COTTAGE), Some(true));
/// ```
pub trait HouseGuard: Send + Sync {
    /// Returns whether a player may enter the cells whose restriction object is `house`. `None` leaves the decision to
    /// what the world knows about that house.
    fn may_enter(&self, player: Guid, house: Guid) -> Option<bool>;
}

impl<F: Fn(Guid, Guid) -> Option<bool> + Send + Sync> HouseGuard for F {
    fn may_enter(&self, player: Guid, house: Guid) -> Option<bool> {
        self(player, house)
    }
}

/// The owner and the access rules of a house, as its restriction object is described.
///
/// ```
/// use acmotion::types::Guid;
/// use acmotion::{House, HouseAccess};
///
/// let (owner, friend, stranger) = (Guid(0x5000_0001), Guid(0x5000_0002), Guid(0x5000_0003));
/// let access = HouseAccess { guests: vec![friend], ..HouseAccess::default() };
/// let cottage = House { owner: Some(owner), access: Some(access) };
/// assert!(cottage.lets_in(owner, None) && cottage.lets_in(friend, None));
/// assert!(!cottage.lets_in(stranger, None));
/// // A server gives it to its world: world.set_house(guid, cottage, now);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct House {
    /// The owner. Every player may enter a house that has none.
    pub owner: Option<Guid>,
    /// The access rules. Every player may enter a house that has none.
    pub access: Option<HouseAccess>,
}

/// The access rules of a house.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "RestrictionDB")]
pub struct HouseAccess {
    /// Whether every player may enter.
    pub is_open: bool,
    /// The monarch whose allegiance may enter.
    pub monarch: Option<Guid>,
    /// The players that may enter.
    pub guests: Vec<Guid>,
}

impl House {
    /// Returns `true` if a player with this monarch may enter.
    #[doc(alias = "CanMoveInto")]
    pub fn lets_in(&self, player: Guid, monarch: Option<Guid>) -> bool {
        match (self.owner, &self.access) {
            (Some(owner), Some(access)) => owner == player || access.lets_in(player, monarch),
            _ => true,
        }
    }

    /// Returns the house of a description; `None` if the object has neither an owner nor access rules.
    fn of_description(weenie: &WeenieDesc<'_>) -> Option<Self> {
        let (owner, rules) = (weenie.house_owner(), weenie.house_restrictions());
        (owner.is_some() || rules.is_some()).then(|| Self {
            owner: owner.filter(|owner| *owner != Guid::NONE),
            access: rules.map(|rules| HouseAccess {
                is_open: rules.is_open(),
                monarch: rules.monarch(),
                guests: rules.guests().map(|(guest, _)| guest).collect(),
            }),
        })
    }
}

impl HouseAccess {
    /// Returns `true` if the rules let a player with this monarch in. The owner is not among the guests.
    #[doc(alias = "IsAllowedIn")]
    fn lets_in(&self, player: Guid, monarch: Option<Guid>) -> bool {
        self.is_open || (monarch.is_some() && monarch == self.monarch) || self.guests.contains(&player)
    }
}

/// The maximum number of players that wait for houses that are not known. The one that has waited longest is dropped for
/// the next, and stays outside of the world, as in the original.
const MAX_VISITORS: usize = 256;

/// What is known about houses and about the players that want to enter them.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Houses {
    houses: BTreeMap<Guid, House>,
    /// The monarchs of the players that have one.
    monarchs: BTreeMap<Guid, Guid>,
    /// Players that could not be placed in the cells of a house that is not known. In the order of their arrival.
    waiting: Vec<Visitor>,
}

/// A player that could not be placed in a cell of a house, because nothing is known about the house.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Visitor {
    pub(super) player: Guid,
    pub(super) house: Guid,
    /// Where the player is to be placed.
    pub(super) position: CellPosition,
}

impl Houses {
    /// Records what the description of an object says about houses.
    pub(super) fn describe(&mut self, guid: Guid, weenie: &WeenieDesc<'_>) {
        match House::of_description(weenie) {
            Some(house) => drop(self.houses.insert(guid, house)),
            None => drop(self.houses.remove(&guid)),
        }
        match weenie.monarch().filter(|monarch| *monarch != Guid::NONE) {
            Some(monarch) => drop(self.monarchs.insert(guid, monarch)),
            None => drop(self.monarchs.remove(&guid)),
        }
    }

    /// Sets what is known about a house.
    pub(super) fn set(&mut self, guid: Guid, house: House) {
        self.houses.insert(guid, house);
    }

    pub(super) fn get(&self, guid: Guid) -> Option<&House> {
        self.houses.get(&guid)
    }

    /// Forgets an object that no longer exists.
    pub(super) fn forget(&mut self, guid: Guid) {
        self.houses.remove(&guid);
        self.monarchs.remove(&guid);
        self.stop_waiting(guid);
    }

    /// Returns whether a house lets a player in; `None` if it is not known.
    pub(super) fn lets_in(&self, player: Guid, house: Guid) -> Option<bool> {
        Some(self.get(house)?.lets_in(player, self.monarchs.get(&player).copied()))
    }

    /// Makes a player wait until its house is known. It waits for one house only.
    pub(super) fn wait(&mut self, visitor: Visitor) {
        self.stop_waiting(visitor.player);
        if self.waiting.len() >= MAX_VISITORS {
            self.waiting.remove(0);
        }
        self.waiting.push(visitor);
    }

    /// Ends the wait of a player, which has been placed elsewhere or has been removed.
    pub(super) fn stop_waiting(&mut self, player: Guid) {
        self.waiting.retain(|visitor| visitor.player != player);
    }

    /// Checks the positions of the players that wait in a snapshot, and that each waits once.
    #[cfg(feature = "serde")]
    pub(super) fn check(&self) -> crate::restore::Checked {
        crate::restore::require_finite(&self.waiting, "a position in a house that is not finite")?;
        crate::restore::require(self.waiting.len() <= MAX_VISITORS, "too many players that wait for houses")?;
        let mut players = BTreeSet::new();
        let is_once = self.waiting.iter().all(|visitor| players.insert(visitor.player));
        crate::restore::require(is_once, "a player that waits for two houses")
    }

    /// The number of players that wait.
    pub(super) fn visitors(&self) -> usize {
        self.waiting.len()
    }

    /// Removes and returns the first player that waits for a house, or for any.
    pub(super) fn take_visitor(&mut self, house: Option<Guid>) -> Option<Visitor> {
        let index =
            self.waiting.iter().position(|visitor| house.is_none_or(|house| visitor.house == house))?;
        Some(self.waiting.remove(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_that_wait_for_houses_are_bounded() {
        let mut houses = Houses::default();
        let position = CellPosition::default();
        for number in 0..MAX_VISITORS as u32 + 10 {
            houses.wait(Visitor { player: Guid(1 + number), house: Guid(7), position });
        }
        assert_eq!(houses.visitors(), MAX_VISITORS);
        assert_eq!(
            houses.take_visitor(None).map(|visitor| visitor.player),
            Some(Guid(11)),
            "the oldest is gone"
        );
    }

    fn visitor(player: u32, house: u32) -> Visitor {
        Visitor { player: Guid(player), house: Guid(house), position: CellPosition::default() }
    }

    /// A player waits for the house that it was last to be placed in; the first that came is the first that enters.
    #[test]
    fn a_player_waits_for_one_house_in_the_order_of_arrival() {
        let mut houses = Houses::default();
        for (player, house) in [(1, 7), (2, 8), (3, 7), (1, 8)] {
            houses.wait(visitor(player, house));
        }
        assert_eq!(houses.visitors(), 3);
        let mut next =
            |house: Option<u32>| houses.take_visitor(house.map(Guid)).map(|visitor| visitor.player.0);
        assert_eq!(next(Some(8)), Some(2));
        assert_eq!(next(Some(9)), None);
        assert_eq!(next(None), Some(3), "whichever house");
        assert_eq!((next(Some(7)), next(Some(8)), next(None)), (None, Some(1), None));
    }

    /// What is known about an object is forgotten with it: as a house, as a member of an allegiance and as a player that waits.
    #[test]
    fn what_no_longer_exists_is_forgotten() {
        let (owner, member, monarch, cottage) = (Guid(1), Guid(2), Guid(3), Guid(7));
        let mut houses = Houses::default();
        let access = HouseAccess { monarch: Some(monarch), ..HouseAccess::default() };
        houses.set(cottage, House { owner: Some(owner), access: Some(access) });
        houses.monarchs.insert(member, monarch);
        houses.wait(visitor(member.0, 8));
        assert_eq!(houses.lets_in(member, cottage), Some(true));
        assert_eq!(houses.lets_in(member, Guid(8)), None, "an unknown house");
        houses.forget(member);
        assert_eq!((houses.lets_in(member, cottage), houses.visitors()), (Some(false), 0));
        assert_eq!(houses.lets_in(owner, cottage), Some(true));
        houses.forget(cottage);
        assert_eq!(houses.lets_in(owner, cottage), None);
    }

    /// Nobody is let in by an allegiance that neither the player nor the house has.
    #[test]
    fn an_allegiance_lets_in_its_members_alone() {
        let access =
            |monarch: Option<u32>| HouseAccess { monarch: monarch.map(Guid), ..HouseAccess::default() };
        for (own, houses, lets_in) in [
            (None, None, false),
            (Some(3), None, false),
            (None, Some(3), false),
            (Some(3), Some(3), true),
            (Some(4), Some(3), false),
        ] {
            assert_eq!(access(houses).lets_in(Guid(9), own.map(Guid)), lets_in, "{own:?}, {houses:?}");
        }
        let open = HouseAccess { is_open: true, ..HouseAccess::default() };
        assert!(open.lets_in(Guid(9), None));
        let house = House { owner: None, access: Some(HouseAccess::default()) };
        assert!(house.lets_in(Guid(9), None), "without an owner");
    }

    #[test]
    #[cfg(feature = "serde")]
    fn visitors_that_cannot_be_are_refused() {
        let waiting = |waiting: Vec<Visitor>| Houses { waiting, ..Houses::default() }.check();
        assert!(waiting(vec![visitor(1, 7), visitor(2, 7)]).is_ok());
        assert!(waiting(vec![visitor(1, 7), visitor(1, 8)]).is_err(), "for two houses");
        let many = (0..=MAX_VISITORS as u32).map(|number| visitor(number, 7)).collect::<Vec<_>>();
        assert!(waiting(many[1..].to_vec()).is_ok());
        assert!(waiting(many).is_err(), "too many");
        let mut broken = visitor(1, 7);
        broken.position.frame.origin.x = f32::NAN;
        assert!(waiting(vec![broken]).is_err());
    }
}
