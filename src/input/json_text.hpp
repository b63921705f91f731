#pragma once
// Untrusted JSON: size, depth, UTF-8 and repeated keys are checked before a value is built.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ropewalk/config/given.hpp"

namespace ropewalk::input {

using json = nlohmann::ordered_json;

inline constexpr std::size_t largest_config = std::size_t{1} << 24;  // bytes; real files have a few thousand
inline constexpr int deepest_config = 64;
// Per object: each key is compared with all others.
inline constexpr std::size_t most_keys = std::size_t{1} << 15;

/// Thrown for text that is not valid JSON here. The message gives the reason and the place.
class bad_json : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Parses one JSON object of any size: UTF-8, no repeated key, at most deepest_config levels and most_keys
/// keys per object.
///
/// throws  bad_json
json object_of(std::string_view text);

/// The same, with sorted keys, for checksums.
///
/// throws  bad_json
nlohmann::json sorted_object_of(std::string_view text);

/// Parses one JSON value of any kind, as object_of() parses an object.
///
/// throws  bad_json
json any_value_of(std::string_view text);

/// Parses one JSON object: UTF-8, no repeated key, at most largest_config bytes, deepest_config levels and
/// most_keys keys per object.
///
/// throws  bad_input "FIELD is NAME (why, where); allowed: ..."
json parse_object(std::string_view text, const std::string& field, const std::string& name);

/// A value on one line, for messages; "missing" for null.
std::string shown(const json& value);

/// The shortest decimal that converts back to the same binary64; whole numbers below 10^15 have no exponent.
std::string shown(double value);

/// The value of a key; null if absent. Hugging Face also writes null for unset values.
const json& value_of(const json& object, std::string_view key);

// The result is empty if the key is absent or null. A value of the wrong type is refused, never converted,
// except that integer_in accepts 64.0. `prefix` precedes the key in messages: "rope_scaling." or nothing.

given<double> number_in(const json& object, std::string_view key, const std::string& prefix = "");
given<std::int64_t> integer_in(const json& object, std::string_view key, std::int64_t smallest,
                               const std::string& prefix = "");
given<bool> flag_in(const json& object, std::string_view key, const std::string& prefix = "");
std::string text_in(const json& object, std::string_view key, const std::string& prefix = "");

}  // namespace ropewalk::input
