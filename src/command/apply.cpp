// ropewalk apply: encodes a tensor from a file with one kernel.

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apply/application.hpp"
#include "command/command.hpp"
#include "command/option/option_table.hpp"
#include "command/parser.hpp"
#include "command/position_options.hpp"
#include "command/recorded_command.hpp"
#include "command/table_encodings.hpp"
#include "command/which.hpp"
#include "gpu/kernel_device.hpp"
#include "input/bad_input.hpp"
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
  if (options.kernel.empty()) throw refusal("--kernel", "missing", "apply");
  if (options.kernel.starts_with(verify::files_prefix))
    throw bad_input("kernel", options.kernel, "a kernel that answers at once, not files:DIR");
  if (options.input.empty()) throw refusal("--input", "missing");
  if (options.output.empty()) throw refusal("--output", "missing", "apply");
  if (!options.dtype.empty() && !dtype_named(options.dtype)) throw refusal("--dtype", options.dtype);
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
  const which_options& which = options.encoding.which;
  const position_options& where = options.encoding.where;
  auto* const model = std::get_if<model::model>(&job.encoding);
  std::int64_t length = input::position_list{.range = {0, job.tokens()}}.smallest_seq_len();
  if (model != nullptr && where.positions.empty()) *model = with_own_grid(std::move(*model));
  if (model != nullptr && (model->placed_tokens || is_on_axes(*model, where.positions))) {
    if (model->placed_tokens && !where.positions.empty())
      throw bad_input("positions", where.positions, "none with --grid, which says them");
    input::axis_positions positions = model->placed_tokens
                                          ? *model->placed_tokens
                                          : input::axis_positions_from(where.positions, model->axes.count);
    length = positions.smallest_seq_len();
    apply::place_tokens_on_axes(job, std::move(positions));
  } else if (!where.positions.empty()) {
    const input::position_list positions = chosen_positions(where, job.tokens());
    length = positions.smallest_seq_len();
    apply::place_tokens(job, positions);
  }
  if (model == nullptr) return;
  require_paired_channels(*model);
  *model = at_seq_len(*model, which.seq_len, {length, "the largest position + 1"});
  report_reading(*model, session);
}

/// The options of kernels that add, in the order of --help.
constexpr std::string_view adding_options[] = {"--heads", "--form",   "--d-model", "--shift",
                                               "--scale", "--layout", "--odd",     "--padding-idx"};

/// Whether an option is of biases, rather than of sinusoidal rows.
bool is_of_biases(std::string_view option) {
  return option_named(option, "apply").kinds.has(tables::table_kind::alibi_bias);
}

/// Whether an option of the encodings that add is given.
bool has_adding_option(const table_options& options, bool of_biases) {
  return std::any_of(std::begin(adding_options), std::end(adding_options), [&](std::string_view option) {
    return is_of_biases(option) == of_biases && !typed(options, option).empty();
  });
}

/// The kernel of a name; `exact` is the one of the encoding that the options name.
std::string kernel_named(const apply_options& options) {
  if (options.kernel != "exact") return options.kernel;
  const bool biases = has_adding_option(options.encoding, true),
             rows = has_adding_option(options.encoding, false);
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
  for (const std::string_view option : adding_options)
    if (const std::string text = typed(options.encoding, option);
        !text.empty() && operation != (is_of_biases(option) ? ROPEWALK_ADD_BIAS : ROPEWALK_ADD_ROW))
      throw bad_input(field_name(option), text,
                      std::string("only with a kernel that adds ") +
                          (is_of_biases(option) ? "ALiBi's bias, such as cpu-alibi-add"
                                                : "sinusoidal rows, such as cpu-sinusoidal-add"));
  if (operation == ROPEWALK_ROTATE) return;
  const tables::table_kind kinds[] = {operation == ROPEWALK_ADD_BIAS ? alibi_bias : sinusoidal};
  table_options without_positions = options.encoding;  // queries have positions, a table of biases has none
  without_positions.where = {};
  refuse_foreign_options(without_positions, kinds);
  if (options.backward) throw bad_input("backward", flag_is_given, "only with a kernel that rotates");
  if (options.unit) throw bad_input("unit", flag_is_given, "only with a kernel that rotates");
}

/// The options of an encoding that adds. What the tensor's shape says need not be typed.
table_options with_extent(const apply_options& options, tables::table_kind kind, const char* option,
                          std::int64_t extent, session& session) {
  table_options encoding = with_numbers_of_config(options.encoding, std::span(&kind, 1), session);
  if (encoding.own[option].empty()) encoding.own[option] = std::to_string(extent);
  return encoding;
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
  visit_operation(job.kernel.entry->operation,
                  [&]<class Operation>() { take_encoding(Operation{}, job, options, session); });
  const auto* const biases = std::get_if<alibi>(&job.encoding);
  const ropewalk_limits* const limits = job.kernel.entry->limits;
  if (biases == nullptr || limits == nullptr) return;
  const served_calls served(*limits);
  if (served.names_forms() && !served.serves(biases->form))
    throw bad_input("form", name_of(biases->form), job.kernel.label() + " serves " + served.text());
}

exit_code run_apply(const apply_options& options, session& session) {
  require_options(options);
  apply::application job;
  job.threads = thread_count(options.threads);
  verify::transport_settings_in_force().in_process = options.in_process;
  job.kernel = verify::only_kernel(kernel_named(options));
  choose_device(options, job.kernel);
  refuse_other_encodings(options, static_cast<ropewalk_operation>(job.kernel.entry->operation));
  if (job.kernel.entry->operation == ROPEWALK_ROTATE) chosen_model(options.encoding.which);
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
  subcommand command = program.add("apply");
  const auto options = std::make_shared<apply_options>();
  take_all(command, options->encoding.which);
  take_all(command, options->encoding.where);
  command.take("--kernel", options->kernel);
  command.take("--input", options->input);
  command.take("--output", options->output);
  command.take("--dtype", options->dtype);
  command.take("--threads", options->threads);
  command.take("--device", options->device);
  command.take("--in-process", options->in_process);
  command.take("--backward", options->backward);
  command.take("--unit", options->unit);
  for (const std::string_view option : adding_options) command.take(option, options->encoding.own[option]);
  command.run([options, &session] { return run_apply(*options, session); });
}

}  // namespace ropewalk::command
