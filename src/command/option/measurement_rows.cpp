// Options of `bench`, `plot`, `report`, `explain`, `guarantees` and `vectors` alone.

#include <cstdint>

#include "claim/claim.hpp"
#include "command/option/domains.hpp"
#include "command/option/headings.hpp"
#include "command/option/rows.hpp"
#include "plot/figures.hpp"
#include "vectors/pack.hpp"

namespace ropewalk::command {
namespace {

using enum option_words;

constexpr std::int64_t most_heads = 1 << 16, most_batch = 1 << 20, most_tokens = std::int64_t{1} << 31;

std::vector<option_row> shape_rows() {
  return {
      {.name = "--heads",
       .value = "N",
       .domain = whole_numbers(1, most_heads),
       .default_text = "the configuration's, else 32",
       .help = "query heads",
       .uses = {{"bench", headings::timed}}},
      {.name = "--kv-heads",
       .value = "N",
       .domain = whole_numbers(0, most_heads),
       .default_text = "the configuration's, else 0",
       .help = "key heads, 0 for no key",
       .uses = {{"bench", headings::timed}}},
      {.name = "--tokens",
       .value = "N,...",
       .domain = {.text = "whole numbers from 1 to " + std::to_string(most_tokens) + ", joined by commas",
                  .range = whole_range{1, most_tokens}},
       .default_text = "512,4096; --quick: 512; on axes: those of --grid or --positions",
       .help = "tokens of a call",
       .uses = {{"bench", headings::timed}}},
      {.name = "--batch",
       .value = "N",
       .domain = whole_numbers(1, most_batch),
       .default_text = "1",
       .help = "batch rows of a call",
       .uses = {{"bench", headings::timed}}},
  };
}

std::vector<option_row> bench_rows() {
  return {
      {.name = "--out",
       .value = "FILE",
       .help =
           "every number as JSON, which reports, plots and --compare read; - for standard output, which then "
           "has no table",
       .uses = {{"bench", headings::run}}},
      {.name = "--benchmark_filter",
       .value = "REGEX",
       .help = "rows whose name group/kernel/dtype/pairing/tokens matches; -REGEX: those that do not",
       .uses = {{"bench", headings::run}}},
      {.name = "--benchmark_list_tests",
       .words = flag,
       .help = "print the names of the rows alone",
       .uses = {{"bench", headings::run}}},
      {.name = "--compare",
       .value = "OLD.json [NEW.json]",
       .words = several,
       .domain = {.text = "OLD.json [NEW.json]"},
       .help = "compare two runs, or a run now with an old one; exit code 1 if a row became slower",
       .uses = {{"bench", headings::comparison}}},
      {.name = "--threshold",
       .value = "PERCENT",
       .domain = {.text = "percent, a number from 0 to 1000"},
       .default_text = "5",
       .help = "the smallest change that counts",
       .uses = {{"bench", headings::comparison}}},
  };
}

std::vector<option_row> figure_rows() {
  return {
      {.name = "figure",
       .value = "NAME",
       .domain = {.text = "a name of `ropewalk plot --list`, or --data FILE",
                  .names = [](const auto&) { return input::names_in(plot::figures()); }},
       .help = "a name of --list",
       .uses = {{"plot"}}},
      {.name = "--svg",
       .value = "FILE",
       .help = "an SVG, drawn by gnuplot",
       .uses = {{"plot", headings::outputs}}},
      {.name = "--png",
       .value = "FILE",
       .help = "a PNG of twice that size, drawn by gnuplot",
       .uses = {{"plot", headings::outputs}}},
      {.name = "--text",
       .words = flag,
       .help = "lines and points in braille, for a terminal",
       .uses = {{"plot", headings::outputs}}},
      {.name = "--json",
       .value = "FILE",
       .help = "the figure's data, which --data draws again",
       .uses = {{"plot", headings::outputs}}},
      {.name = "--data",
       .value = "FILE",
       .help = "draw the figure in a file that --json wrote, instead of NAME",
       .uses = {{"plot"}}},
      {.name = "--bench",
       .value = "FILE",
       .default_text = "measure now",
       .help = "what `ropewalk bench --out FILE` measured, whose model is drawn unless another is named",
       .uses = {{"plot", headings::drawn}, {"report", headings::drawn}}},
      {.name = "--output",
       .value = "FILE.html",
       .domain = {.text = "--output FILE.html"},
       .help = "the page; it appears whole or not at all",
       .uses = {{"report"}}},
  };
}

/// The names that the subject before allows as the first argument of `explain`.
std::vector<std::string> explained_names(const std::vector<std::string>& before) {
  const std::string& subject = before.back();
  if (subject == "law") return law_names();
  if (subject == "promise") return promise_domain().names(before);
  if (subject != "claim") return {};
  std::vector<std::string> numbers;
  for (const claim::claim& claim : claim::all_claims()) numbers.push_back(std::to_string(claim.number));
  return numbers;
}

std::vector<option_row> explain_rows() {
  return {
      {.name = "subject",
       .value = "SUBJECT",
       .domain = one_of({"config", "engines", "image-engines", "entry", "extrapolation", "law", "promise",
                         "claim", "claims"}),
       .help = "config, engines, entry, extrapolation, law, promise, claim, claims",
       .uses = {{"explain"}}},
      {.name = "first",
       .value = "FILE|POSITION|NAME|N",
       .domain = {.names = explained_names},
       .help =
           "config, engines, extrapolation: " + std::string(config_files) +
           "; entry: the position; law, promise: its name, or a promise's parts; claim: its number in the "
           "ledger",
       .uses = {{"explain"}}},
      {.name = "second", .value = "PAIR", .help = "entry: the channel pair", .uses = {{"explain"}}},
      {.name = "--compare",
       .value = "FILE|MODEL",
       .help =
           "explain config: says every number in which this one differs, by layer; exit code 1 if one does",
       .uses = {{"explain", headings::two_configs}}},
      {.name = "--certified",
       .words = flag,
       .help = "the certificates of all tables, a line each, and how to make those that are missing",
       .uses = {{"guarantees", headings::printed}}},
      {.name = "--topic",
       .value = "TOPIC",
       .words = repeated,
       .domain = one_of([] {
         const std::vector<std::string_view> topics = vectors::topic_names();
         return std::vector<std::string>(topics.begin(), topics.end());
       }()),
       .default_text = "all topics, and larger arrays",
       .help = "write this topic's file alone, and the checkers",
       .uses = {{"vectors"}}},
  };
}

}  // namespace

std::vector<option_row> measurement_rows() {
  std::vector<option_row> rows;
  for (const auto& make : {shape_rows, bench_rows, figure_rows, explain_rows})
    for (option_row& row : make()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace ropewalk::command
