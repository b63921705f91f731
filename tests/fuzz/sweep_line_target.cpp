// A directory of results of a sweep: sweep.json, and lines of results. The first line of an input that has a
// "box" is sweep.json; without it, a small range of work of two tables stands there. A line is read as it is
// and with a right checksum, which a fuzzer does not guess.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>

#include "fuzz/target.hpp"
#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "ropewalk/version.hpp"
#include "sweep/digest.hpp"
#include "sweep/results.hpp"
#include "sweep/unit_result.hpp"

namespace ropewalk::fuzz {
namespace {

constexpr std::int64_t most_units = 512;  // so that an input takes little memory

/// A directory of its own, removed at the end of the program.
class results_directory {
 public:
  results_directory() {
    std::string name = (std::filesystem::temp_directory_path() / "ropewalk_fuzz_XXXXXX").string();
    need(::mkdtemp(name.data()) != nullptr, "no directory for results");
    path_ = name;
  }
  ~results_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary | std::ios::trunc) << text;
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string small_sweep() {
  return R"({"ropewalk": ")" + std::string(version) + R"(", "box": {"subject": "table", "content": "",
      "entries_at_once": 65536, "dtypes": ["f32", "bf16"], "tables": [
      {"table": "0123456789abcdef0123456789abcdef", "pairs": 4, "models": ["one"], "positions": [0, 65536]},
      {"table": "fedcba9876543210fedcba9876543210", "pairs": 2, "models": [],
       "positions": [-4096, 4096]}]}})";
}

/// The line with the checksum of what it says, if it is an object at all.
std::string with_checksum(const std::string& line) {
  try {
    nlohmann::json json = input::sorted_object_of(line);
    json.erase("checksum");
    json["checksum"] = sweep::digest_of(json.dump());
    return json.dump();
  } catch (const input::bad_json&) {
    return line;
  }
}

/// sweep.json with this version.
std::string of_this_version(const std::string& line) {
  try {
    nlohmann::json json = input::sorted_object_of(line);
    json["ropewalk"] = version;
    return json.dump();
  } catch (const input::bad_json&) {
    return line;
  }
}

void check_line(const std::string& line) {
  const std::optional<sweep::unit_result> read = sweep::read_line(line);
  if (!read) return;
  const std::optional<sweep::unit_result> again = sweep::read_line(sweep::line_of(read->unit, read->counts));
  need(again && again->unit == read->unit && again->counts.size() == read->counts.size(),
       "a line changes when it is written");
}

void read_results(const std::string& path) {
  const sweep::work_range range = sweep::work_range_of("resume", path);
  need(to_json(sweep::work_range_from_json(to_json(range))) == to_json(range),
       "a range of work changes when it is written");
  if (sweep::units_of_range(range).count() > most_units) return;
  const sweep::results all({path}, range);
  need(all.done() >= 0 && all.done() <= all.units(), "more units are done than there are");
  for (std::int64_t unit = 0; unit < all.units(); ++unit)
    if (all.is_done(unit)) all.read(unit);
  all.sum();
}

}  // namespace

void sweep_line(input_bytes input) {
  static const results_directory directory;
  std::istringstream lines{std::string(text_in(input))};
  std::string about = small_sweep(), line, results;
  for (bool is_first = true; std::getline(lines, line); is_first = false) {
    if (is_first && line.find("\"box\"") != std::string::npos) {
      about = of_this_version(line);
      continue;
    }
    const std::string right = with_checksum(line);
    check_line(line);
    check_line(right);
    results += line + "\n" + right + "\n";
  }
  directory.write("sweep.json", about);
  directory.write("part-fuzz.jsonl", results);
  try {
    read_results(directory.path());
  } catch (const bad_input&) {
  } catch (const sweep::contradiction&) {
  }
}

}  // namespace ropewalk::fuzz

ROPEWALK_FUZZ_TARGET(sweep_line);
