// ropewalk apply: encodes the tensor of a file with one kernel.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command/command.hpp"
#include "command/parser.hpp"
#include "command/position_options.hpp"
#include "command/which.hpp"
#include "export/npy.hpp"
#include "export/record.hpp"
#include "export/rows_in_order.hpp"
#include "export/terminal.hpp"
#include "gpu/kernel_device.hpp"
#include "input/bad_input.hpp"
#include "input/kernel_words.hpp"
#include "input/npy.hpp"
#include "input/number.hpp"
#include "model/record.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/resolved.hpp"
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
};

/// What is applied to what, every option read.
struct apply_job {
  verify::chosen_kernel kernel;
  model::model model;
  input::npy_array array;
  ropewalk_dtype dtype = ROPEWALK_F32;
  std::vector<std::int32_t> positions;  // [tokens] or [batch][tokens]; empty: counted from 0
  std::string positions_text;
  int threads = 1;

  std::int64_t extent(std::size_t from_last) const {
    return array.header.shape.rbegin()[static_cast<std::ptrdiff_t>(from_last)];
  }
  std::int64_t tokens() const { return extent(2); }
  std::int64_t batch() const { return array.header.shape.size() == 4 ? array.header.shape[0] : 1; }
};

ropewalk_dtype dtype_of_array(npy_dtype stored, const std::string& named) {
  const auto take = [&](ropewalk_dtype dtype) {
    if (!named.empty() && named != name_of(dtype))
      throw bad_input("dtype", named, std::string(name_of(dtype)) + " for this file's elements");
    return dtype;
  };
  switch (stored) {
    case npy_dtype::f64: return take(ROPEWALK_F64);
    case npy_dtype::f32: return take(ROPEWALK_F32);
    case npy_dtype::f16: return take(ROPEWALK_F16);
    case npy_dtype::u16:
      if (named != "bf16")
        throw bad_input("dtype", named.empty() ? "missing" : named, "bf16 where elements are uint16");
      return ROPEWALK_BF16;
    case npy_dtype::u32:
    case npy_dtype::i32:
    case npy_dtype::i64:
    case npy_dtype::c64:
    case npy_dtype::c128: break;
  }
  throw bad_input("input", std::string(descr_of(stored)), "elements <f8, <f4, <f2, or <u2 with --dtype bf16");
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "[" : ", ") + std::to_string(extent);
  return text.empty() ? "[]" : text + "]";
}

/// An array without elements may still have extents that NumPy cannot multiply: it would not load the output.
void refuse_unreadable(const std::vector<std::int64_t>& shape, std::int64_t element_bytes) {
  std::int64_t room = std::numeric_limits<std::int64_t>::max() / element_bytes;
  for (const std::int64_t extent : shape) {
    if (extent > room)
      throw bad_input("input", shape_text(shape), "extents whose product without zeros is below 2^63 bytes");
    if (extent > 0) room /= extent;
  }
}

void read_tensor(apply_job& job, const apply_options& options) {
  job.array = input::read_npy("input", options.input);
  const std::vector<std::int64_t>& shape = job.array.header.shape;
  const std::string wanted = std::to_string(job.model.layout.head_dim);
  if ((shape.size() != 3 && shape.size() != 4) || shape.back() != job.model.layout.head_dim)
    throw bad_input("input", shape_text(shape),
                    "[tokens, heads, " + wanted + "] or [batch, tokens, heads, " + wanted + "]");
  job.dtype = dtype_of_array(job.array.header.dtype, options.dtype);
  refuse_unreadable(shape, size_of(job.dtype));
}

void choose_positions(apply_job& job, const apply_options& options, session& session) {
  job.positions_text = "0:" + std::to_string(job.tokens());
  input::position_list chosen{.range = {0, job.tokens()}};
  if (!options.where.positions.empty()) chosen = chosen_positions(options.where, job.tokens());
  if (chosen.size() != job.tokens() && (!chosen.is_listed || chosen.size() != job.batch() * job.tokens()))
    throw bad_input("positions", chosen.text(),
                    std::to_string(job.tokens()) + " positions, as many as there are tokens" +
                        (job.batch() > 1 ? ", or a list for every batch row" : ""));
  job.model =
      at_seq_len(job.model, options.which.seq_len, {chosen.smallest_seq_len(), "the largest position + 1"});
  tell(job.model, session);
  if (options.where.positions.empty()) return;
  job.positions_text = chosen.text();
  for (std::int64_t row = 0; row < chosen.size(); ++row)
    job.positions.push_back(static_cast<std::int32_t>(chosen.at(row)));
}

