#include "vectors/inc.hpp"

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "input/json_text.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::vectors {
namespace {

using input::json;

/// A C array, filled piece by piece; the place of a piece identifies it.
class c_array {
 public:
  c_array(std::string type, std::string name, std::size_t per_line)
      : type_(std::move(type)), name_("check_vectors_" + std::move(name)), per_line_(per_line) {}

  /// Appends elements, and returns the expression that points to the first.
  std::string add(const std::vector<std::string>& elements) {
    const std::string place = name_ + " + " + std::to_string(count_);
    for (const std::string& element : elements) text_ += element + (++count_ % per_line_ == 0 ? ",\n" : ",");
    return place;
  }

  std::string add(const std::string& element) { return add(std::vector<std::string>{element}); }
  std::size_t count() const { return count_; }

  std::string definition() const {
    // C has no empty arrays; a pack with one topic may have no data of a format.
    return "static const " + type_ + " " + name_ + "[] = {\n" + (count_ == 0 ? "0" : text_) + "};\n";
  }

 private:
  std::string type_;
  std::string name_;
  std::size_t per_line_;
  std::string text_{};
  std::size_t count_ = 0;
};

/// "{a, b, c}".
std::string braced(const std::vector<std::string>& members) {
  std::string braced = "{";
  for (const std::string& member : members) braced += (braced.size() == 1 ? "" : ", ") + member;
  return braced + "}";
}

/// A JSON string is also a C string, since the pack is ASCII without control characters.
std::string literal_of(const json& text) { return text.dump(); }

std::vector<std::string> dumped(const json& numbers) {
  std::vector<std::string> dumped;
  for (const json& number : numbers) dumped.push_back(number.dump());
  return dumped;
}

/// Constants with `of_each` hexadecimal digits each.
std::vector<std::string> constants(const std::string& digits, std::size_t of_each) {
  std::vector<std::string> constants;
  for (std::size_t at = 0; at < digits.size(); at += of_each)
    constants.push_back("0x" + digits.substr(at, of_each));
  return constants;
}

/// Numbers of binary64 as decimals that convert back to them.
std::vector<std::string> binary64(const std::string& digits) {
  std::vector<std::string> binary64;
  for (std::size_t at = 0; at < digits.size(); at += 16)
    binary64.push_back(json(from_bits<double>(std::stoull(digits.substr(at, 16), nullptr, 16))).dump());
  return binary64;
}

class c_tables {
 public:
  void add_flags(const json& flags) {
    for (const auto& [name, about] : flags.items()) {
      if (!flag_.emplace(name, flags_.count()).second) continue;
      std::string seen;
      for (const json& thread : about["seen"]) seen += (seen.empty() ? "" : " ") + thread.get<std::string>();
      flags_.add(braced({literal_of(name), literal_of(about["hunts"]), literal_of(about["wrong_means"]),
                         literal_of(seen)}));
    }
  }

  void add_group(const json& group) {
    const std::string dtype = group["dtype"];
    const std::size_t pairs = group["pairs"].size();
    const std::string channels = channels_of(group["pairs"]);
    const std::string out = group.contains("pairs_out") ? channels_of(group["pairs_out"]) : channels;
    const std::string axis =
        axes_.add(group.contains("axis") ? dumped(group["axis"]) : std::vector<std::string>(pairs, "0"));
    const std::size_t first_rule = rules_.count(), first_case = cases_.count();
    for (const json& rule : group["accept"]) add_rule(rule);
    for (const json& test_case : group["cases"]) add_case(test_case, dtype);
    groups_.add(braced({literal_of(group["id"]), "check_vectors_" + dtype, group["head_dim"].dump(),
                        std::to_string(pairs), group["axes"].dump(), channels, out, axis,
                        numbers_.add(dumped(group["inv_freq_decimal"])),
                        numbers_.add(binary64(group["inv_freq_rest"])), group["model"]["base"].dump(),
                        group["attention_factor_decimal"].dump(), std::to_string(first_rule),
                        std::to_string(rules_.count() - first_rule), std::to_string(first_case),
                        std::to_string(cases_.count() - first_case)}));
  }

  std::string definitions() const {
    std::string definitions;
    for (const c_array* array : {&bits64_, &bits32_, &bits16_, &numbers_, &channels_, &axes_, &flag_numbers_,
                                 &flags_, &rules_, &cases_, &groups_})
      definitions += array->definition();
    return definitions;
  }

 private:
  std::string channels_of(const json& pairs) {
    std::vector<std::string> names;
    for (const json& pair : pairs)
      for (const json& channel : pair) names.push_back(channel.dump());
    return channels_.add(names);
  }

  std::string bits_of(const std::string& digits, const std::string& dtype) {
    if (dtype == "f64") return bits64_.add(constants(digits, 16));
    if (dtype == "f32") return bits32_.add(constants(digits, 8));
    return bits16_.add(constants(digits, 4));
  }

  void add_rule(const json& rule) {
    const bool is_distance = rule["rule"] == "distance";
    const std::string growth =
        rule.contains("per_position") ? numbers_.add(dumped(rule["per_position"])) : "0";
    rules_.add(braced({literal_of(rule["promise"]), is_distance ? "1" : "0",
                       is_distance ? rule["relative"].dump() : "0.0", growth,
                       is_distance ? rule["absolute"].dump() : "0.0"}));
  }

  void add_case(const json& object, const std::string& dtype) {
    std::vector<std::string> members = {literal_of(object["id"])};
    for (int i = 0; i < 3; ++i)
      members.push_back(object["shape"][static_cast<std::size_t>(i)].dump());  // without the channels
    std::vector<std::string> positions, flags;
    for (const json& row : object["positions"])
      for (const json& value : row) positions.push_back(json(value.get<double>()).dump());
    for (const json& flag : object["flags"])
      flags.push_back(std::to_string(flag_.at(flag.get<std::string>())));
    members.push_back(numbers_.add(positions));
    for (const char* key : {"backward", "unit"}) members.emplace_back(object.contains(key) ? "1" : "0");
    members.push_back(bits_of(object["x"], dtype));
    members.push_back(bits_of(object["expected"], dtype));
    members.push_back(flag_numbers_.add(flags));
    members.push_back(std::to_string(flags.size()));
    cases_.add(braced(members));
  }

  std::map<std::string, std::size_t, std::less<>> flag_{};
  c_array bits64_{"uint64_t", "bits64", 8}, bits32_{"uint32_t", "bits32", 8},
      bits16_{"uint16_t", "bits16", 16};
  c_array numbers_{"double", "numbers", 8}, channels_{"int", "channels", 32}, axes_{"int", "axes", 32};
  c_array flag_numbers_{"unsigned char", "flag_numbers", 32}, flags_{"check_vectors_flag", "flags", 1};
  c_array rules_{"check_vectors_rule", "rules", 1}, cases_{"check_vectors_case", "cases", 1};
  c_array groups_{"check_vectors_group", "groups", 1};
};

}  // namespace

std::string inc_text(const std::vector<std::string>& topics) {
  c_tables made;
  std::string names, written_by, command;
  for (const std::string& text : topics) {
    const json topic = input::object_of(text);
    made.add_flags(topic["flags"]);
    for (const json& group : topic["groups"])
      if (group["operation"] == "rotate") made.add_group(group);
    names += (names.empty() ? "" : ", ") + topic["topic"].get<std::string>() + ".json";
    written_by = topic["written_by"], command = topic["command"];
  }
  return "/* Made by `" + command + "` (" + written_by + ") from " + names +
         ": tables that check_vectors.h reads. License: BSL-1.0. */\n" + made.definitions();
}

}  // namespace ropewalk::vectors
