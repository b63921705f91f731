#include "diagnosis/answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/judge/exact_pair.hpp"

namespace ropewalk::diagnosis {
namespace {

template <class Kernel, class Ask>
answer answered(const Kernel& kernel, Ask ask) {
  const default_floating_environment judges_own;
  call_record record;
  try {
    return {with_every_answer(kernel, record, ask), ROPEWALK_OK, {}};
  } catch (const unanswered_call&) {
    throw;
  } catch (const kernel_trouble& trouble) {
    return {std::nullopt, trouble.status(), trouble.what()};
  }
}

template <floating_format Float>
double value_of(std::uint64_t bits) {
  return from_bits<double>(convert<double, Float>(static_cast<bits_of<Float>>(bits)));
}

/// The two channels of a rotated pair, as a vector.
struct vector_of_pair {
  double first = 0, second = 0;

  double norm() const { return std::hypot(first, second); }
  bool is_finite() const { return std::isfinite(first) && std::isfinite(second); }
  friend vector_of_pair operator-(const vector_of_pair& a, const vector_of_pair& b) {
    return {a.first - b.first, a.second - b.second};
  }
};

/// The largest distance between two answers that keep a bound.
double allowed(const pair_bound& bound, double size) { return 2 * (bound.relative * size + bound.absolute); }

/// Appends the elements of one tensor whose bits differ, in the channels for which `takes(channel)` is true.
template <floating_format Float, class Takes>
void add_other_bits(const law_case& test_case, operand which, const rotated& a, const rotated& b,
                    const Takes& takes, std::vector<element>& to) {
  const auto &of_a = elements_of(a, which), &of_b = elements_of(b, which);
  const std::int64_t heads = heads_of(test_case, which);
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (same_bits<Float>(static_cast<bits_of<Float>>(of_a[i]), static_cast<bits_of<Float>>(of_b[i])))
      continue;
    const auto at = static_cast<std::int64_t>(i), head = at / test_case.head_dim, token = head / heads;
    const auto channel = static_cast<int>(at % test_case.head_dim);
    if (!takes(channel)) continue;
    const std::int64_t row = token / test_case.tokens;
    to.push_back({{which, row, token % test_case.tokens, head % heads, -1, channel,
                   position_of(test_case, row, token % test_case.tokens)},
                  i});
  }
}

template <floating_format Float>
vector_of_pair vector_at(const std::vector<std::uint64_t>& elements, std::size_t start,
                         channel_pair channels) {
  return {value_of<Float>(elements[start + static_cast<std::size_t>(channels.first)]),
          value_of<Float>(elements[start + static_cast<std::size_t>(channels.second)])};
}

/// The bound of the fastest pair that contains one of two channels, in either pairing. A kernel may confuse
/// the pairings; its errors are then those of the angles that it forms.
template <floating_format Float>
pair_bound bound_of_channels(const checked_rotation& judged, channel_pair out, double position, int pair,
                             bool unit) {
  const int pairs = judged.pairs();
  pair_bound bound = judged.accuracy_at<Float>(position, pair, unit);
  const int begin = judged.layout().rotary_begin;
  for (const int channel : {out.first - begin, out.second - begin})
    for (const int other : {channel % pairs, channel / 2})
      if (other < pair) {
        const pair_bound limit = judged.accuracy_at<Float>(position, other, unit);
        if (limit.relative > bound.relative) bound = limit;
      }
  return bound;
}

/// The largest bound of any pair, if axes have their own frequencies: a kernel may use another pair's
/// frequency. Zero otherwise.
template <floating_format Float>
pair_bound bound_of_own_axes(const checked_rotation& judged, double position, bool unit) {
  pair_bound bound{};
  for (int pair = 0; judged.has_own_axes_alone() && pair < judged.pairs(); ++pair) {
    const pair_bound limit = judged.accuracy_at<Float>(position, pair, unit);
    if (limit.relative > bound.relative) bound = limit;
  }
  return bound;
}

/// The largest finite norm of the pairs that contain two channels, in either pairing.
template <floating_format Float>
double size_in_either_pairing(const checked_rotation& judged, const law_case& test_case, operand tensor,
                              std::size_t start, channel_pair channels) {
  const int pairs = judged.pairs();
  double value = 0;
  const int begin = judged.layout().rotary_begin;
  for (const int channel : {channels.first - begin, channels.second - begin})
    for (const int other : {channel ^ 1, (channel + pairs) % (2 * pairs)}) {
      const double norm =
          vector_at<Float>(elements_of(test_case, tensor), start, {begin + channel, begin + other}).norm();
      if (std::isfinite(norm)) value = std::max(value, norm);
    }
  return value;
}

/// Pairs that differ by more than two kernels may within the bound, and pass-through channels that differ.
template <floating_format Float>
std::vector<element> distant_pairs(const checked_rotation& judged, const law_case& test_case,
                                   const rotated& a, const rotated& b) {
  std::vector<element> elements;
  const bool unit = (test_case.flags & ROPEWALK_UNIT) != 0;
  const double factor = unit ? 1 : judged.nearest_attention();
  // The farthest position of the call: a kernel may use that of another token or axis, with its error.
  double farthest = 0;
  for (const double position : test_case.positions) farthest = std::max(farthest, std::abs(position));
  const pair_bound of_any = bound_of_own_axes<Float>(judged, farthest, unit);
  for_each_pair(test_case, judged.pairs(), [&](place where) {
    const std::size_t start = head_start(test_case, where);
    const channel_pair out = judged.channels_out(where.pair);
    const vector_of_pair x =
        vector_at<Float>(elements_of(test_case, where.tensor), start, judged.channels_in(where.pair));
    const vector_of_pair ya = vector_at<Float>(elements_of(a, where.tensor), start, out),
                         yb = vector_at<Float>(elements_of(b, where.tensor), start, out);
    const double size =
        std::max({factor * x.norm(), ya.norm(), yb.norm(),
                  factor * size_in_either_pairing<Float>(judged, test_case, where.tensor, start, out)});
    if (!x.is_finite() || !(factor * x.norm() < largest_rotated_norm<Float>)) return;
    if (ya.is_finite() != yb.is_finite()) {
      where.channel = out.first;
      elements.push_back({where, start + static_cast<std::size_t>(out.first)});
    } else if (ya.is_finite()) {
      pair_bound bound = bound_of_channels<Float>(judged, out, farthest, where.pair, unit);
      if (of_any.relative > bound.relative) bound = of_any;
      if (!((ya - yb).norm() > allowed(bound, size))) return;
      where.channel = out.first;
      elements.push_back({where, start + static_cast<std::size_t>(out.first)});
    }
  });
  for (const operand which : {operand::query, operand::key})
    add_other_bits<Float>(
        test_case, which, a, b, [&](int channel) { return !judged.rotates(channel); }, elements);
  return elements;
}

template <floating_format Float>
std::vector<element> distant_sums(const checked_addition& judged, const law_case& test_case, const rotated& a,
                                  const rotated& b) {
  std::vector<element> elements;
  for_each_head(test_case, [&](place where) {
    const std::size_t start = head_start(test_case, where);
    for (where.channel = 0; where.channel < judged.truth().added(); ++where.channel) {
      const std::size_t at = start + static_cast<std::size_t>(where.channel);
      const double x = value_of<Float>(test_case.query[at]), ya = value_of<Float>(a.query[at]),
                   yb = value_of<Float>(b.query[at]);
      if (!std::isfinite(x)) continue;
      if (std::isfinite(ya) != std::isfinite(yb) ||
          (std::isfinite(ya) &&
           std::abs(ya - yb) > allowed(addition_bound<Float>(judged.promised()),
                                       std::abs(x) + std::max(std::abs(ya - x), std::abs(yb - x)))))
        elements.push_back({where, at});
    }
  });
  const int added = judged.truth().added();
  add_other_bits<Float>(
      test_case, operand::query, a, b, [&](int channel) { return channel >= added; }, elements);
  return elements;
}

template <floating_format Float>
std::vector<element> other_bits(const law_case& test_case, const rotated& a, const rotated& b) {
  std::vector<element> elements;
  for (const operand which : {operand::query, operand::key})
    add_other_bits<Float>(
        test_case, which, a, b, [](int) { return true; }, elements);
  return elements;
}

/// Fills in the pair of each element in a rotated channel.
void name_pairs(const checked_rotation& judged, std::vector<element>& elements) {
  std::map<int, int> pair_of;
  for (int pair = 0; pair < judged.pairs(); ++pair) {
    const channel_pair out = judged.channels_out(pair);
    pair_of[out.first] = pair_of[out.second] = pair;
  }
  for (element& bits : elements)
    if (judged.rotates(bits.where.channel)) bits.where.pair = pair_of.at(bits.where.channel);
}

}  // namespace

