#pragma once
// Layouts agree: interleaved and half-split, in the input and in the output, differ by a permutation of
// channels alone.

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/held_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

inline bool is_own_layout(const held_rotation& kernel, pairing in, pairing out) {
  return in == kernel.layout().pairing_in && out == kernel.layout().pairing_out;
}

}  // namespace detail

namespace rotation_laws {

measurement judge_layouts(const held_rotation& kernel, const law_case& given);

inline constexpr law<held_rotation> layouts{
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
    .beyond_limits = [](const held_rotation& kernel) -> std::string_view {
      for (const pairing in : {pairing::interleaved, pairing::half_split})
        for (const pairing out : {pairing::interleaved, pairing::half_split})
          if (!detail::is_own_layout(kernel, in, out) && kernel.served().serves(in, out)) return "";
      return "no other layout is served";
    },
    .measure = judge_layouts};

}  // namespace rotation_laws

}  // namespace ropewalk
