#include "bench/result_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/kernel/canonical.hpp"

namespace ropewalk::bench {
namespace {

/// Some tokens and heads of a call: a case with their elements, and the kernel's output for them.
struct sample {
  law_case test_case{};
  rotated done{};
};

std::vector<std::int64_t> some_of(std::int64_t count) {
  std::vector<std::int64_t> some{0, 1, count / 2, count - 1};
  std::sort(some.begin(), some.end());
  some.erase(std::unique(some.begin(), some.end()), some.end());
  std::erase_if(some, [&](std::int64_t i) { return i >= count; });
  return some;
}

std::vector<std::int64_t> ends_of(std::int64_t count) {
  return count == 1 ? std::vector<std::int64_t>{0} : std::vector<std::int64_t>{0, count - 1};
}

/// Appends the elements of one head.
template <floating_format Float>
void take_head(std::vector<std::uint64_t>& to, const std::byte* tensor, std::int64_t head, int width) {
  std::vector<bits_of<Float>> elements(static_cast<std::size_t>(width));
  const auto bytes = elements.size() * sizeof(bits_of<Float>);
  std::memcpy(elements.data(), tensor + static_cast<std::size_t>(head) * bytes, bytes);
  to.insert(to.end(), elements.begin(), elements.end());
}

/// Sets the positions of some tokens, and the axis of each pair.
void place_on_axes(law_case& to, const input::axis_positions& at, const std::vector<std::int64_t>& tokens,
                   const measured_rotation& rotation) {
  to.axes = at.axes;
  to.has_real_positions = at.is_real();
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(at.axes); ++axis)
    for (const std::int64_t token : tokens) to.positions.push_back(at.numbers_at(token)[axis]);
  for (int pair = 0; pair < pair_count(rotation.model.encoding) && at.axes > 1; ++pair)
    to.axis.push_back(axis_of(pair, rotation.model.axes, rotation.model.encoding).axis);
}

/// Samples tokens of the first and the last batch row, with the first and the last head of query and key.
template <floating_format Float>
sample sample_of(const rotation_case& rotation, const rotation_work& work) {
  const measured_rotation& measured = *rotation.measured;
  sample result;
  result.test_case.dtype = rotation.dtype;
  result.test_case.head_dim = measured.layout.head_dim;
  result.test_case.flags = rotation.flags;
  const auto query_heads = ends_of(measured.heads), key_heads = ends_of(std::max(measured.kv_heads, 1));
  result.test_case.query_heads = static_cast<std::int64_t>(query_heads.size());
  result.test_case.key_heads = measured.kv_heads == 0 ? 0 : static_cast<std::int64_t>(key_heads.size());
  const auto take = [&](const auto& heads, int head_count, std::int64_t token, std::size_t offset,
                        std::vector<std::uint64_t>& in, std::vector<std::uint64_t>& out) {
    for (const std::int64_t head : heads) {
      take_head<Float>(in, work.input() + offset, token * head_count + head, measured.layout.head_dim);
      take_head<Float>(out, work.output() + offset, token * head_count + head, measured.layout.head_dim);
    }
  };
  std::vector<std::int64_t> tokens;
  for (const std::int64_t row : ends_of(measured.batch))
    for (const std::int64_t token : some_of(rotation.tokens)) {
      const std::int64_t at = row * rotation.tokens + token;
      if (!measured.on_axes)
        result.test_case.positions.push_back(work.first_position() + static_cast<std::int32_t>(token));
      tokens.push_back(token);
      take(query_heads, measured.heads, at, 0, result.test_case.query, result.done.query);
      if (measured.kv_heads > 0)
        take(key_heads, measured.kv_heads, at, work.key_offset(), result.test_case.key, result.done.key);
    }
  result.test_case.tokens = static_cast<std::int64_t>(tokens.size());
  if (measured.on_axes) place_on_axes(result.test_case, measured.on_axes->positions, tokens, measured);
  return result;
}

/// Compares every rotated pair with the canonical one.
template <floating_format Float>
measurement judge_bits(const checked_rotation& kernel, const sample& sample) {
  canonical_rows<Float> rows(kernel, sample.test_case);
  measurement measured;
  for_each_pair(sample.test_case, kernel.pairs(), [&](const place& where) {
    const std::size_t start = head_start(sample.test_case, where);
    const auto x =
        pair_at<Float>(elements_of(sample.test_case, where.tensor), start, kernel.channels_in(where.pair));
    const auto y =
        pair_at<Float>(elements_of(sample.done, where.tensor), start, kernel.channels_out(where.pair));
    const bits_pair<Float> want = rotate_pair<Float>(x, rows.at(where));
    const bool equal = same_bits<Float>(want.first, y.first) && same_bits<Float>(want.second, y.second);
    record(measured, judge_equal(equal), where, [] { return evidence{}; });
  });
  return measured;
}

/// Compares every rotated pair with the bound of the kernel's promise.
template <floating_format Float>
measurement judge_bound(const checked_rotation& kernel, const sample& sample) {
  exact_turns turns(kernel);
  measurement measured;
  const bool is_turned_back = is_backward(sample.test_case);
  for_each_judged_pair<Float>(
      kernel, sample.test_case, sample.done, kernel.attention<2>(false),
      [&](const place& where, bits_pair<Float> x, bits_pair<Float> y) {
        const auto want = [&]<int N>() -> exact_output<N> {
          const cos_sin<N> by = turns.at<N>(where.pair, where.position);
          const exact_pair<N> input = exact<N, Float>(x);
          const enclosure<N> a = kernel.attention<N>(false);
          return {turned(input, is_turned_back ? backward(by) : by), a * a * squared_norm(input)};
        };
        judge_pair<Float>(measured, where, x, y, kernel.accuracy_at<Float>(where.position, where.pair, false),
                          want);
      });
  return measured;
}

/// Whether every number is finite, and every channel that does not rotate equals the input.
template <floating_format Float>
bool is_sound(const checked_rotation& kernel, const sample& sample) {
  const auto width = static_cast<std::size_t>(sample.test_case.head_dim);
  for (const operand which : {operand::query, operand::key}) {
    const auto &in = elements_of(sample.test_case, which), &out = elements_of(sample.done, which);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!is_finite<Float>(static_cast<bits_of<Float>>(out[i]))) return false;
      if (!kernel.rotates(static_cast<int>(i % width)) && in[i] != out[i]) return false;
    }
  }
  return true;
}

