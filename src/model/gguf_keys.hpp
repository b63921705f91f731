#pragma once
// Access to the keys of a GGUF header for its architecture.

#include <cstdint>
#include <string>
#include <string_view>

#include "input/json_text.hpp"
#include "model/gguf_architectures.hpp"
#include "ropewalk/config/given.hpp"

namespace ropewalk::model {

inline constexpr const char* architecture_key = "general.architecture";

/// Tensors with one divisor per pair: for rule llama3, and for longrope.
inline constexpr std::string_view divisor_tensors[] = {"rope_freqs.weight", "rope_factors_long.weight",
                                                       "rope_factors_short.weight"};
inline constexpr std::int64_t most_divisors = 1 << 15;

/// The metadata of a header. Keys are given without the architecture's prefix.
struct gguf_keys {
  explicit gguf_keys(const input::json& object);

  const input::json& value(std::string_view key) const;
  /// throws  bad_input naming the whole key
  given<double> number(std::string_view key) const;
  given<std::int64_t> integer(std::string_view key) const;
  /// The number, or the largest of a list with one number per layer.
  input::json largest(std::string_view key) const;
  /// Whether rope.dimension_sections has a nonempty section.
  bool has_sections() const;
  std::string by_architecture() const { return "by architecture " + name; }

  const input::json& metadata;
  std::string name, prefix;     // the architecture; prefix: "name."
  const architecture& of_code;  // its row of the table
};

}  // namespace ropewalk::model
