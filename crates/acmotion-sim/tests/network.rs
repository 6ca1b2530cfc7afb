//! The virtual network keeps to its settings, and to its seed.

use acmotion_sim::network::{Delivery, Link, LinkSettings};

const COUNT: usize = 20_000;
/// Seconds between two messages.
const RHYTHM: f64 = 0.01;

fn settings(change: impl FnOnce(&mut LinkSettings)) -> LinkSettings {
    let mut settings = LinkSettings { latency: 0.1, jitter: 0.03, ..LinkSettings::PERFECT };
    change(&mut settings);
    settings
}

fn message(number: usize) -> std::sync::Arc<[u8]> {
    number.to_le_bytes().as_slice().into()
}

/// Sends many messages; says what became of them, and the numbers of those that arrived, in order.
fn send(settings: LinkSettings, seed: u64) -> (Vec<Delivery>, Vec<usize>) {
    let mut link = Link::new(settings, seed);
    let send = |number| link.send(message(number), number as f64 * RHYTHM, false);
    let fates = (0..COUNT).map(send).collect();
    let mut arrived = Vec::new();
    let mut last = f64::NEG_INFINITY;
    while let Some(message) = link.receive(f64::INFINITY) {
        assert!(message.arrived >= last, "they come in the order of arrival");
        last = message.arrived;
        arrived.push(usize::from_le_bytes(message.bytes[..].try_into().unwrap()));
    }
    assert_eq!(link.in_flight(), 0);
    (fates, arrived)
}

fn delays(fates: &[Delivery]) -> Vec<f64> {
    let delay = |(number, fate): (usize, &Delivery)| Some(fate.arrives? - number as f64 * RHYTHM);
    fates.iter().enumerate().filter_map(delay).collect()
}

fn share(count: usize) -> f64 {
    count as f64 / COUNT as f64
}

#[test]
fn latency_and_jitter_are_as_set() {
    // Far enough apart that none waits for the one before.
    let mut link = Link::new(settings(|_| {}), 1);
    let delays: Vec<f64> = (0..COUNT)
        .map(|number| link.send(message(number), number as f64, false).arrives.unwrap() - number as f64)
        .collect();
    let mean = delays.iter().sum::<f64>() / delays.len() as f64;
    assert!((mean - 0.1).abs() < 0.001, "{mean}");
    assert!(delays.iter().all(|delay| (0.07..=0.13).contains(delay)));
    let early = delays.iter().filter(|delay| **delay < 0.085).count();
    assert!((share(early) - 0.25).abs() < 0.02, "evenly spread: {early}");
}

#[test]
fn jitter_alone_keeps_the_order() {
    let (fates, arrived) = send(settings(|_| {}), 2);
    assert!(arrived.iter().is_sorted());
    assert_eq!(arrived.len(), COUNT);
    assert!(delays(&fates).iter().all(|delay| *delay <= 0.131));
}

#[test]
fn what_is_lost_comes_late_or_never() {
    let (fates, arrived) = send(settings(|settings| settings.loss = 0.1), 3);
    let lost = fates.iter().filter(|fate| fate.losses > 0).count();
    assert!((share(lost) - 0.1).abs() < 0.01, "{lost}");
    assert_eq!(arrived.len(), COUNT, "sent again until it arrives");
    assert!(arrived.iter().is_sorted(), "and what follows waits");
    let late = fates.iter().enumerate().filter(|(_, fate)| fate.losses > 0);
    assert!(late.clone().count() > 0);
    for (number, fate) in late {
        assert!(fate.arrives.unwrap() - number as f64 * RHYTHM >= 0.37);
    }

    let never = settings(|settings| {
        settings.loss = 0.1;
        settings.retransmit = None;
    });
    let (fates, arrived) = send(never, 3);
    let lost = fates.iter().filter(|fate| fate.arrives.is_none()).count();
    assert!((share(lost) - 0.1).abs() < 0.01, "{lost}");
    assert_eq!(arrived.len(), COUNT - lost);
}

#[test]
fn what_must_arrive_does() {
    let deaf = LinkSettings { loss: 0.9, retransmit: None, ..LinkSettings::PERFECT };
    let mut link = Link::new(deaf, 4);
    let fates: Vec<Delivery> = (0..100).map(|number| link.send(message(number), 0.0, true)).collect();
    assert!(fates.iter().all(|fate| fate.arrives.is_some()));
    let nobody = LinkSettings { loss: 1.0, ..deaf };
    link.set_settings(nobody);
    assert!(link.send(message(0), 0.0, false).arrives.is_none());
}

#[test]
fn some_come_twice_or_in_the_wrong_order() {
    let (fates, arrived) = send(settings(|settings| settings.duplicate = 0.05), 5);
    let twice = fates.iter().filter(|fate| fate.again.is_some()).count();
    assert!((share(twice) - 0.05).abs() < 0.01, "{twice}");
    assert_eq!(arrived.len(), COUNT + twice);

    let (_, arrived) = send(settings(|settings| settings.reorder = 0.1), 6);
    let overtaken = arrived.windows(2).filter(|pair| pair[1] < pair[0]).count();
    assert!(overtaken > COUNT / 50, "{overtaken}");
}

#[test]
fn the_same_seed_has_the_same_luck() {
    let settings = settings(|settings| {
        settings.loss = 0.05;
        settings.reorder = 0.05;
        settings.duplicate = 0.05;
    });
    assert_eq!(send(settings, 7), send(settings, 7));
    assert_ne!(send(settings, 7).0, send(settings, 8).0);
}

/// Who turns one slider sees what that changes, and nothing else.
#[test]
fn one_setting_does_not_change_the_luck_of_another() {
    let twice = |settings| -> Vec<bool> {
        send(settings, 9).0.iter().map(|fate| fate.arrives.is_none() || fate.again.is_some()).collect()
    };
    let few = settings(|settings| settings.duplicate = 0.05);
    let slow = LinkSettings { latency: 0.5, jitter: 0.2, reorder: 0.3, ..few };
    assert_eq!(twice(few), twice(slow));
}

#[test]
fn nonsense_is_made_sound() {
    let nonsense = LinkSettings {
        latency: f64::NAN,
        jitter: -1.0,
        loss: 7.0,
        duplicate: f64::INFINITY,
        reorder: -0.1,
        retransmit: Some(f64::NAN),
    };
    let mut link = Link::new(nonsense, 10);
    let expected = LinkSettings { loss: 1.0, retransmit: Some(0.0), ..LinkSettings::PERFECT };
    assert_eq!(link.settings(), expected);
    assert!(link.send(message(0), 1.0, false).arrives.is_some(), "the other side hangs up, not the test");
}
