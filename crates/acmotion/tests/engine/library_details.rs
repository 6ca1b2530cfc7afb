//! What a library loads, keeps and finds: tables, models, animations and the scripts that they call (rules H2, H15, H16).

use std::cell::RefCell;
use std::sync::Arc;

use acmotion::dat::{
    AnimData, Animation, AnimationFrame, Assets, BlockSize, Dat, DatError, DatWriter, DataId, DataSet, Hook,
    HookDirection, HookEffect, MotionData, MotionTable, PartLocation, PhysicsScript, ScriptHook, Setup,
    mannequin,
};
use acmotion::types::{Frame, MotionCommand, Vec3};
use acmotion::{Animations, Animator, Library, Matrix, PoseInput};

const STYLE: MotionCommand = MotionCommand::NON_COMBAT;
const READY: MotionCommand = MotionCommand::READY;
const TABLE: DataId = DataId(0x0900_0001);
const SETUP: DataId = DataId(0x0200_0001);

fn hook(effect: HookEffect) -> Hook {
    Hook { direction: HookDirection::BOTH, effect }
}

fn call(script: u32) -> HookEffect {
    HookEffect::CallPes { script: DataId(script), pause: 0.0 }
}

fn animation(id: u32, frames: usize, hooks: Vec<Hook>) -> Animation {
    let mut list = vec![AnimationFrame { parts: vec![Frame::IDENTITY], ..AnimationFrame::default() }; frames];
    list[frames - 1].hooks = hooks;
    Animation::new(DataId(id), None, list)
}

/// A script that calls others.
fn script(id: u32, calls: &[u32]) -> PhysicsScript {
    let hooks = calls.iter().map(|called| ScriptHook { start: 0.0, hook: hook(call(*called)) });
    PhysicsScript { id: DataId(id), hooks: hooks.collect() }
}

/// A table whose only cycle plays these animations.
fn table(animations: &[u32]) -> MotionTable {
    let anim = |id: &u32| AnimData { animation: DataId(*id), low: 0, high: -1, framerate: 30.0 };
    let motion = MotionData { anims: animations.iter().map(anim).collect(), ..MotionData::default() };
    MotionTable {
        id: TABLE,
        default_style: STYLE,
        style_defaults: [(STYLE.0, READY)].into_iter().collect(),
        cycles: [(STYLE.0 << 16 | READY.0 & 0xFF_FFFF, motion)].into_iter().collect(),
        ..MotionTable::default()
    }
}

/// Animations and scripts, and what was asked of them.
#[derive(Default)]
struct Source {
    animations: Vec<Animation>,
    scripts: Vec<PhysicsScript>,
    asked: RefCell<Vec<u32>>,
}

impl Animations for Source {
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        self.asked.borrow_mut().push(id.0);
        let found = self.animations.iter().find(|one| one.id() == id);
        found.map(|one| Arc::new(one.clone())).ok_or(DatError::NotFound(id))
    }

    fn physics_script(&self, id: DataId) -> Result<Arc<PhysicsScript>, DatError> {
        self.asked.borrow_mut().push(id.0);
        let found = self.scripts.iter().find(|one| one.id == id);
        found.map(|one| Arc::new(one.clone())).ok_or(DatError::NotFound(id))
    }
}

fn missing(library: &Library) -> Vec<u32> {
    library.missing().iter().map(|(id, _)| id.0).collect()
}

/// The number of frames of the animation that a body in the table's default state plays.
fn frames_played(library: &Library, table: acmotion::TableId) -> usize {
    let mut body = Animator::new(Some(table));
    body.initialize(library).unwrap();
    let clip = body.sequence().current(library).unwrap();
    clip.animation.frame_count()
}

/// H2: each animation is looked for once, whether it is there or not, and each missing one is listed once.
#[test]
fn each_animation_is_asked_for_once() {
    let source = Source { animations: vec![animation(1, 4, vec![])], ..Source::default() };
    let mut library = Library::new();
    library.add_table(&table(&[1, 9, 1, 9]), &source);
    library.add_table(&table(&[9, 1]), &source);
    assert_eq!(*source.asked.borrow(), [1, 9]);
    assert_eq!(missing(&library), [9]);
}

