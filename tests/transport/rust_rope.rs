//! A kernel as a Rust program, with the standard library alone: every number that it needs stands behind a known
//! key. Dense binary32 heads, interleaved. With the argument "wrong", the attention factor is left out.
use std::collections::HashMap;
use std::io::{self, Read, Write};

struct Plan {
    rotary_dim: usize,
    attention_factor: f64,
    inv_freq: Vec<f64>,
}

struct Message {
    header: String,
    data: Vec<u8>,
}

struct Tensor {
    shape: Vec<usize>,
    begin: usize,
    end: usize,
}

impl Message {
    /// The next message; None at the end of the input.
    fn receive(from: &mut impl Read) -> io::Result<Option<Message>> {
        let mut length = [0u8; 8];
        if from.read_exact(&mut length).is_err() {
            return Ok(None);
        }
        let mut text = vec![0u8; u64::from_le_bytes(length) as usize];
        from.read_exact(&mut text)?;
        let header = String::from_utf8(text).expect("UTF-8");
        let bytes = header
            .split("\"data_offsets\":[")
            .skip(1)
            .map(|rest| numbers(rest)[1])
            .max()
            .unwrap_or(0);
        let mut data = vec![0u8; bytes];
        from.read_exact(&mut data)?;
        Ok(Some(Message { header, data }))
    }

    /// The text behind a key of the words, which are strings without quotes in them.
    fn word(&self, key: &str) -> &str {
        let start = format!("\"{}\":\"", key);
        self.header
            .split_once(start.as_str())
            .map_or("", |(_, rest)| rest.split('"').next().unwrap_or(""))
    }

    fn tensor(&self, name: &str) -> Option<Tensor> {
        let (_, about) = self.header.split_once(format!("\"{}\":{{", name).as_str())?;
        let shape = numbers(about.split_once("\"shape\":[")?.1);
        let offsets = numbers(about.split_once("\"data_offsets\":[")?.1);
        Some(Tensor { shape, begin: offsets[0], end: offsets[1] })
    }
}

/// The whole numbers up to the next closing bracket.
fn numbers(text: &str) -> Vec<usize> {
    let list = text.split(']').next().unwrap_or("");
    list.split(',').filter_map(|one| one.trim().parse().ok()).collect()
}

fn send(to: &mut impl Write, header: &str, data: &[u8]) -> io::Result<()> {
    to.write_all(&(header.len() as u64).to_le_bytes())?;
    to.write_all(header.as_bytes())?;
    to.write_all(data)?;
    to.flush()
}

fn rotate(plan: &Plan, bytes: &mut [u8], shape: &[usize], positions: &[i32], factor: f64, backward: bool) {
    let (heads, head_dim) = (shape[2], shape[3]);
    let load = |bytes: &[u8], at: usize| f32::from_le_bytes(bytes[4 * at..4 * at + 4].try_into().unwrap());
    for (token, position) in positions.iter().enumerate() {
        for pair in 0..plan.rotary_dim / 2 {
            let angle = f64::from(*position) * plan.inv_freq[pair];
            let cos = (factor * angle.cos()) as f32;
            let sin = (factor * angle.sin()) as f32 * if backward { -1.0 } else { 1.0 };
            for head in 0..heads {
                let at = (token * heads + head) * head_dim + 2 * pair;
                let (x, y) = (load(bytes, at), load(bytes, at + 1));
                bytes[4 * at..4 * at + 4].copy_from_slice(&(x * cos - y * sin).to_le_bytes());
                bytes[4 * at + 4..4 * at + 8].copy_from_slice(&(x * sin + y * cos).to_le_bytes());
            }
        }
    }
}

fn main() -> io::Result<()> {
    const KERNELS: &str = r#"[{\"name\":\"rust-rope\",\"promise\":\"angle-f64\",\"dtypes\":[\"f32\"],\"pairing\":\"interleaved\",\"axes\":1}]"#;
    let is_wrong = std::env::args().nth(1).as_deref() == Some("wrong");
    let (mut from, mut to) = (io::stdin().lock(), io::stdout().lock());
    let mut plans: HashMap<String, Plan> = HashMap::new();
    while let Some(mut message) = Message::receive(&mut from)? {
        let id = message.word("plan").to_string();
        match message.word("request") {
            "describe" => {
                let words = format!("{{\"__metadata__\":{{\"status\":\"ok\",\"protocol\":\"1\",\"kernels\":\"{}\"}}}}", KERNELS);
                send(&mut to, &words, &[])?;
            }
            "plan" => {
                let at = message.tensor("inv_freq").expect("inv_freq");
                let inv_freq = message.data[at.begin..at.end].chunks(8);
                let plan = Plan {
                    rotary_dim: message.word("rotary_dim").parse().expect("rotary_dim"),
                    attention_factor: message.word("attention_factor").parse().expect("attention_factor"),
                    inv_freq: inv_freq.map(|one| f64::from_le_bytes(one.try_into().unwrap())).collect(),
                };
                plans.insert(id, plan);
                send(&mut to, "{\"__metadata__\":{\"status\":\"ok\"}}", &[])?;
            }
            _ => {
                let plan = &plans[&id];
                let flags = message.word("flags").to_string();
                let factor = if is_wrong || flags.contains("unit") { 1.0 } else { plan.attention_factor };
                let at = message.tensor("positions").expect("positions");
                let positions: Vec<i32> = message.data[at.begin..at.end]
                    .chunks(4)
                    .map(|one| i32::from_le_bytes(one.try_into().unwrap()))
                    .collect();
                let mut header = String::from("{\"__metadata__\":{\"status\":\"ok\"}");
                let mut end = 0;
                for name in ["query", "key"] {
                    if let Some(one) = message.tensor(name) {
                        rotate(plan, &mut message.data[one.begin..one.end], &one.shape, &positions, factor, flags.contains("backward"));
                        header += &format!(
                            ",\"{}\":{{\"dtype\":\"F32\",\"shape\":{:?},\"data_offsets\":[{},{}]}}",
                            name, one.shape, one.begin, one.end
                        );
                        end = end.max(one.end);
                    }
                }
                header.push('}');
                send(&mut to, &header, &message.data[..end])?;
            }
        }
    }
    Ok(())
}
