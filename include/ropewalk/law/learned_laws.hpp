#pragma once
// What every lookup of learned positions owes its table, whoever wrote it: the rows it holds, and an error
// for every other position.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ropewalk/encoding/learned.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/measurement.hpp"

namespace ropewalk {

/// Looks one position up: the bits of its row, or nothing where it has none.
template <floating_format Float>
using learned_lookup =
    std::function<std::optional<std::vector<bits_of<Float>>>(std::int64_t, const learned_table<Float>&)>;

namespace detail {

/// Every position of the table.
template <floating_format Float>
measurement measure_served(const learned_lookup<Float>& lookup, const learned_table<Float>& table) {
  measurement m;
  for (std::int64_t position = 0; position < table.config().max_position_embeddings; ++position) {
    const auto got = lookup(position, table);
    const auto width = static_cast<std::size_t>(table.config().d_model);
    const auto row = table.entries().subspan(static_cast<std::size_t>(position) * width, width);
    place where;
    where.position = static_cast<std::int32_t>(position);
    bool equal = got && got->size() == row.size();
    for (std::size_t channel = 0; equal && channel < row.size(); ++channel) {
      equal = (*got)[channel] == row[channel];
      where.channel = static_cast<int>(channel);
    }
    record(m, judge_equal(equal), where, [] { return evidence{}; });
  }
  return m;
}

/// Positions beside the table, and far from it: a wrap and a clamp would serve them.
template <floating_format Float>
measurement measure_refused(const learned_lookup<Float>& lookup, const learned_table<Float>& table) {
  const std::int64_t length = table.config().max_position_embeddings;
  measurement m;
  for (const std::int64_t position : {std::int64_t{-1}, -length, length, length + 1, 2 * length,
                                      std::int64_t{1} << 32, smallest_position}) {
    place where;
    where.position = static_cast<std::int32_t>(position);
    record(m, judge_equal(!lookup(position, table)), where, [] { return evidence{}; });
  }
  return m;
}

}  // namespace detail

template <floating_format Float>
struct learned_law {
  std::string_view name;
  std::string_view statement;
  measurement (*measure)(const learned_lookup<Float>&, const learned_table<Float>&);
};

template <floating_format Float>
inline constexpr std::array learned_laws{
    learned_law<Float>{"served", "a position of the table has the table's row",
                       detail::measure_served<Float>},
    learned_law<Float>{"refused", "a position beyond the table has none", detail::measure_refused<Float>},
};

}  // namespace ropewalk
