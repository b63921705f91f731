#pragma once
// The kinds of table and the types of their elements: what each array holds, its units and its convention.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "input/npy.hpp"
#include "ropewalk/config/closed_set.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::tables {

enum class table_kind {
  inv_freq,
  turns,
  cos,
  sin,
  cos_sin,
  ggml_factors,
  sinusoidal,
  alibi_slopes,
  alibi_bias,
  t5_buckets,
  binary,
  normalised,
  sine_only,
  integer,
  xpos,
  axes,
  learned,
  query_scale,
  mixed,
  positions,
  skewed_cos_sin,
  pooled_cos_sin
};

inline constexpr int turn_words = 4;  // 32-bit words of a fraction of a turn

/// Description of a kind. Texts that depend on options are empty here; the table itself fills them in.
struct table_kind_text {
  table_kind kind;
  std::string_view name;      // on the command line
  std::string_view array;     // name of the array in outputs
  std::string_view encoding;  // in the catalogue: kinds of one encoding share their options
  std::string_view shape;
  std::string_view units;
  std::string_view convention;
};

inline constexpr table_kind_text table_kinds[] = {
    {table_kind::inv_freq, "inv-freq", "inv_freq", "rope", "[rotary_dim/2]", "radians per position",
     "entry [pair] turns channel pair `pair`; scaling rule applied, attention factor not included"},
    {table_kind::turns, "turns", "turns", "rope", "[rotary_dim/2, 4]", "turns per position",
     "entry [pair] is the fraction of a turn per position times 2^128, least significant 32-bit word first"},
    {table_kind::cos, "cos", "cos", "rope", "[positions, rotary_dim/2]", "none",
     "entry [row, pair] = attention_factor x cos(position x inv_freq[pair])"},
    {table_kind::sin, "sin", "sin", "rope", "[positions, rotary_dim/2]", "none",
     "entry [row, pair] = attention_factor x sin(position x inv_freq[pair])"},
    {table_kind::cos_sin, "cos-sin", "cos_sin", "rope", "", "none",
     "cosines and sines of position x inv_freq[pair], attention factor included"},
    {table_kind::ggml_factors, "ggml-factors", "ggml_factors", "rope", "[rotary_dim/2]", "none",
     "entry [pair] = base^(-2 pair / rotary_dim) / inv_freq[pair], the divisor that ggml takes as "
     "freq_factors (the tensor rope_freqs.weight): the scaling rule is in it, so ggml must not scale again "
     "(freq_scale 1, ext_factor 0); the attention factor is not; a pair that stands still has the divisor "
     "infinity, and x / infinity is 0 exactly (llama.cpp writes 1e30 there)"},
    {table_kind::sinusoidal, "sinusoidal", "sinusoidal", "sinusoidal", "[positions, d_model]", "none", ""},
    {table_kind::alibi_slopes, "alibi-slopes", "alibi_slopes", "alibi", "[heads]", "score per position",
     "entry [head] = 2^(-8 (head + 1) / P) of the first P heads, P the largest power of two not above heads; "
     "the others take every second slope of 2 P heads: 2^(-4 (2 (head - P) + 1) / P)"},
    {table_kind::alibi_bias, "alibi-bias", "alibi_bias", "alibi", "[heads, queries, keys]",
     "score, before the softmax", ""},
    {table_kind::t5_buckets, "t5-buckets", "t5_buckets", "t5_bias", "[2 max_relative + 1]",
     "row of the learned table of biases", ""},
    {table_kind::binary, "binary", "binary", "index_code", "[positions, width]", "none", ""},
    {table_kind::normalised, "normalised", "normalised", "index_code", "[positions, 1]", "none",
     "entry [row, 0] = position / (length - 1), and 0 where length is 1"},
    {table_kind::sine_only, "sine-only", "sine_only", "index_code", "[positions, width]", "none",
     "entry [row, channel] = sin(position x base^(-channel / width))"},
    {table_kind::integer, "integer", "integer", "index_code", "[positions, 1]", "positions",
     "entry [row, 0] = position"},
    {table_kind::xpos, "xpos", "xpos", "xpos", "", "none", ""},
    {table_kind::axes, "axes", "axes", "rope_axes", "", "none",
     "cosines and sines of the position on the axis of each pair x inv_freq[pair], attention factor "
     "included"},
    {table_kind::learned, "learned", "learned", "learned", "[positions, d_model]", "as the weights",
     "entry [row, channel] = weights[position + first_row, channel]"},
    {table_kind::query_scale, "query-scale", "query_scale", "query_scale", "[positions]", "none",
     "entry [row] = 1 + strength x ln(1 + floor((position + shift) / length)), which multiplies the query "
     "before the scores"},
    {table_kind::mixed, "mixed", "mixed", "rope_mixed", "", "none",
     "cosines and sines of the sum over axes of position x frequency[axis, head, pair], in radians"},
    {table_kind::positions, "positions", "positions", "rope_axes", "[axes, tokens]", "of the model's axes",
     "entry [axis, token] is the token's coordinate on the axis, in the order of the model's attention: what "
     "--positions takes, and what is multiplied by the axis's frequencies"},
    {table_kind::skewed_cos_sin, "skewed-cos-sin", "skewed_cos_sin", "skewed_map", "", "none",
     "cosine and sine of each channel c, of an angle that its partner p does not have: out[c] = x[c] cos[c] "
     "-+ x[p] sin[c], - for the first channel of a pair of partners and + for the second; no rotation"},
    {table_kind::pooled_cos_sin, "pooled-cos-sin", "pooled_cos_sin", "pooled_axes", "", "none",
     "means of the cosines and sines of the position x inv_freq[pair] over the cells of a token, "
     "with the last index of the grid repeated; where cells differ no cosine and sine of an angle, so no "
     "rotation"},
};

