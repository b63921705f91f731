#pragma once
// The one list of encodings. Command line options, `ropewalk guarantees` and the README's table come from
// here. Kernels are not listed: each registers by name and states what it computes.

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/index_code.hpp"
#include "ropewalk/config/query_scale.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/config/t5_bias.hpp"
#include "ropewalk/config/xpos.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// One number of a configuration: its name, its option on the command line, its unit and its allowed values.
template <class Config, class Number>
struct field {
  std::string_view name;
  std::string_view option;
  std::string_view unit;
  std::string_view allowed;  // as in the message with which `validate` refuses other values
  Number Config::*member;
};

/// The guarantee for one quantity in one format.
struct guarantee {
  std::string_view quantity;
  std::string_view format;
  bool correctly_rounded = false;
  pair_bound bound{};  // otherwise: |error| <= relative x `size` + absolute
  std::string_view proof;
  std::string_view size = "a|x|";  // default: for a rotated pair
  bool exact = false;              // correctly rounded, because no rounding is needed
  bool carried = false;            // an enclosure: its error is part of the value
};

/// Everything that the program knows about one encoding.
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
          accuracy_bound<Float>(promise::canonical, attention_factor, 0), "proofs/kernel/rotation_bound.md"};
}

constexpr guarantee rounded(std::string_view quantity, std::string_view format_name, std::string_view proof) {
  return {quantity, format_name, true, {}, proof};
}

constexpr guarantee exact(std::string_view quantity, std::string_view format_name, std::string_view proof) {
  guarantee exact = rounded(quantity, format_name, proof);
  exact.exact = true;
  return exact;
}

/// Guarantee for one sum x + t, where t is a sinusoidal entry or a bias.
template <floating_format Float>
constexpr guarantee addition_guarantee(std::string_view quantity) {
  return {quantity,
          format<Float>::name,
          false,
          addition_bound<Float>(promise::canonical),
          "proofs/kernel/addition_bound.md",
          "(|x| + |t|)"};
}

constexpr guarantee carried(std::string_view quantity, std::string_view proof) {
  guarantee carried{quantity, "enclosure", false, {}, proof};
  carried.carried = true;
  return carried;
}

/// Names of all formats in their order, separated by commas, and the length of that text.
struct format_list {
  std::array<char, 64> letters{};
  std::size_t size = 0;

  constexpr format_list() {
    for_each_format([&]<class Float>() {
      if (size != 0) add(", ");
      add(format<Float>::name);
    });
  }
  constexpr void add(std::string_view text) {
    for (const char letter : text) letters[size++] = letter;
  }
};
inline constexpr format_list all_format_names;
inline constexpr std::string_view every_format{all_format_names.letters.data(), all_format_names.size};

/// One guarantee per format, made by make.operator()<Float>().
template <class Make>
constexpr auto in_each_format(Make make) {
  std::array<guarantee, all_formats::size> guarantees{};
  std::size_t index = 0;
  for_each_format([&]<class Float>() { guarantees[index++] = make.template operator()<Float>(); });
  return guarantees;
}

// `joined` concatenates single guarantees and arrays of them; `listed` views either as an array.

constexpr std::array<guarantee, 1> listed(const guarantee& guarantee) { return {guarantee}; }
template <std::size_t Count>
constexpr const std::array<guarantee, Count>& listed(const std::array<guarantee, Count>& guarantees) {
  return guarantees;
}
template <class... Parts>
constexpr auto joined(const Parts&... parts) {
  constexpr std::size_t count = (std::tuple_size_v<std::remove_cvref_t<decltype(listed(parts))>> + ...);
  std::array<guarantee, count> guarantees{};
  std::size_t index = 0;
  const auto append = [&](const auto& part) {
    for (const guarantee& guarantee : part) guarantees[index++] = guarantee;
  };
  (append(listed(parts)), ...);
  return guarantees;
}

constexpr auto additions(std::string_view quantity) {
  return in_each_format([&]<class Float>() { return addition_guarantee<Float>(quantity); });
}

constexpr auto rotations(std::string_view quantity, double attention_factor) {
  return in_each_format([&]<class Float>() { return rotation_guarantee<Float>(quantity, attention_factor); });
}

inline constexpr std::string_view inv_freq_proof = "proofs/encoding/inv_freq_proof.cpp";
inline constexpr std::string_view cos_sin_proof = "each entry decided by its enclosure; tests/table";
// Represents every factor other than 1: relative to a |x|, the bound is the same for all of them. At tiny
// factors, subnormal entries add to it.
inline constexpr double any_factor = 2;

}  // namespace detail

