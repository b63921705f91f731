#pragma once
// Whole: head h of the first P has exactly 2^(-8 h / P), if that is a power of two, where P is the largest
// power of two not above the number of heads.

#include <cstddef>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk {

namespace detail::alibi_law {

inline measurement measure_whole_exponents(const slope_source& slopes, const alibi& config) {
  const auto power = static_cast<std::size_t>(formula_heads(config.heads));
  return judge_slopes(
      slopes, config, 0, static_cast<int>(power), [&](std::size_t head, const slope_table& table) {
        if (8 * (head + 1) % power != 0) return true;
        const real slope = times_power_of_two(real::of(1), -static_cast<int>(8 * (head + 1) / power));
        return table[head] == round<double>(slope).bits;
      });
}

}  // namespace detail::alibi_law

namespace slope_laws {

inline constexpr law<held_slopes> whole{
    .name = "whole",
    .statement = "head h of the first P has exactly 2^(-8 h / P) where that is a power of two",
    .equality = "equal bits",
    .proof = "proofs/encoding/alibi_proof.cpp, formula_holds_for_powers_of_two_alone",
    .catches = "exponents are counted from zero",
    .measure = [](const held_slopes& of, const whole_table&) {
      return detail::alibi_law::measure_whole_exponents(of.slopes, of.config);
    }};

}  // namespace slope_laws

}  // namespace ropewalk
