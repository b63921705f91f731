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

template <class Ask>
answer answered(Ask ask) {
  const default_floating_environment judges_own;
  try {
    return {with_every_answer(ask), ROPEWALK_OK, {}};
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

/// The largest distance between two answers that both keep a bound.
double allowed(const pair_bound& bound, double size) { return 2 * (bound.relative * size + bound.absolute); }

/// Appends the elements of one tensor whose bits differ, in the channels for which `takes(channel)` is true.
template <floating_format Float, class Takes>
void add_other_bits(const law_case& given, operand which, const rotated& a, const rotated& b,
                    const Takes& takes, std::vector<element>& to) {
  const auto &of_a = elements_of(a, which), &of_b = elements_of(b, which);
  const std::int64_t heads = heads_of(given, which);
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (same_bits<Float>(static_cast<bits_of<Float>>(of_a[i]), static_cast<bits_of<Float>>(of_b[i])))
      continue;
    const auto at = static_cast<std::int64_t>(i), head = at / given.head_dim, token = head / heads;
    const auto channel = static_cast<int>(at % given.head_dim);
    if (!takes(channel)) continue;
    const std::int64_t row = token / given.tokens;
    to.push_back({{which, row, token % given.tokens, head % heads, -1, channel,
                   position_of(given, row, token % given.tokens)},
                  i});
  }
}

template <floating_format Float>
vector_of_pair vector_at(const std::vector<std::uint64_t>& elements, std::size_t start,
                         channel_pair channels) {
  return {value_of<Float>(elements[start + static_cast<std::size_t>(channels.first)]),
          value_of<Float>(elements[start + static_cast<std::size_t>(channels.second)])};
}

/// The bound of the fastest pair that one of two channels belongs to, in either pairing: a kernel may confuse
/// the pairings, and errs as the angles do that it forms.
template <floating_format Float>
pair_bound bound_of_channels(const checked_rotation& judged, channel_pair out, double position, int pair,
                             bool unit) {
  const int pairs = judged.pairs();
  pair_bound r = judged.accuracy_at<Float>(position, pair, unit);
  const int begin = judged.layout().rotary_begin;
  for (const int channel : {out.first - begin, out.second - begin})
    for (const int other : {channel % pairs, channel / 2})
      if (other < pair) {
        const pair_bound found = judged.accuracy_at<Float>(position, other, unit);
        if (found.relative > r.relative) r = found;
      }
  return r;
}

/// The largest bound of any pair, for axes that have frequencies of their own: a kernel may give a pair those
/// of another. Nothing elsewhere.
template <floating_format Float>
pair_bound bound_of_own_axes(const checked_rotation& judged, double position, bool unit) {
  pair_bound r{};
  for (int pair = 0; judged.has_own_axes_alone() && pair < judged.pairs(); ++pair) {
    const pair_bound found = judged.accuracy_at<Float>(position, pair, unit);
    if (found.relative > r.relative) r = found;
  }
  return r;
}

/// The largest norm of the pairs that two channels belong to, in either pairing. Not finite numbers are none.
template <floating_format Float>
double size_in_either_pairing(const checked_rotation& judged, const law_case& given, operand tensor,
                              std::size_t start, channel_pair channels) {
  const int pairs = judged.pairs();
  double r = 0;
  const int begin = judged.layout().rotary_begin;
  for (const int channel : {channels.first - begin, channels.second - begin})
    for (const int other : {channel ^ 1, (channel + pairs) % (2 * pairs)}) {
      const double norm =
          vector_at<Float>(elements_of(given, tensor), start, {begin + channel, begin + other}).norm();
      if (std::isfinite(norm)) r = std::max(r, norm);
    }
  return r;
}

/// Pairs that differ by more than the bound allows two kernels, and pass-through channels that differ.
template <floating_format Float>
std::vector<element> distant_pairs(const checked_rotation& judged, const law_case& given, const rotated& a,
                                   const rotated& b) {
  std::vector<element> r;
  const bool unit = (given.flags & ROPEWALK_UNIT) != 0;
  const double factor = unit ? 1 : judged.nearest_attention();
  // The farthest position of the call: a kernel may read another token's or axis's, and err accordingly.
  double farthest = 0;
  for (const double one : given.positions) farthest = std::max(farthest, std::abs(one));
  const pair_bound of_any = bound_of_own_axes<Float>(judged, farthest, unit);
  for_each_pair(given, judged.pairs(), [&](place where) {
    const std::size_t start = head_start(given, where);
    const channel_pair out = judged.channels_out(where.pair);
    const vector_of_pair x =
        vector_at<Float>(elements_of(given, where.tensor), start, judged.channels_in(where.pair));
    const vector_of_pair ya = vector_at<Float>(elements_of(a, where.tensor), start, out),
                         yb = vector_at<Float>(elements_of(b, where.tensor), start, out);
    const double size =
        std::max({factor * x.norm(), ya.norm(), yb.norm(),
                  factor * size_in_either_pairing<Float>(judged, given, where.tensor, start, out)});
    if (!x.is_finite() || !(factor * x.norm() < largest_rotated_norm<Float>)) return;
    if (ya.is_finite() != yb.is_finite()) {
      where.channel = out.first;
      r.push_back({where, start + static_cast<std::size_t>(out.first)});
    } else if (ya.is_finite()) {
      pair_bound bound = bound_of_channels<Float>(judged, out, farthest, where.pair, unit);
      if (of_any.relative > bound.relative) bound = of_any;
      if (!((ya - yb).norm() > allowed(bound, size))) return;
      where.channel = out.first;
      r.push_back({where, start + static_cast<std::size_t>(out.first)});
    }
  });
  for (const operand which : {operand::query, operand::key})
    add_other_bits<Float>(
        given, which, a, b, [&](int channel) { return !judged.rotates(channel); }, r);
  return r;
}

template <floating_format Float>
std::vector<element> distant_sums(const checked_addition& judged, const law_case& given, const rotated& a,
                                  const rotated& b) {
  std::vector<element> r;
  for_each_head(given, [&](place where) {
    const std::size_t start = head_start(given, where);
    for (where.channel = 0; where.channel < judged.truth().added(); ++where.channel) {
      const std::size_t at = start + static_cast<std::size_t>(where.channel);
      const double x = value_of<Float>(given.query[at]), ya = value_of<Float>(a.query[at]),
                   yb = value_of<Float>(b.query[at]);
      if (!std::isfinite(x)) continue;
      if (std::isfinite(ya) != std::isfinite(yb) ||
          (std::isfinite(ya) &&
           std::abs(ya - yb) > allowed(addition_bound<Float>(judged.promised()),
                                       std::abs(x) + std::max(std::abs(ya - x), std::abs(yb - x)))))
        r.push_back({where, at});
    }
  });
  const int added = judged.truth().added();
  add_other_bits<Float>(
      given, operand::query, a, b, [&](int channel) { return channel >= added; }, r);
  return r;
}

template <floating_format Float>
std::vector<element> other_bits(const law_case& given, const rotated& a, const rotated& b) {
  std::vector<element> r;
  for (const operand which : {operand::query, operand::key})
    add_other_bits<Float>(
        given, which, a, b, [](int) { return true; }, r);
  return r;
}

/// Fills in the pair of each element in a rotated channel.
void name_pairs(const checked_rotation& judged, std::vector<element>& of) {
  std::map<int, int> pair_of;
  for (int pair = 0; pair < judged.pairs(); ++pair) {
    const channel_pair out = judged.channels_out(pair);
    pair_of[out.first] = pair_of[out.second] = pair;
  }
  for (element& one : of)
    if (judged.rotates(one.where.channel)) one.where.pair = pair_of.at(one.where.channel);
}

}  // namespace

