#pragma once
// What every table of xPos owes the paper, whoever made it: a norm of its own, z^exponent in place of 1, and
// scores that depend on the distance alone, because what a query gains a key loses.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ropewalk/encoding/xpos.hpp"
#include "ropewalk/law/bound.hpp"
#include "ropewalk/law/identity.hpp"
#include "ropewalk/law/measurement.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/cos_sin_table.hpp"

namespace ropewalk {

/// Makes the row of one position: rotary_dim / 2 cosines and sines, scale included.
template <floating_format Float>
using xpos_source =
    std::function<std::vector<cos_sin_bits<Float>>(std::int64_t position, xpos_side, const xpos&)>;

template <floating_format Float>
struct xpos_law {
  std::string_view name;
  std::string_view statement;
  measurement (*measure)(const xpos_source<Float>&, std::int64_t length, const xpos&);
};

namespace detail::xpos_laws {

/// u and eta of an entry rounded to nearest: it moves by at most u |entry| + eta.
template <floating_format Float, int N>
struct rounding_error {
  enclosure<N> u = times_power_of_two(enclosure<N>::of(1), -format<Float>::precision);
  enclosure<N> eta =
      times_power_of_two(enclosure<N>::of(1), format<Float>::smallest_exponent - format<Float>::precision);
};

template <int N, floating_format Float>
enclosure<N> exact(bits_of<Float> bits) {
  return {exact_dyadic_of_bits<N, Float>(bits), {}};
}

template <floating_format Float>
bool is_finite_entry(const cos_sin_bits<Float>& entry) {
  return is_finite<Float>(entry.cos) && is_finite<Float>(entry.sin);
}

/// 2 u + u^2, rounded up: of the squared scale, besides what subnormal entries add.
template <floating_format Float>
inline constexpr double relative_bound =
    ropewalk::detail::product_up(unit_roundoff<Float>, ropewalk::detail::sum_up(2, unit_roundoff<Float>));

/// |c^2 + s^2 - r^2| <= (2 u + u^2) r^2 + 4 r eta + 2 eta^2, for the rounded pair is within u r + sqrt 2 eta.
template <floating_format Float>
verdict judge_norm(const cos_sin_bits<Float>& entry, int pair, std::int64_t position, xpos_side side,
                   const xpos& config) {
  if (!is_finite_entry<Float>(entry)) return judge_equal(false);
  return judge(relative_bound<Float>, [&]<int N>() {
    const rounding_error<Float, N> e;
    const enclosure<N> c = exact<N, Float>(entry.cos), s = exact<N, Float>(entry.sin);
    const enclosure<N> r = xpos_scale<N>(pair, position, side, config), two = enclosure<N>::of(2);
    return error_and_bound<N>{c * c + s * s - r * r,
                              (two + e.u) * e.u * r * r + two * two * r * e.eta + two * e.eta * e.eta};
  });
}

/// c c' + s s' against z^((m - n) / scale_base) cos((m - n) inv_freq), and s c' - c s' against the same with the
/// sine, by the same errors of a query's and a key's pair.
template <floating_format Float>
verdict judge_score(const cos_sin_bits<Float>& query, const cos_sin_bits<Float>& key, bool across, int pair,
                    std::int64_t m, std::int64_t n, const xpos& config) {
  if (!is_finite_entry<Float>(query) || !is_finite_entry<Float>(key)) return judge_equal(false);
  return judge(relative_bound<Float>, [&]<int N>() {
    const rounding_error<Float, N> e;
    const enclosure<N> c = exact<N, Float>(query.cos), s = exact<N, Float>(query.sin);
    const enclosure<N> other_c = exact<N, Float>(key.cos), other_s = exact<N, Float>(key.sin);
    const enclosure<N> got = across ? s * other_c - c * other_s : c * other_c + s * other_s;
    xpos centred = config;
    centred.length = 0;
    const auto block = xpos_block<N>(pair, m - n, xpos_side::query, centred);
    const enclosure<N> paper = across ? block.sin : block.cos;
    const enclosure<N> a = xpos_scale<N>(pair, m, xpos_side::query, config);
    const enclosure<N> b = xpos_scale<N>(pair, n, xpos_side::key, config), two = enclosure<N>::of(2);
    return error_and_bound<N>{got - paper,
                              (two + e.u) * e.u * a * b + two * (a + b) * e.eta + two * e.eta * e.eta};
  });
}

template <floating_format Float>
std::vector<cos_sin_bits<Float>> checked_row(const xpos_source<Float>& source, std::int64_t position,
                                             xpos_side side, const xpos& config) {
  auto row = source(position, side, config);
  require(row.size() == static_cast<std::size_t>(config.rotary_dim / 2), "the row's size",
          static_cast<double>(row.size()), "rotary_dim / 2 pairs");
  return row;
}

template <floating_format Float>
measurement measure_norm(const xpos_source<Float>& source, std::int64_t length, const xpos& config) {
  measurement m;
  for (const xpos_side side : {xpos_side::query, xpos_side::key})
    for (std::int64_t position = 0; position < length; ++position) {
      const auto row = checked_row<Float>(source, position, side, config);
      for (std::size_t pair = 0; pair < row.size(); ++pair) {
        place where;
        where.token = position;
        where.pair = static_cast<int>(pair);
        record(m, judge_norm<Float>(row[pair], static_cast<int>(pair), position, side, config), where,
               [] { return evidence{}; });
      }
    }
  return m;
}

template <floating_format Float>
measurement measure_relative(const xpos_source<Float>& source, std::int64_t length, const xpos& config) {
  measurement m;
  for (std::int64_t query = 0; query < length; ++query) {
    const auto query_row = checked_row<Float>(source, query, xpos_side::query, config);
    for (const std::int64_t distance : {std::int64_t{0}, std::int64_t{1}, length / 2, length - 1}) {
      const std::int64_t key = query - distance;
      if (key < 0) continue;
      const auto key_row = checked_row<Float>(source, key, xpos_side::key, config);
      for (std::size_t pair = 0; pair < query_row.size(); ++pair) {
        place where;
        where.token = query;
        where.pair = static_cast<int>(pair);
        for (const bool across : {false, true})
          record(m,
                 judge_score<Float>(query_row[pair], key_row[pair], across, static_cast<int>(pair), query,
                                    key, config),
                 where, [] { return evidence{}; });
      }
    }
  }
  return m;
}

template <floating_format Float>
measurement measure_rounded_once(const xpos_source<Float>& source, std::int64_t length, const xpos& config) {
  measurement m;
  for (const xpos_side side : {xpos_side::query, xpos_side::key})
    for (std::int64_t position = 0; position < length; ++position) {
      const auto row = checked_row<Float>(source, position, side, config);
      for (std::size_t pair = 0; pair < row.size(); ++pair) {
        const auto rounded = [&](auto part) {
          return round_with_enough_limbs<Float>("entry", [&]<int N>() {
            return part(xpos_block<N>(static_cast<int>(pair), position, side, config));
          });
        };
        const bits_of<Float> cosine = rounded([](const auto&block) { return block.cos; }),
                             sine = position == 0 ? bits_of<Float>{0}
                                                  : rounded([](const auto&block) { return block.sin; });
        place where;
        where.token = position;
        where.pair = static_cast<int>(pair);
        record(
            m,
            judge_equal(same_value<Float>(row[pair].cos, cosine) && same_value<Float>(row[pair].sin, sine)),
            where, [&] {
              return evidence{dtype_of<Float>, 2, {}, {cosine, sine}, {row[pair].cos, row[pair].sin}};
            });
      }
    }
  return m;
}

}  // namespace detail::xpos_laws

template <floating_format Float>
inline constexpr std::array xpos_laws{
    xpos_law<Float>{"norm", "a pair grows by z^exponent in queries and shrinks by it in keys",
                    detail::xpos_laws::measure_norm<Float>},
    xpos_law<Float>{"relative",
                    "a score depends on the distance alone, and falls with it by z^(1 / scale_base)",
                    detail::xpos_laws::measure_relative<Float>},
    xpos_law<Float>{"rounded-once", "every cosine and sine is the exact one, scale included, rounded once",
                    detail::xpos_laws::measure_rounded_once<Float>},
};

}  // namespace ropewalk
