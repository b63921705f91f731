#pragma once
// Reads the keys of a rope_scaling or rope_parameters block, and refuses bad values by the key's name.

#include <set>
#include <string>
#include <string_view>

#include "input/json_text.hpp"
#include "model/provenance.hpp"
#include "model/scaling_block.hpp"
#include "ropewalk/config/longrope.hpp"

namespace ropewalk::model {

/// Whether a key may stand in a block with any rule, and is read elsewhere.
bool is_neighbour(std::string_view key);

/// The keys of one block. Functions that read a key mark it as used. L, the factor and required numbers are
/// added to the provenance with their origin.
///
/// throws  bad_input naming the field, its value and what is allowed
class scaling_keys {
 public:
  scaling_keys(const input::json& block, const std::string& prefix, const lengths& known, provenance& sources)
      : block_(block), prefix_(prefix), known_(known), sources_(sources) {}

  const lengths& known() const { return known_; }
  provenance& sources() { return sources_; }
  /// The key with the prefix of its block, for messages.
  std::string written(std::string_view key) const { return prefix_ + std::string(key); }
  bool is_used(std::string_view key) const { return used_.contains(std::string(key)); }

  given<double> number(std::string_view key);
  given<bool> flag(std::string_view key);
  /// A number that the rule requires.
  double required(std::string_view key);
  /// A list of rotary_dim / 2 numbers, kept until the program ends.
  factor_list list(std::string_view key);

  /// L: from the top level, else the block, else max_position_embeddings.
  double original_length();
  /// max_position_embeddings, for computing a missing factor; 0 if it is missing or replaces L.
  double longest_length() const;
  /// The factor if given. Otherwise empty: a rule that needs one uses longest_length() / L, exactly.
  given<double> stretch(double original, bool is_needed);

 private:
  double length(std::int64_t value, const std::string& from);

  const input::json& block_;
  const std::string& prefix_;
  const lengths& known_;
  provenance& sources_;
  std::set<std::string> used_;
  bool length_is_given_ = true;
};

}  // namespace ropewalk::model
