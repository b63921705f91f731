#include "model/scaling_keys.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"
#include "model/factor_lists.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr const char* length_key = "original_max_position_embeddings";
constexpr const char* longest_key = "max_position_embeddings";

constexpr std::string_view neighbours[] = {"rope_type", "type", "rope_theta", "partial_rotary_factor",
                                           longest_key};

}  // namespace

bool is_neighbour(std::string_view key) {
  return std::find(std::begin(neighbours), std::end(neighbours), key) != std::end(neighbours);
}

double scaling_keys::original_length() {
  used_.emplace(length_key);
  const given<std::int64_t> inner = integer_in(block_, length_key, 1, prefix_);
  const given<std::int64_t> outer = known_.original_max_position_embeddings;
  if (outer && inner && outer.value != inner.value)
    sources_.warn(std::string(length_key) + " is " + std::to_string(outer.value) + " and " + prefix_ +
                  length_key + " is " + std::to_string(inner.value) + ": the top level's is taken");
  if (outer) return length(outer.value, length_key);
  if (inner) return length(inner.value, prefix_ + length_key);
  if (!known_.max_position_embeddings)
    throw bad_input(prefix_ + length_key, "missing",
                    "a whole number, or max_position_embeddings to stand for it");
  length_is_given_ = false;
  return length(known_.max_position_embeddings.value, std::string(longest_key) + ", as none is given");
}

double scaling_keys::length(std::int64_t value, const std::string& from) {
  const given<std::int64_t> longest = known_.max_position_embeddings;
  if (longest && value > longest.value)
    throw bad_input(from, std::to_string(value),
                    "a number not above max_position_embeddings " + std::to_string(longest.value));
  sources_.add("L", std::to_string(value), from);
  return static_cast<double>(value);
}

double scaling_keys::longest_length() const {
  return known_.max_position_embeddings && length_is_given_
             ? static_cast<double>(known_.max_position_embeddings.value)
             : 0;
}

given<double> scaling_keys::stretch(double original, bool is_needed) {
  const given<double> factor = number("factor");
  const double longest = longest_length(), implied = longest / original;
  if (factor) {
    if (longest > original && std::fma(factor.value, original, -longest) != 0)
      sources_.warn(prefix_ + "factor is " + shown(factor.value) + " and max_position_embeddings / L is " +
                    shown(implied) + ": factor is taken");
    sources_.add("factor", shown(factor.value), prefix_ + "factor");
    return factor;
  }
  if (!is_needed) return factor;
  if (longest == 0)
    throw bad_input(prefix_ + "factor", "missing",
                    "a finite number above 0, or max_position_embeddings and "
                    "original_max_position_embeddings to form it from");
  sources_.add(
      "factor", shown(implied),
      "max_position_embeddings " + shown(longest) + " / L " + shown(original) + ", as none is given");
  return factor;
}

given<double> scaling_keys::number(std::string_view key) {
  used_.emplace(key);
  return number_in(block_, key, prefix_);
}

given<bool> scaling_keys::flag(std::string_view key) {
  used_.emplace(key);
  return flag_in(block_, key, prefix_);
}

double scaling_keys::required(std::string_view key) {
  const given<double> value = number(key);
  if (!value) throw bad_input(prefix_ + std::string(key), "missing", "a finite number above 0");
  sources_.add(std::string(key), shown(value.value), prefix_ + std::string(key));
  return value.value;
}

factor_list scaling_keys::list(std::string_view name_of_list) {
  const std::string key(name_of_list);
  used_.insert(key);
  const json& values = value_of(block_, key);
  if (values.is_null()) throw bad_input(prefix_ + key, "missing", "a list of rotary_dim / 2 numbers");
  if (!values.is_array()) throw bad_input(prefix_ + key, shown(values), "a list of rotary_dim / 2 numbers");
  std::vector<double> numbers;
  for (const json& value : values) {
    const std::string name = prefix_ + key + "[" + std::to_string(numbers.size()) + "]";
    if (!value.is_number()) throw bad_input(name, shown(value), "a finite number above 0");
    numbers.push_back(value.get<double>());
    if (!(numbers.back() > 0 && numbers.back() <= largest_number))
      throw bad_input(name, shown(value), "a finite number above 0");
  }
  const auto pairs = static_cast<std::size_t>(known_.pairs);
  if (pairs != 0 && numbers.size() != pairs)
    throw bad_input(prefix_ + key, std::to_string(numbers.size()) + " numbers",
                    std::to_string(pairs) + ", one for each of rotary_dim / 2 pairs");
  return kept(std::move(numbers));
}

}  // namespace ropewalk::model