/// The last kind: the upper end for visit_member.
inline constexpr table_kind last_table_kind = table_kind::pooled_cos_sin;

namespace detail {

consteval bool rows_follow_the_kinds() {
  for (std::size_t i = 0; i < std::size(table_kinds); ++i)
    if (table_kinds[i].kind != static_cast<table_kind>(i)) return false;
  return std::size(table_kinds) == static_cast<std::size_t>(last_table_kind) + 1;
}
static_assert(rows_follow_the_kinds());

}  // namespace detail

/// The layouts in which engines load cosines and sines as one array.
enum class cos_sin_layout { vllm, hf, complex };

struct cos_sin_layout_text {
  cos_sin_layout layout;
  std::string_view name;
  std::string_view shape;
  std::string_view convention;
};

inline constexpr cos_sin_layout_text cos_sin_layouts[] = {
    {cos_sin_layout::vllm, "vllm", "[positions, rotary_dim]",
     "row: the cosines of all pairs, then the sines of all pairs, as vLLM's cos_sin_cache"},
    {cos_sin_layout::hf, "hf", "[2, positions, rotary_dim]",
     "plane 0 cosines, plane 1 sines; each pair's entry stands at both of its channels, as Hugging Face's "
     "cos and sin"},
    {cos_sin_layout::complex, "complex", "[positions, rotary_dim/2]",
     "entry [row, pair] = cos + i sin, as freqs_cis in Meta's own code; as text each is two columns"},
};

constexpr const cos_sin_layout_text& text_of(cos_sin_layout layout) {
  return cos_sin_layouts[static_cast<int>(layout)];
}

constexpr const table_kind_text& text_of(table_kind kind) {
  for (const table_kind_text& text : table_kinds)
    if (text.kind == kind) return text;
  return table_kinds[0];
}

/// Whether a kind belongs to the rotary encoding.
constexpr bool is_of_rope(table_kind kind) { return text_of(kind).encoding == "rope"; }

