// ropewalk apply: encodes a tensor from a file with one kernel.

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apply/application.hpp"
#include "command/command.hpp"
#include "command/make_table.hpp"
#include "command/parser.hpp"
#include "command/position_options.hpp"
#include "command/recorded_command.hpp"
#include "command/which.hpp"
#include "gpu/kernel_device.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "model/own_encoding.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/law/kernel/served_calls.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::command {
namespace {

struct apply_options {
  table_options encoding;  // as `table` takes them: which, where, and those of kernels that add
  std::string kernel;
  std::string input;
  std::string output;
  std::string dtype;
  std::string threads;
  std::string device;
  bool backward = false;
  bool unit = false;
  bool in_process = false;
};

void require_options(const apply_options& options) {
  if (options.kernel.empty()) throw bad_input("kernel", "missing", "the name of a kernel, or library:PATH");
  if (options.kernel.starts_with(verify::files_prefix))
    throw bad_input("kernel", options.kernel, "a kernel that answers at once, not files:DIR");
  if (options.input.empty()) throw bad_input("input", "missing", "a path, or - for standard input");
  if (options.output.empty()) throw bad_input("output", "missing", "a path, or - for standard output");
  if (options.dtype.empty()) return;
  if (!dtype_named(options.dtype)) throw bad_input("dtype", options.dtype, dtype_names());
}

void choose_device(const apply_options& options, const verify::chosen_kernel& kernel) {
  if (options.device.empty()) return;
  if (!verify::needs_device(kernel))
    throw bad_input("device", options.device,
                    "only with a Vulkan kernel; " + kernel.label() + " runs on the CPU");
  vulkan::wish_for({.device = options.device});
}

/// Whether positions are rows, one for each axis. Tokens of text stand at one position on all of them, as
/// long as the axes keep the frequencies of text.
bool is_on_axes(const model::model& model, const std::string& positions) {
  if (!keeps_frequencies(model.axes)) return true;
  if (positions.empty() || input::looks_like_numbers(positions)) return false;
  return input::axis_count_of(positions) > 0;
}

void choose_positions(apply::application& job, const apply_options& options, session& session) {
  const table_options& of = options.encoding;
  auto* const model = std::get_if<model::model>(&job.encoding);
  std::int64_t length = input::position_list{.range = {0, job.tokens()}}.smallest_seq_len();
  if (model != nullptr && of.where.positions.empty()) *model = with_own_grid(std::move(*model));
  if (model != nullptr && (model->placed_tokens || is_on_axes(*model, of.where.positions))) {
    if (model->placed_tokens && !of.where.positions.empty())
      throw bad_input("positions", of.where.positions, "none with --grid, which says them");
    input::axis_positions chosen = model->placed_tokens
                                       ? *model->placed_tokens
                                       : input::axis_positions_from(of.where.positions, model->axes.count);
    length = chosen.smallest_seq_len();
    apply::place_tokens_on_axes(job, std::move(chosen));
  } else if (!of.where.positions.empty()) {
    const input::position_list chosen = chosen_positions(of.where, job.tokens());
    length = chosen.smallest_seq_len();
    apply::place_tokens(job, chosen);
  }
  if (model == nullptr) return;
  require_paired_channels(*model);
  *model = at_seq_len(*model, of.which.seq_len, {length, "the largest position + 1"});
  report_reading(*model, session);
}

/// Options of kernels that add, beside those that name a model's encoding.
struct adding_option {
  const char* name;
  const char* value;
  const char* text;
  bool of_biases;
};

constexpr adding_option adding_options[] = {
    {"--heads", "N", "ALiBi: heads (default: as many as the scores have)", true},
    {"--form", "FORM",
     "ALiBi: causal, symmetric, bloom (also flash-attention's where it is causal) or mpt (default: causal)",
     true},
    {"--d-model", "N", "sinusoids: their width (default: the tensor's last extent)", false},
    {"--shift", "N", "sinusoids: the exponent is pair / (floor(d_model/2) - N) (default: 0)", false},
    {"--scale", "N", "sinusoids: what positions are multiplied by (default: 1)", false},
    {"--layout", "LAYOUT", "sinusoids: interleaved, sin-cos, cos-sin (default: interleaved)", false},
    {"--odd", "WHAT", "sinusoids: refuse an odd width, or leave its last channel with zero (default: refuse)",
     false},
    {"--padding-idx", "N", "sinusoids, as fairseq: position p has row p + N + 1, position -1 is the padding",
     false}};

/// Whether an option of the encodings that add is given.
bool is_given(const table_options& options, bool of_biases) {
  return std::any_of(std::begin(adding_options), std::end(adding_options), [&](const adding_option& one) {
    return one.of_biases == of_biases && !typed(options, one.name).empty();
  });
}

/// The kernel of a name; `exact` is the one of the encoding that the options name.
std::string kernel_named(const apply_options& options) {
  if (options.kernel != "exact") return options.kernel;
  const bool biases = is_given(options.encoding, true), rows = is_given(options.encoding, false);
  if (biases && rows)
    throw bad_input("kernel", options.kernel, "options of one encoding: these are of ALiBi and of sinusoids");
  if (biases) return "exact-alibi-add";
  if (rows) return "exact-sinusoidal-add";
  const std::vector<std::string>& configs = options.encoding.which.configs;
  const auto own = configs.size() == 1 ? model::read_own_encoding(configs.front()) : std::nullopt;
  const auto has = [&](tables::table_kind kind) {
    return own && std::find(own->kinds.begin(), own->kinds.end(), text_of(kind).name) != own->kinds.end();
  };
  if (has(tables::table_kind::alibi_bias)) return "exact-alibi-add";
  return has(tables::table_kind::sinusoidal) ? "exact-sinusoidal-add" : options.kernel;
}

/// Refuses options of other encodings than the kernel's.
void refuse_other_encodings(const apply_options& options, ropewalk_operation operation) {
  using enum tables::table_kind;
  for (const adding_option& one : adding_options)
    if (const std::string text = typed(options.encoding, one.name);
        !text.empty() && operation != (one.of_biases ? ROPEWALK_ADD_BIAS : ROPEWALK_ADD_ROW))
      throw bad_input(one.name + 2, text,
                      std::string("only with a kernel that adds ") +
                          (one.of_biases ? "ALiBi's bias, such as cpu-alibi-add"
                                         : "sinusoidal rows, such as cpu-sinusoidal-add"));
  if (operation == ROPEWALK_ROTATE) return;
  const tables::table_kind kinds[] = {operation == ROPEWALK_ADD_BIAS ? alibi_bias : sinusoidal};
  table_options without_positions = options.encoding;  // queries have positions, a table of biases has none
  without_positions.where = {};
  refuse_foreign_options(without_positions, kinds);
  if (options.backward) throw bad_input("backward", "given", "only with a kernel that rotates");
  if (options.unit) throw bad_input("unit", "given", "only with a kernel that rotates");
}

/// The options of an encoding that adds. What the tensor's shape says need not be typed.
table_options with_extent(const apply_options& options, tables::table_kind kind, const char* option,
                          std::int64_t extent, session& session) {
  table_options of = with_numbers_of_config(options.encoding, std::span(&kind, 1), session);
  if (of.own[option].empty()) of.own[option] = std::to_string(extent);
  return of;
}

// The encoding that each operation takes.
void take_encoding(rotate, apply::application& job, const apply_options& options, session& /*session*/) {
  job.encoding = chosen_model(options.encoding.which);
}
void take_encoding(add_row, apply::application& job, const apply_options& options, session& session) {
  job.encoding = sinusoidal_from(
      with_extent(options, tables::table_kind::sinusoidal, "--d-model", job.extent(0), session));
}
void take_encoding(add_bias, apply::application& job, const apply_options& options, session& session) {
  job.encoding =
      alibi_from(with_extent(options, tables::table_kind::alibi_bias, "--heads", job.extent(1), session));
}

void choose_encoding(apply::application& job, const apply_options& options, session& session) {
  visit_operation(job.kernel.kernel->operation,
                  [&]<class Operation>() { take_encoding(Operation{}, job, options, session); });
  const auto* const biases = std::get_if<alibi>(&job.encoding);
  const ropewalk_limits* const limits = job.kernel.kernel->limits;
  if (biases == nullptr || limits == nullptr) return;
  const served_calls served(*limits);
  if (served.names_forms() && !served.serves(biases->form))
    throw bad_input("form", name_of(biases->form), job.kernel.label() + " serves " + served.text());
}

exit_code run_apply(const apply_options& options, session& session) {
  require_options(options);
  apply::application job;
  job.threads = input::thread_count(options.threads);
  verify::transport_settings_in_force().in_process = options.in_process;
  job.kernel = verify::only_kernel(kernel_named(options));
  choose_device(options, job.kernel);
  refuse_other_encodings(options, static_cast<ropewalk_operation>(job.kernel.kernel->operation));
  if (job.kernel.kernel->operation == ROPEWALK_ROTATE) chosen_model(options.encoding.which);
  job.output = options.output;
  job.backward = options.backward;
  job.unit = options.unit;
  apply::open_tensor(job, options.input, options.dtype);
  choose_encoding(job, options, session);
  apply::check_shape(job);
  choose_positions(job, options, session);
  apply::run(job, recorded_command("apply", session.arguments), session.quiet);
  return exit_code::holds;
}

}  // namespace

