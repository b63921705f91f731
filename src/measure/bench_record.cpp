#include "measure/bench_record.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "input/input_file.hpp"
#include "input/json_text.hpp"
#include "output/plain_text.hpp"

namespace ropewalk::measure {
namespace {

using input::json;

constexpr std::size_t largest_record = std::size_t{1} << 28;  // bytes; a full run has about 2^20
constexpr double nanoseconds = 1e9;                           // in a second

constexpr std::pair<kernel_role, std::string_view> role_names[] = {
    {kernel_role::canonical, "canonical"}, {kernel_role::recipe, "recipe"}, {kernel_role::given, "given"}};

// ---- Writing. NaN is written as null ----

json json_of(const estimate& estimate) {
  return {{"median", estimate.median}, {"low", estimate.low}, {"high", estimate.high}};
}

json json_of(const error_below& error) {
  return {{"limit", error.limit},
          {"is_served", error.is_served},
          {"ulp", error.ulp},
          {"distance", error.distance},
          {"correctly_rounded", error.correctly_rounded}};
}

json json_of(const ceiling_record& record) {
  return {{"level", record.level},
          {"threads", record.threads},
          {"working_set", record.working_set},
          {"bytes_per_second", json_of(record.bytes_per_second)}};
}

json rounds_of(const bench_row& row) {
  json object = json::array();
  for (const std::vector<round_times>& rounds : row.repetitions) {
    json& repetition = object.emplace_back(json::array());
    for (const round_times& round : rounds) repetition.push_back({round.work, round.other});
  }
  return object;
}

/// The fields that Google Benchmark's own tools read. They require cpu_time, which repeats real_time.
void put_google_fields(json& to, const bench_row& row) {
  std::size_t rounds = 0;
  for (const auto& repetition : row.repetitions) rounds += repetition.size();
  to["name"] = row.name;
  to["run_name"] = row.name;
  to["run_type"] = "iteration";
  to["repetitions"] = row.repetitions.size();
  to["threads"] = row.threads;
  to["iterations"] = rounds;
  to["real_time"] = row.seconds.median * nanoseconds;
  to["cpu_time"] = row.seconds.median * nanoseconds;
  to["time_unit"] = "ns";
  to["bytes_per_second"] = row.bytes / row.seconds.median;
}

void put_description(json& to, const bench_row& row) {
  to["noun"] = row.group;
  to["kernel"] = row.kernel;
  to["dtype"] = row.dtype;
  to["pairing"] = row.pairing;
  to["tokens"] = row.tokens;
  to["role"] = name_of(row.role);
  to["origin"] = row.origin;
  to["model"] = row.model;
  to["heads"] = row.heads;
  to["kv_heads"] = row.kv_heads;
  to["batch"] = row.batch;
}

json json_of(const bench_row& row) {
  json object, errors = json::array();
  put_google_fields(object, row);
  put_description(object, row);
  object["clock"] = row.clock;
  object["not_timed"] = row.not_timed;
  object["check"] = row.check;
  object["is_wrong"] = row.is_wrong;
  object["bytes"] = row.bytes;
  object["other"] = row.other;
  object["seconds"] = json_of(row.seconds);
  object["ratio"] = json_of(row.ratio);
  object["noise"] = row.noise;
  for (const error_below& error : row.errors) errors.push_back(json_of(error));
  object["errors"] = std::move(errors);
  object["ceiling"] = row.ceiling;
  object["share"] = row.share;
  object["instructions"] = row.instructions;
  object["not_counted"] = row.not_counted;
  object["counters"] = row.counters;
  object["rounds"] = rounds_of(row);
  return object;
}

template <class Values>
json list_of(const Values& values) {
  json object = json::array();
  for (const auto& value : values) object.push_back(json_of(value));
  return object;
}

std::string one_line(const json& value) { return value.dump(-1, ' ', true, json::error_handler_t::replace); }

/// Elements, one per line, so that two records can be compared line by line.
std::string lines_of(const json& elements) {
  std::string text;
  for (const json& element : elements) text += (text.empty() ? "\n" : ",\n") + one_line(element);
  return "[" + text + "\n]";
}

// ---- Reading ----

/// An object of a record, and where it stands, for messages.
class reader {
 public:
  reader(const json& object, std::string place, const reader& outer)
      : reader(object, outer.file_, outer.name_, std::move(place)) {}
  reader(const json& object, std::string file, std::string_view name, std::string place = {})
      : object_(object), file_(std::move(file)), name_(name), place_(std::move(place)) {
    if (!object.is_object()) refuse({}, object, "an object");
  }

