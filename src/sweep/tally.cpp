#include "sweep/tally.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/ulp.hpp"
#include "sweep/whole_number.hpp"

namespace ropewalk::sweep {
namespace {

std::uint64_t steps_of(ropewalk_dtype dtype, const wrong_case& test_case) {
  return with_format(dtype, [&]<class Float>() {
    return ulp_distance<Float>(static_cast<bits_of<Float>>(test_case.bits),
                               static_cast<bits_of<Float>>(test_case.correct));
  });
}

/// Whether to report a instead of b: the larger error or, if equal, the first entry.
template <class Size>
bool is_worse(const wrong_case& a, const wrong_case& b, Size size) {
  const auto of_a = size(a), of_b = size(b);
  return of_a != of_b ? of_a > of_b : a.place < b.place;
}

template <class Size>
void keep_worse(std::optional<wrong_case>& kept, const wrong_case& test_case, Size size) {
  if (!kept || is_worse(test_case, *kept, size)) kept = test_case;
}

nlohmann::json to_json(const entry_place& place) {
  return nlohmann::json::array({place.position, place.pair, place.is_sin ? "sin" : "cos"});
}

entry_place place_from_json(const nlohmann::json& json) {
  const std::string name = json.at(2).get<std::string>();
  if (name != "sin" && name != "cos") throw std::invalid_argument("neither sin nor cos");
  return {whole_number(json.at(0), smallest_position, largest_position),
          static_cast<int>(whole_number(json.at(1), 0, largest_head_dim / 2 - 1)), name == "sin"};
}

nlohmann::json to_json(const wrong_case& test_case) {
  return {{"at", to_json(test_case.place)},
          {"given", test_case.bits},
          {"correct", test_case.correct},
          {"error", test_case.error}};
}

wrong_case wrong_from_json(const nlohmann::json& json) {
  // JSON has null for an infinite error.
  const nlohmann::json& error = json.at("error");
  return {place_from_json(json.at("at")), bits_in(json.at("given")), bits_in(json.at("correct")),
          error.is_null() ? std::numeric_limits<double>::infinity() : error.get<double>()};
}

}  // namespace

void format_tally::add_hard_case(const hard_case& entry) {
  const auto at = std::lower_bound(hardest.begin(), hardest.end(), entry);
  if (hardest.size() == most_hard_cases && at == hardest.end()) return;
  hardest.insert(at, entry);
  if (hardest.size() > most_hard_cases) hardest.pop_back();
}

void format_tally::add_wrong_case(const wrong_case& test_case) {
  keep_worse(largest_in_steps, test_case, [&](const wrong_case& tested) { return steps_of(dtype, tested); });
  keep_worse(largest_error, test_case, [](const wrong_case& tested) { return tested.error; });
}

format_tally& format_tally::operator+=(const format_tally& other) {
  entries += other.entries;
  wrong += other.wrong;
  exactly += other.exactly;
  undecided += other.undecided;
  for (std::size_t i = 0; i < by_steps.size(); ++i) by_steps[i] += other.by_steps[i];
  if (other.largest_in_steps) add_wrong_case(*other.largest_in_steps);
  if (other.largest_error) add_wrong_case(*other.largest_error);
  for (const hard_case& entry : other.hardest) add_hard_case(entry);
  return *this;
}

tally& operator+=(tally& to, const tally& other) {
  if (to.empty()) return to = other;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += other[i];
  return to;
}

nlohmann::json to_json(const format_tally& counts) {
  nlohmann::json json = {{"dtype", ropewalk::name_of(counts.dtype)},
                         {"entries", counts.entries},
                         {"wrong", counts.wrong},
                         {"exactly", counts.exactly},
                         {"undecided", counts.undecided}};
  std::size_t bins = counts.by_steps.size();
  while (bins > 0 && counts.by_steps[bins - 1] == 0) --bins;
  json["by_steps"] =
      std::vector<std::int64_t>(counts.by_steps.begin(), counts.by_steps.begin() + static_cast<int>(bins));
  if (counts.largest_in_steps) json["largest_in_steps"] = to_json(*counts.largest_in_steps);
  if (counts.largest_error) json["largest_error"] = to_json(*counts.largest_error);
  nlohmann::json& hardest = json["hardest"] = nlohmann::json::array();
  for (const hard_case& entry : counts.hardest) {
    nlohmann::json place = to_json(entry.place);
    place.push_back(entry.bits);
    place.push_back(entry.distance);
    hardest.push_back(place);
  }
  return json;
}

format_tally format_tally_from_json(const nlohmann::json& json) {
  format_tally counts;
  const auto dtype = dtype_named(json.at("dtype").get<std::string>());
  if (!dtype) throw std::invalid_argument("unknown dtype");
  counts.dtype = *dtype;
  counts.entries = count_in(json.at("entries"));
  counts.wrong = count_in(json.at("wrong"));
  counts.exactly = count_in(json.at("exactly"));
  counts.undecided = count_in(json.at("undecided"));
  const nlohmann::json& bins = json.at("by_steps");
  if (!bins.is_array() || bins.size() > counts.by_steps.size())
    throw std::invalid_argument("no bins, or too many");
  std::transform(bins.begin(), bins.end(), counts.by_steps.begin(), count_in);
  if (json.contains("largest_in_steps")) counts.largest_in_steps = wrong_from_json(json["largest_in_steps"]);
  if (json.contains("largest_error")) counts.largest_error = wrong_from_json(json["largest_error"]);
  for (const nlohmann::json& value : json.at("hardest"))
    counts.add_hard_case({value.at(4).get<double>(), place_from_json(value), bits_in(value.at(3))});
  return counts;
}

}  // namespace ropewalk::sweep
