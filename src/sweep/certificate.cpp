#include "sweep/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "input/kept_file.hpp"
#include "output/output_file.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/version.hpp"
#include "sweep/digest.hpp"
#include "sweep/embedded_certificates.hpp"
#include "sweep/whole_number.hpp"

namespace ropewalk::sweep {
namespace {

constexpr int schema = 1;
// Bytes; those of all models are below 2^15.
constexpr std::uint64_t largest_certificate = std::uint64_t{1} << 24;

constexpr const char* certificate_folder = "proofs/certificate";
constexpr const char* narrow_formats = "f32,f16,bf16";  // formats that share one pass

constexpr const char* trusted[] = {
    "the rounding tests' error budgets, which proofs/kernel/quarter_turn.md proves",
    "exact arithmetic, for entries near a tie (include/ropewalk/numeric)",
    "compiler and processor: that the vector code ran as it is written, on the machine that ran it"};

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("certificate: " + what); }

void need(bool holds, const std::string& what) {
  if (!holds) refuse(what);
}

/// A unit's name, parsed.
struct named_unit {
  std::string table;
  std::string dtypes;
  int pairs = 0;
  position_range positions{};
};

template <class Number>
Number number_in(std::string_view text, const std::string& name) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  need(error == std::errc() && end == text.data() + text.size(), "unit " + name + " is misnamed");
  return value;
}

named_unit read_name(const std::string& name) {
  std::vector<std::string_view> words;
  std::string_view left = name;
  for (auto slash = left.find('/'); slash != left.npos; slash = left.find('/')) {
    words.push_back(left.substr(0, slash));
    left.remove_prefix(slash + 1);
  }
  words.push_back(left);
  need(words.size() == 4 && words[2].starts_with("0:"), "unit " + name + " is misnamed");
  const auto colon = words[3].find(':');
  need(colon != words[3].npos, "unit " + name + " is misnamed");
  const position_range positions{number_in<std::int64_t>(words[3].substr(0, colon), name),
                                 number_in<std::int64_t>(words[3].substr(colon + 1), name)};
  validate(positions);
  return {std::string(words[0]), std::string(words[1]), number_in<int>(words[2].substr(2), name), positions};
}

struct placed_result {
  named_unit name;
  const unit_result* result;
};

/// binary64 entries are compared with binary32 entries, which check only a few of their bits.
int computations_of(ropewalk_dtype dtype) { return dtype == ROPEWALK_F64 ? 1 : 2; }

/// One part, from units in the order of their positions.
certified_part part_of(const std::vector<placed_result>& units) {
  const position_range first = units.front().name.positions;
  certified_part part;
  part.positions = {first.begin, units.back().name.positions.end};
  part.positions_of_unit = size(first);
  std::int64_t next = first.begin;
  std::string lines;
  for (const auto& [name, result] : units) {
    need(name.positions.begin == next, "positions from " + std::to_string(next) + " on have no unit, or two");
    need(size(name.positions) == part.positions_of_unit || &result->unit == &units.back().result->unit,
         "units differ in size");
    next = name.positions.end;
    part.unit_checksums += result->checksum.substr(0, checksum_digits);
    lines += result->checksum + "\n";
    part.counts += result->counts;
  }
  part.digest = digest_of(lines);
  part.computations = computations_of(part.counts.front().dtype);
  return part;
}

/// The options that select a model.
std::string options_for(const model::model& read_model) {
  const std::string layers = read_model.layer_type.empty() ? "" : " --layer " + read_model.layer_type;
  const std::vector<std::string> known = model::all_catalogue_names();
  if (std::find(known.begin(), known.end(), read_model.name) != known.end())
    return " --model " + read_model.name + layers;
  if (!read_model.model_type.empty()) return " --config " + read_model.name + layers;
  const input::json config = input::object_of(read_model.config);
  const std::string scaling =
      config.contains("rope_scaling") ? " --scaling '" + config["rope_scaling"].dump() + "'" : "";
  const std::string begin = read_model.layout.rotary_begin == 0
                                ? ""
                                : fmt::format(" --rotary-begin {}", read_model.layout.rotary_begin);
  const std::string axes = config.contains("axes") ? " --axes '" + config["axes"].dump() + "'" : "";
  return fmt::format(" --base {} --head-dim {} --rotary-dim {}{}{}{}", read_model.encoding.base,
                     read_model.layout.head_dim, read_model.encoding.rotary_dim, begin, scaling, axes);
}

