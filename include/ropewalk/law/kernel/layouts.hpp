#pragma once
// Layouts agree: interleaved and half-split, in the input and in the output, differ only by a permutation of
// channels.

#include <array>

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

inline bool is_own_layout(const checked_rotation& kernel, pairing in, pairing out) {
  return in == kernel.layout().pairing_in && out == kernel.layout().pairing_out;
}

/// The pairings of a model's layouts: a head that is half-split by axis is compared with interleaved ones.
inline std::array<pairing, 2> pairings_of(const checked_rotation& kernel) {
  return {pairing::interleaved,
          is_by_axis(kernel.layout()) ? pairing::half_split_by_axis : pairing::half_split};
}

}  // namespace detail

namespace rotation_laws {

measurement judge_layouts(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> layouts{
    .name = "layouts",
    .statement = "interleaved and half-split agree through the permutation",
    .equality = "equal bits where the kernel promises bits",
    .proof =
        "proofs/encoding/pairing_permutation_proof.cpp, rotation_and_permutation_change_places; "
        "proofs/kernel/rotation_bound.md, section 6, agreement",
    .catches = "fault-half-split",
    .trivial = trivial_difference_bound,
    .bound_from = agreement_bound,
    .needs = {.every_bit_pattern = true},
    .beyond_limits = [](const checked_rotation& kernel) -> std::string_view {
      for (const pairing in : detail::pairings_of(kernel))
        for (const pairing out : detail::pairings_of(kernel))
          if (!detail::is_own_layout(kernel, in, out) && kernel.served().serves(in, out)) return "";
      return "no other layout is served";
    },
    .measure = judge_layouts};

}  // namespace rotation_laws

}  // namespace ropewalk
