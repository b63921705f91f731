// Judges a rope in JavaScript by rope.json, in f32 and bf16: node check_vectors.mjs [promise]. License: BSL-1.0.
import {readFileSync} from "node:fs";

// Yours: x are the numbers of one head; the group says how its pairs turn. Return the numbers of the output.
function rope(x, position, group, {unit, backward}) {
  const y = x.slice(), out = group.pairs_out ?? group.pairs, factor = unit ? 1 : group.attention_factor_decimal;
  group.pairs.forEach(([a, b], pair) => {
    const angle = (backward ? -position : position) * group.inv_freq_decimal[pair];
    const c = factor * Math.cos(angle), s = factor * Math.sin(angle);
    y[out[pair][0]] = x[a] * c - x[b] * s;
    y[out[pair][1]] = x[a] * s + x[b] * c;
  });
  return y;
}

const word = new DataView(new ArrayBuffer(4));
const numberOf = bits => (word.setUint32(0, bits), word.getFloat32(0));
const read = {f32: digits => numberOf(parseInt(digits, 16)), bf16: digits => numberOf(parseInt(digits, 16) * 65536)};
const rounded = {f32: Math.fround, bf16: x => {  // to nearest, ties to even; of numbers of f32
  word.setFloat32(0, x);
  const bits = word.getUint32(0);
  return Number.isFinite(x) ? numberOf((bits + 0x7fff + (bits >>> 16 & 1) & 0xffff0000) >>> 0) : x;
}};

// The pairs that a rule decides, or -1 if the output y of a head is wrong.
function decided(rule, group, x, position, y, expected) {
  if (rule.rule === "bits") return y.every((one, c) => Object.is(one, expected[c])) ? group.pairs.length : -1;
  const out = group.pairs_out ?? group.pairs, turned = new Set(out.flat());
  if (!y.every((one, c) => turned.has(c) || Object.is(one, expected[c]))) return -1;  // passes through
  let count = 0;
  for (const [pair, [a, b]] of group.pairs.entries()) {
    const factor = rule.relative + (rule.per_position?.[pair] ?? 0) * Math.abs(position);
    if (factor >= 1) continue;  // zeros would be right, too
    const right = out[pair].map(c => expected[c]), got = out[pair].map(c => y[c]), size = Math.hypot(x[a], x[b]);
    const isRight = [size, ...right].every(Number.isFinite)
      ? Math.hypot(got[0] - right[0], got[1] - right[1]) <= factor * size + rule.absolute
      : right.every((one, i) => Number.isFinite(one) ? Number.isFinite(got[i]) : Number.isNaN(one) || one === got[i]);
    if (!isRight) return -1;
    ++count;
  }
  return count;
}

const promise = process.argv[2] ?? "rounded-table", tally = {holds: 0, fails: 0, undecided: 0};
const {groups, flags} = JSON.parse(readFileSync(new URL("rope.json", import.meta.url)));
for (const group of groups.filter(one => one.dtype in read)) {
  const rule = group.accept.find(one => one.promise === promise);
  if (rule === undefined) throw new Error(`promise is ${promise}; allowed: ${group.accept.map(one => one.promise)}`);
  const numbers = text => text.match(group.dtype === "f32" ? /.{8}/g : /.{4}/g).map(read[group.dtype]);
  for (const one of group.cases) {
    const [, , heads, width] = one.shape, [x, expected] = [one.x, one.expected].map(numbers), counts = [];
    for (let start = 0; start < x.length; start += width) {
      const position = one.positions[0][Math.floor(start / width / heads)], head = x.slice(start, start + width);
      const y = rope(head, position, group, one).map(Math.fround).map(rounded[group.dtype]);
      counts.push(decided(rule, group, head, position, y, expected.slice(start, start + width)));
    }
    const word = counts.includes(-1) ? "fails" : counts.some(count => count > 0) ? "holds" : "undecided";
    ++tally[word];
    if (word !== "fails") continue;
    console.log(`${one.id} breaks ${promise}, first in head ${counts.indexOf(-1)} of all tokens`);
    for (const name of one.flags) console.log(`  ${name} hunts: ${flags[name].hunts}; wrong here means: ${flags[name].wrong_means}`);
  }
}
console.log(`${promise}: ${tally.holds} cases hold, ${tally.fails} fail, ${tally.undecided} undecided`);
process.exit(tally.fails ? 1 : tally.holds ? 0 : 2);
