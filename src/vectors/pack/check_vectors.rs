// Judges a rope in Rust by rope.json, in f32 and bf16: rustc check_vectors.rs && ./check_vectors rope.json [promise].
// No crate is needed: a group's facts stand on one line of the file and each of its cases on another. License: BSL-1.0.

// Yours: x is one head, which turns in place; pairs are channels, and angles are position * inv_freq.
fn rope(x: &mut [f32], position: f64, pairs: &[f64], inv_freq: &[f64], factor: f64) {
    for (pair, channels) in pairs.chunks(2).enumerate() {
        let (a, b) = (channels[0] as usize, channels[1] as usize);
        let (sine, cosine) = (position * inv_freq[pair]).sin_cos();
        let (c, s) = ((factor * cosine) as f32, (factor * sine) as f32);
        (x[a], x[b]) = (x[a] * c - x[b] * s, x[a] * s + x[b] * c);
    }
}

// The text of a key of a line: a string, or all up to the end of a list or number.
fn text<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = &line[line.find(&format!("\"{key}\":"))? + key.len() + 3..];
    let closing = match &rest[..1] { "\"" => return rest[1..].split('"').next(), "[" => ",\"", _ => "," };
    rest.split(closing).next()
}

fn numbers(text: &str) -> Vec<f64> {
    text.split(|c| "[],}".contains(c)).filter_map(|one| one.parse().ok()).collect()
}

fn data(text: &str, is_f32: bool) -> Vec<f32> {
    let bits = |at: usize, digits: usize| u32::from_str_radix(&text[at..at + digits], 16).unwrap();
    if is_f32 { (0..text.len()).step_by(8).map(|at| f32::from_bits(bits(at, 8))).collect() }
    else { (0..text.len()).step_by(4).map(|at| f32::from_bits(bits(at, 4) << 16)).collect() }
}

fn to_bf16(x: f32) -> f32 {
    let bits = x.to_bits();
    if x.is_finite() { f32::from_bits((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000) } else { x }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let file = std::fs::read_to_string(arguments.get(1).map_or("rope.json", |one| one)).expect("rope.json");
    let promise = arguments.get(2).map_or("rounded-table", |one| one);
    let (mut group, mut held, mut failed, mut undecided) = ("", 0, 0, 0);
    for line in file.lines().filter(|one| one.starts_with("{\"id\":")) {
        if line.contains("\"cases\":") { group = line; continue; }
        let dtype = text(group, "dtype").unwrap();
        let is_left_out = group.contains("\"pairs_out\"") || line.contains("\"backward\"") || line.contains("\"unit\"");
        if text(group, "operation") != Some("rotate") || !["f32", "bf16"].contains(&dtype) || is_left_out { continue; }
        let get = |key| numbers(text(group, key).unwrap());
        let (pairs, inv_freq, factor) = (get("pairs"), get("inv_freq_decimal"), get("attention_factor_decimal")[0]);
        let rule = group.split("{\"promise\":\"").find(|one| one.starts_with(&format!("{promise}\""))).expect("no such promise");
        let (relative, absolute) = (numbers(text(rule, "relative").unwrap())[0], numbers(text(rule, "absolute").unwrap())[0]);
        let grown = text(rule, "per_position").map_or(vec![0.0; inv_freq.len()], numbers);
        let (shape, positions) = (numbers(text(line, "shape").unwrap()), numbers(text(line, "positions").unwrap()));
        let (heads, width) = (shape[2] as usize, shape[3] as usize);
        let (x, expected) = (data(text(line, "x").unwrap(), dtype == "f32"), data(text(line, "expected").unwrap(), dtype == "f32"));
        let (mut is_right, mut decided) = (true, 0);
        for head in 0..x.len() / width {
            let (input, right) = (&x[head * width..][..width], &expected[head * width..][..width]);
            let mut y = input.to_vec();
            rope(&mut y, positions[head / heads], &pairs, &inv_freq, factor);
            if dtype == "bf16" { y = y.into_iter().map(to_bf16).collect(); }
            let passes = |c: &usize| !pairs.contains(&(*c as f64));
            is_right &= (0..width).filter(passes).all(|c| y[c].to_bits() == right[c].to_bits());
            for (pair, c) in pairs.chunks(2).map(|one| [one[0] as usize, one[1] as usize]).enumerate() {
                let bound = relative + grown[pair] * positions[head / heads].abs();
                if bound >= 1.0 { continue; } // zeros would be right, too
                let size = (input[c[0]] as f64).hypot(input[c[1]] as f64);
                let gap = c.map(|c| y[c] as f64 - right[c] as f64);
                is_right &= if size.is_finite() && c.iter().all(|&c| right[c].is_finite()) {
                    gap[0].hypot(gap[1]) <= bound * size + absolute
                } else {
                    c.iter().all(|&c| if right[c].is_finite() { y[c].is_finite() } else { right[c].is_nan() || y[c] == right[c] })
                };
                decided += 1;
            }
        }
        if !is_right { println!("{} breaks {promise}; flags: {}", text(line, "id").unwrap(), text(line, "flags").unwrap()); }
        *(if !is_right { &mut failed } else if decided > 0 { &mut held } else { &mut undecided }) += 1;
    }
    println!("{promise}: {held} cases hold, {failed} fail, {undecided} undecided");
    std::process::exit(if failed > 0 { 1 } else if held > 0 { 0 } else { 2 });
}
