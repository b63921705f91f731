#include "sweep/results.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "input/kept_file.hpp"
#include "output/output_file.hpp"
#include "ropewalk/version.hpp"
#include "sweep/digest.hpp"

namespace ropewalk::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* about_name = "sweep.json";
constexpr const char* units_name = "units.jsonl";
constexpr const char* result_name = "result.json";
constexpr const char* lines_field = "file of results";

// Far above the largest sweeps: all models' tables, and 64 hard cases in each of 4 formats.
constexpr std::uint64_t largest_about = std::uint64_t{1} << 20;
constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr std::int64_t most_units = std::int64_t{1} << 22;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void refuse_output(const std::string& path, const std::string& why) {
  throw bad_input("output", path + " (" + why + ")", "a directory that can be written, with enough space");
}

void write_whole(const fs::path& path, const std::string& text) {
  output::output_file to(path.string());
  to.write(text);
  to.commit();
}

std::string about(const work_range& range) {
  const nlohmann::json json = {{"ropewalk", version}, {"box", to_json(range)}};
  return json.dump(1) + "\n";
}

nlohmann::json about_of(const std::string& field, const std::string& directory) {
  const fs::path file = fs::path(directory) / about_name;
  std::error_code unknown;
  const nlohmann::json json = [&] {
    if (!fs::exists(file, unknown)) return nlohmann::json::object();
    try {
      return input::sorted_object_of(input::kept_text(field, file.string(), largest_about));
    } catch (const input::bad_json&) {
      return nlohmann::json::object();
    }
  }();
  if (!json.contains("box") || !json["box"].is_object() || !json.contains("ropewalk"))
    throw bad_input(field, directory,
                    std::string("a directory whose ") + about_name + " says what is checked");
  if (json["ropewalk"] != version)
    throw bad_input(field, directory + " (results of version " + json["ropewalk"].dump() + ")",
                    std::string("results of this version, ") + version);
  return json["box"];
}

/// Whether counts agree with each other and with the unit: a valid checksum does not make a line true.
bool is_possible(const format_tally& tally, const unit& unit, int pairs) {
  constexpr std::int64_t most_copies = 4;  // cosines and sines, each twice
  const std::int64_t single = size(unit.positions) * pairs;
  if (tally.entries < single || tally.entries > most_copies * single || tally.entries % single != 0)
    return false;
  const auto is_count = [&](std::int64_t count) { return count >= 0 && count <= tally.entries; };
  if (!is_count(tally.wrong) || !is_count(tally.exactly) || !is_count(tally.undecided)) return false;
  std::int64_t all = 0;
  for (const std::int64_t count : tally.by_steps) {
    if (!is_count(count)) return false;
    all += count;
  }
  if (all != tally.entries || tally.by_steps[0] != tally.entries - tally.wrong) return false;
  const auto is_place = [&](const entry_place& at) {
    return at.position >= unit.positions.begin && at.position < unit.positions.end && at.pair >= 0 &&
           at.pair < pairs;
  };
  const auto is_wrong_place = [&](const std::optional<wrong_case>& at) {
    return at.has_value() == (tally.wrong > 0) && (!at || is_place(at->place));
  };
  return is_wrong_place(tally.largest_in_steps) && is_wrong_place(tally.largest_error) &&
         static_cast<std::int64_t>(tally.hardest.size()) ==
             std::min<std::int64_t>(tally.exactly, format_tally::most_hard_cases) &&
         std::all_of(tally.hardest.begin(), tally.hardest.end(), [&](const hard_case& at) {
           return is_place(at.place) && at.distance >= 0 && at.distance < 0.5;
         });
}

bool is_possible(const tally& tally, const unit& unit, const work_range& range) {
  if (tally.size() != unit.dtypes.size()) return false;
  for (std::size_t i = 0; i < tally.size(); ++i)
    if (tally[i].dtype != unit.dtypes[i] || !is_possible(tally[i], unit, range.tables[unit.table].pairs))
      return false;
  return true;
}

/// The first field that differs between two ranges of work, as text.
std::string difference(const nlohmann::json& there, const nlohmann::json& here) {
  for (const auto& [name, value] : here.items())
    if (!there.contains(name) || there[name] != value)
      return name + " is " + printable(there.value(name, nlohmann::json()).dump(), 60) + " there, " +
             printable(value.dump(), 60) + " here";
  return "it has other fields";
}

/// Whether a directory contains only files left by a process that began here, or was killed at its start.
bool is_fresh(const fs::path& place) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(place, error))
    if (entry.path().filename().string().find(about_name) == std::string::npos) return false;
  return !error;
}

}  // namespace

void open_directory(const std::string& directory, const work_range& range) {
  const fs::path place(directory), file = place / about_name;
  std::error_code error;
  fs::create_directories(place, error);
  if (error || !fs::is_directory(place)) refuse_output(directory, error ? error.message() : "no directory");
  if (!fs::exists(file)) {
    if (is_fresh(place))
      write_whole(file, about(range));
    else if (!fs::exists(file))  // another process may have begun meanwhile
      throw bad_input("output", directory,
                      "a new or empty directory, or one with results of the same range of work");
  }
  const nlohmann::json there = about_of("output", directory), here = to_json(range);
  if (there != here)
    throw bad_input("output", directory,
                    "a new directory, or results of the same range of work: " + difference(there, here));
}

