// Options of `ropewalk verify` alone.

#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "command/option/defaults.hpp"
#include "command/option/domains.hpp"
#include "command/option/headings.hpp"
#include "command/option/rows.hpp"
#include "kernel/simd/simd.hpp"
#include "report/report_kind.hpp"
#include "ropewalk/config/position_range.hpp"

namespace ropewalk::command {
namespace {

using enum option_words;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

std::vector<std::string> target_names() {
  std::vector<std::string> names{std::string(every_one)};
  for (const simd::target* target : simd::targets()) names.emplace_back(target->name);
  return names;
}

/// "accuracy=", ...: how the value of --skip-law begins.
std::vector<std::string> law_beginnings() {
  std::vector<std::string> names = law_names();
  for (std::string& name : names) name += "=";
  return names;
}

std::vector<option_row> subject_rows() {
  const option_domain kinds = table_kind_domain();
  return {
      {.name = "subject",
       .value = "FILE",
       .words = several,
       .domain =
           {.text = "FILE.so, FILE.py::FUNCTION, FILE.npy, FILE.npz#NAME or FILE.safetensors#NAME; --kernel "
                    "takes other kernels"},
       .help =
           "a library of kernels, FILE.so or FILE.so#NAME, as --kernel library: takes it; a function, "
           "FILE.py::FUNCTION, as ropewalk.check in Python takes it; or an array, FILE.npy, FILE.npz#NAME or "
           "FILE.safetensors#NAME, as --table does",
       .uses = {{"verify"}}},
      {.name = "--same-as",
       .value = "NAME",
       .domain = {.names = [](const auto&) { return kernel_names(); }},
       .help = "ask one thing alone: that every output has the bits of this other kernel, named as --kernel "
               "names "
               "one, or FILE.py::FUNCTION beside a function",
       .uses = {{"verify", headings::kernels}}},
      {.name = "--target",
       .value = "NAME",
       .domain = {.names = [](const auto&) { return target_names(); }},
       .default_text = "the best, and Vulkan kernels beside them",
       .help = "judge only the CPU's kernels, on this instruction set or on all; --list names them",
       .uses = {{"verify", headings::kernels}}},
      {.name = "--table",
       .value = "FILE[#NAME]",
       .words = several,
       .help = "an array to judge (" + std::string(array_files) + ", {layer} for the number of a layer)",
       .uses = {{"verify", headings::arrays}}},
      {.name = "--as",
       .value = "KIND",
       .words = several,
       .domain = kinds,
       .help = "what the arrays are, once or for each (default: what `table` recorded beside them, or their "
               "names "
               "say): " +
               kinds.text,
       .uses = {{"verify", headings::arrays}}},
  };
}

std::vector<option_row> law_rows() {
  const std::string skipped = "a law to leave out, and why";
  return {
      {.name = "--law",
       .value = "NAME",
       .words = several,
       .domain = law_domain(),
       .help = "one law (default: all); --list names them",
       .uses = {{"verify", headings::laws}}},
      {.name = "--skip-law",
       .value = "NAME=REASON",
       .words = several,
       .domain = {.text = "NAME=REASON: " + skipped, .names = [](const auto&) { return law_beginnings(); }},
       .help = skipped,
       .uses = {{"verify", headings::laws}}},
      {.name = "--environment",
       .value = "default|all",
       .domain = one_of({"default", "all"}),
       .default_text = "default",
       .help =
           "all: require equal bits under flush-to-zero and upward rounding from every kernel, not only from "
           "those that promise bits",
       .uses = {{"verify", headings::laws}}},
      {.name = "--cases",
       .value = "N",
       .domain = whole_numbers(1, 1'000'000'000),
       .default_text = "at least those that it needs, and more while the budget lasts",
       .help = "cases of each verdict",
       .uses = {{"verify", headings::cases}}},
      {.name = "--seed",
       .value = "N",
       .domain = whole_numbers(0, most),
       .default_text = "one that is drawn, and printed; 1 with files:DIR",
       .help = "the same seed draws the same cases",
       .uses = {{"verify", headings::cases}}},
      {.name = "--diagnosis",
       .value = "SECONDS",
       .domain = whole_numbers(0, 1'000'000),
       .default_text =
           fmt::format("{}; with --cases as much as it takes; 0: none is looked for", default_diagnosis),
       .help = "processor time beside the budget, to find the causes of failures",
       .uses = {{"verify", headings::cases}}},
  };
}

std::vector<option_row> outcome_rows() {
  return {
      {.name = "--call-limit",
       .value = "SECONDS",
       .domain = whole_numbers(1, 86400),
       .default_text = "10; 120 for loading, plans and a plan's first call",
       .help = "time for an answer of a library or program",
       .uses = {{"verify", headings::transports}}},
      {.name = "--memory-limit",
       .value = "BYTES",
       .domain = whole_numbers(std::int64_t{1} << 20, most),
       .default_text = "no limit",
       .help = "data that its process may allocate",
       .uses = {{"verify", headings::transports}}},
      {.name = "--fail-on",
       .value = "WHAT",
       .words = several,
       .domain = {.text = fmt::format(
                      "vacuous, skipped, or growth=PERCENT@POSITION with a percentage from 0 to 200 "
                      "and a position from 1 to {}",
                      largest_position),
                  .names = fixed_names({"vacuous", "skipped", "growth="})},
       .help = "exit 1 also for vacuous, skipped, or growth=PERCENT@POSITION: an error that grows beyond "
               "PERCENT at "
               "positions up to POSITION",
       .uses = {{"verify", headings::failures}}},
      {.name = "--allow-declined",
       .words = flag,
       .help = "exit 0 although calls within a kernel's limits were declined",
       .uses = {{"verify", headings::failures}}},
      {.name = "--allow-cut",
       .words = flag,
       .help = "exit 0 although fewer cases were asked than verdicts need, for --cases or the budget",
       .uses = {{"verify", headings::failures}}},
      {.name = "--report",
       .value = "KIND=FILE",
       .words = several,
       .domain = {.text = report::report_forms(),
                  .names = [](const auto&) { return report::report_beginnings(); }},
       .help = report::report_forms() + "; - is standard output",
       .uses = {{"verify", headings::reports}}},
      {.name = "--require-vulkan",
       .words = flag,
       .help = "exit 3 where no Vulkan device can serve",
       .uses = {{"verify", headings::vulkan}}},
  };
}

}  // namespace

std::vector<option_row> verify_rows() {
  std::vector<option_row> rows;
  for (const auto& make : {subject_rows, law_rows, outcome_rows})
    for (option_row& row : make()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace ropewalk::command
