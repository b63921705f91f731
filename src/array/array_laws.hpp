#pragma once
// Laws on an array, beside the errors of its entries: one overload for each content of a table. An entry
// stands for the real numbers within its promise's bound, or, where bits are promised, for those that round
// to it; a law holds where some of them keep it.

#include <variant>
#include <vector>

#include "array/array_law.hpp"
#include "export/table.hpp"
#include "export/table_kind.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::array {

inline std::vector<array_law> array_laws(const std::monostate&, tables::table_dtype, const promise&) {
  return {};
}
inline std::vector<array_law> array_laws(const tables::pooled_content&, tables::table_dtype, const promise&) {
  return {};
}

/// Laws of inverse frequencies, or of cosines and sines. Other kinds, and skewed maps, have none.
std::vector<array_law> array_laws(const tables::rotary_content& content, tables::table_dtype dtype,
                                  const promise& promised);

/// The laws that ask for positions which the array has; none of real or listed positions. Where parts are
/// promised, rows may be equal that correct rounding keeps apart.
std::vector<array_law> array_laws(const tables::sinusoidal_content& content, tables::table_dtype dtype,
                                  const promise& promised);

std::vector<array_law> array_laws(const tables::slope_content& content, tables::table_dtype dtype,
                                  const promise& promised);

/// Laws of biases, [heads, queries, keys]. Neighbours may round to one number.
std::vector<array_law> array_laws(const tables::bias_content& content, tables::table_dtype dtype,
                                  const promise& promised);

/// The laws of buckets, of an array that reaches max_distance: all beyond have the last bucket.
std::vector<array_law> array_laws(const tables::bucket_content& content, tables::table_dtype dtype,
                                  const promise& promised);

std::vector<array_law> array_laws(const tables::query_scale_content& content, tables::table_dtype dtype,
                                  const promise& promised);

/// The laws that ask for positions which the array has.
std::vector<array_law> array_laws(const tables::index_code_content& content, tables::table_dtype dtype,
                                  const promise& promised);

inline std::vector<array_law> array_laws(const tables::table& table, tables::table_dtype dtype,
                                         const promise& promised) {
  return std::visit([&](const auto& content) { return array_laws(content, dtype, promised); },
                    table.content());
}

}  // namespace ropewalk::array
