#include "input/json_text.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "input/bad_input.hpp"

namespace ropewalk::input {
namespace {

constexpr const char* object_allowed =
    "one JSON object in UTF-8, nested at most 64 deep, at most 32768 keys in each, no key twice";
constexpr std::int64_t largest_integer = 2147483647;

/// First pass: checks syntax, nesting and repeated keys without building a value.
class inspector : public nlohmann::json_sax<json> {
 public:
  const std::string& complaint() const { return complaint_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(string_t& name) override {
    if (keys_.back().size() >= most_keys) {
      complaint_ = "more than " + std::to_string(most_keys) + " keys in one object";
      return false;
    }
    if (keys_.back().insert(name).second) return true;
    complaint_ = "key " + printable(name) + " twice in one object";
    return false;
  }

  bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception& error) override {
    const std::string_view name = error.what();
    // 406: a well-formed number outside the range of binary64.
    if (error.id == 406)
      complaint_ = "a number beyond binary64, before byte " + std::to_string(at);
    else if (name.find("UTF-8") != std::string_view::npos)
      complaint_ = "not UTF-8 at byte " + std::to_string(at);
    else if (name.find("unexpected end of input") != std::string_view::npos)
      complaint_ = "ends inside a value, after byte " + std::to_string(at - 1);
    else
      complaint_ = "not JSON at byte " + std::to_string(at);
    return false;
  }

 private:
  bool enter() {
    keys_.emplace_back();
    if (keys_.size() <= deepest_config) return true;
    complaint_ = "nested more than " + std::to_string(deepest_config) + " deep";
    return false;
  }

  bool leave() {
    keys_.pop_back();
    return true;
  }

  std::vector<std::set<std::string, std::less<>>> keys_;
  std::string complaint_;
};

/// The encoding that the first bytes of a text indicate, if not plain UTF-8; empty otherwise. An object in
/// UTF-16 begins with a brace and a NUL, in either order.
std::string_view foreign_encoding(std::string_view text) {
  using namespace std::string_view_literals;
  if (text.starts_with("\xff\xfe\0\0"sv) || text.starts_with("\0\0\xfe\xff"sv)) return "it is UTF-32";
  if (text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv)) return "it is UTF-16";
  if (text.starts_with("{\0"sv) || text.starts_with("\0{"sv)) return "it is UTF-16";
  if (text.starts_with("\xef\xbb\xbf"sv)) return "it begins with a byte order mark";
  return {};
}

[[noreturn]] void refuse_value(const json& value, std::string_view key, const std::string& prefix,
                               const std::string& allowed) {
  throw bad_input(prefix + std::string(key), shown(value), allowed);
}

/// Parses a text that has passed all checks. nlohmann's writer and others recurse once per level of a value.
template <class Json>
Json parsed(std::string_view text) {
  if (const std::string_view encoding = foreign_encoding(text); !encoding.empty())
    throw bad_json(std::string(encoding));
  if (text.find_first_not_of(" \t\r\n") == text.npos) throw bad_json("empty");
  // The parser treats a NUL as the end of its input and would ignore the rest.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos)
    throw bad_json("a NUL at byte " + std::to_string(nul + 1));
  inspector first_pass;
  if (!json::sax_parse(text, &first_pass)) throw bad_json(first_pass.complaint());
  return Json::parse(text);
}

template <class Json>
Json parsed_object(std::string_view text) {
  Json value = parsed<Json>(text);
  if (!value.is_object()) throw bad_json("a JSON " + std::string(value.type_name()));
  return value;
}

}  // namespace

json object_of(std::string_view text) { return parsed_object<json>(text); }

nlohmann::json sorted_object_of(std::string_view text) { return parsed_object<nlohmann::json>(text); }

json any_value_of(std::string_view text) { return parsed<json>(text); }

json parse_object(std::string_view text, const std::string& field, const std::string& name) {
  if (text.size() > largest_config)
    throw bad_input(field, name + " (" + size_text(text.size()) + ")",
                    "at most " + size_text(largest_config));
  try {
    return object_of(text);
  } catch (const bad_json& why) {
    throw bad_input(field, name + " (" + why.what() + ")", object_allowed);
  }
}

std::string shown(const json& value) { return value.is_null() ? "missing" : value.dump(-1, ' ', true); }

std::string shown(double value) {
  char digits[32];
  // 500000 is easier to read than 5e+05; both convert back to the same number.
  const bool is_plain = value == std::floor(value) && std::abs(value) < 1e15;
  const auto end = is_plain
                       ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr
                       : std::to_chars(digits, digits + sizeof digits, value).ptr;
  return std::string(digits, end);
}

const json& value_of(const json& object, std::string_view key) {
  static const json absent;
  const auto match = object.find(key);
  return match == object.end() ? absent : *match;
}

given<double> number_in(const json& object, std::string_view key, const std::string& prefix) {
  const json& value = value_of(object, key);
  if (value.is_null()) return {};
  if (!value.is_number()) refuse_value(value, key, prefix, "a finite number");
  return value.get<double>();
}

given<std::int64_t> integer_in(const json& object, std::string_view key, std::int64_t smallest,
                               const std::string& prefix) {
  const json& value = value_of(object, key);
  if (value.is_null()) return {};
  // 64.0 is accepted as an integer: some writers emit floating-point numbers only.
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!value.is_number() || number != std::floor(number) || number < static_cast<double>(smallest) ||
      number > static_cast<double>(largest_integer))
    refuse_value(
        value, key, prefix,
        "a whole number from " + std::to_string(smallest) + " to " + std::to_string(largest_integer));
  return static_cast<std::int64_t>(number);
}

given<bool> flag_in(const json& object, std::string_view key, const std::string& prefix) {
  const json& value = value_of(object, key);
  if (value.is_null()) return {};
  if (!value.is_boolean()) refuse_value(value, key, prefix, "true or false");
  return value.get<bool>();
}

std::string text_in(const json& object, std::string_view key, const std::string& prefix) {
  const json& value = value_of(object, key);
  if (value.is_null()) return "";
  if (!value.is_string()) refuse_value(value, key, prefix, "a string");
  return value.get<std::string>();
}

}  // namespace ropewalk::input
