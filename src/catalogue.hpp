#pragma once
// The one list of encodings. Command line options, `ropewalk guarantees` and the README's table come from here;
// kernels are not in it, each registers by name and says what it computes.

#include <array>
#include <string_view>
#include <tuple>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/law/bound.hpp"
#include "ropewalk/law/laws.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// One number of a configuration: its name, how the command line spells it, its unit, and what is allowed.
template <class Config, class Number>
struct field {
  std::string_view name;
  std::string_view option;
  std::string_view unit;
  std::string_view allowed;  // the words that `validate` refuses a value with
  Number Config::*member;
};

/// What is promised of one quantity in one format.
struct guarantee {
  std::string_view quantity;
  std::string_view format;
  bool correctly_rounded = false;
  pair_bound bound{};  // otherwise: |error| <= relative a |x| + absolute for each pair
  std::string_view proof;
};

/// Everything the program knows of an encoding.
template <class Fields, class Guarantees>
struct encoding_descriptor {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  Fields fields;
  Guarantees guarantees;
};

namespace detail {

template <floating_format Float>
constexpr guarantee rotation_guarantee(std::string_view quantity, double attention_factor) {
  return {quantity, format<Float>::name, false,
          accuracy_bound<Float>(ROPEWALK_CANONICAL, attention_factor, 0), "proofs/kernel/rotation_bound.md"};
}

constexpr guarantee rounded(std::string_view quantity, std::string_view format_name, std::string_view proof) {
  return {quantity, format_name, true, {}, proof};
}

inline constexpr std::string_view inv_freq_proof = "proofs/encoding/inv_freq_proof.cpp";
inline constexpr std::string_view cos_sin_proof = "each entry decided by its enclosure; tests/table";
// The bound relative to a |x| is the same for every factor but 1, up to what subnormal entries add for tiny ones.
inline constexpr double any_factor = 2;

}  // namespace detail

inline constexpr std::tuple catalogue{encoding_descriptor{
    .name = "rope",
    .summary = "rotary position embedding: turns each channel pair by an angle that grows with the position",
    .source = "Su et al. 2021, arXiv:2104.09864",
    .fields = std::tuple{field<rope, double>{"base", "--base", "", "a finite number above 1", &rope::base},
                         field<rope, int>{"rotary_dim", "--rotary-dim", "channels",
                                          "an even number from 2 to head_dim (default: head_dim)",
                                          &rope::rotary_dim},
                         field<head_layout, int>{"head_dim", "--head-dim", "channels",
                                                 "a number from 1 to 65536", &head_layout::head_dim}},
    .guarantees = std::array{
        detail::rounded("inv_freq", "f64, f32, f16, bf16", detail::inv_freq_proof),
        detail::rounded("turns", "128-bit fraction", "decided by its enclosure; tests/table"),
        detail::rounded("cos, sin", "f64, f32, f16, bf16", detail::cos_sin_proof),
        detail::rotation_guarantee<double>("rotated pair, a = 1", 1),
        detail::rotation_guarantee<float>("rotated pair, a = 1", 1),
        detail::rotation_guarantee<binary16>("rotated pair, a = 1", 1),
        detail::rotation_guarantee<bfloat16>("rotated pair, a = 1", 1),
        detail::rotation_guarantee<double>("rotated pair, any a", detail::any_factor),
        detail::rotation_guarantee<float>("rotated pair, any a", detail::any_factor),
        detail::rotation_guarantee<binary16>("rotated pair, any a", detail::any_factor),
        detail::rotation_guarantee<bfloat16>("rotated pair, any a", detail::any_factor),
    }}};

/// Visits every encoding: visit(descriptor).
template <class Visit>
constexpr void for_each_encoding(Visit visit) {
  std::apply([&](const auto&... encoding) { (visit(encoding), ...); }, catalogue);
}

}  // namespace ropewalk
