#pragma once
// The kinds of table and the formats of their elements: what each array holds, in which units, by which
// convention.

#include <cstdint>
#include <string_view>

#include "reader/npy.hpp"

namespace ropewalk::command {

enum class table_kind { inv_freq, turns, cos, sin };

struct table_kind_text {
  table_kind kind;
  std::string_view name;   // on the command line
  std::string_view array;  // in outputs
  std::string_view shape;
  std::string_view units;
  std::string_view convention;
};

inline constexpr table_kind_text table_kinds[] = {
    {table_kind::inv_freq, "inv-freq", "inv_freq", "[rotary_dim/2]", "radians per position",
     "entry [pair] turns channel pair `pair`; scaling rule applied, attention factor not included"},
    {table_kind::turns, "turns", "turns", "[rotary_dim/2, 4]", "turns per position",
     "entry [pair] is the fraction of a turn per position times 2^128, least significant 32-bit word first"},
    {table_kind::cos, "cos", "cos", "[positions, rotary_dim/2]", "none",
     "entry [row, pair] = attention_factor x cos(position x inv_freq[pair])"},
    {table_kind::sin, "sin", "sin", "[positions, rotary_dim/2]", "none",
     "entry [row, pair] = attention_factor x sin(position x inv_freq[pair])"},
};

constexpr const table_kind_text& text_of(table_kind kind) {
  for (const table_kind_text& text : table_kinds)
    if (text.kind == kind) return text;
  return table_kinds[0];
}

constexpr bool has_positions(table_kind kind) { return kind == table_kind::cos || kind == table_kind::sin; }

/// Formats of elements; turns are always words of 32 bits.
enum class table_dtype { f64, f32, f16, bf16, u32 };

struct table_dtype_text {
  table_dtype dtype;
  std::string_view name;
  npy_dtype array;  // how NumPy's file spells it: it has no bfloat16
};

inline constexpr table_dtype_text table_dtypes[] = {{table_dtype::f64, "f64", npy_dtype::f64},
                                                    {table_dtype::f32, "f32", npy_dtype::f32},
                                                    {table_dtype::f16, "f16", npy_dtype::f16},
                                                    {table_dtype::bf16, "bf16", npy_dtype::u16},
                                                    {table_dtype::u32, "u32", npy_dtype::u32}};

constexpr const table_dtype_text& text_of(table_dtype dtype) { return table_dtypes[static_cast<int>(dtype)]; }

}  // namespace ropewalk::command