inline constexpr encoding_descriptor rope_descriptor{
    .name = "rope",
    .summary = "rotary position embedding: turns each channel pair by an angle that grows with the position",
    .source = "Su et al. 2021, arXiv:2104.09864",
    .fields =
        std::tuple{
            field<rope, double>{"base", "--base", "", "a finite number above 1", &rope::base},
            field<rope, int>{"rotary_dim", "--rotary-dim", "channels",
                             "an even number from 2 to head_dim (default: head_dim)", &rope::rotary_dim},
            field<head_layout, int>{"head_dim", "--head-dim", "channels", "a number from 1 to 65536",
                                    &head_layout::head_dim},
            field<head_layout, int>{"rotary_begin", "--rotary-begin", "channels",
                                    "the first channel that rotates, from 0 to head_dim - rotary_dim "
                                    "(default: 0)",
                                    &head_layout::rotary_begin}},
    .guarantees =
        detail::joined(detail::rounded("inv_freq", detail::every_format, detail::inv_freq_proof),
                       detail::rounded("turns", "128-bit fraction", "decided by its enclosure; tests/table"),
                       detail::rounded("cos, sin", detail::every_format, detail::cos_sin_proof),
                       detail::rotations("rotated pair, a = 1", 1),
                       detail::rotations("rotated pair, any a", detail::any_factor))};

inline constexpr encoding_descriptor sinusoidal_descriptor{
    .name = "sinusoidal",
    .summary =
        "sines and cosines of the position or a time, at geometrically falling frequencies, added to the "
        "token",
    .source = "Vaswani et al. 2017, arXiv:1706.03762",
    .fields =
        std::tuple{
            field<sinusoidal, int>{"d_model", "--d-model", "channels",
                                   "a number from 2 to 65536, even, unless the odd channel is set to zero",
                                   &sinusoidal::d_model},
            field<sinusoidal, double>{"base", "--base", "", "a finite number above 1 (default: 10000)",
                                      &sinusoidal::base},
            field<sinusoidal, double>{"shift", "--shift", "pairs",
                                      "a multiple of 1/65536 from -32767 up to the number of pairs - 1 "
                                      "(default: 0)",
                                      &sinusoidal::shift},
            field<sinusoidal, double>{"scale", "--scale", "", "a number above 0, up to 2^64 (default: 1)",
                                      &sinusoidal::scale}},
    .guarantees = detail::joined(detail::rounded("entry", detail::every_format,
                                                 "proofs/table/sinusoidal_table_proof.cpp; tests/table"),
                                 detail::additions("token plus entry"))};

inline constexpr encoding_descriptor alibi_descriptor{
    .name = "alibi",
    .summary = "adds to each score a bias that falls with the distance, with one slope per head",
    .source = "Press et al. 2022, arXiv:2108.12409",
    .fields =
        std::tuple{field<alibi, int>{"heads", "--heads", "heads", "a number from 1 to 65536", &alibi::heads}},
    .guarantees = detail::joined(
        detail::rounded("slope, bias", detail::every_format, "proofs/encoding/alibi_proof.cpp; tests/table"),
        detail::additions("score plus bias"))};

inline constexpr encoding_descriptor t5_descriptor{
    .name = "t5_bias",
    .summary = "adds to each score a learned number, one per head and bucket of distances",
    .source = "Raffel et al. 2020, arXiv:1910.10683",
    .fields =
        std::tuple{field<t5_bias, int>{"buckets", "--buckets", "",
                                       "a number from 4 to 1024, from 2 where causal (default: 32)",
                                       &t5_bias::buckets},
                   field<t5_bias, int>{"max_distance", "--max-distance", "positions",
                                       "a number above the number of distances with a bucket of their own "
                                       "(default: 128)",
                                       &t5_bias::max_distance}},
    .guarantees =
        std::array{detail::exact("bucket", "integer", "proofs/encoding/t5_bias_proof.cpp; tests/encoding")}};

inline constexpr encoding_descriptor index_code_descriptor{
    .name = "index_code",
    .summary = "the position itself, normalised, in binary digits, or as one sine per channel",
    .source = "position codes that precede sinusoids",
    .fields =
        std::tuple{field<index_code, int>{"width", "--width", "channels",
                                          "a number from 1 to 62 for binary, to 65536 for sine-only",
                                          &index_code::width},
                   field<index_code, std::int64_t>{"length", "--length", "positions",
                                                   "a whole number from 1 to 2147483648 (default: the "
                                                   "largest position + 1)",
                                                   &index_code::length},
                   field<index_code, double>{"base", "--base", "", "a finite number above 1 (default: 10000)",
                                             &index_code::base}},
    .guarantees = std::array{detail::rounded("number of a code", detail::every_format,
                                             "proofs/encoding/index_code_proof.cpp; tests/table")}};

inline constexpr encoding_descriptor query_scale_descriptor{
    .name = "query_scale",
    .summary = "multiplies each query by a scale that grows with the logarithm of its position",
    .source = "Llama 4 and Ministral 3, in Hugging Face transformers",
    .fields =
        std::tuple{field<query_scale, double>{"strength", "--strength", "",
                                              "a finite number from 0 up: attn_scale of Llama 4, "
                                              "llama_4_scaling_beta of Ministral",
                                              &query_scale::strength},
                   field<query_scale, std::int64_t>{"length", "--length", "positions",
                                                    "a whole number from 1 to 2147483648: floor_scale of "
                                                    "Llama 4, the original length of Ministral",
                                                    &query_scale::length},
                   field<query_scale, int>{"shift", "--shift", "positions",
                                           "0 or 1: 1 in Llama 4 (default: 0)", &query_scale::shift}},
    .guarantees = std::array{detail::rounded("scale", detail::every_format,
                                             "proofs/encoding/query_scale_proof.cpp; tests/table")}};

