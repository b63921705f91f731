// ropewalk apply: encodes a tensor from a file with one kernel.

#include <memory>
#include <string>
#include <vector>

#include "apply/application.hpp"
#include "command/command.hpp"
#include "command/parser.hpp"
#include "command/position_options.hpp"
#include "command/recorded_command.hpp"
#include "command/which.hpp"
#include "gpu/kernel_device.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::command {
namespace {

struct apply_options {
  which_options which;
  position_options where;
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

void choose_positions(apply::application& job, const apply_options& options, session& session) {
  input::position_list chosen{.range = {0, job.tokens()}};
  if (!options.where.positions.empty()) {
    chosen = chosen_positions(options.where, job.tokens());
    apply::place_tokens(job, chosen);
  }
  job.model =
      at_seq_len(job.model, options.which.seq_len, {chosen.smallest_seq_len(), "the largest position + 1"});
  tell(job.model, session);
}

exit_code run_apply(const apply_options& options, session& session) {
  require_options(options);
  apply::application job;
  job.threads = input::thread_count(options.threads);
  verify::door_in_force().in_process = options.in_process;
  job.kernel = verify::only_kernel(options.kernel);
  if (job.kernel.kernel->operation != ROPEWALK_ROTATE)
    throw bad_input("kernel", job.kernel.label(), "a kernel whose operation is to rotate");
  choose_device(options, job.kernel);
  job.model = chosen_model(options.which);
  job.output = options.output;
  job.backward = options.backward;
  job.unit = options.unit;
  apply::open_tensor(job, options.input, options.dtype);
  choose_positions(job, options, session);
  apply::run(job, recorded_command("apply", session.arguments), session.quiet);
  return exit_code::holds;
}

}  // namespace

void add_apply(parser& program, session& session) {
  subcommand command = program.add("apply", "encode a tensor from a file");
  const auto options = std::make_shared<apply_options>();
  add_which_options(command, options->which, how_many::one);
  add_positions_option(command, options->where);
  command.heading("Apply");
  command.option("--kernel", options->kernel, "NAME",
                 "exact, cpu-turns, cpu-table, any rotation of `ropewalk verify --list`, library:PATH or "
                 "program:COMMAND (with #NAME for one of several)");
  command.option("--input", options->input, "X.npy",
                 "[tokens, heads, head_dim] or [batch, tokens, heads, head_dim]");
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
  command.values("--kernel", [](const auto&) { return verify::nameable_kernels_of(ROPEWALK_ROTATE); });
  command.footer(
      "Tokens stand at 0, 1, ... in each batch row; --positions says otherwise.\n"
      "Examples:\n"
      "  ropewalk apply --model llama-3.1-8b --kernel cpu-table --input q.npy --output rotated.npy\n"
      "  ropewalk apply --config config.json --kernel exact --positions 4096:4160 --input k.npy --output -");
  command.run([options, &session] { return run_apply(*options, session); });
}

}  // namespace ropewalk::command
