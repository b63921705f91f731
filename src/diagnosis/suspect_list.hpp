#pragma once
// Hypotheses about one table, and those that any table of cosines and sines has: positions, frequencies and
// entries that an engine mistakes, whatever the encoding.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "diagnosis/rotary_suspect.hpp"

namespace ropewalk::diagnosis {

class suspect_list {
 public:
  /// `divided`: the base and rotary_dim from which ggml's divisors are counted.
  suspect_list(rotary_suspect right, rope divided) : right_(std::move(right)), divided_(std::move(divided)) {}

  const rotary_suspect& right() const { return right_; }
  std::vector<table_hypothesis> take() { return std::move(made_); }

  /// Adds a table, unless it is the right one.
  void add(std::string name, std::string sentence, rotary_suspect suspect);
  /// Adds a table that kernels with a known fault use, too.
  void add_known(const std::string& name, rotary_suspect suspect);

  /// Cosines and sines exchanged, negated, dropped, or in turn where they should be apart.
  void add_entries();
  /// The same tables with these changes of their entries.
  rotary_suspect with_entries(const entry_change& change) const;
  /// Positions or coordinates that are rounded to whole numbers.
  void add_rounded_positions();
  /// Positions wrapped, clamped, shifted or in other formats. `length`: max_position_embeddings, or 0.
  void add_positions(std::int64_t length);
  /// Positions changed by a map, whether they are indices or coordinates.
  void add_position(const std::string& name, std::string sentence, const fault::position_map& map);
  /// Frequencies, angles and positions in formats of 16 bits.
  void add_formats();
  /// Frequencies in other units.
  void add_units();
  /// Frequencies that belong to other pairs, or that were not initialised.
  void add_pairs();

 private:
  template <class At>
  rotary_suspect with_pairs(At at) const;

  rotary_suspect right_;
  rope divided_;
  std::vector<table_hypothesis> made_;
};

}  // namespace ropewalk::diagnosis
