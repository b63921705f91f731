#pragma once
// JSON from strangers: size, depth, UTF-8 and repeated keys are checked before a value exists.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "ropewalk/config/given.hpp"

namespace ropewalk::input {

using json = nlohmann::ordered_json;

inline constexpr std::size_t largest_config = std::size_t{1} << 24;  // bytes; real ones have some thousand
inline constexpr int deepest_config = 64;

/// One JSON object, UTF-8, no key twice, at most largest_config bytes and deepest_config levels.
///
/// throws  bad_input "FIELD is NAME (why, where); allowed: ..."
json parse_object(std::string_view text, const std::string& field, const std::string& name);

/// A value on one line, for messages.
std::string shown(const json& value);

/// Shortest decimals that read back to the same binary64.
std::string shown(double value);

/// The value of a key, or null when it is absent: Hugging Face writes null for what is not set.
const json& value_of(const json& object, std::string_view key);

// A key that is absent or null is not given; one of the wrong type is refused, never converted. `prefix`
// stands before the key in messages: "rope_scaling." or nothing.

given<double> number_in(const json& object, std::string_view key, const std::string& prefix = "");
given<std::int64_t> integer_in(const json& object, std::string_view key, std::int64_t smallest,
                               const std::string& prefix = "");
given<bool> flag_in(const json& object, std::string_view key, const std::string& prefix = "");
std::string text_in(const json& object, std::string_view key,
                    const std::string& prefix = "");  // empty: not given

}  // namespace ropewalk::input
