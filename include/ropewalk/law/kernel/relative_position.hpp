#pragma once
// Relative position: the score of a query and a key depends only on the distance of their positions. Su et
// al. 2021, sec. 3.4.2: (R_m q) . (R_n k) = q . R_(n-m) k; with an attention factor, a^2 times that.

#include <algorithm>
#include <cstdint>

#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/kernel/exact_turns.hpp"
#include "ropewalk/law/kernel/score.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// a^2 q . R(distance) k, where distance_of(pair) is the distance on the pair's axis.
template <int N, floating_format Float, class DistanceOf>
enclosure<N> exact_score(exact_turns& turns, const enclosure<N>& attention, const head_pairs<Float>& q,
                         const head_pairs<Float>& k, DistanceOf distance_of) {
  enclosure<N> sum{};
  for (std::size_t i = 0; i < q.size(); ++i) {
    const int pair = static_cast<int>(i);
    const exact_pair<N> query = exact<N, Float>(q[i]);
    const exact_pair<N> key = turned(exact<N, Float>(k[i]), turns.at<N>(pair, distance_of(pair)));
    sum = sum + (query.first * key.first + query.second * key.second);
  }
  return attention * attention * sum;
}

inline evidence score_evidence(const enclosure<2>& expected, const enclosure<2>& got) {
  return {ROPEWALK_F64, 1, {}, {shown_bits<double>(expected)}, {shown_bits<double>(got)}};
}

/// Judges the score of the query head `at` with the key head `other`, both of one batch row.
template <floating_format Float>
void judge_score(measurement& measured, const checked_rotation& kernel, const law_case& test_case,
                 const rotated& done, exact_turns& turns, const place& at, const place& other) {
  const bool unit = is_unit(test_case);
  const auto q = input_pairs<Float>(kernel, test_case, at), k = input_pairs<Float>(kernel, test_case, other);
  if (!is_judged_head<Float>(q, kernel.attention<2>(unit)) ||
      !is_judged_head<Float>(k, kernel.attention<2>(unit)))
    return;
  const auto rotated_q = output_pairs<Float>(kernel, test_case, done, at);
  const auto rotated_k = output_pairs<Float>(kernel, test_case, done, other);
  const auto distance_of = [&](int pair) {
    const int axis = axis_of(test_case, pair);
    const double distance = position_of(test_case, other.row, other.token, axis) -
                            position_of(test_case, at.row, at.token, axis);  // exact: see case_needs
    return is_backward(test_case) ? -distance : distance;
  };
  const auto score = [&]<int N>() {
    return exact_score<N, Float>(turns, kernel.attention<N>(unit), q, k, distance_of);
  };
  if (!is_finite<Float>(rotated_q) || !is_finite<Float>(rotated_k))
    return record(measured, judge_equal(false), at, [&] {
      evidence evidence = score_evidence(score.template operator()<2>(), {});
      evidence.bits[0] = shown_dot<Float>(rotated_q, rotated_k);
      return evidence;
    });
  exact_sum<Float> observed;
  add_dot(observed, rotated_q, rotated_k);
  const head_norm<Float> query_norm(q), key_norm(k);
  const double farthest = std::max(farthest_position_of(test_case, at.row, at.token),
                                   farthest_position_of(test_case, other.row, other.token));
  const pair_bound bound = score_bound(kernel.accuracy_at<Float>(farthest, unit));
  const verdict verdict = judge(bound.relative, [&]<int N>() -> error_and_bound<N> {
    const enclosure<N> a = kernel.attention<N>(unit);
    const enclosure<N> nq = a * query_norm.template value<N>(), nk = a * key_norm.template value<N>();
    return {observed.template value<N>() - score.template operator()<N>(),
            allowed_score_error(bound, kernel.pairs(), nq * nk, nq + nk, true)};
  });
  record(measured, unless_trivial(verdict, trivial_bound), at,
         [&] { return score_evidence(score.template operator()<2>(), observed.template value<2>()); });
}

}  // namespace detail

namespace rotation_laws {

measurement judge_relative_position(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> relative_position{
    .name = "relative-position",
    .statement = "a score depends on the distance of its positions alone, on each axis",
    .norm = "a^2|q||k|",
    .proof = "proofs/kernel/rotation_bound.md, section 6, relative position",
    .catches = "fault-half-split",
    .trivial = trivial_bound,
    .bound_from = score_bound,
    .needs = {.key = true, .several_tokens = true, .distances = true},
    .beyond_limits = [](const checked_rotation& kernel) -> std::string_view {
      return kernel.served().lacks(ROPEWALK_NO_KEY) ? "a key is not served" : "";
    },
    .measure = judge_relative_position};

}  // namespace rotation_laws

}  // namespace ropewalk
