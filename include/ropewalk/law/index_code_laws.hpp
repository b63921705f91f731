#pragma once
// What every table of index codes owes its definition, whoever made it. All laws compare bits.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "ropewalk/law/accuracy.hpp"
#include "ropewalk/law/identity.hpp"
#include "ropewalk/law/measurement.hpp"
#include "ropewalk/table/index_code_table.hpp"

namespace ropewalk {

/// Makes the codes of a run of positions: bit patterns, [positions, width].
template <floating_format Float>
using index_code_source = std::function<std::vector<bits_of<Float>>(position_range, const index_code&)>;

namespace detail {

/// throws  std::invalid_argument when the source gives another number of entries
template <floating_format Float>
std::vector<bits_of<Float>> codes_of(const index_code_source<Float>& source, position_range positions,
                                     const index_code& config) {
  std::vector<bits_of<Float>> r = source(positions, config);
  require(r.size() == static_cast<std::size_t>(size(positions)) * static_cast<std::size_t>(config.width),
          "the table's length", static_cast<double>(r.size()), "width numbers for each position");
  return r;
}

/// Asks wanted(position, column, got) -> bits of every number, which got must equal in value.
template <floating_format Float, class Wanted>
measurement judge_each_code(const std::vector<bits_of<Float>>& codes, position_range positions,
                            const index_code& config, Wanted wanted) {
  measurement m;
  std::size_t at = 0;
  for (std::int64_t p = positions.begin; p < positions.end; ++p)
    for (int column = 0; column < config.width; ++column, ++at) {
      const bits_of<Float> got = codes[at], want = wanted(p, column, got);
      place where;
      where.position = static_cast<std::int32_t>(p);
      where.channel = column;
      record(m, judge_equal(same_value<Float>(got, want)), where, [&] {
        return evidence{dtype_of<Float>, 1, {}, {want}, {got}};
      });
    }
  return m;
}

template <floating_format Float>
inline constexpr bits_of<Float> one_as = round_magnitude<Float>(false, limbs_of<1>(1), 0, false);

/// A number outside the range is wanted at the range's end; a NaN too.
template <floating_format Float>
measurement measure_code_range(const index_code_source<Float>& source, const index_code& config,
                               std::int64_t length) {
  const position_range positions{0, length};
  return judge_each_code<Float>(codes_of<Float>(source, positions, config), positions, config,
                                [&](std::int64_t, int, bits_of<Float> got) {
                                  const bool is_signed = config.kind == index_code_kind::sine_only;
                                  const bool below = is_negative<Float>(got) && magnitude<Float>(got) != 0;
                                  if (below && !is_signed) return bits_of<Float>{0};
                                  return magnitude<Float>(got) <= one_as<Float> ? got : one_as<Float>;
                                });
}

template <floating_format Float>
measurement measure_code_unique(const index_code_source<Float>& source, const index_code& config,
                                std::int64_t length) {
  const std::vector<bits_of<Float>> codes = codes_of<Float>(source, {0, length}, config);
  const auto width = static_cast<std::size_t>(config.width);
  std::map<std::vector<bits_of<Float>>, std::int64_t> seen;
  measurement m;
  for (std::int64_t p = 0; p < length; ++p) {
    const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(p) * width);
    const bool is_new = seen.emplace(std::vector<bits_of<Float>>(begin, begin + config.width), p).second;
    place where;
    where.position = static_cast<std::int32_t>(p);
    record(m, judge_equal(is_new), where, [] { return evidence{}; });
  }
  return m;
}

/// From p - 1 to p bit k changes exactly where 2^k divides p.
template <floating_format Float>
measurement measure_bit_period(const index_code_source<Float>& source, const index_code& config,
                               std::int64_t length) {
  const std::vector<bits_of<Float>> codes = codes_of<Float>(source, {0, length}, config);
  const auto width = static_cast<std::size_t>(config.width);
  return judge_each_code<Float>(codes, {0, length}, config, [&](std::int64_t p, int column, bits_of<Float>) {
    if (p == 0) return bits_of<Float>{0};
    const int bit = config.order == bit_order::lsb ? column : config.width - 1 - column;
    const auto before = codes[static_cast<std::size_t>(p - 1) * width + static_cast<std::size_t>(column)];
    const bool changes = p % (std::int64_t{1} << bit) == 0, was_zero = magnitude<Float>(before) == 0;
    return changes == was_zero ? one_as<Float> : bits_of<Float>{0};
  });
}

template <floating_format Float>
measurement measure_same_code(const index_code_source<Float>& source, const index_code& config,
                              std::int64_t length) {
  const std::vector<bits_of<Float>> whole = codes_of<Float>(source, {0, length}, config);
  const auto width = static_cast<std::size_t>(config.width);
  const position_range part{0, (length + 1) / 2};
  return judge_each_code<Float>(
      codes_of<Float>(source, part, config), part, config, [&](std::int64_t p, int column, bits_of<Float>) {
        return whole[static_cast<std::size_t>(p) * width + static_cast<std::size_t>(column)];
      });
}

template <floating_format Float>
measurement measure_code_rounded_once(const index_code_source<Float>& source, const index_code& config,
                                      std::int64_t length) {
  const std::vector<bits_of<Float>> ours = index_codes<Float>({0, length}, config),
                                    theirs = codes_of<Float>(source, {0, length}, config);
  const auto width = static_cast<std::size_t>(config.width);
  measurement m =
      judge_each_code<Float>(theirs, {0, length}, config, [&](std::int64_t p, int column, bits_of<Float>) {
        return ours[static_cast<std::size_t>(p) * width + static_cast<std::size_t>(column)];
      });
  // And against the definition, which this library's own codes are made from by another way.
  for (std::int64_t p = 0; p < length; ++p)
    for (int column = 0; column < config.width; ++column) {
      const bits_of<Float> got =
          theirs[static_cast<std::size_t>(p) * width + static_cast<std::size_t>(column)];
      place where;
      where.position = static_cast<std::int32_t>(p);
      where.channel = column;
      judge_element<Float>(
          m, where, got, [&]<int N>() { return index_code_entry<N>(p, column, config); },
          [&] {
            return evidence{dtype_of<Float>, 1, {}, {got}, {got}};
          });
    }
  return m;
}

constexpr bool is_bounded(const index_code& config) { return config.kind != index_code_kind::integer; }
constexpr bool is_binary(const index_code& config) { return config.kind == index_code_kind::binary; }
constexpr bool is_any_code(const index_code&) { return true; }

}  // namespace detail

/// One law of tables in one format; `measure` looks at positions 0 .. length - 1.
///
/// domain  the code serves them
template <floating_format Float>
struct index_code_law {
  std::string_view name;
  std::string_view statement;
  bool (*applies)(const index_code&);
  measurement (*measure)(const index_code_source<Float>&, const index_code&, std::int64_t length);
};

template <floating_format Float>
inline constexpr std::array index_code_laws{
    index_code_law<Float>{"code-range", "normalised and binary codes lie in [0, 1], sines in [-1, 1]",
                          detail::is_bounded, detail::measure_code_range<Float>},
    index_code_law<Float>{"code-unique", "no two positions share a binary code", detail::is_binary,
                          detail::measure_code_unique<Float>},
    index_code_law<Float>{"bit-period", "position 0 has no bit set, and bit k changes every 2^k positions",
                          detail::is_binary, detail::measure_bit_period<Float>},
    index_code_law<Float>{"same-code", "a position has one code, however many positions are asked for",
                          detail::is_any_code, detail::measure_same_code<Float>},
    index_code_law<Float>{"code-rounded-once", "every number is the exact one rounded once, ties to even",
                          detail::is_any_code, detail::measure_code_rounded_once<Float>},
};

}  // namespace ropewalk
