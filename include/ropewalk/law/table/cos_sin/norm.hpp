#pragma once
// Norm: cosine and sine of a pair lie on the circle whose radius is the attention factor.

#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/cos_sin/cos_sin.hpp"

namespace ropewalk {

namespace detail::cos_sin_laws {

template <floating_format Float>
measurement measure_norm(const held_cos_sin& of, const listed_positions& given) {
  const auto factor = [&]<int N>() { return rope_attention_factor<N>(of.config); };
  return judge_each_entry(of, given, [&](const cos_sin_entry& got, int, std::int64_t) {
    return judge_rounded_norm<Float>(got, factor);
  });
}
ROPEWALK_COMPILED_LAW(measure_norm, const held_cos_sin&, const listed_positions&);

}  // namespace detail::cos_sin_laws

namespace cos_sin_laws {

inline constexpr law<held_cos_sin> norm{
    .name = "norm",
    .statement = "cosine and sine of a pair lie on the circle of the attention factor",
    .norm = "a^2",
    .proof = "proofs/kernel/rotation_bound.md, lemma 1, for each entry",
    .catches = "cosines and sines are eight ulps too large, except at position 0",
    .bound_in = squared_norm_bound_in,
    .measure = [](const held_cos_sin& of, const listed_positions& given) {
      return with_format(of.dtype,
                         [&]<class Float>() { return detail::cos_sin_laws::measure_norm<Float>(of, given); });
    }};

}  // namespace cos_sin_laws

}  // namespace ropewalk