  [[noreturn]] void refuse(const std::string& key, const json& value, const std::string& allowed) const {
    const std::string field = place_.empty() || key.empty() ? place_ + key : place_ + "." + key;
    throw bad_input(name_, file_ + " (" + field + " is " + printable(input::shown(value), 60) + ")", allowed);
  }

  const json& of(const std::string& key) const { return input::value_of(object_, key); }

  std::string text(const std::string& key) const {
    if (!of(key).is_string()) refuse(key, of(key), "a text");
    return output::plain_line(of(key).get_ref<const std::string&>());  // may go to a terminal
  }
  /// A number, or null for one that was not measured.
  double number(const std::string& key) const {
    if (object_.contains(key) && of(key).is_null()) return not_measured;
    if (!of(key).is_number()) refuse(key, of(key), "a number or null");
    return of(key).get<double>();
  }
  std::int64_t whole(const std::string& key, std::int64_t least, std::int64_t most) const {
    const json& value = of(key);
    if (!value.is_number_integer() || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
      refuse(key, value, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return value.get<std::int64_t>();
  }
  int count(const std::string& key, int least) const {
    return static_cast<int>(whole(key, least, std::numeric_limits<int>::max()));
  }
  bool flag(const std::string& key) const {
    if (!of(key).is_boolean()) refuse(key, of(key), "true, false");
    return of(key).get<bool>();
  }
  reader object(const std::string& key) const {
    if (!of(key).is_object()) refuse(key, of(key), "an object");
    return {of(key), place_.empty() ? key : place_ + "." + key, *this};
  }
  /// Calls take(value, place) for each element of an array.
  template <class Take>
  void each(const std::string& key, const Take& take) const {
    if (!of(key).is_array()) refuse(key, of(key), "an array");
    const std::string array = place_.empty() ? key : place_ + "." + key;
    for (std::size_t i = 0; i < of(key).size(); ++i) take(of(key)[i], array + "[" + std::to_string(i) + "]");
  }
  const json& all() const { return object_; }

 private:
  const json& object_;
  std::string file_;
  std::string_view name_;
  std::string place_;
};

estimate estimate_in(const reader& from) {
  return {from.number("median"), from.number("low"), from.number("high")};
}

kernel_role role_in(const reader& from) {
  std::string allowed;
  for (const auto& [role, name] : role_names) {
    if (from.text("role") == name) return role;
    allowed += (allowed.empty() ? "" : ", ") + std::string(name);
  }
  from.refuse("role", from.of("role"), allowed);
}

/// A number of a served limit. Null means infinity: an output was not finite.
double served_number(const reader& from, const std::string& key) {
  const double value = from.number(key);
  return std::isnan(value) && from.flag("is_served") ? std::numeric_limits<double>::infinity() : value;
}

error_below error_in(const reader& from) {
  return {from.whole("limit", 0, std::numeric_limits<std::int64_t>::max()), from.flag("is_served"),
          served_number(from, "ulp"), served_number(from, "distance"), from.number("correctly_rounded")};
}

/// The rounds of a row: pairs of numbers, by repetition.
std::vector<std::vector<round_times>> rounds_in(const reader& from) {
  constexpr const char* allowed = "arrays of pairs [work, other] of seconds, at least 0";
  std::vector<std::vector<round_times>> result;
  from.each("rounds", [&](const json& rounds, const std::string&) {
    if (!rounds.is_array()) from.refuse("rounds", rounds, allowed);
    result.emplace_back();
    for (const json& round : rounds) {
      const bool is_pair =
          round.is_array() && round.size() == 2 && round[0].is_number() && round[1].is_number();
      if (!is_pair || !(round[0].get<double>() >= 0) || !(round[1].get<double>() >= 0))
        from.refuse("rounds", round, allowed);
      result.back().push_back({round[0].get<double>(), round[1].get<double>()});
    }
  });
  return result;
}

void read_description(bench_row& row, const reader& from) {
  row.name = from.text("name");
  row.group = from.text("noun");
  row.kernel = from.text("kernel");
  row.dtype = from.text("dtype");
  row.pairing = from.text("pairing");
  row.tokens = from.whole("tokens", 0, std::numeric_limits<std::int64_t>::max());
  row.role = role_in(from);
  row.origin = from.text("origin");
  row.model = from.text("model");
  row.heads = from.count("heads", 0);
  row.kv_heads = from.count("kv_heads", 0);
  row.batch = from.count("batch", 0);
  row.threads = from.count("threads", 1);
}

bench_row row_in(const reader& from) {
  bench_row row{};
  read_description(row, from);
  row.clock = from.text("clock");
  row.not_timed = from.text("not_timed");
  row.check = from.text("check");
  row.is_wrong = from.flag("is_wrong");
  row.bytes = from.number("bytes");
  row.other = from.text("other");
  row.repetitions = rounds_in(from);
  row.seconds = estimate_in(from.object("seconds"));
  row.ratio = estimate_in(from.object("ratio"));
  row.noise = from.text("noise");
  from.each("errors", [&](const json& item, const std::string& place) {
    row.errors.push_back(error_in({item, place, from}));
  });
  row.ceiling = from.text("ceiling");
  row.share = from.number("share");
  row.instructions = from.number("instructions");
  row.not_counted = from.text("not_counted");
  const reader counters = from.object("counters");
  for (const auto& [key, value] : counters.all().items()) row.counters[key] = counters.number(key);
  return row;
}

ceiling_record ceiling_in(const reader& from) {
  return {from.text("level"), from.count("threads", 1), from.number("working_set"),
          estimate_in(from.object("bytes_per_second"))};
}

}  // namespace

std::string_view name_of(kernel_role role) {
  for (const auto& [known, name] : role_names)
    if (known == role) return name;
  return {};
}

std::string time_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} s", seconds);
}

std::string as_json(const bench_record& record) {
  json context = json::object();
  for (const auto& [key, value] : record.context) context[key] = value;
  return "{\n\"schema\": " + one_line(std::string(bench_schema)) + ",\n\"context\": " + one_line(context) +
         ",\n\"ceilings\": " + lines_of(list_of(record.ceilings)) +
         ",\n\"benchmarks\": " + lines_of(list_of(record.rows)) + "\n}\n";
}

bench_record bench_record_from_json(std::string_view text, const std::string& file, std::string_view name) {
  json parsed;
  try {
    parsed = input::object_of(text);
  } catch (const input::bad_json& bad) {
    throw bad_input(name, file + " (" + bad.what() + ")", "a JSON file that `ropewalk bench --out` wrote");
  }
  const reader record(parsed, file, name);
  if (record.of("schema") != std::string(bench_schema))
    record.refuse("schema", record.of("schema"),
                  std::string(bench_schema) + ", as `ropewalk bench --out` writes it");
  bench_record result;
  const reader context = record.object("context");
  for (const auto& [key, value] : context.all().items()) result.context[key] = context.text(key);
  record.each("ceilings", [&](const json& item, const std::string& place) {
    result.ceilings.push_back(ceiling_in({item, place, record}));
  });
  record.each("benchmarks", [&](const json& item, const std::string& place) {
    result.rows.push_back(row_in({item, place, record}));
  });
  return result;
}

bench_record read_bench_record(const std::string& path, std::string_view name) {
  return bench_record_from_json(input::read_text(std::string(name), path, largest_record), path, name);
}

}  // namespace ropewalk::measure
