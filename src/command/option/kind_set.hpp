#pragma once
// Sets of kinds of table, by which options are limited to some kinds.

#include <string>

#include "export/table_kind.hpp"

namespace ropewalk::command {

/// A set of kinds of table.
class kind_set {
 public:
  constexpr kind_set() = default;
  template <class... Kinds>
  constexpr explicit kind_set(tables::table_kind first, Kinds... others) : bits_(bit_of(first)) {
    ((bits_ |= bit_of(others)), ...);
  }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has(tables::table_kind kind) const { return (bits_ & bit_of(kind)) != 0; }
  constexpr bool meets(kind_set other) const { return (bits_ & other.bits_) != 0; }
  constexpr kind_set operator|(kind_set other) const { return kind_set(bits_ | other.bits_); }
  constexpr kind_set without(kind_set other) const { return kind_set(bits_ & ~other.bits_); }

 private:
  constexpr explicit kind_set(unsigned bits) : bits_(bits) {}
  static constexpr unsigned bit_of(tables::table_kind kind) { return 1U << static_cast<int>(kind); }

  unsigned bits_ = 0;
};

/// Kinds with the numbers of a rotary model.
inline constexpr kind_set rope_kinds = [] {
  kind_set kinds;
  for (const tables::table_kind_text& text : tables::table_kinds)
    if (tables::is_of_rope(text.kind)) kinds = kinds | kind_set(text.kind);
  return kinds;
}();

/// Kinds that only a model's configuration describes.
inline constexpr kind_set placed_kinds(tables::table_kind::positions, tables::table_kind::skewed_cos_sin,
                                       tables::table_kind::pooled_cos_sin);

/// Kinds of tokens that stand on axes.
inline constexpr kind_set token_kinds = kind_set(tables::table_kind::axes, tables::table_kind::cos_sin,
                                                 tables::table_kind::cos, tables::table_kind::sin) |
                                        placed_kinds;

inline constexpr kind_set model_kinds = rope_kinds | kind_set(tables::table_kind::axes);

/// The names of the kinds, separated by commas.
std::string kind_names(kind_set kinds);

}  // namespace ropewalk::command
