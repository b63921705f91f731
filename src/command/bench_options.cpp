#include "command/bench_options.hpp"

#include "command/parser.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::command {
namespace {

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const verify::chosen_kernel& one : verify::nameable_kernel_list())
    names.emplace_back(one.kernel->name);
  return names;
}

void add_shape_options(subcommand& command, bench_options& options) {
  command.heading("What is timed", "--kernel cpu-turns library:./libmine.so --tokens 512,4096 --dtype bf16");
  command.option(
      "--kernel", options.kernels, "NAME",
      "a rotation of `ropewalk verify --list`; library:PATH, timed in this process, so that a crash "
      "ends it; or program:COMMAND, timed by its own clock if it answers `time` (default: the "
      "canonical kernels and the recipes)");
  command.option("--dtype", options.dtypes, "DTYPE", dtype_names() + " (default: all but f64; --quick: two)");
  command.option("--heads", options.heads, "N", "query heads (default: the configuration's, else 32)");
  command.option("--kv-heads", options.kv_heads, "N",
                 "key heads, 0 for no key (default: the configuration's, else 0)");
  command.option(
      "--tokens", options.tokens, "N,...",
      "tokens of a call (default: 512,4096; --quick: 512; on axes: those of --grid or --positions)");
  command.option("--batch", options.batch, "N", "batch rows of a call (default: 1)");
  command.option("--device", options.device, "N|NAME", verify::device_help);
  command.values("--kernel", [](const auto&) { return kernel_names(); });
  command.values("--dtype", dtype_name_list());
}

void add_comparison_options(subcommand& command, bench_options& options) {
  command.heading("Comparison", "--compare old.json new.json --threshold 5");
  command.option("--compare", options.compared, "OLD.json [NEW.json]",
                 "compare two runs, or a run now with an old one; exit code 1 if a row became slower");
  command.option("--threshold", options.threshold, "PERCENT", "the smallest change that counts (default: 5)");
  command.flag("--markdown", options.markdown, "the comparison as markdown, for a pull request");
}

}  // namespace

void add_bench_options(subcommand& command, bench_options& options) {
  add_which_options(command, options.which, how_many::one, named_axes::taken);
  command.option("--positions", options.positions, "FILE.npy",
                 "positions of tokens on the encoding's axes, [axes, tokens] of whole or real numbers");
  add_shape_options(command, options);
  command.heading("The run", "--quick --out bench.json");
  command.flag("--quick", options.quick, "fewer rows and rounds: some seconds instead of minutes");
  command.option("--out", options.output, "FILE",
                 "every number as JSON, which reports, plots and --compare read; - for standard output, "
                 "which then has no table");
  command.option("--benchmark_filter", options.filter, "REGEX",
                 "rows whose name group/kernel/dtype/pairing/tokens matches; -REGEX: those that do not");
  command.flag("--benchmark_list_tests", options.lists, "print the names of the rows alone");
  add_comparison_options(command, options);
  command.footer(
      "Without an option that chooses a model, a kernel or a shape, a fixed set of\n"
      "rows is timed: base 10000, 32 heads of 128. A ratio is a kernel's time divided\n"
      "by that of memcpy over the same bytes in the same round, or of what the line\n"
      "names, with an interval of 95 %. Errors are of the kernel's own cosines and sines\n"
      "at sampled positions below each limit. recipe-ggml and recipe-hf-eager also\n"
      "access memory as ggml and eager PyTorch do; the other recipes' rows enter this\n"
      "library's loops. All but recipe-hf-eager compute the rows of each call, as\n"
      "cpu-turns does; engines that keep theirs in tables are faster and no better.\n"
      "Every result is checked once outside the timed loop: exit code 1 if a kernel\n"
      "breaks its promise. bench/README.md says what each row measures.\n"
      "Examples:\n"
      "  ropewalk bench --quick\n"
      "  ropewalk bench --model llama-3.1-8b --dtype bf16 --tokens 1024 --out bench.json\n"
      "  ropewalk bench --kernel library:./libmine.so cpu-turns --tokens 4096\n"
      "  ropewalk bench --model wan-2.1-14b --grid 21x30x52 --heads 4 --kernel cpu-turns");
}

}  // namespace ropewalk::command