work_range work_range_of(const std::string& field, const std::string& directory) {
  try {
    work_range range = work_range_from_json(about_of(field, directory));
    if (const std::int64_t units = units_of_range(range).count(); units > most_units)
      throw bad_input(field, fmt::format("{}/{} ({} units)", directory, about_name, units),
                      fmt::format("at most {} units", most_units));
    return range;
  } catch (const bad_input&) {
    throw;
  } catch (const std::exception&) {
    throw bad_input(field, directory,
                    std::string("a directory whose ") + about_name + " says what is checked");
  }
}

results::results(const std::vector<std::string>& directories, const work_range& range)
    : range_(&range),
      all_(range),
      lines_(static_cast<std::size_t>(all_.count())),
      tables_(range.tables.size()) {
  for (tally& table : tables_)
    for (const ropewalk_dtype dtype : range.dtypes) table.push_back({.dtype = dtype});
  for (const std::string& directory : directories) {
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
      const std::string name = entry.path().filename();
      if (name == units_name || (name.starts_with("part-") && name.ends_with(".jsonl")))
        names.push_back(entry.path());
    }
    std::sort(names.begin(), names.end());
    for (const std::string& path : names) read_file(path);
  }
}

void results::read_file(const std::string& path) {
  input::kept_lines in(lines_field, path, longest_line);
  files_.push_back(path);
  std::string text;
  for (std::int64_t at = 0; in.next(text); at += static_cast<std::int64_t>(text.size()) + 1) {
    if (text.empty()) continue;
    const std::optional<unit_result> result = read_line(text);
    if (!result || !in.had_end()) {  // without its end, a line may still be growing
      ++damaged_;
      continue;
    }
    const std::vector<std::int64_t> units = all_.indexes_of(result->unit);
    if (units.empty())
      throw bad_input("unit in " + path, result->unit,
                      "a unit of the range of work that " + std::string(about_name) + " describes");
    if (!is_possible(result->counts, all_.at(units.front()), *range_)) {
      ++damaged_;
      continue;
    }
    const line& known = lines_[static_cast<std::size_t>(units.front())];
    if (!known.checksum.empty()) {
      if (known.checksum != result->checksum)
        throw contradiction(fmt::format("two results of unit {} differ, in {} and in {}", result->unit,
                                        printable(files_[known.file]), printable(path)));
      if (fs::path(path).filename() != units_name) ++repeated_;
      continue;
    }
    for (const std::int64_t unit : units)
      add(unit, {files_.size() - 1, at, result->checksum}, result->counts);
  }
}

void results::add(std::int64_t unit, line place, const tally& counts) {
  lines_[static_cast<std::size_t>(unit)] = std::move(place);
  ++done_;
  tally& table = tables_[all_.at(unit).table];
  for (const format_tally& counted : counts)
    for (format_tally& to : table)
      if (to.dtype == counted.dtype) to += counted;
}

std::string results::text_of(std::int64_t unit) const {
  const line& place = lines_[static_cast<std::size_t>(unit)];
  input::kept_lines in(lines_field, files_[place.file], longest_line);
  in.go_to(static_cast<std::uint64_t>(place.at));
  std::string text;
  in.next(text);
  return text;
}

unit_result results::read(std::int64_t unit) const {
  const std::optional<unit_result> result = read_line(text_of(unit));
  if (!result || result->checksum != checksum(unit))
    throw bad_input(lines_field, files_[lines_[static_cast<std::size_t>(unit)].file],
                    "a file that does not change while it is read");
  return *result;
}

nlohmann::json results::sum() const {
  std::string checksums;
  for (const line& place : lines_) checksums += place.checksum;
  nlohmann::json tables = nlohmann::json::array();
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const swept_table& table = range_->tables[i];
    nlohmann::json formats = nlohmann::json::array();
    for (const format_tally& counts : tables_[i]) formats.push_back(to_json(counts));
    tables.push_back({{"table", table.identity},
                      {"pairs", table.pairs},
                      {"models", table.models},
                      {"positions", {table.positions.begin, table.positions.end}},
                      {"formats", formats}});
  }
  return {{"ropewalk", version},
          {"subject", range_->subject},
          {"content", range_->content},
          {"units", units()},
          {"done", done_},
          {"digest", digest_of(checksums)},
          {"tables", tables}};
}

void results::write(const std::string& directory) const {
  output::output_file to((fs::path(directory) / units_name).string());
  for (std::int64_t unit = 0; unit < units(); ++unit)
    if (is_done(unit) && all_.is_first(unit)) to.write(text_of(unit) + "\n");
  to.commit();
  if (done_ == units()) write_whole(fs::path(directory) / result_name, sum().dump(1) + "\n");
}

result_file::result_file(const std::string& directory, const std::string& name)
    : path_((fs::path(directory) / ("part-" + name + ".jsonl")).string()) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse_output(path_, reason(errno));
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  char last = '\n';
  if (end > 0 && ::pread(descriptor_, &last, 1, end - 1) == 1 && last != '\n') append("");
}

result_file::~result_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void result_file::append(std::string line) {
  line += '\n';
  const std::lock_guard lock(appending_);
  const ssize_t written = ::write(descriptor_, line.data(), line.size());
  if (written < 0) refuse_output(path_, reason(errno));
  if (static_cast<std::size_t>(written) != line.size()) refuse_output(path_, reason(ENOSPC));
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL) refuse_output(path_, reason(errno));
}

}  // namespace ropewalk::sweep
