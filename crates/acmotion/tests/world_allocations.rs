//! A world in which everybody runs and is reported once a second allocates nothing, neither in a tick nor for a message.

mod world_support;

use acmotion::types::Guid;
use acmotion::wire::ObjectStamps;
use world_support::*;

/// Twenty people run, each with a report and a word about the run a second.
fn messages(second: u16) -> Vec<Vec<u8>> {
    let of = |who: u8| {
        let guid = Guid(1 + u32::from(who));
        let place = at(50.0 + f32::from(who), 20.0 + 4.0 * f32::from(second));
        [position(guid, &place, 1 + second), motion(guid, running(1.0), 1 + second)]
    };
    (0..20).flat_map(of).collect()
}

fn run(scene: &mut Scene, seconds: &[Vec<Vec<u8>>]) {
    for messages in seconds {
        for message in messages {
            scene.world.receive(message, scene.now).unwrap();
        }
        for _ in 0..30 {
            scene.now += TICK;
            scene.world.tick(scene.now);
            scene.world.drain_events().for_each(drop);
        }
    }
}

#[test]
fn a_steady_world_allocates_nothing() {
    let mut scene = Scene::new();
    for who in 0..20 {
        scene.send(&create(Guid(1 + who), &at(50.0 + who as f32, 20.0), ObjectStamps::default(), None));
    }
    let seconds: Vec<_> = (0..40).map(messages).collect();
    run(&mut scene, &seconds[..20]);
    let asked = allocation_counter::measure(|| run(&mut scene, &seconds[20..]));
    assert_eq!(asked.count_total, 0);
    let far = scene.place(Guid(1)).y;
    assert!((150.0..200.0).contains(&far), "everybody ran: {far}");
}