answer answer_of(const checked_rotation& kernel, const law_case& test_case, const call_form& form) {
  return answered(kernel, [&](const checked_rotation& asked) { return asked.turned(test_case, form); });
}

answer answer_of(const checked_addition& kernel, const law_case& test_case, const call_form& form) {
  return answered(kernel, [&](const checked_addition& asked) { return asked.sums(test_case, form); });
}

std::vector<element> other_bits_in(const checked_rotation& judged, const law_case& test_case,
                                   const rotated& a, const rotated& b) {
  std::vector<element> bits =
      with_format(test_case.dtype, [&]<class Float>() { return other_bits<Float>(test_case, a, b); });
  name_pairs(judged, bits);
  for (element& word : bits)  // the position on the pair's axis
    if (word.where.pair >= 0)
      word.where.position =
          position_of(test_case, word.where.row, word.where.token, axis_of(test_case, word.where.pair));
  return bits;
}

std::vector<element> other_bits_in(const checked_addition& /*judged*/, const law_case& test_case,
                                   const rotated& a, const rotated& b) {
  return with_format(test_case.dtype, [&]<class Float>() { return other_bits<Float>(test_case, a, b); });
}

std::vector<element> differences(const checked_rotation& judged, const law_case& test_case, const rotated& a,
                                 const rotated& b) {
  std::vector<element> differences = with_format(test_case.dtype, [&]<class Float>() {
    if (promises_bits(judged.promised())) return other_bits<Float>(test_case, a, b);
    if (!judged.has_bound(test_case.dtype)) return std::vector<element>{};
    return distant_pairs<Float>(judged, test_case, a, b);
  });
  name_pairs(judged, differences);
  return differences;
}

std::vector<element> differences(const checked_addition& judged, const law_case& test_case, const rotated& a,
                                 const rotated& b) {
  return with_format(test_case.dtype, [&]<class Float>() {
    return promises_bits(judged.promised()) ? other_bits<Float>(test_case, a, b)
                                            : distant_sums<Float>(judged, test_case, a, b);
  });
}

}  // namespace ropewalk::diagnosis
