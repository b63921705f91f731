#pragma once
// The keys of a GGUF file's header, as its architecture's code reads them.

#include <cstdint>
#include <string>
#include <string_view>

#include "input/json_text.hpp"
#include "model/gguf_architectures.hpp"
#include "ropewalk/config/given.hpp"

namespace ropewalk::model {

inline constexpr const char* architecture_key = "general.architecture";

/// Tensors with a divisor for each pair: of rule llama3, and of longrope.
inline constexpr std::string_view divisor_tensors[] = {"rope_freqs.weight", "rope_factors_long.weight",
                                                       "rope_factors_short.weight"};
inline constexpr std::int64_t most_divisors = 1 << 15;

/// A header's metadata, where keys are given without the architecture's name before them.
struct gguf_keys {
  explicit gguf_keys(const input::json& object);

  const input::json& value(std::string_view key) const;
  /// throws  bad_input naming the whole key
  given<double> number(std::string_view key) const;
  given<std::int64_t> integer(std::string_view key) const;
  /// The largest of a number or of a list with one for each layer.
  input::json largest(std::string_view key) const;
  /// Whether rope.dimension_sections has a section that is not empty.
  bool has_sections() const;
  std::string by_architecture() const { return "by architecture " + name; }

  const input::json& metadata;
  std::string name, prefix;     // of the architecture; the same with a point
  const architecture& of_code;  // its row
};

}  // namespace ropewalk::model
