//! Plots how cost grows with vertices, bones, influences and handles, as SVG.

use super::Scale;
use super::ik::Dragged;
use super::subject::Skinned;
use super::time::in_turns;
use super::with_threads;
use ossature::rig::skinning::{Method, Motions};
use std::fmt::Write;

/// One of the four charts, with a line of (x, y) points for each name.
struct Chart {
    title: &'static str,
    y: &'static str,
    lines: Vec<(&'static str, Vec<(f64, f64)>)>,
}

/// Measures everything and returns the plot as SVG.
pub fn svg(scale: &Scale) -> String {
    let mut charts = Vec::new();
    with_threads(1, || charts = measure_all(scale));
    plot(&charts)
}

fn measure_all(scale: &Scale) -> Vec<Chart> {
    let most = if scale.quick { 4 } else { 1 };
    let usual = scale.vertices / 2;
    let vertices = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
    let vertices: Vec<usize> = vertices[..vertices.len() / most].to_vec();
    let skinning = |title, y, values: &[usize], subject: &dyn Fn(usize) -> Skinned| {
        let (mut linear, mut dual) = (Vec::new(), Vec::new());
        for &value in values {
            let [a, b] = per_vertex(&subject(value), scale.rounds.min(11));
            linear.push((value as f64, a * 1e9));
            dual.push((value as f64, b * 1e9));
        }
        Chart { title, y, lines: vec![("LBS", linear), ("DQS", dual)] }
    };
    let ns = "ns a vertex";
    let mut charts = vec![
        skinning("vertices", ns, &vertices, &|n| Skinned::new(n, 64, 4, 1)),
        skinning("bones", ns, &[8, 16, 32, 64, 128, 250, 500, 1000], &|n| Skinned::new(usual, n, 4, 1)),
        skinning("influences", ns, &[1, 2, 3, 4, 5, 6, 7, 8], &|n| Skinned::new(usual, 64, n, 1)),
    ];
    let handles = [1, 2, 5, 10, 20, 50];
    let (mut gradient, mut step) = (Vec::new(), Vec::new());
    for &count in &handles[..handles.len() / most.min(2)] {
        let mut dragged = Dragged::new(count);
        let mut stepped = dragged.clone();
        let times =
            in_turns(scale.rounds.min(11), &mut [&mut || dragged.gradients(100), &mut || stepped.steps(10)]);
        gradient.push((count as f64, times.get(0) / 100.0 * 1e6));
        step.push((count as f64, times.get(1) / 10.0 * 1e6));
    }
    charts.push(Chart {
        title: "handles on 200 bones",
        y: "µs",
        lines: vec![("kinematics and gradient", gradient), ("a damped step", step)],
    });
    charts
}

/// Returns the seconds per vertex of both methods.
fn per_vertex(subject: &Skinned, rounds: usize) -> [f64; 2] {
    let mut outs = [0; 2].map(|_| (Vec::new(), Vec::new()));
    let [(a, a_normals), (b, b_normals)] = &mut outs;
    let motions = |method| Motions::new(method, &subject.bind, &subject.current);
    let (linear, dual) = (motions(Method::LINEAR), motions(Method::DUAL_QUATERNION));
    let times = in_turns(
        rounds,
        &mut [
            &mut || linear.skin(&subject.weights, &subject.positions, &subject.render, a, a_normals),
            &mut || dual.skin(&subject.weights, &subject.positions, &subject.render, b, b_normals),
        ],
    );
    [0, 1].map(|index| times.get(index) / subject.positions.len() as f64)
}

const COLORS: [&str; 2] = ["#2f6fb5", "#c2571a"];

/// Plots charts in a grid of two by two, with logarithmic x axes.
fn plot(charts: &[Chart]) -> String {
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"520\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"760\" height=\"520\" fill=\"#ffffff\"/>\n",
    );
    for (i, chart) in charts.iter().enumerate() {
        let (left, top) = (50.0 + 380.0 * (i % 2) as f64, 30.0 + 260.0 * (i / 2) as f64);
        plot_chart(&mut svg, chart, left, top);
    }
    svg.push_str("</svg>\n");
    svg
}

fn plot_chart(svg: &mut String, chart: &Chart, left: f64, top: f64) {
    let (width, height) = (300.0, 170.0);
    let points = || chart.lines.iter().flat_map(|(_, points)| points);
    let (low, high) = points().fold((f64::MAX, f64::MIN), |(low, high), (x, _)| (low.min(*x), high.max(*x)));
    let most = points().map(|(_, y)| *y).fold(1e-9, f64::max) * 1.1;
    let spread = (high / low).ln().max(1e-9);
    let plot_x = |x: f64| left + width * (x / low).ln() / spread;
    let plot_y = |y: f64| top + height * (1.0 - y / most);
    // Writing to a string cannot fail.
    let mut write_line = |text: String| {
        let _ = writeln!(svg, "{text}");
    };
    write_line(format!("<path d=\"M{left} {top} v{height} h{width}\" fill=\"none\" stroke=\"#555555\"/>"));
    let middle = left + width / 2.0;
    write_line(format!(
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        top + height + 34.0,
        chart.title
    ));
    write_line(format!("<text x=\"{left}\" y=\"{}\">{}</text>", top - 8.0, chart.y));
    for part in [0.5, 1.0] {
        let value = most / 1.1 * part;
        write_line(format!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 6.0,
            plot_y(value) + 4.0,
            super::table::short(value)
        ));
    }
    if let Some((_, line)) = chart.lines.first() {
        for (x, _) in line {
            let label = if *x >= 1e6 {
                format!("{}M", x / 1e6)
            } else if *x >= 1e3 {
                format!("{}k", x / 1e3)
            } else {
                format!("{x}")
            };
            write_line(format!(
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\">{label}</text>",
                plot_x(*x),
                top + height + 15.0
            ));
        }
    }
    for (i, (name, line)) in chart.lines.iter().enumerate() {
        let color = COLORS[i % COLORS.len()];
        let path: Vec<String> =
            line.iter().map(|(x, y)| format!("{:.1},{:.1}", plot_x(*x), plot_y(*y))).collect();
        write_line(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            path.join(" ")
        ));
        write_line(format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{color}\">{name}</text>",
            left + width,
            top - 8.0 + 14.0 * i as f64
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_within_their_chart() {
        let chart = Chart { title: "vertices", y: "ns", lines: vec![("LBS", vec![(1e3, 5.0), (1e6, 10.0)])] };
        let svg = plot(&[chart]);
        assert!(svg.contains("points=\"50.0,122.7 350.0,45.5\""), "{svg}");
        assert!(svg.contains(">1k<") && svg.contains(">1M<") && svg.ends_with("</svg>\n"));
    }
}
