//! The aims of comfort over all scenarios (docs/comfort.md has the measures of eight seeds and four networks).

use acmotion_sim::methods::{Comparison, Method, compare_scenario};
use acmotion_sim::network::LinkSettings;

use crate::support::shipped;

/// Two seeds at 150 ± 50 ms with 2 % loss: comfort is nearer to the truth than every other method, never steps back, hardly
/// jumps, and its feet slide less than Faithful's.
#[test]
fn comfort_keeps_its_aims_over_all_scenarios() {
    let link = LinkSettings { latency: 0.15, jitter: 0.05, loss: 0.02, ..LinkSettings::PERFECT };
    let mut all = Comparison::default();
    for (name, mut scenario) in shipped() {
        scenario.clients.iter_mut().for_each(|client| client.network = link.into());
        for seed in 1..=2 {
            scenario.seed = seed;
            all.merge(&compare_scenario(&scenario, false).unwrap_or_else(|error| panic!("{name}: {error}")));
        }
    }
    let (comfort, faithful) = (all.quality(Method::Comfort), all.quality(Method::Faithful));
    assert!(comfort.moving > 10_000, "{comfort:?}");
    assert!(comfort.error.p95 < 0.57 * faithful.error.p95, "{comfort:?}\n{faithful:?}");
    assert!(comfort.error.mean < 0.5 * faithful.error.mean, "{comfort:?}\n{faithful:?}");
    for baseline in [Method::Snap, Method::Interpolate, Method::DeadReckon].map(|method| all.quality(method))
    {
        assert!(comfort.error.p95 < baseline.error.p95 && comfort.error.mean < baseline.error.mean);
    }
    assert_eq!(comfort.backward, 0);
    assert!(comfort.jump <= 0.05, "{comfort:?}");
    assert!(comfort.sliding < faithful.sliding, "{comfort:?}\n{faithful:?}");
}