/// A hook of any frame calls a script, that one others; a circle of calls ends, and what is missing is listed once.
#[test]
fn all_scripts_that_an_animation_calls_are_loaded() {
    let source = Source {
        animations: vec![animation(1, 4, vec![hook(HookEffect::SoundTable(1)), hook(call(0x31))])],
        scripts: vec![script(0x31, &[0x32, 0x33]), script(0x32, &[0x31, 0x32]), script(0x40, &[])],
        ..Source::default()
    };
    let mut library = Library::new();
    library.add_table(&table(&[1]), &source);
    let is_loaded = |library: &Library, id: u32| library.script(DataId(id)).is_some();
    assert!(is_loaded(&library, 0x31) && is_loaded(&library, 0x32));
    assert!(!is_loaded(&library, 0x33), "it does not exist");
    assert!(!is_loaded(&library, 0x40), "nothing calls it");
    assert_eq!(missing(&library), [0x33]);
    assert_eq!(source.asked.borrow().iter().filter(|id| **id == 0x33).count(), 1);

    // A script of the caller's own, and what it calls.
    library.add_script(Arc::new(script(0x50, &[0x40, 0x33])), &source);
    assert!(is_loaded(&library, 0x50) && is_loaded(&library, 0x40));
    assert_eq!(missing(&library), [0x33]);
    library.add_script(Arc::new(script(0x50, &[])), &source);
    assert!(library.script(DataId(0x50)).unwrap().hooks.is_empty(), "it replaces the one before");
}

/// H16: a setup without a default animation or script has none, and nothing is looked for.
#[test]
fn a_setup_loads_its_default_animation_and_script() {
    let source = Source {
        animations: vec![animation(7, 5, vec![])],
        scripts: vec![script(0x31, &[0x32]), script(0x32, &[])],
        ..Source::default()
    };
    let mut library = Library::new();
    let plain = library.add_model(&Setup { id: SETUP, ..Setup::default() }, &source);
    assert!(source.asked.borrow().is_empty());
    let model = library.model(plain);
    assert_eq!((model.default_span(), model.default_script(), model.part_count()), (None, None, 0));
    let setup = Setup {
        id: DataId(0x0200_0002),
        parts: vec![DataId(1), DataId(2)],
        default_animation: DataId(7),
        default_script: DataId(0x31),
        ..Setup::default()
    };
    let moving = library.add_model(&setup, &source);
    let model = library.model(moving);
    assert_eq!((model.id(), model.part_count()), (DataId(0x0200_0002), 2));
    assert_eq!(model.default_script(), Some(DataId(0x31)));
    let span = library.span_of(model.default_span().unwrap());
    assert_eq!((span.low, span.high), (0, 4), "the whole animation");
    assert_eq!(library.clip(span.clip).animation().id(), DataId(7));
    assert!(library.script(DataId(0x32)).is_some());
}

/// H15: the placement of a key, else that of key 0, else none.
#[test]
fn placements_are_found_by_their_keys() {
    let placement = |x: f32| AnimationFrame {
        parts: vec![Frame::from_origin(Vec3::new(x, 0.0, 0.0)); 3],
        hooks: vec![hook(HookEffect::SoundTable(1))],
    };
    let hand = |key: i32, part: i32| PartLocation { key, part, frame: Frame::IDENTITY };
    let mut setup = Setup {
        id: SETUP,
        parts: vec![DataId(1); 2],
        placements: vec![(5, placement(5.0)), (0, placement(0.5)), (1, placement(1.0))],
        holding_locations: vec![hand(1, 10), hand(2, 12)],
        ..Setup::default()
    };
    let mut library = Library::new();
    let model = library.add_model(&setup, &Source::default());
    let x = |library: &Library, model, key: i32| {
        let model: &acmotion::components::Model = library.model(model);
        let placement = model.placement(key)?;
        let animation = library.clip(placement.clip).animation();
        assert_eq!(animation.part_count(), 2, "as many as the setup has");
        assert!(animation.hooks(placement.frame as usize).is_empty());
        Some(animation.pose(placement.frame as usize)[0].origin.x)
    };
    assert_eq!([5, 0, 1, 7].map(|key| x(&library, model, key)), [Some(5.0), Some(0.5), Some(1.0), Some(0.5)]);
    let parts = [1, 2, 3].map(|key| library.model(model).holding_location(key).map(|hand| hand.part));
    assert_eq!(parts, [Some(10), Some(12), None]);
    setup.placements.remove(1);
    let model = library.add_model(&setup, &Source::default());
    assert_eq!([5, 7].map(|key| x(&library, model, key)), [Some(5.0), None]);
}