answer answer_of(const checked_rotation& kernel, const law_case& given, const call_form& form) {
  return answered([&] { return kernel.turned(given, form); });
}

answer answer_of(const checked_addition& kernel, const law_case& given, const call_form& form) {
  return answered([&] { return kernel.sums(given, form); });
}

std::vector<element> other_bits_in(const checked_rotation& judged, const law_case& given, const rotated& a,
                                   const rotated& b) {
  std::vector<element> r =
      with_format(given.dtype, [&]<class Float>() { return other_bits<Float>(given, a, b); });
  name_pairs(judged, r);
  for (element& one : r)  // that on the pair's own axis
    if (one.where.pair >= 0)
      one.where.position = position_of(given, one.where.row, one.where.token, axis_of(given, one.where.pair));
  return r;
}

std::vector<element> other_bits_in(const checked_addition& /*judged*/, const law_case& given,
                                   const rotated& a, const rotated& b) {
  return with_format(given.dtype, [&]<class Float>() { return other_bits<Float>(given, a, b); });
}

std::vector<element> differences(const checked_rotation& judged, const law_case& given, const rotated& a,
                                 const rotated& b) {
  std::vector<element> r = with_format(given.dtype, [&]<class Float>() {
    if (promises_bits(judged.promised())) return other_bits<Float>(given, a, b);
    if (!judged.has_bound(given.dtype)) return std::vector<element>{};
    return distant_pairs<Float>(judged, given, a, b);
  });
  name_pairs(judged, r);
  return r;
}

std::vector<element> differences(const checked_addition& judged, const law_case& given, const rotated& a,
                                 const rotated& b) {
  return with_format(given.dtype, [&]<class Float>() {
    return promises_bits(judged.promised()) ? other_bits<Float>(given, a, b)
                                            : distant_sums<Float>(judged, given, a, b);
  });
}

}  // namespace ropewalk::diagnosis