/// Types of elements: turns are 32-bit words, buckets integers, all others floating-point numbers.
enum class table_dtype { f64, f32, f16, bf16, u32, i32 };

/// The C++ type of an element, in the order of table_dtype.
using element_types = type_list<double, float, binary16, bfloat16, std::uint32_t, std::int32_t>;

inline constexpr int gguf_lacks_it = -1;

struct table_dtype_text {
  table_dtype dtype;
  std::string_view name;
  std::string_view in_safetensors;
  npy_dtype array;  // NumPy's type
  int in_gguf;      // number of ggml's type; gguf_lacks_it: none
  // Name of a format that C and GLSL hold in another type, by its bits or its value; empty for the others.
  std::string_view format_name = "";
  bool numpy_lacks_it = false;  // `array` is then the integer type that holds the bits
};

inline constexpr table_dtype_text table_dtypes[] = {
    {table_dtype::f64, format<double>::name, "F64", npy_dtype::f64, 28},
    {table_dtype::f32, format<float>::name, "F32", npy_dtype::f32, 0},
    {table_dtype::f16, format<binary16>::name, "F16", npy_dtype::f16, 1, "binary16"},
    {table_dtype::bf16, format<bfloat16>::name, "BF16", npy_dtype::u16, 30, "bfloat16", true},
    {table_dtype::u32, "u32", "U32", npy_dtype::u32, gguf_lacks_it},
    {table_dtype::i32, "i32", "I32", npy_dtype::i32, 26}};

namespace detail {

/// Floating-point dtypes come first, in the order of all_formats: in_format visits them by index.
consteval bool dtypes_follow_the_formats() {
  std::size_t at = 0;
  bool is_same = true;
  for_each_format([&]<class Float>() {
    is_same = is_same && table_dtypes[at].name == format<Float>::name &&
              table_dtypes[at].dtype == static_cast<table_dtype>(at);
    ++at;
  });
  return is_same && std::size(table_dtypes) == static_cast<std::size_t>(element_types::size);
}
static_assert(dtypes_follow_the_formats());

}  // namespace detail

constexpr const table_dtype_text& text_of(table_dtype dtype) { return table_dtypes[static_cast<int>(dtype)]; }

/// Calls visit.operator()<Element>() with the C++ type of a dtype's elements.
template <class Visit>
constexpr decltype(auto) visit_element(table_dtype dtype, Visit&& visit) {
  return visit_type(element_types{}, static_cast<int>(dtype), visit);
}

/// Bytes of one element.
constexpr std::size_t size_of(table_dtype dtype) { return size_of(text_of(dtype).array); }

/// "uint16": the integer that holds the bits of a dtype.
inline std::string integer_of_bits(table_dtype dtype) {
  return "uint" + std::to_string(8 * visit_element(dtype, []<class Element>() { return sizeof(Element); }));
}

/// NumPy's types of floating-point tables as a list, with `of_integers(text)` after a type that holds bits as
/// integers: "<f8, <f4, <f2, or <u2 for bfloat16 bits".
template <class OfIntegers>
std::string npy_types_of_formats(const OfIntegers& of_integers) {
  std::string all;
  for_each_format([&]<class Float>() {
    const table_dtype_text& text = table_dtypes[index_of<Float, all_formats>];
    if (!all.empty()) all += index_of<Float, all_formats> + 1 == all_formats::size ? ", or " : ", ";
    all += std::string(descr_of(text.array)) + (text.numpy_lacks_it ? " " + of_integers(text) : "");
  });
  return all;
}

/// Calls visit.operator()<Float>() with the format of a floating-point dtype.
///
/// domain  neither u32 nor i32
template <class Visit>
constexpr decltype(auto) in_format(table_dtype dtype, const Visit& visit) {
  return visit_type(all_formats{}, static_cast<int>(dtype), visit);
}

}  // namespace ropewalk::tables
