#pragma once
// Learned rows as a subject: what every lookup of them owes its table, whoever wrote it: the rows it holds, and an error
// for every other position.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ropewalk/config/learned.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"

namespace ropewalk {

/// Looks one position up: the bits of its row, or nothing where it has none.
using learned_lookup = std::function<std::optional<std::vector<std::uint64_t>>(std::int64_t position)>;

/// A lookup, and the weights that it was given: bits, [max_position_embeddings, d_model].
struct held_learned_rows {
  using case_type = whole_table;
  using needs_type = no_needs;

  ropewalk_dtype dtype = ROPEWALK_F32;
  learned config;
  std::vector<std::uint64_t> weights;
  learned_lookup lookup;
};

}  // namespace ropewalk
