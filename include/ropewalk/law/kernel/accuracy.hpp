#pragma once
// Accuracy: every pair is the exact a R(t) x, up to the error that the kernel promises.

#include "ropewalk/law/kernel/exact_turns.hpp"
#include "ropewalk/law/kernel/judged_pairs.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Whether the case requests a rotation with attention factor 1.
inline bool is_unit(const law_case& test_case) { return (test_case.flags & ROPEWALK_UNIT) != 0; }
/// Whether the case requests the adjoint, a R(-t).
inline bool is_backward(const law_case& test_case) { return (test_case.flags & ROPEWALK_BACKWARD) != 0; }

namespace detail {

/// Judges both elements of a pair, each of which must be its exact value correctly rounded.
template <floating_format Float, class Want>
void judge_elements(measurement& measured, place where, bits_pair<Float> input, bits_pair<Float> got,
                    const channel_pair& channels, const Want& want) {
  const auto show = [&] { return pair_evidence<Float>(input, want.template operator()<2>().value, got); };
  where.channel = channels.first;
  judge_element<Float>(
      measured, where, got.first, [&]<int N>() { return want.template operator()<N>().value.first; }, show);
  where.channel = channels.second;
  judge_element<Float>(
      measured, where, got.second, [&]<int N>() { return want.template operator()<N>().value.second; }, show);
}

}  // namespace detail

namespace rotation_laws {

measurement judge_accuracy(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> accuracy{.name = "accuracy",
                                                .statement = "every pair is a R(t) x",
                                                .norm = "a|x|",
                                                .proof = "proofs/kernel/rotation_bound.md, theorems 7 to 13",
                                                .catches = "fault-tail",
                                                .trivial = trivial_bound,
                                                .measure = judge_accuracy};

}  // namespace rotation_laws

}  // namespace ropewalk
