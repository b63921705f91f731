#pragma once
// Collects hypotheses about one table, including those for any table of cosines and sines: wrong positions,
// frequencies and entries.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "diagnosis/rotary_suspect.hpp"

namespace ropewalk::diagnosis {

class suspect_list {
 public:
  /// `divided`: the base and rotary_dim that are the reference of ggml's divisors.
  suspect_list(rotary_suspect right, rope divided) : right_(std::move(right)), divided_(std::move(divided)) {}

  const rotary_suspect& right() const { return right_; }
  std::vector<table_hypothesis> take() { return std::move(made_); }

  /// Adds a table, unless it is the right one.
  void add(std::string name, std::string sentence, rotary_suspect suspect);
  /// Adds a table that a known fault of kernels also gives.
  void add_known(const std::string& name, rotary_suspect suspect);

  /// Cosines and sines exchanged, negated, dropped, or alternating instead of apart.
  void add_entries();
  /// The right table with these changes of its entries.
  rotary_suspect with_entries(const entry_change& change) const;
  /// Positions or coordinates rounded to whole numbers.
  void add_rounded_positions();
  /// Positions wrapped, clamped, shifted or in other formats. `length`: max_position_embeddings, or 0.
  void add_positions(std::int64_t length);
  /// Positions changed by a map, whether indices or coordinates.
  void add_position(const std::string& name, std::string sentence, const fault::position_map& map);
  /// Frequencies, angles and positions in 16-bit formats.
  void add_formats();
  /// Frequencies in other units.
  void add_units();
  /// Frequencies of other pairs, or uninitialised frequencies.
  void add_pairs();

 private:
  template <class At>
  rotary_suspect with_pairs(At at) const;

  rotary_suspect right_;
  rope divided_;
  std::vector<table_hypothesis> made_;
};

}  // namespace ropewalk::diagnosis