/// The command that makes one part of a model's certificate.
std::string command_for(const model::model& model, const std::string& dtypes, position_range positions,
                        const std::string& results = "results",
                        const std::string& directory = "certificates") {
  std::string typed = dtypes;
  std::replace(typed.begin(), typed.end(), ',', ' ');
  return "ropewalk sweep" + options_for(model) + " --dtype " + typed + " --positions " +
         std::to_string(positions.begin) + ":" + std::to_string(positions.end) + " --output " + results +
         " --certificates " + directory;
}

bool is_hexadecimal(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == text.npos; }

void check(const format_tally& tally, const certified_part& part, int pairs) {
  const std::string dtype = ropewalk::name_of(tally.dtype);
  const auto require = [&](bool holds, const char* what) { need(holds, dtype + ": " + what); };
  require(tally.wrong == 0 && tally.undecided == 0, "an entry is wrong or undecided");
  require(tally.entries == 2 * size(part.positions) * pairs,
          "the number of entries is not that of the positions");
  require(tally.by_steps[0] == tally.entries, "not every entry is correct");
  require(tally.exactly <= tally.entries, "more entries were sent to exact arithmetic than exist");
  require(static_cast<std::int64_t>(tally.hardest.size()) ==
              std::min<std::int64_t>(tally.exactly, format_tally::most_hard_cases),
          "hard cases are missing or too many");
  for (const hard_case& entry : tally.hardest)
    require(entry.distance >= 0 && entry.distance < 0.5 && entry.place.pair >= 0 &&
                entry.place.pair < pairs && entry.place.position >= part.positions.begin &&
                entry.place.position < part.positions.end,
            "a hard case is outside of the table");
  require(std::adjacent_find(tally.hardest.begin(), tally.hardest.end(),
                             [](const hard_case& a, const hard_case& b) { return !(a < b); }) ==
              tally.hardest.end(),
          "hard cases are not in order");
}

void check(const certificate& certificate) {
  need(certificate.table.size() == 32 && is_hexadecimal(certificate.table),
       "the table's identity is malformed");
  need(certificate.pairs > 0, "no pairs");
  need(!certificate.models.empty(), "no models");
  need(!certificate.parts.empty(), "no parts");
  for (const certified_part& part : certificate.parts) {
    validate(part.positions);
    need(part.positions_of_unit > 0 && part.positions_of_unit <= size(part.positions), "units have no size");
    need(static_cast<std::int64_t>(part.unit_checksums.size()) == checksum_digits * unit_count(part) &&
             is_hexadecimal(part.unit_checksums),
         "the number of checksums is not that of the units");
    need(part.digest.size() == 32 && is_hexadecimal(part.digest), "the digest is malformed");
    need(!part.counts.empty(), "no formats");
    need(part.computations >= 1 && part.computations <= computations_of(part.counts.front().dtype),
         "the number of computations is below 1 or too large");
    for (const format_tally& tally : part.counts) check(tally, part, certificate.pairs);
  }
}

nlohmann::json to_json(const certificate& certificate) {
  nlohmann::json parts = nlohmann::json::array();
  for (const certified_part& part : certificate.parts) {
    nlohmann::json formats = nlohmann::json::array();
    for (const format_tally& tally : part.counts) formats.push_back(sweep::to_json(tally));
    parts.push_back({{"command", part.command},
                     {"computations", part.computations},
                     {"positions", {part.positions.begin, part.positions.end}},
                     {"positions_of_unit", part.positions_of_unit},
                     {"units", unit_count(part)},
                     {"unit_checksums", part.unit_checksums},
                     {"digest", part.digest},
                     {"formats", formats}});
  }
  return {{"schema", schema},
          {"program", certificate.program},
          {"table", certificate.table},
          {"pairs", certificate.pairs},
          {"models", certificate.models},
          {"trusted", trusted},
          {"parts", parts}};
}

/// The file for a table's certificate in a directory. `known` becomes the certificate already there, if any.
std::filesystem::path place_of(const swept_table& table, const std::filesystem::path& directory,
                               std::optional<certificate>& known) {
  const std::string name = file_name_of(table.models.front());
  for (int number = 1;; ++number) {
    const std::string suffix = number == 1 ? "" : "-" + std::to_string(number);
    const std::filesystem::path path = directory / (name + suffix + ".json");
    if (!std::filesystem::exists(path)) return path;
    try {
      known = certificate_from_text(input::kept_text("certificates", path.string(), largest_certificate));
    } catch (const bad_input&) {
      throw;
    } catch (const std::exception& error) {
      throw bad_input("certificates", path.string() + " (" + error.what() + ")", "certificates alone");
    }
    if (known->table == table.identity) return path;
    known.reset();
  }
}