/// An animation that is added replaces another of its id in tables that are added later.
#[test]
fn an_added_animation_counts_for_later_tables() {
    let source = Source { animations: vec![animation(1, 4, vec![])], ..Source::default() };
    let mut library = Library::new();
    let before = library.add_table(&table(&[1]), &source);
    library.add_animation(Arc::new(animation(1, 9, vec![])));
    let after = library.add_table(&table(&[1]), &source);
    assert_eq!((frames_played(&library, before), frames_played(&library, after)), (4, 9));
    assert_eq!(*source.asked.borrow(), [1], "the second was in the library");
}

/// The same frames of the same clip are one span, others are another.
#[test]
fn a_span_is_kept_once() {
    let mut library = Library::new();
    let clip = library.add_animation(Arc::new(animation(1, 10, vec![])));
    let other = library.add_animation(Arc::new(animation(2, 10, vec![])));
    let whole = library.span(clip, 0, -1);
    assert_eq!(library.span(clip, 0, 9), whole);
    assert_eq!(library.span(clip, 0, 99), whole, "corrected to the last frame (H2)");
    let part = library.span(clip, 2, 4);
    assert_ne!(part, whole);
    assert_ne!(library.span(other, 0, 9), whole);
    let span = library.span_of(part);
    assert_eq!((span.clip, span.low, span.high), (clip, 2, 4));
}

/// What has been loaded is found again, and what cannot be loaded is an error each time.
#[test]
fn loading_again_finds_the_same() {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.add_object(&script(0x3300_0001, &[0x3300_0002]));
    writer.add_object(&script(0x3300_0002, &[]));
    let scripts = Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap());
    let assets = Assets::mannequin();
    let mut library = Library::new();
    let human = library.load_table(&assets, mannequin::HUMAN_TABLE).unwrap();
    let beast = library.load_table(&assets, mannequin::BEAST_TABLE).unwrap();
    assert_ne!(human, beast);
    assert_eq!(library.load_table(&assets, mannequin::HUMAN_TABLE).unwrap(), human);
    assert_eq!(library.table(beast).id(), mannequin::BEAST_TABLE);
    let model = library.load_model(&assets, mannequin::HUMAN_SETUP).unwrap();
    let sword = library.load_model(&assets, mannequin::SWORD_SETUP).unwrap();
    assert_ne!(model, sword);
    assert_eq!(library.load_model(&assets, mannequin::HUMAN_SETUP).unwrap(), model);
    assert_eq!(library.model(sword).id(), mannequin::SWORD_SETUP);

    let before = missing(&library);
    let loaded = library.load_script(&scripts, DataId(0x3300_0001)).unwrap();
    let again = library.load_script(&assets, DataId(0x3300_0001)).unwrap();
    assert!(Arc::ptr_eq(&loaded, &again), "it is not looked for in other assets");
    assert!(library.script(DataId(0x3300_0002)).is_some(), "nor is what it calls forgotten");
    assert!(library.load_script(&scripts, DataId(0x3300_0009)).is_err());
    assert!(library.load_table(&assets, DataId(0x0900_FFFF)).is_err());
    assert!(library.load_model(&assets, DataId(0x0200_FFFF)).is_err());
    assert_eq!(missing(&library), before, "ids from outside are not remembered");
}

/// Poses that were prepared take no memory when a body first shows them.
#[test]
fn prepared_poses_are_not_computed_again() {
    let posed = |prepares: bool| {
        let mut library = Library::new();
        let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
        let mut body = Animator::new(Some(table));
        body.initialize(&library).unwrap();
        if prepares {
            library.prepare_poses();
        }
        let mut out = [Matrix::IDENTITY; 64];
        let input = PoseInput { sequence: body.sequence(), frame: &Frame::IDENTITY, scale: Vec3::ONE };
        let mut parts = 0;
        let memory = allocation_counter::measure(|| parts = input.matrices(&library, &mut out));
        assert!(parts > 10);
        memory.count_total
    };
    assert!(posed(false) > 0, "the first pose of a clip converts it");
    assert_eq!(posed(true), 0);
}
