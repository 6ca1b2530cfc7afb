//! The virtual network follows its settings and its seed.

use acmotion_sim::network::{Delivery, Link, LinkSettings};

const COUNT: usize = 20_000;
/// Seconds between two messages.
const INTERVAL: f64 = 0.01;

fn settings(change: impl FnOnce(&mut LinkSettings)) -> LinkSettings {
    let mut settings = LinkSettings { latency: 0.1, jitter: 0.03, ..LinkSettings::PERFECT };
    change(&mut settings);
    settings
}

fn message(number: usize) -> std::sync::Arc<[u8]> {
    number.to_le_bytes().as_slice().into()
}

/// Sends many messages. Returns their deliveries, and the numbers of those that arrived, in order.
fn send(settings: LinkSettings, seed: u64) -> (Vec<Delivery>, Vec<usize>) {
    let mut link = Link::new(settings, seed);
    let send = |number| link.send(message(number), number as f64 * INTERVAL, false);
    let deliveries = (0..COUNT).map(send).collect();
    let mut arrived = Vec::new();
    let mut last = f64::NEG_INFINITY;
    while let Some(message) = link.receive(f64::INFINITY) {
        assert!(message.arrived >= last, "messages are received in the order of arrival");
        last = message.arrived;
        arrived.push(usize::from_le_bytes(message.bytes[..].try_into().unwrap()));
    }
    assert_eq!(link.in_flight(), 0);
    (deliveries, arrived)
}

fn delays(deliveries: &[Delivery]) -> Vec<f64> {
    let delay = |(number, delivery): (usize, &Delivery)| Some(delivery.arrives? - number as f64 * INTERVAL);
    deliveries.iter().enumerate().filter_map(delay).collect()
}

fn share(count: usize) -> f64 {
    count as f64 / COUNT as f64
}

#[test]
fn latency_and_jitter_are_as_set() {
    // Far enough apart that no message waits for the one before.
    let mut link = Link::new(settings(|_| {}), 1);
    let delays: Vec<f64> = (0..COUNT)
        .map(|number| link.send(message(number), number as f64, false).arrives.unwrap() - number as f64)
        .collect();
    let mean = delays.iter().sum::<f64>() / delays.len() as f64;
    assert!((mean - 0.1).abs() < 0.001, "{mean}");
    assert!(delays.iter().all(|delay| (0.07..=0.13).contains(delay)));
    let early = delays.iter().filter(|delay| **delay < 0.085).count();
    assert!((share(early) - 0.25).abs() < 0.02, "uniformly distributed: {early}");
}

#[test]
fn jitter_alone_keeps_the_order() {
    let (deliveries, arrived) = send(settings(|_| {}), 2);
    assert!(arrived.iter().is_sorted());
    assert_eq!(arrived.len(), COUNT);
    assert!(delays(&deliveries).iter().all(|delay| *delay <= 0.131));
}

#[test]
fn a_lost_message_arrives_late_or_never() {
    let (deliveries, arrived) = send(settings(|settings| settings.loss = 0.1), 3);
    let lost = deliveries.iter().filter(|delivery| delivery.losses > 0).count();
    assert!((share(lost) - 0.1).abs() < 0.01, "{lost}");
    assert_eq!(arrived.len(), COUNT, "lost messages are sent again");
    assert!(arrived.iter().is_sorted(), "the messages behind a lost one wait");
    let late = deliveries.iter().enumerate().filter(|(_, delivery)| delivery.losses > 0);
    assert!(late.clone().count() > 0);
    for (number, delivery) in late {
        assert!(delivery.arrives.unwrap() - number as f64 * INTERVAL >= 0.37);
    }

    let never = settings(|settings| {
        settings.loss = 0.1;
        settings.retransmit = None;
    });
    let (deliveries, arrived) = send(never, 3);
    let lost = deliveries.iter().filter(|delivery| delivery.arrives.is_none()).count();
    assert!((share(lost) - 0.1).abs() < 0.01, "{lost}");
    assert_eq!(arrived.len(), COUNT - lost);
}

#[test]
fn a_message_that_must_arrive_does() {
    let lossy = LinkSettings { loss: 0.9, retransmit: None, ..LinkSettings::PERFECT };
    let mut link = Link::new(lossy, 4);
    let deliveries: Vec<Delivery> = (0..100).map(|number| link.send(message(number), 0.0, true)).collect();
    assert!(deliveries.iter().all(|delivery| delivery.arrives.is_some()));
    link.set_settings(LinkSettings { loss: 1.0, ..lossy });
    assert!(link.send(message(0), 0.0, false).arrives.is_none());
}

#[test]
fn messages_are_duplicated_and_reordered_as_set() {
    let (deliveries, arrived) = send(settings(|settings| settings.duplicate = 0.05), 5);
    let duplicates = deliveries.iter().filter(|delivery| delivery.duplicate_arrives.is_some()).count();
    assert!((share(duplicates) - 0.05).abs() < 0.01, "{duplicates}");
    assert_eq!(arrived.len(), COUNT + duplicates);

    let (_, arrived) = send(settings(|settings| settings.reorder = 0.1), 6);
    let overtaken = arrived.windows(2).filter(|pair| pair[1] < pair[0]).count();
    assert!(overtaken > COUNT / 50, "{overtaken}");
}

#[test]
fn the_same_seed_gives_the_same_deliveries() {
    let settings = settings(|settings| {
        settings.loss = 0.05;
        settings.reorder = 0.05;
        settings.duplicate = 0.05;
    });
    assert_eq!(send(settings, 7), send(settings, 7));
    assert_ne!(send(settings, 7).0, send(settings, 8).0);
}

#[test]
fn one_setting_does_not_change_which_messages_another_affects() {
    let duplicated = |settings| -> Vec<bool> {
        let affected =
            |delivery: &Delivery| delivery.arrives.is_none() || delivery.duplicate_arrives.is_some();
        send(settings, 9).0.iter().map(affected).collect()
    };
    let few = settings(|settings| settings.duplicate = 0.05);
    let slow = LinkSettings { latency: 0.5, jitter: 0.2, reorder: 0.3, ..few };
    assert_eq!(duplicated(few), duplicated(slow));
}

#[test]
fn invalid_settings_are_clamped() {
    let invalid = LinkSettings {
        latency: f64::NAN,
        jitter: -1.0,
        loss: 7.0,
        duplicate: f64::INFINITY,
        reorder: -0.1,
        retransmit: Some(f64::NAN),
    };
    let mut link = Link::new(invalid, 10);
    let expected = LinkSettings { loss: 1.0, retransmit: Some(0.0), ..LinkSettings::PERFECT };
    assert_eq!(link.settings(), expected);
    assert!(
        link.send(message(0), 1.0, false).arrives.is_some(),
        "sending ends after the maximum number of retries"
    );
}

#[test]
fn a_message_that_is_always_lost_is_sent_again_a_bounded_number_of_times() {
    let mut link = Link::new(settings(|settings| settings.loss = 1.0), 1);
    let delivery = link.send(message(1), 0.0, false);
    assert_eq!(delivery.losses, 20);
    assert!(delivery.arrives.is_some_and(|arrives| arrives < 10.0), "{delivery:?}");
}
