#pragma once
// Accuracy: every pair is the exact a R(t) x, up to the error that the kernel promises.

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/kernel/exact_turns.hpp"
#include "ropewalk/law/kernel/judged_pairs.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Whether the case asks for a rotation with attention factor 1.
inline bool is_unit(const law_case& given) { return (given.flags & ROPEWALK_UNIT) != 0; }
/// Whether the case asks for the adjoint, a R(-t).
inline bool is_backward(const law_case& given) { return (given.flags & ROPEWALK_BACKWARD) != 0; }

namespace detail {

/// Judges both elements of a pair, each of which must be its exact value correctly rounded.
template <floating_format Float, class Want>
void judge_elements(measurement& m, place where, bits_pair<Float> input, bits_pair<Float> got,
                    const channel_pair& channels, const Want& want) {
  const auto show = [&] { return pair_evidence<Float>(input, want.template operator()<2>().value, got); };
  where.channel = channels.first;
  judge_element<Float>(
      m, where, got.first, [&]<int N>() { return want.template operator()<N>().value.first; }, show);
  where.channel = channels.second;
  judge_element<Float>(
      m, where, got.second, [&]<int N>() { return want.template operator()<N>().value.second; }, show);
}

}  // namespace detail

/// |observed - a R(t) x| of every pair, against accuracy_bound. A kernel that promises correct rounding is
/// held to half an ulp in every element. Made again in the same memory, the call must give the same bits;
/// whether it does so elsewhere is told.
template <floating_format Float>
measurement measure_accuracy(const held_rotation& kernel, const law_case& given) {
  const rotated done = kernel.turned(given, {.repeated = true});
  const bool unit = is_unit(given);
  exact_turns turns(kernel, unit);
  measurement m;
  m.has_other_bits = detail::depends_on_address(
      kernel, done, [&](const call_form& form) { return kernel.turned(given, form); });
  for_each_judged_pair<Float>(
      kernel, given, done, kernel.attention<2>(unit),
      [&](const place& where, bits_pair<Float> x, bits_pair<Float> y) {
        const auto want = [&]<int N>() -> exact_output<N> {
          const cos_sin<N> by = turns.at<N>(where.pair, where.position);
          const exact_pair<N> input = exact<N, Float>(x);
          const enclosure<N> a = kernel.attention<N>(unit);
          return {turned(input, is_backward(given) ? backward(by) : by), a * a * squared_norm(input)};
        };
        if (kernel.promised() == promise::exact)
          detail::judge_elements<Float>(m, where, x, y, kernel.channels_out(where.pair), want);
        else
          judge_pair<Float>(m, where, x, y, kernel.accuracy_at<Float>(where.position, where.pair, unit),
                            want);
      });
  return m;
}
ROPEWALK_COMPILED_LAW(measure_accuracy, const held_rotation&, const law_case&);

namespace rotation_laws {

inline constexpr law<held_rotation> accuracy{
    .name = "accuracy",
    .statement = "every pair is a R(t) x",
    .norm = "a|x|",
    .proof = "proofs/kernel/rotation_bound.md, theorems 7 to 13",
    .catches = "fault-tail",
    .trivial = trivial_bound,
    .measure = [](const held_rotation& kernel, const law_case& given) {
      return with_format(given.dtype, [&]<class Float>() { return measure_accuracy<Float>(kernel, given); });
    }};

}  // namespace rotation_laws

}  // namespace ropewalk
