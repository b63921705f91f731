#pragma once
// Counts of checked entries. Tallies of disjoint sets of entries add up to the same tally in any order.

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::sweep {

/// An entry of a table of cosines and sines.
struct entry_place {
  std::int64_t position = 0;
  int pair = 0;
  bool is_sin = false;
  friend auto operator<=>(const entry_place&, const entry_place&) = default;
};

/// An entry whose exact value is near a tie, halfway between two numbers of the format.
struct hard_case {
  double distance = 0;  // between the exact value and the tie, in ulps
  entry_place place{};
  std::uint64_t bits = 0;  // of the correctly rounded entry
  friend auto operator<=>(const hard_case&, const hard_case&) = default;
};

/// A wrong entry. `error` is its distance from the exact value, absolute.
struct wrong_case {
  entry_place place{};
  std::uint64_t bits = 0;  // the wrong entry
  std::uint64_t correct = 0;
  double error = 0;
};

/// Counts and worst cases of entries in one format.
struct format_tally {
  // The number is part of a unit's line, so changing it changes every recorded checksum. Audits recompute all
  // of these cases by MPFR, and search for nearer ones.
  static constexpr std::size_t most_hard_cases = 64;
  static constexpr std::size_t steps_bins = 66;

  ropewalk_dtype dtype = ROPEWALK_F32;
  std::int64_t entries = 0;    // cosines and sines checked
  std::int64_t wrong = 0;      // entries that differ from the correctly rounded ones
  std::int64_t exactly = 0;    // entries near a tie, sent to exact arithmetic
  std::int64_t undecided = 0;  // entries that reached its cap of precision, not checked
  // Numbers of entries by steps of the format between them and the correctly rounded entry: [0] correct, [k]
  // from 2^(k - 1) to 2^k - 1 steps.
  std::array<std::int64_t, steps_bins> by_steps{};
  std::optional<wrong_case> largest_in_steps{};
  std::optional<wrong_case> largest_error{};
  std::vector<hard_case> hardest{};  // nearest first, at most most_hard_cases

  void add_hard_case(const hard_case& entry);
  void add_wrong_case(const wrong_case& test_case);
  format_tally& operator+=(const format_tally& other);
};

/// One format_tally per format, in the order of formats.
using tally = std::vector<format_tally>;

/// Adds tallies of the same formats.
tally& operator+=(tally& to, const tally& other);

nlohmann::json to_json(const format_tally& tally);
/// throws  nlohmann::json::exception or std::invalid_argument if the JSON is not from to_json
format_tally format_tally_from_json(const nlohmann::json& json);

}  // namespace ropewalk::sweep