void add_apply(parser& program, session& session) {
  subcommand command = program.add("apply", "encode a tensor from a file");
  const auto options = std::make_shared<apply_options>();
  add_which_options(command, options->encoding.which, how_many::one, named_axes::taken);
  add_positions_option(command, options->encoding.where);
  command.heading("Apply");
  command.option("--kernel", options->kernel, "NAME",
                 "exact, cpu-turns, cpu-table, cpu-sinusoidal-add, cpu-alibi-add, any of `ropewalk verify "
                 "--list`, library:PATH or program:COMMAND (with #NAME for one of several)");
  command.option("--input", options->input, "X.npy",
                 "[tokens, heads, head_dim] or [batch, tokens, heads, head_dim]; of sinusoids also [tokens, "
                 "d_model]; scores [queries, heads, keys] or [batch, queries, heads, keys]");
  command.option("--output", options->output, "Y.npy",
                 "where to write, with a sidecar Y.npy.json; - is standard output");
  command.option("--dtype", options->dtype, "DTYPE",
                 "bf16: uint16 elements are the bits of bfloat16 numbers");
  command.option("--threads", options->threads, "N",
                 "worker threads (default: what the machine has); the bytes do not depend on it");
  command.option("--device", options->device, "N|NAME", verify::device_help);
  command.flag("--in-process", options->in_process,
               "load a library into this process; otherwise it runs in a process of its own");
  command.flag("--backward", options->backward, "apply the adjoint a R(-t), as for gradients");
  command.flag("--unit", options->unit,
               "leave out the attention factor, to shift keys that already contain it");
  command.heading("Kernels that add", "--kernel cpu-alibi-add --form bloom");
  for (const adding_option& one : adding_options)
    command.option(one.name, options->encoding.own[one.name], one.value, one.text);
  command.values("--form", alibi_form_words());
  using enum sinusoidal_layout;
  command.values("--layout", names_of(interleaved, sin_cos, cos_sin));
  command.values("--odd", names_of(odd_width::refuse, odd_width::zero));
  command.values("--kernel", [](const auto&) {
    std::vector<std::string> names;
    for (const verify::chosen_kernel& one : verify::nameable_kernel_list())
      names.emplace_back(one.kernel->name);
    return names;
  });
  command.footer(
      "Tokens stand at 0, 1, ... in each batch row, and the last query at the last key; --positions says "
      "otherwise.\n"
      "Examples:\n"
      "  ropewalk apply --model llama-3.1-8b --kernel cpu-table --input q.npy --output rotated.npy\n"
      "  ropewalk apply --config config.json --kernel exact --positions 4096:4160 --input k.npy --output -\n"
      "  ropewalk apply --kernel cpu-alibi-add --form bloom --input scores.npy --output biased.npy");
  command.run([options, &session] { return run_apply(*options, session); });
}

}  // namespace ropewalk::command