// An encoding without fields takes its numbers from another encoding or from the caller.

inline constexpr encoding_descriptor rope_axes_descriptor{
    .name = "rope_axes",
    .summary = "rotary position embedding on several axes: a pair turns by the position on its own axis",
    .source = "Wang et al. 2024, arXiv:2409.12191",
    .fields = std::tuple{},
    .guarantees = std::array{
        detail::rounded("cos, sin", detail::every_format, "each entry decided by its enclosure; tests/law")}};

inline constexpr encoding_descriptor rope_mixed_descriptor{
    .name = "rope_mixed",
    .summary =
        "rotary position embedding that turns a pair by all coordinates, each times a learned frequency",
    .source = "Heo et al. 2024, arXiv:2403.13298",
    .fields = std::tuple{},
    .guarantees = std::array{detail::rounded("cos, sin", detail::every_format, detail::cos_sin_proof)}};

inline constexpr encoding_descriptor skewed_map_descriptor{
    .name = "skewed_map",
    .summary = "two angles in one pair: channels and cosines are paired differently; not a rotation",
    .source = "the code of ErnieImage and V-JEPA 2",
    .fields = std::tuple{},
    .guarantees = std::array{detail::rounded("cos, sin", detail::every_format,
                                             "each entry decided by its enclosure; tests/encoding")}};

inline constexpr encoding_descriptor pooled_axes_descriptor{
    .name = "pooled_axes",
    .summary = "cosines and sines averaged over the cells that a token represents; not a rotation",
    .source = "the code of Helios and FramePack",
    .fields = std::tuple{},
    .guarantees =
        std::array{detail::rounded("mean of cos, sin", detail::every_format, detail::cos_sin_proof)}};

inline constexpr encoding_descriptor xpos_descriptor{
    .name = "xpos",
    .summary = "rotary position embedding with a decay that grows with the distance",
    .source = "Sun et al. 2022, arXiv:2212.10554",
    .fields =
        std::tuple{field<xpos, double>{"base", "--base", "", "a finite number above 1 (default: 10000)",
                                       &xpos::base},
                   field<xpos, int>{"rotary_dim", "--rotary-dim", "channels",
                                    "an even number from 2 to 65536", &xpos::rotary_dim},
                   field<xpos, int>{"scale_base", "--scale-base", "positions",
                                    "a whole number from 1 to 1048576 (default: 512)", &xpos::scale_base},
                   field<xpos, std::int64_t>{"length", "--length", "positions",
                                             "a whole number from 0 to 2147483648 (default: the largest "
                                             "position + 1)",
                                             &xpos::length}},
    .guarantees =
        std::array{detail::rounded("cos, sin times scale", detail::every_format, detail::cos_sin_proof)}};

inline constexpr encoding_descriptor transformer_xl_descriptor{
    .name = "transformer_xl",
    .summary = "scores that are sums of four terms; two of them depend on the distance",
    .source = "Dai et al. 2019, arXiv:1901.02860",
    .fields = std::tuple{},
    .guarantees = std::array{detail::carried("term, score", "each by its enclosure; tests/encoding")}};

inline constexpr encoding_descriptor learned_descriptor{
    .name = "learned",
    .summary = "a row of a learned table for each position, added to the token",
    .source = "Gehring et al. 2017, arXiv:1705.03122",
    .fields = std::tuple{},
    .guarantees = std::array{detail::exact("row", "as stored", "a lookup; tests/encoding")}};

inline constexpr encoding_descriptor attention_descriptor{
    .name = "attention",
    .summary = "scores, softmax and weighted values, which the other encodings act on",
    .source = "Vaswani et al. 2017, arXiv:1706.03762",
    .fields = std::tuple{},
    .guarantees = std::array{detail::carried("weight, output", "each by its enclosure; tests/encoding")}};

inline constexpr std::tuple catalogue{
    rope_descriptor,        rope_axes_descriptor,  rope_mixed_descriptor,  skewed_map_descriptor,
    pooled_axes_descriptor, xpos_descriptor,       sinusoidal_descriptor,  alibi_descriptor,
    t5_descriptor,          index_code_descriptor, query_scale_descriptor, transformer_xl_descriptor,
    learned_descriptor,     attention_descriptor};

/// Visits every encoding: visit(descriptor).
template <class Visit>
constexpr void for_each_encoding(Visit visit) {
  std::apply([&](const auto&... encoding) { (visit(encoding), ...); }, catalogue);
}

}  // namespace ropewalk
