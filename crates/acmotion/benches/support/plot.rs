//! A plot of how cost grows with the number of bodies, as SVG: both axes are logarithmic, so that a cost that is
//! proportional to the number is a line that rises as the grid does.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
/// The space around the plot, for its axes and the names of its lines.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 50.0;
const COLOURS: [&str; 6] = ["#0b62a4", "#c0392b", "#1e8449", "#8e44ad", "#b9770e", "#34495e"];

/// One line: its name, and the numbers of bodies with their costs in milliseconds.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// An axis from a power of ten to another.
struct Axis {
    low: i32,
    high: i32,
}

impl Axis {
    fn around(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.fold((f64::MAX, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        Self { low: low.log10().floor() as i32, high: high.log10().ceil() as i32 }
    }

    /// Returns where a value lies, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        (value.log10() - f64::from(self.low)) / f64::from((self.high - self.low).max(1))
    }

    fn powers(&self) -> impl Iterator<Item = f64> {
        (self.low..=self.high).map(|power| 10_f64.powi(power))
    }
}

/// Returns a plot of lines, none of which is empty.
pub(crate) fn svg(lines: &[Line]) -> String {
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let (counts, costs) =
        (Axis::around(points().map(|point| point.0)), Axis::around(points().map(|point| point.1)));
    let across = |count: f64| LEFT + counts.share(count) * (WIDTH - LEFT - RIGHT);
    let up = |cost: f64| HEIGHT - BOTTOM - costs.share(cost) * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let (bottom, end) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    for count in counts.powers() {
        let x = across(count);
        let _ = writeln!(svg, "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{count}</text>",
            bottom + 18.0
        );
    }
    for cost in costs.powers() {
        let y = up(cost);
        let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{end}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{cost} ms</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">bodies</text>",
        (LEFT + end) / 2.0,
        bottom + 38.0
    );
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let path: Vec<String> = line
            .points
            .iter()
            .map(|(count, cost)| format!("{:.1} {:.1}", across(*count), up(*cost)))
            .collect();
        let _ = writeln!(
            svg,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join("L")
        );
        for point in &path {
            let (x, y) = point.split_once(' ').unwrap_or_default();
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{colour}\"/>");
        }
    }
    for (row, (line, colour)) in lines.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let y = TOP + 20.0 * row as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"14\" height=\"4\" fill=\"{colour}\"/>",
            end + 12.0
        );
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", end + 32.0, y + 6.0, line.name);
    }
    svg + "</svg>\n"
}
