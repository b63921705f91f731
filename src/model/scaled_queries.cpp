#include "model/scaled_queries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "model/layers.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

/// Whether the scale's flag is on. The default is true; some files have a number for it.
bool is_switched_on(const json& flag, std::string_view key) {
  if (!flag.is_null() && !flag.is_boolean() && !flag.is_number())
    throw bad_input(std::string(key), printable(shown(flag)), "true or false");
  return flag.is_null() || flag == true || (flag.is_number() && flag != 0);
}

/// The object with the scale's keys, and their prefix in messages.
std::pair<json, std::string> place_of_keys(const json& body, const json& block, const std::string& prefix,
                                           const query_scale_rule& rule) {
  if (rule.is_in_scaling_block) return {block, prefix};
  if (rule.block.empty()) return {body, ""};
  const json& own = value_of(body, rule.block);
  if (!own.is_null() && !own.is_object())
    throw bad_input(std::string(rule.block), shown(own), "a JSON object");
  return {own.is_null() ? json::object() : own, std::string(rule.block) + "."};
}

}  // namespace

std::string text_of(const scaled_queries& queries) {
  const query_scale& scale = queries.scale;
  return fmt::format("1 + {} ln(1 + floor({} / {})){}", shown(scale.strength),
                     scale.shift == 0 ? "p" : fmt::format("(p + {})", scale.shift), scale.length,
                     queries.is_of_still_layers ? ", in layers that do not rotate" : "");
}

std::optional<scaled_queries> read_scaled_queries(const json& body, const json& block,
                                                  const std::string& prefix, const model_type& type,
                                                  provenance& sources) {
  const query_scale_rule& rule = type.query_scale;
  if (rule.strength.empty()) return std::nullopt;
  if (!rule.flag.empty() && !is_switched_on(value_of(body, rule.flag), rule.flag)) {
    sources.add("query scale", "none", std::string(rule.flag) + " " + shown(value_of(body, rule.flag)));
    return std::nullopt;
  }
  const std::vector<std::string> kinds =
      rule.is_of_still_layers ? kinds_in(body, type) : std::vector<std::string>{};
  if (!kinds.empty() && std::all_of(kinds.begin(), kinds.end(),
                                    [&](const std::string& kind) { return does_rotate(body, type, kind); })) {
    sources.add("query scale", "none", "every layer rotates");
    return std::nullopt;
  }
  const auto [keys, path] = place_of_keys(body, block, prefix, rule);
  const given<double> strength = number_in(keys, rule.strength, path);
  const given<std::int64_t> length = integer_in(keys, rule.length, 1, path);
  const std::string strength_key = path + std::string(rule.strength),
                    length_key = path + std::string(rule.length);
  if (!strength && rule.default_strength == 0) return std::nullopt;
  if (strength.value_or(rule.default_strength) == 0) {
    sources.add("query scale", "none", strength_key + " 0");
    return std::nullopt;
  }
  if (!length && rule.default_length == 0)
    throw bad_input(length_key, "missing", "a whole number above 0, as " + strength_key + " is given");
  scaled_queries queries;
  queries.scale = {strength.value_or(rule.default_strength), length.value_or(rule.default_length),
                   rule.shift};
  queries.is_of_still_layers = rule.is_of_still_layers;
  if (!(queries.scale.strength >= 0 && queries.scale.strength <= largest_number))
    throw bad_input(strength_key, shown(queries.scale.strength), "a finite number from 0 up");
  sources.add("query scale", text_of(queries),
              fmt::format("{}{}, {}{}", strength_key, strength ? "" : " of the type's own code", length_key,
                          length ? "" : " of the type's own code"));
  return queries;
}

}  // namespace ropewalk::model
