// A kernel as a JavaScript program. Dense binary32 and binary64 heads of either pairing, angles in binary64.
// With the argument "wrong", the token's index is taken for its position.
import fs from "node:fs";

const isWrong = process.argv[2] === "wrong";
const plans = new Map();

/** Reads `count` bytes; null at the end of the input. */
function read(count) {
  const bytes = Buffer.alloc(count);
  for (let done = 0; done < count;) {
    let came = 0;
    try {
      came = fs.readSync(0, bytes, done, count - done);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      continue;
    }
    if (came === 0) return null;
    done += came;
  }
  return bytes;
}

function write(bytes) {
  for (let done = 0; done < bytes.length;) {
    try {
      done += fs.writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** The next message: its words, and its tensors with their bytes. */
function receive() {
  const head = read(8);
  if (head === null) return null;
  const { __metadata__: words, ...tensors } = JSON.parse(read(Number(head.readBigUInt64LE())).toString());
  const end = Math.max(0, ...Object.values(tensors).map((one) => one.data_offsets[1]));
  const data = read(end);
  for (const one of Object.values(tensors)) one.bytes = Uint8Array.from(data.subarray(...one.data_offsets)).buffer;
  return { words, tensors };
}

function send(words, tensors = {}) {
  const header = { __metadata__: words };
  const parts = [];
  let end = 0;
  for (const [name, one] of Object.entries(tensors)) {
    header[name] = { dtype: one.dtype, shape: one.shape, data_offsets: [end, end + one.bytes.byteLength] };
    end += one.bytes.byteLength;
    parts.push(Buffer.from(one.bytes));
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  write(Buffer.concat([length, text, ...parts]));
}

/** Rotates one tensor in place. */
function rotate(plan, tensor, positions, flags) {
  const x = tensor.dtype === "F64" ? new Float64Array(tensor.bytes) : new Float32Array(tensor.bytes);
  const [, tokens, heads, headDim] = tensor.shape;
  const factor = flags.includes("unit") ? 1 : plan.attentionFactor;
  const half = plan.rotaryDim / 2;
  for (let token = 0; token < positions.length; ++token) {
    const position = isWrong ? token % tokens : positions[token];
    for (let pair = 0; pair < half; ++pair) {
      const angle = position * plan.invFreq[pair];
      const cos = Math.fround(factor * Math.cos(angle));
      const sin = Math.fround(factor * Math.sin(angle)) * (flags.includes("backward") ? -1 : 1);
      const [i, j] = plan.isInterleaved ? [2 * pair, 2 * pair + 1] : [pair, pair + half];
      for (let head = 0; head < heads; ++head) {
        const at = (token * heads + head) * headDim;
        const a = x[at + i];
        const b = x[at + j];
        x[at + i] = a * cos - b * sin;  // products and sum in binary64, rounded when stored
        x[at + j] = a * sin + b * cos;
      }
    }
  }
}

const kernels = [{ name: "node-rope", promise: "angle-f64", dtypes: ["f64", "f32"], crossing: false, axes: 1 }];

for (let message; (message = receive()) !== null;) {
  const { words, tensors } = message;
  if (words.request === "describe") {
    send({ status: "ok", protocol: "1", kernels: JSON.stringify(kernels) });
  } else if (words.request === "plan") {
    plans.set(words.plan, {
      invFreq: new Float64Array(tensors.inv_freq.bytes),
      rotaryDim: Number(words.rotary_dim),
      attentionFactor: Number(words.attention_factor),
      isInterleaved: words.pairing_in === "interleaved",
    });
    send({ status: "ok" });
  } else {
    const { positions, ...turned } = tensors;
    const at = new Int32Array(positions.bytes);
    for (const one of Object.values(turned)) rotate(plans.get(words.plan), one, at, words.flags.split(" "));
    send({ status: "ok" }, turned);
  }
}