/// JSON laid out for diffs: a list of numbers and strings takes one line.
std::string laid_out(const nlohmann::json& value, int depth) {
  const bool is_leaf =
      !value.is_structured() ||
      (value.is_array() && std::none_of(value.begin(), value.end(),
                                        [](const nlohmann::json& item) { return item.is_structured(); }));
  if (is_leaf) return value.dump();
  const std::string indent(static_cast<std::size_t>(depth), ' ');
  std::string text;
  for (const auto& [key, member] : value.items())
    text += (text.empty() ? "\n " : ",\n ") + indent +
            (value.is_object() ? nlohmann::json(key).dump() + ": " : "") + laid_out(member, depth + 1);
  return (value.is_object() ? "{" : "[") + text + "\n" + indent + (value.is_object() ? "}" : "]");
}

}  // namespace

std::vector<swept_table> catalogue_tables() {
  std::vector<model::model> all;
  for (model::model& model : catalogue_models()) all.push_back(at_own_context(std::move(model)));
  return tables_of(all, [](const model::model&) { return position_range{0, largest_position + 1}; });
}

certificate certificate_of(const swept_table& table, std::span<const unit_result> units) {
  certificate certificate{file_name_of(table.models.front()),
                          std::string("ropewalk ") + version,
                          table.identity,
                          table.pairs,
                          table.models,
                          {}};
  std::map<std::string, std::vector<placed_result>> parts;
  for (const unit_result& unit : units) {
    named_unit name = read_name(unit.unit);
    need(name.table == table.identity && name.pairs == table.pairs,
         "unit " + unit.unit + " is another table's");
    parts[name.dtypes].push_back({std::move(name), &unit});
  }
  for (auto& [dtypes, results] : parts) {
    std::sort(results.begin(), results.end(), [](const placed_result& a, const placed_result& b) {
      return a.name.positions.begin < b.name.positions.begin;
    });
    certified_part part = part_of(results);
    part.command = command_for(table.model, dtypes, part.positions);
    certificate.parts.push_back(std::move(part));
  }
  check(certificate);
  return certificate;
}

std::string text_of(const certificate& certificate) { return laid_out(to_json(certificate), 0) + "\n"; }

certificate certificate_from_text(std::string_view text) {
  const nlohmann::json from = input::sorted_object_of(text);
  need(from.at("schema") == schema, "schema is " + from.at("schema").dump() + "; allowed: 1");
  certificate certificate;
  from.at("program").get_to(certificate.program);
  from.at("table").get_to(certificate.table);
  certificate.pairs = static_cast<int>(whole_number(from.at("pairs"), 1, largest_head_dim / 2));
  from.at("models").get_to(certificate.models);
  for (const nlohmann::json& value : from.at("parts")) {
    certified_part part;
    value.at("command").get_to(part.command);
    part.computations = static_cast<int>(whole_number(value.at("computations"), 1, 2));
    part.positions = positions_in(value.at("positions"));
    part.positions_of_unit = count_in(value.at("positions_of_unit"));
    value.at("unit_checksums").get_to(part.unit_checksums);
    value.at("digest").get_to(part.digest);
    for (const nlohmann::json& item : value.at("formats"))
      part.counts.push_back(format_tally_from_json(item));
    certificate.parts.push_back(std::move(part));
  }
  check(certificate);
  certificate.file = file_name_of(certificate.models.front());
  return certificate;
}

