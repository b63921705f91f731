#include "command/option/command_table.hpp"

#include <stdexcept>

namespace ropewalk::command {
namespace {

command_row verify_row() {
  return {
      .name = "verify",
      .summary = "check kernels and tables against the laws",
      .description =
          {"Judges kernels by the laws of the encoding that they compute: their outputs are compared with "
           "exact "
           "values, within the proved bound of what each kernel promises. A kernel is built in, exported by "
           "a "
           "shared library, a function in Python, or any program that speaks the transport's protocol. "
           "Arrays in "
           "files are judged in the same way.",
           "Without arguments, all built-in kernels and this library's own tables are judged on a spread of "
           "models. The output begins with PASS or FAIL. A failure is shown with the smallest counterexample "
           "found, its cause if a known fault explains it, and the command that repeats it.",
           "A law holds if it was asked as many cases as it needs and every case kept it. It is vacuous if "
           "its bound "
           "decides nothing, and not judged if too few cases could be asked; neither counts as kept."},
      .examples = {
          "verify", "verify --config config.json --report junit=verify.xml",
          "verify libmine.so --model llama-3.1-8b --promise rounded-table",
          "verify mine.py::rope --model llama-3.1-8b",
          "verify --table engine.npz#cos --as cos --model llama-3.1-8b --promise hf",
          "verify --table model.safetensors#'layers.{layer}.inv_freq' --as inv-freq --model gemma-3-1b",
          "verify libnew.so --same-as library:./libold.so --model llama-3.1-8b",
          "verify --kernel cpu-table --law accuracy --cases 10000", "verify --target all --law canonical"}};
}

command_row table_row() {
  return {
      .name = "table",
      .summary = "write a reference table, or compare an array with it",
      .description = {"Writes a table of an encoding whose every entry is the exact value, rounded once. The "
                      "suffix of --output "
                      "or --format says in which form: an array for NumPy, a tensor file, text, or source "
                      "code. Each file "
                      "records the command that made it, units, convention, rounding and version; equal "
                      "commands write equal "
                      "bytes.",
                      "With --compare nothing is written: the array of another program is compared with the "
                      "table. The output "
                      "says how many entries are correctly rounded, how large the largest error is and "
                      "where, which known "
                      "recipe gives these bits, and which promise the array keeps."},
      .examples = {
          "table inv-freq --config config.json --dtype bf16 --output inv_freq.npy",
          "table cos --model qwen3-0.6b --positions 0:4096 --format csv --output -",
          "table sin --base 10000 --head-dim 64 --positions 3 --digits 50 --format json --output -",
          "table cos --model llama-3.1-8b --positions 4096 --compare theirs.npy",
          "table inv-freq --model llama-3.1-8b --compare model.safetensors#'*.inv_freq' --promise hf",
          "table cos-sin --layout vllm --model llama-3.1-8b --dtype bf16 --output cos_sin_cache.npy",
          "table ggml-factors --model llama-3.1-8b --output rope_freqs.npy",
          "table inv-freq --model llama-3.1-8b --name llama_inv_freq --output inv_freq.h",
          "table turns --model llama-3.1-8b --output turns.glsl",
          "table ggml-factors --model llama-3.1-8b --format safetensors --name rope_freqs.weight --output "
          "rope_freqs.safetensors",
          "table ggml-factors --model llama-3.1-8b --name rope_freqs.weight --output rope_freqs.gguf",
          "table inv-freq,cos,sin --model llama-3.1-8b --positions 4096 --output rope.npz",
          "table inv-freq --model gemma-3-4b --layer all --output inv_freq.safetensors",
          "table sin --model qwen3-0.6b --positions-f64 fractions.npy --dtype f64 --output sin.npy",
          "table sinusoidal --d-model 512 --shift 1 --layout sin-cos --output pe.npy",
          "table sinusoidal --d-model 256 --layout cos-sin --scale 1000 --positions-f64 times.npy --output "
          "t.npy",
          "table alibi-slopes --heads 12 --output slopes.h",
          "table t5-buckets --config t5-small/config.json --output buckets.npy",
          "table alibi-bias --heads 8 --keys 128 --form symmetric --dtype bf16 --output bias.npy",
          "table t5-buckets --buckets 32 --max-distance 128 --causal --output buckets.npy",
          "table binary --width 8 --bit-order msb --format csv --output -",
          "table xpos --rotary-dim 64 --side key --layout complex --output keys.npy",
          "table axes --model qwen2-vl-7b --layout vllm --positions grid.npy --output cos_sin.npy",
          "table cos-sin --model z-image --axis all --layout complex --output freqs_cis.safetensors",
          "table positions --model wan-2.1-14b --grid 21x30x52 --output thw.npy",
          "table mixed --frequencies mochi.safetensors#pos_frequencies --layout complex --positions thw.npy "
          "--output freqs_cis.npy",
          "table learned --weights model.safetensors#wpe.weight --positions 128 --output wpe.npy"}};
}

command_row apply_row() {
  return {
      .name = "apply",
      .summary = "encode a tensor from a file",
      .description =
          {"Sends a tensor from a file through one kernel into another file. Memory does not grow with "
           "the file, so that a pipe into a pipe works at any length. A file appears under its name "
           "when all of it is there."},
      .notes = {"Tokens stand at 0, 1, ... in each batch row, and the last query at the last key; "
                "--positions says "
                "otherwise."},
      .examples = {"apply --model llama-3.1-8b --kernel cpu-table --input q.npy --output rotated.npy",
                   "apply --config config.json --kernel exact --positions 4096:4160 --input k.npy --output -",
                   "apply --kernel cpu-alibi-add --form bloom --input scores.npy --output biased.npy"}};
}

command_row models_row() {
  return {.name = "models",
          .summary = "the catalogue of model configurations",
          .description =
              {"Lists the configurations that --model names: published models, then model types by the "
               "defaults of their classes, then models of images and videos. --verbose and --json say "
               "where the numbers of each come from."},
          .examples = {"models", "models --verbose", "models --json"}};
}

command_row explain_row() {
  return {
      .name = "explain",
      .summary =
          "a configuration, how engines read it, one entry of a table, a law, a promise, a claim, or what "
          "lies beyond "
          "training",
      .description = {"Explains one subject. `config` prints every number that follows from a configuration, "
                      "and where it came "
                      "from; with --compare, the numbers in which two configurations differ. `engines` says "
                      "how engines read the "
                      "same configuration otherwise. `entry` prints one entry of a table in every format, "
                      "with its neighbours and "
                      "what engines compute in its place.",
                      "`extrapolation` measures which phases a model never met in training, and what each "
                      "scaling rule changes. "
                      "`law` and `promise` print a statement, its bound and its proof. `claim` runs the "
                      "witness of one claim of "
                      "the ledger that `claims` prints."},
      .examples = {"explain config config.json", "explain config --model phi-3.5-mini --seq-len 4097",
                   "explain config --model gemma-3-4b --layer sliding_attention --json",
                   "explain config config.json --compare model.gguf", "explain engines config.json",
                   "explain entry 131071 2 --model llama-3.1-8b",
                   "explain extrapolation --model llama-2-7b --target 32768", "explain law accuracy",
                   "explain promise --model llama-3.1-8b", "explain promise hf",
                   "explain promise angle=f32,table=data,rotation=f32 --model wan-2.1-14b --grid 21x30x52",
                   "explain claim 18"}};
}

command_row guarantees_row() {
  return {
      .name = "guarantees",
      .summary = "encoding | quantity | format | bound | proof, from the code",
      .description =
          {"Prints what is guaranteed of each quantity in each format, with the place of its proof. The "
           "bounds are the constants that laws and tests use."},
      .notes =
          {"A rotated pair's bound is relative to a|x|, a the attention factor and |x| the pair's Euclidean "
           "norm; that of a sum to |x| + |t|, x the element and t the exact number that is added to it.",
           "With an encoding: what is certified of every entry of its table. The sequence's length is "
           "max_position_embeddings unless --seq-len is given."},
      .examples = {"guarantees --markdown", "guarantees --model llama-3.1-8b"}};
}

command_row devices_row() {
  return {.name = "devices",
          .summary = "Vulkan devices and what each can promise",
          .description =
              {"Lists the Vulkan devices of this machine, the best first, and whether the arithmetic of "
               "each keeps the promises of the Vulkan kernels."},
          .examples = {"devices --json"}};
}

command_row plot_row() {
  return {.name = "plot",
          .summary = "one figure as SVG, PNG or text",
          .description =
              {"Draws one figure of --list, or writes its data, from which --data draws it again. Without an "
               "encoding, a figure is of base 10000 and head_dim 128."},
          .notes = {"SVG and PNG need gnuplot (apt-get install gnuplot-nox); --text needs none."},
          .examples = {"plot --list", "plot frontier --bench bench.json --svg frontier.svg",
                       "plot error-by-position --model llama-3.1-8b --dtype bf16 --text"}};
}

command_row bench_row() {
  return {
      .name = "bench",
      .summary = "precision against speed, measured on this machine",
      .description =
          {"Measures how long kernels take and how large their errors are. Two runs can be compared, "
           "today's with an earlier one too. The program ropewalk_bench measures: the package "
           "ropewalk-bench, or `./dev bench` in a checkout."},
      .notes = {"Without an option that chooses a model, a kernel or a shape, a fixed set of\n"
                "rows is timed: base 10000, 32 heads of 128. A ratio is a kernel's time divided\n"
                "by that of memcpy over the same bytes in the same round, or of what the line\n"
                "names, with an interval of 95 %. Errors are of the kernel's own cosines and sines\n"
                "at sampled positions below each limit. recipe-ggml and recipe-hf-eager also\n"
                "access memory as ggml and eager PyTorch do; the other recipes' rows enter this\n"
                "library's loops. All but recipe-hf-eager compute the rows of each call, as\n"
                "cpu-turns does; engines that keep theirs in tables are faster and no better.\n"
                "Every result is checked once outside the timed loop: exit code 1 if a kernel\n"
                "breaks its promise. bench/README.md says what each row measures."},
      .examples = {"bench --quick", "bench --model llama-3.1-8b --dtype bf16 --tokens 1024 --out bench.json",
                   "bench --kernel library:./libmine.so cpu-turns --tokens 4096",
                   "bench --model wan-2.1-14b --grid 21x30x52 --heads 4 --kernel cpu-turns"}};
}

command_row report_row() {
  return {.name = "report",
          .summary = "one HTML page of verdicts, measurements and figures",
          .description =
              {"Judges, measures and draws, and writes one HTML page that opens from disk. The page says "
               "which kernel broke which law and why, which kernel to take, and how wrong the usual way is; "
               "below stand all verdicts, times and figures."},
          .notes = {"The page needs no network and no other file. Verdicts are those of `ropewalk verify`, "
                    "times those "
                    "of\n`ropewalk bench`; figures are drawn by gnuplot (apt-get install gnuplot-nox). Exit "
                    "code 1 if a "
                    "law fails: the\npage is written all the same."},
          .examples = {"report --model qwen2.5-7b-yarn4 --quick --output report.html",
                       "report --model llama-3.1-8b --kernel library:./libmine.so --output report.html",
                       "report --bench bench.json --output report.html"}};
}

command_row sweep_row() {
  return {.name = "sweep",
          .summary = "check every entry of a range of work, on one machine or many",
          .description =
              {"Compares every entry of tables with the exact value, rounded once: of the program's own "
               "tables, of a file, a recipe of an engine, or a kernel. The work is split into units, whose "
               "results are files of a directory; shards on other machines are merged with --merge."},
          .notes = {"Without a model, every table of the catalogue. A run that was stopped or killed goes on "
                    "by the same "
                    "command."},
          .examples = {"sweep --model llama-3.1-8b --positions 0:2147483648 --output results",
                       "sweep --model llama-3.1-8b --shard 3/8 --output results-3",
                       "sweep --merge results-1 results-2 --output results",
                       "sweep --recipe all --markdown --output recipes",
                       "mpirun -n 64 ropewalk sweep --dtype f32 f16 bf16 --output results"}};
}

command_row vectors_row() {
  return {.name = "vectors",
          .summary = "test vectors for people who install nothing",
          .description =
              {"Writes a pack of test vectors: inputs, the bits that are right, and a rule of acceptance for "
               "each promise, in one JSON file per topic, with larger arrays beside them, a schema, and "
               "checkers in Python and C. Equal versions write equal bytes."},
          .examples = {"vectors --output vectors", "vectors --output vectors --topic rope"}};
}

}  // namespace

std::vector<std::string> command_row::typed_examples() const {
  std::vector<std::string> lines;
  for (const std::string_view example : examples)
    lines.push_back((example.starts_with("mpirun ") ? "" : "ropewalk ") + std::string(example));
  return lines;
}

std::string command_row::footer() const {
  std::string text;
  for (const std::string_view note : notes) text += std::string(note) + "\n";
  text += examples.size() == 1 ? "Example:" : "Examples:";
  for (const std::string& example : typed_examples()) text += "\n  " + example;
  return text;
}

const command_row& program_row() {
  static const command_row row{
      .name = "",
      .summary = "exact transformer positional encodings, and a tool that checks kernels against their laws",
      .description =
          {"Ropewalk is the reference for the positional encodings of transformers: rotary embeddings and "
           "their scaling rules, sinusoids, ALiBi, T5 buckets and others. It computes each exactly and "
           "rounds "
           "once, judges kernels and tables of other programs by proved bounds, and writes tables.",
           "An encoding is chosen with the same options everywhere: `--config FILE` takes a config.json or a "
           "GGUF file, `--model NAME` a model of the catalogue, and --base with --head-dim state it by hand. "
           "A configuration that is not understood is refused.",
           "`-` stands for standard input or output. --json prints JSON wherever a table is printed."},
      .examples = {"verify --config config.json",
                   "table inv-freq --config config.json --dtype f32 --output inv_freq.npy",
                   "table cos --model llama-3.1-8b --positions 4096 --dtype bf16 --output cos.npy",
                   "models"}};
  return row;
}

const std::vector<command_row>& command_table() {
  static const std::vector<command_row> rows{verify_row(),  table_row(),      apply_row(),   models_row(),
                                             explain_row(), guarantees_row(), devices_row(), plot_row(),
                                             bench_row(),   report_row(),     sweep_row(),   vectors_row()};
  return rows;
}

const command_row& command_named(std::string_view name) {
  for (const command_row& row : command_table())
    if (row.name == name) return row;
  throw std::logic_error("the table of commands has no " + std::string(name));
}

const std::vector<manual_entry>& exit_codes() {
  static const std::vector<manual_entry> rows{
      {"0", "Everything that was asked for holds."},
      {"1", "A law or a comparison failed."},
      {"2", "Bad usage or bad input: one line on standard error names it, its value and what is allowed."},
      {"3", "Something required is missing: a device, a layer, a program, memory."}};
  return rows;
}

const std::vector<manual_entry>& environment_variables() {
  static const std::vector<manual_entry> rows{
      {"NO_COLOR", "If it is set and not empty, nothing is coloured. There is colour on a terminal alone."},
      {"ROPEWALK_VULKAN_DEVICE",
       "The Vulkan device that is used without --device, by number or name.",
       {"verify", "apply", "bench", "report"}},
      {"GITHUB_ACTIONS", "If it is set, failures are printed as annotations too.", {"verify"}},
      {"GITHUB_STEP_SUMMARY", "Beside GITHUB_ACTIONS, the file to which a summary is appended.", {"verify"}},
      {"ROPEWALK_COMMAND",
       "The program that the Python package runs for FILE.py::FUNCTION. Default: this one.",
       {"verify"}},
      {"LC_ALL, LC_CTYPE, LANG", "Whether --text may draw with characters of UTF-8.", {"plot"}},
      {"OMPI_COMM_WORLD_SIZE, PMI_SIZE, PMI_RANK, PMIX_RANK, MV2_COMM_WORLD_SIZE",
       "Set by MPI launchers. Under one, the work is handed out among its ranks, unless --shard is given.",
       {"sweep"}}};
  return rows;
}

}  // namespace ropewalk::command