std::string place_text(const measurement& measured) {
  return fmt::format("at position {}, pair {}", measured.where.position, measured.where.pair);
}

void say_bits(measure::bench_row& row, const measurement& measured) {
  row.is_wrong = !measured.holds;
  row.check = measured.holds ? fmt::format("the canonical bits in {} pairs", measured.compared)
                             : "WRONG: bits differ from the canonical ones " + place_text(measured);
}

/// A recipe may exceed its bound: recipes show the errors of engines.
void say_bound(measure::bench_row& row, const measurement& measured) {
  row.is_wrong = !measured.holds && row.role != measure::kernel_role::recipe;
  if (!measured.holds)
    row.check = fmt::format("{}{:.3g} times its bound ", row.is_wrong ? "WRONG: " : "", measured.worst) +
                place_text(measured);
  else if (measured.compared == 0)
    row.check = "finite; its bound allows any finite output here";
  else
    row.check =
        fmt::format("within its bound in {} pairs, at most {:.2f} of it", measured.compared, measured.worst);
}

template <floating_format Float>
void check(measure::bench_row& row, const rotation_case& rotation, const rotation_work& work) {
  const promise promised = promise_of(*rotation.kernel.entry);
  const placed_rope placed = rotation.measured->placed_encoding();
  const checked_rotation kernel(*rotation.kernel.entry, promised, placed.encoding, rotation.measured->layout,
                                {.axes = placed.axes, .coordinates = placed.coordinates});
  const sample sample = sample_of<Float>(rotation, work);
  if (!is_sound<Float>(kernel, sample)) {
    row.is_wrong = true;
    row.check = "WRONG: a number is not finite, or a channel that does not rotate is changed";
  } else if (promised.bits == ROPEWALK_CANONICAL) {
    say_bits(row, judge_bits<Float>(kernel, sample));
  } else if (kernel.has_bound(rotation.dtype)) {
    say_bound(row, judge_bound<Float>(kernel, sample));
  } else {
    row.check = "finite; its promise has no bound";
  }
}

}  // namespace

void check_result(measure::bench_row& row, const rotation_case& rotation, rotation_work& work) {
  work.copy();  // a case in place starts from the input
  work.turn();
  with_format(rotation.dtype, [&]<class Float>() { check<Float>(row, rotation, work); });
}

}  // namespace ropewalk::bench