std::string file_name_of(std::string_view model) {
  constexpr std::size_t longest = 100;
  if (model.ends_with(".json")) model.remove_suffix(5);  // the model is the path of a configuration
  std::string name;
  for (const char c : model) {
    const bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                         c == '_' || (c == '.' && !name.empty());
    if (is_kept)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  name.resize(std::min(name.size(), longest));
  while (name.ends_with('-')) name.pop_back();
  return name.empty() ? "table" : name;
}

void certify(const swept_table& table, std::span<const unit_result> units, const std::string& directory) {
  std::optional<certificate> known;
  const std::filesystem::path path = place_of(table, directory, known);
  const auto formats_of = [](const certified_part& part) {
    std::vector<ropewalk_dtype> dtypes;
    for (const format_tally& counts : part.counts) dtypes.push_back(counts.dtype);
    return dtypes;
  };
  try {
    certificate made = certificate_of(table, units);
    if (known) {
      made.models = known->models;
      for (const certified_part& old : known->parts)
        if (std::none_of(made.parts.begin(), made.parts.end(), [&](const certified_part& part) {
              return formats_of(part) == formats_of(old) && part.positions.begin <= old.positions.begin &&
                     part.positions.end >= old.positions.end;
            }))
          made.parts.push_back(old);
      std::sort(made.parts.begin(), made.parts.end(), [&](const certified_part& a, const certified_part& b) {
        return formats_of(a) > formats_of(b);
      });
    }
    std::filesystem::create_directories(directory);
    output::output_file to(path.string());
    to.write(text_of(made));
    to.commit();
  } catch (const bad_input&) {
    throw;
  } catch (const std::exception& error) {
    throw bad_input("certificates", path.string() + " (" + error.what() + ")", "results of one whole table");
  }
}

std::string path_of(const certificate& certificate) {
  return std::string(certificate_folder) + "/" + certificate.file + ".json";
}

std::string command_for(const model::model& model) {
  return command_for(model, narrow_formats, {0, largest_position + 1});
}

std::vector<std::string> commands_for(const swept_table& table) {
  // Each directory has one range of work.
  const std::string results = "results-" + table.identity.substr(0, 8);
  return {command_for(table.model, narrow_formats, {0, largest_position + 1}, results, certificate_folder),
          command_for(table.model, "f64", {0, fewest_wide_positions}, results + "-f64", certificate_folder)};
}

const std::vector<certificate>& certificates() {
  static const std::vector<certificate> all = [] {
    std::vector<certificate> read;
    for (const embedded_file& file : embedded_certificates()) {
      read.push_back(certificate_from_text(file.text));
      read.back().file = file.name;
    }
    return read;
  }();
  return all;
}

const certificate* certificate_for(std::string_view table) {
  for (const certificate& certificate : certificates())
    if (certificate.table == table) return &certificate;
  return nullptr;
}

std::vector<swept_table> uncertified(std::span<const swept_table> tables,
                                     std::span<const certificate> certificates) {
  std::vector<swept_table> uncertified;
  for (const swept_table& table : tables)
    if (std::none_of(certificates.begin(), certificates.end(),
                     [&](const certificate& certificate) { return certificate.table == table.identity; }))
      uncertified.push_back(table);
  return uncertified;
}

std::vector<std::string> misnamed(std::span<const swept_table> tables,
                                  std::span<const certificate> certificates) {
  std::vector<std::string> complaints;
  for (const certificate& certificate : certificates) {
    const auto match = std::find_if(tables.begin(), tables.end(), [&](const swept_table& table) {
      return table.identity == certificate.table;
    });
    const std::string who = path_of(certificate) + " (" + certificate.models.front() + "): ";
    if (match == tables.end())
      complaints.push_back(who + "no model has this table");
    else if (match->pairs != certificate.pairs || match->models != certificate.models)
      complaints.push_back(who + "its pairs or models are not " + std::to_string(match->pairs) + " of " +
                           nlohmann::json(match->models).dump());
    else if (certificate.file != file_name_of(certificate.models.front()))
      complaints.push_back(who + "its file is not " + file_name_of(certificate.models.front()) + ".json");
  }
  return complaints;
}

std::int64_t unit_count(const certified_part& part) {
  return (size(part.positions) + part.positions_of_unit - 1) / part.positions_of_unit;
}

unit unit_at(const certified_part& part, std::int64_t index) {
  unit unit;
  for (const format_tally& counts : part.counts) unit.dtypes.push_back(counts.dtype);
  const std::int64_t begin = part.positions.begin + index * part.positions_of_unit;
  unit.positions = {begin, std::min(begin + part.positions_of_unit, part.positions.end)};
  return unit;
}

work_range work_range_of(const swept_table& table, const certified_part& part) {
  work_range range{"table", "", {table}, unit_at(part, 0).dtypes, part.positions_of_unit * table.pairs};
  range.tables.front().positions = part.positions;
  return range;
}

}  // namespace ropewalk::sweep