/// Consecutive positions from 0 are worth a table, as long as it stays small beside the tensor of a long
/// context.
position_range often_used(const apply_job& job) {
  constexpr std::int64_t most_entries = std::int64_t{1} << 22;
  if (!job.positions.empty() || job.tokens() > most_entries / pair_count(job.model.encoding)) return {};
  return {0, job.tokens()};
}

/// What a kernel answered, in the program's own terms.
void require_ok(std::int32_t status, const ropewalk_error& error, const verify::chosen_kernel& kernel) {
  if (status == ROPEWALK_OK) return;
  if (status == ROPEWALK_OUT_OF_MEMORY) throw std::bad_alloc();
  const std::string text = printable(kernel.label()) + ": " + input::words_of(error);
  if (status == ROPEWALK_UNDECIDED || status == ROPEWALK_DEVICE_FAILED) throw missing_requirement(text);
  throw std::invalid_argument(text);
}

class plan_of_kernel {
 public:
  plan_of_kernel(const verify::chosen_kernel& kernel, const ropewalk_rotation& encoding) : kernel_(kernel) {
    ropewalk_error error{};
    require_ok(kernel.kernel->plan(&encoding.head, &plan_, &error), error, kernel);
    if (plan_ == nullptr)
      throw std::invalid_argument(printable(kernel.label()) + ": the kernel made no plan and gave no reason");
  }
  ~plan_of_kernel() { kernel_.kernel->free_plan(plan_); }
  plan_of_kernel(const plan_of_kernel&) = delete;
  plan_of_kernel& operator=(const plan_of_kernel&) = delete;

  void apply(const ropewalk_rotation_call& call) const {
    ropewalk_error error{};
    require_ok(kernel_.kernel->apply(plan_, &call.head, &error), error, kernel_);
  }

 private:
  const verify::chosen_kernel& kernel_;
  ropewalk_plan* plan_ = nullptr;
};

ropewalk_rotation_call call_of(apply_job& job, const apply_options& options) {
  ropewalk_rotation_call call = empty_call<rotate>();
  call.flags = (options.backward ? ROPEWALK_BACKWARD : 0) | (options.unit ? ROPEWALK_UNIT : 0);
  ropewalk_tensor& tensor = call.query_in;
  static std::byte no_element{};
  tensor.data = job.array.bytes.empty() ? &no_element : job.array.bytes.data();
  tensor.dtype = job.dtype;
  tensor.rank = static_cast<std::int32_t>(job.array.header.shape.size());
  std::int64_t stride = 1;
  for (int axis = tensor.rank; axis-- > 0;) {
    tensor.shape[axis] = job.array.header.shape[static_cast<std::size_t>(axis)];
    tensor.stride[axis] = stride;
    stride *= tensor.shape[axis];
  }
  call.query_out = call.query_in;
  if (!job.positions.empty())
    call.tokens.positions = {
        .kind = ROPEWALK_POSITIONS_I32,
        .axes = 1,
        .data = job.positions.data(),
        .stride = {0, static_cast<std::int64_t>(job.positions.size()) == job.tokens() ? 0 : job.tokens(), 1}};
  return call;
}

input::json record_of(const apply_job& job, const apply_options& options, const session& session) {
  input::json record = output::origin_record(session.command_line);
  record["array"] = "rotated tensor";
  record["shape"] = job.array.header.shape;
  record["axes"] =
      job.array.header.shape.size() == 4 ? "[batch, tokens, heads, head_dim]" : "[tokens, heads, head_dim]";
  record["dtype"] = name_of(job.dtype);
  if (job.dtype == ROPEWALK_BF16) record["stored_as"] = "uint16, the bits of the bfloat16";
  record["kernel"] = job.kernel.label();
  if (verify::needs_device(job.kernel)) record["vulkan_device"] = vulkan::device_text();
  record["promise"] = name_of(*promise_of(*job.kernel.kernel));
  record["direction"] = options.backward ? "backward" : "forward";
  record["attention_factor"] = options.unit ? "left out" : "included";
  record["positions"] = job.positions_text;
  record["model"] = model::model_record(job.model);
  return record;
}

