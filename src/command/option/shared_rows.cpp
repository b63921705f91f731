// Options of several commands: kernels, formats of numbers, threads, and how results are printed.

#include <fmt/format.h>

#include "command/option/defaults.hpp"
#include "command/option/domains.hpp"
#include "command/option/headings.hpp"
#include "command/option/rows.hpp"
#include "input/number.hpp"
#include "ropewalk/config/rope.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::command {
namespace {

using enum option_words;

std::vector<option_row> kernel_rows() {
  const option_domain domain = kernel_domain();
  option_domain rotations = domain;
  rotations.names = [](const std::vector<std::string>& before) {
    return before.front() == "sweep" ? verify::nameable_kernels_of(ROPEWALK_ROTATE) : kernel_names();
  };
  const std::string drawn = "compared with the recipes of engines: " + domain.text;
  return {
      {.name = "--kernel",
       .value = "NAME",
       .words = several,
       .domain = domain,
       .help = drawn,
       .uses =
           {{"verify", headings::kernels, domain.text + "; or files:DIR", "every built-in one"},
            {"bench", headings::timed,
             "a rotation to time: " + domain.text +
                 "; a library is timed in this process, so that a crash ends it, and a program by its own "
                 "clock if it answers `time`",
             "the canonical kernels and the recipes"},
            {"plot", headings::drawn},
            {"report", headings::drawn}}},
      {.name = "--kernel",
       .value = "NAME",
       .domain = rotations,
       .help = "such as exact, cpu-table or cpu-alibi-add: " + domain.text,
       .uses = {{"apply", headings::apply},
                {"sweep", headings::sweep,
                 "the numbers by which a kernel rotates unit vectors: " + domain.text}}},
      {.name = "--promise",
       .value = "NAME|PARTS",
       .domain = promise_domain(),
       .help = "what the kernels of --kernel are judged by, as in `verify`",
       .uses = {{"verify", headings::kernels,
                 "what an array, a library's kernel or a recipe is judged by: " + promise_domain().text,
                 "its own promise"},
                {"table", headings::compared, "with --compare: what the array is judged by, as in `verify`",
                 "correct rounding"},
                {"report"}}},
      {.name = "--device",
       .value = "N|NAME",
       .default_text = "the environment's ROPEWALK_VULKAN_DEVICE, else the best",
       .help = "the Vulkan device of `ropewalk devices` that Vulkan kernels run on",
       .uses = {{"verify", headings::vulkan}, {"apply", headings::apply}, {"bench", headings::timed}}},
      {.name = "--in-process",
       .words = flag,
       .help = "load libraries into this process, for debuggers and sanitizers: a crash ends the run",
       .uses = {{"verify", headings::transports}, {"apply", headings::apply}}},
  };
}

std::vector<option_row> number_rows() {
  const std::string formats = dtype_domain().text;
  return {
      {.name = "--dtype",
       .value = "DTYPE",
       .words = several,
       .domain = dtype_domain(),
       .help = formats,
       .uses = {{"verify", headings::kernels, "", "all, merged into the worst; --verbose: a row each"},
                {"bench", headings::timed, "", "all but f64; --quick: two"},
                {"plot", headings::drawn, formats + ", of figures that have one",
                 "f32 for error-by-position, else what was measured"},
                {"sweep", headings::sweep, "formats of the entries: " + formats, "f32"}}},
      {.name = "--dtype",
       .value = "DTYPE",
       .domain = dtype_domain(),
       .help = formats + "; turns are 32-bit words, t5-buckets whole numbers",
       .uses = {{"table", headings::written, "", "f32, learned: that of the weights"},
                {"apply", headings::apply, "bf16: uint16 elements are the bits of bfloat16 numbers"}}},
      {.name = "--threads",
       .value = "N",
       .domain = whole_numbers(1, input::most_threads),
       .default_text = "what the machine has",
       .help = "worker threads; the bytes do not depend on their number",
       .uses = {{"table", headings::written},
                {"apply", headings::apply},
                {"verify", headings::cases, "worker threads"},
                {"sweep", headings::sweep, "worker threads",
                 "what the machine has, or 1 per rank of an MPI launcher"}}},
      {.name = "--budget",
       .value = "SECONDS",
       .domain = whole_numbers(1, 1'000'000),
       .help = "processor time to divide among the verdicts, of this program and of the kernels' processes; "
               "up to "
               "three times as long may pass",
       .uses = {{"verify", headings::cases, "",
                 fmt::format("{}, or {} for all built-in kernels, and up to {} times that for the cases that "
                             "verdicts need",
                             default_budget, budget_of_all_kernels, slower_machine)},
                {"report", headings::none, "time to judge, as in `verify`",
                 fmt::format("{}; --quick: {}", report_budget, quick_report_budget)}}},
  };
}

std::vector<option_row> output_rows() {
  return {
      {.name = "--json",
       .words = flag,
       .help = "the same as JSON",
       .uses = {{"models", headings::none, "the same as JSON, with what was taken and why"},
                {"devices"},
                {"explain"},
                {"guarantees", headings::printed},
                {"table", headings::compared, "the comparison as JSON"},
                {"sweep", headings::sweep, "the sum as JSON"},
                {"verify", headings::reports,
                 "the report, or the list, as JSON on standard output; the table goes to stderr"}}},
      {.name = "--markdown",
       .words = flag,
       .help = "the same as a Markdown table",
       .uses = {{"guarantees", headings::printed},
                {"bench", headings::comparison, "the comparison as markdown, for a pull request"},
                {"sweep", headings::sweep,
                 "for every model, how many entries are wrong and the largest error"}}},
      {.name = "--list",
       .words = flag,
       .help = "the names of all figures",
       .uses = {{"plot", headings::outputs},
                {"verify", headings::reports,
                 "print kernels, targets, laws, promises and models; with --kernel, only those kernels"}}},
      {.name = "--quick",
       .words = flag,
       .help = "fewer points",
       .uses = {{"plot", headings::drawn},
                {"report", headings::drawn},
                {"bench", headings::run, "fewer rows and rounds: some seconds instead of minutes"}}},
      {.name = "--output",
       .value = "DIR",
       .domain = {.text = "a folder that is there or can be made"},
       .help = "the directory of the results",
       .uses = {{"sweep", headings::sweep},
                {"vectors", headings::none, "the folder that the pack is written to"}}},
      {.name = "--trained",
       .value = "N",
       .domain = whole_numbers(1, largest_seq_len),
       .default_text = "the scaling rule's original length, else max_position_embeddings",
       .help = "positions that the model was trained on",
       .uses = {{"explain", headings::lengths}, {"plot", headings::drawn}, {"report", headings::drawn}}},
      {.name = "--target",
       .value = "N",
       .domain = whole_numbers(1, largest_seq_len),
       .default_text = fmt::format("max_position_embeddings, else {} times --trained", default_extension),
       .help = "positions that the model is asked for",
       .uses = {{"explain", headings::lengths, "", "max_position_embeddings"},
                {"plot", headings::drawn},
                {"report", headings::drawn}}},
  };
}

}  // namespace

std::vector<option_row> shared_rows() {
  std::vector<option_row> rows;
  for (const auto& make : {kernel_rows, number_rows, output_rows})
    for (option_row& row : make()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace ropewalk::command
