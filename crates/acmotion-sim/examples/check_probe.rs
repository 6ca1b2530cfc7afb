use acmotion::check::CheckSettings;
use acmotion::dat::Assets;
use acmotion_sim::cheat::{Cheat, CheatKind};
use acmotion_sim::network::LinkSettings;
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{Checking, ClientId, Simulation};

fn main() {
    let mut args = std::env::args().skip(1);
    let mode = args.next().unwrap();
    let seeds: u64 = args.next().unwrap().parse().unwrap();
    let only = args.next().unwrap_or_default();
    let mut paths: Vec<_> = std::fs::read_dir("scenes").unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let mut all: Vec<f32> = vec![];
    for path in paths {
        if !path.display().to_string().contains(&only) { continue; }
        let base = Scenario::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for (name, preset) in [("own", None)].into_iter().chain(LinkSettings::PRESETS.map(|(n, p)| (n, Some(p)))) {
            if mode == "honest" {
                let (mut reports, mut pred, mut lead, mut needed) = (0, 0, 0f64, 0f64);
                let mut errs = vec![];
                for seed in std::env::var("SEED").map_or(0..seeds, |s| { let s: u64 = s.parse().unwrap(); s..s + 1 }) {
                    if std::env::var("NET").is_ok_and(|n| n != name) { continue; }
                    let mut s = base.clone();
                    s.seed = s.seed + 1000 * seed;
                    if let Some(p) = preset { for c in &mut s.clients { c.network = p.into(); } }
                    let mut sim = Simulation::new(&s).unwrap();
                    let mut checking = Checking::new(&sim, Assets::mannequin, &CheckSettings::default());
                    sim.step(s.seconds, &mut checking);
                    for (i, c) in checking.checks().iter().enumerate() {
                        reports += c.reports; pred += c.predicted; lead = lead.max(c.max_lead); needed = needed.max(c.max_needed);
                        errs.extend_from_slice(&c.errors);
                        for a in &c.alarms { println!("  ALARM {} {name} seed {seed} {} t={:.3} {} {:?} err {:.3} lead {:.2} needed {:.2}", path.display(), s.clients[i].name, a.time, a.verdict.finding, a.verdict.method, a.verdict.error, a.verdict.lead, a.verdict.needed); }
                    }
                }
                errs.sort_by(f32::total_cmp);
                let q = |p: f32| errs.get(((errs.len().max(1) - 1) as f32 * p) as usize).copied().unwrap_or(0.0);
                println!("{:40} {name:9} reports {reports} predicted {pred} p50 {:.4} p99 {:.3} max {:.3} lead {lead:.2} needed {needed:.3}", path.display(), q(0.5), q(0.99), q(1.0));
                all.extend(errs);
            } else {
                for kind in CheatKind::ALL {
                    if mode != "cheats" && mode != kind.name() { continue; }
                    let (mut n, mut caught, mut worst, mut first) = (0, 0, 0f64, std::collections::BTreeMap::<&str, u32>::new());
                    for seed in 0..seeds {
                        let mut s = base.clone();
                        s.seed = s.seed + 1000 * seed;
                        if let Some(p) = preset { for c in &mut s.clients { c.network = p.into(); } }
                        for (i, c) in base.clients.iter().enumerate() {
                            if c.is_observer { continue; }
                            let mut sim = Simulation::new(&s).unwrap();
                            let mut from = 2.0 + s.seconds / 10.0 * (seed % 10) as f64;
                            if kind == CheatKind::WallClip { from = from.max(0.0); }
                            sim.set_cheat(ClientId(i), Cheat { kind, from });
                            let mut checking = Checking::new(&sim, Assets::mannequin, &CheckSettings::default());
                            sim.step(s.seconds + 3.0, &mut checking);
                            let Some(onset) = sim.cheat_onset(ClientId(i)) else { continue };
                            n += 1;
                            let a = checking.checks()[i].alarms.iter().find(|a| a.time >= onset);
                            if let Some(a) = a { *first.entry(a.verdict.finding.name()).or_default() += 1; }
                            let secs = a.map(|a| sim.cheat_seconds(ClientId(i), a.sent)); let total = sim.cheat_seconds(ClientId(i), 1e9); if secs.is_none() && total < 2.0 && kind != CheatKind::Offset && kind != CheatKind::AirWalk { n -= 1; continue; }
 match a { Some(_) if secs.unwrap() <= 2.0 => { caught += 1; worst = worst.max(secs.unwrap()); }
                              Some(a) => println!("   late {} {name} {} onset {onset:.2} +{:.2} ({:.2}) {}", kind.name(), c.name, a.time - onset, secs.unwrap(), a.verdict.finding),
                              None => println!("   MISS {} {name} {} onset {onset:.2} effective {total:.2}", kind.name(), c.name) }
                        }
                    }
                    if n > 0 { println!("{:40} {name:9} {:12} {caught}/{n} within 2 s, slowest {worst:.2} {first:?}", path.display(), kind.name()); }
                }
            }
        }
    }
    all.sort_by(f32::total_cmp);
    if !all.is_empty() { println!("all: n {} p50 {} p99 {} p999 {} max {}", all.len(), all[all.len()/2], all[all.len()*99/100], all[all.len()*999/1000], all.last().unwrap()); }
}