void require_options(const apply_options& options) {
  if (options.kernel.empty()) throw bad_input("kernel", "missing", "the name of a kernel, or library:PATH");
  if (options.input.empty()) throw bad_input("input", "missing", "a path, or - for standard input");
  if (options.output.empty()) throw bad_input("output", "missing", "a path, or - for standard output");
  if (options.dtype.empty()) return;
  if (!dtype_named(options.dtype)) throw bad_input("dtype", options.dtype, dtype_names());
}

void choose_device(const apply_options& options, const verify::chosen_kernel& kernel) {
  if (options.device.empty()) return;
  if (!verify::needs_device(kernel))
    throw bad_input("device", options.device,
                    "none with " + kernel.label() + ": it runs on no Vulkan device");
  vulkan::wish_for({.device = options.device});
}

exit_code run_apply(const apply_options& options, session& session) {
  require_options(options);
  apply_job job;
  job.threads = input::thread_count(options.threads);
  job.kernel = verify::only_kernel(options.kernel);
  if (job.kernel.kernel->operation != ROPEWALK_ROTATE)
    throw bad_input("kernel", job.kernel.label(), "a kernel whose operation is to rotate");
  choose_device(options, job.kernel);
  job.model = chosen_model(options.which);
  read_tensor(job, options);
  choose_positions(job, options, session);
  const resolved_encoding resolved(job.model.encoding, job.model.layout, often_used(job), job.model.config);
  const plan_of_kernel plan(job.kernel, resolved.view());
  const ropewalk_rotation_call whole = call_of(job, options);
  const std::string record = output::pretty(record_of(job, options, session));
  output::npy_output output(options.output, job.array.header);
  const std::int64_t tokens = job.batch() * job.tokens();
  const std::size_t token_bytes =
      static_cast<std::size_t>(job.extent(0) * job.extent(1)) * static_cast<std::size_t>(size_of(job.dtype));
  output::progress_bar progress("apply", static_cast<std::uint64_t>(tokens), session.quiet);
  output::in_order(
      tokens, output::rows_a_run(std::max<std::int64_t>(job.extent(0) * job.extent(1), 1)), job.threads,
      progress,
      [&](output::row_run run, int) {
        ropewalk_rotation_call part = whole;
        part.tokens.begin = run.first;
        part.tokens.end = run.first + run.count;
        plan.apply(part);
      },
      [&](output::row_run run, int) {
        output.write(job.array.bytes.data() + static_cast<std::size_t>(run.first) * token_bytes,
                     static_cast<std::size_t>(run.count) * token_bytes);
      });
  output.commit(record);
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
                 "exact, cpu-turns, cpu-table, any rotation of `ropewalk verify --list`, or library:PATH "
                 "(library:PATH#NAME for one of several)");
  command.option("--input", options->input, "X.npy",
                 "[tokens, heads, head_dim] or [batch, tokens, heads, head_dim]");
  command.option("--output", options->output, "Y.npy",
                 "where to write, with a sidecar Y.npy.json; - is standard output");
  command.option("--dtype", options->dtype, "DTYPE",
                 "bf16 says that uint16 elements are the bits of bfloat16 numbers");
  command.option("--threads", options->threads, "N",
                 "worker threads (default: what the machine has); the bytes do not depend on it");
  command.option("--device", options->device, "N|NAME", verify::device_help);
  command.flag("--backward", options->backward, "the adjoint, a R(-t): gradients");
  command.flag("--unit", options->unit, "leave the attention factor out: shift keys that already carry it");
  command.footer(
      "Tokens stand at 0, 1, ... in each batch row; --positions says otherwise.\n"
      "Examples:\n"
      "  ropewalk apply --model llama-3.1-8b --kernel cpu-table --input q.npy --output rotated.npy\n"
      "  ropewalk apply --config config.json --kernel exact --positions 4096:4160 --input k.npy --output -");
  command.run([options, &session] { return run_apply(*options, session); });
}

}  // namespace ropewalk::command
