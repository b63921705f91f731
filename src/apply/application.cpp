#include "apply/application.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "export/npy.hpp"
#include "export/rows_in_order.hpp"
#include "export/table_kind.hpp"
#include "export/tables.hpp"
#include "gpu/kernel_device.hpp"
#include "input/bad_input.hpp"
#include "input/kernel_words.hpp"
#include "kernel/page_memory.hpp"
#include "model/record.hpp"
#include "output/output_file.hpp"
#include "output/record.hpp"
#include "output/terminal.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/kernel/resolved_alibi.hpp"
#include "ropewalk/kernel/resolved_sinusoidal.hpp"

namespace ropewalk::apply {
namespace {

ropewalk_dtype dtype_of_array(npy_dtype stored, const std::string& named) {
  std::string allowed;
  for (const tables::table_dtype_text& text : tables::table_dtypes) {
    const std::optional<ropewalk_dtype> dtype = dtype_named(text.name);
    if (!dtype || text.array != stored) continue;
    if (named == text.name || (named.empty() && !text.numpy_lacks_it)) return *dtype;
    allowed += (allowed.empty() ? "" : " or ") + std::string(text.name) +
               (text.numpy_lacks_it ? " where elements are " + tables::integer_of_bits(text.dtype)
                                    : " for this file's elements");
  }
  if (!allowed.empty()) throw bad_input("dtype", named.empty() ? "missing" : named, allowed);
  throw bad_input("input", std::string(descr_of(stored)),
                  "elements " + tables::npy_types_of_formats([](const tables::table_dtype_text& text) {
                    return "with --dtype " + std::string(text.name);
                  }));
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "[" : ", ") + std::to_string(extent);
  return text.empty() ? "[]" : text + "]";
}

/// Refuses a shape whose non-zero extents multiply to 2^63 bytes or more: NumPy fails to load such an array
/// even when it is empty.
void refuse_unreadable(const std::vector<std::int64_t>& shape, std::int64_t element_bytes) {
  std::int64_t room = std::numeric_limits<std::int64_t>::max() / element_bytes;
  for (const std::int64_t extent : shape) {
    if (extent > room)
      throw bad_input("input", shape_text(shape), "non-zero extents whose product is below 2^63 bytes");
    if (extent > 0) room /= extent;
  }
}

/// Positions that the plan may tabulate: 0 .. tokens - 1, or none if positions are given or the table would
/// exceed most_entries pairs.
position_range often_used(const application& job, int pairs) {
  constexpr std::int64_t most_entries = std::int64_t{1} << 22;
  if (job.positions || job.tokens() > most_entries / pairs) return {};
  return {0, job.tokens()};
}

/// Calls use(head of the resolved encoding).
template <class Use>
void with_encoding(const application& job, const Use& use) {
  if (const auto* model = std::get_if<model::model>(&job.encoding)) {
    // Text tokens and counted tokens have one position for all axes.
    const bool has_one_row = keeps_frequencies(model->axes) && job.axes() == 1;
    const resolved_encoding resolved(has_one_row ? placed_rope{model->encoding} : model::placed(*model),
                                     model->layout, often_used(job, pair_count(model->encoding)),
                                     model->config);
    use(resolved.view().head);
  } else if (const auto* rows = std::get_if<sinusoidal>(&job.encoding)) {
    const resolved_sinusoidal resolved(*rows, often_used(job, pair_count(*rows)));
    use(resolved.view().head);
  } else {
    const resolved_alibi resolved(std::get<alibi>(job.encoding));
    use(resolved.view().head);
  }
}

/// Throws the exception that matches a kernel's status; returns if it is ROPEWALK_OK.
void require_ok(std::int32_t status, const ropewalk_error& error, const verify::chosen_kernel& kernel) {
  if (status == ROPEWALK_OK) return;
  if (status == ROPEWALK_OUT_OF_MEMORY) throw std::bad_alloc();
  const std::string text = printable(kernel.label()) + ": " + input::words_of(error);
  if (status == ROPEWALK_UNDECIDED || status == ROPEWALK_DEVICE_FAILED) throw missing_requirement(text);
  throw std::invalid_argument(text);
}

class plan_of_kernel {
 public:
  explicit plan_of_kernel(const application& job) : kernel_(job.kernel) {
    ropewalk_error error{};
    with_encoding(job, [&](const ropewalk_head& encoding) {
      require_ok(kernel_.entry->plan(&encoding, &plan_, &error), error, kernel_);
    });
    if (plan_ == nullptr)
      throw std::invalid_argument(printable(kernel_.label()) + ": plan returned ROPEWALK_OK but no plan");
  }
  ~plan_of_kernel() { kernel_.entry->free_plan(plan_); }
  plan_of_kernel(const plan_of_kernel&) = delete;
  plan_of_kernel& operator=(const plan_of_kernel&) = delete;

  void apply(const ropewalk_head& call) const {
    ropewalk_error error{};
    require_ok(kernel_.entry->apply(plan_, &call, &error), error, kernel_);
  }

 private:
  const verify::chosen_kernel& kernel_;
  ropewalk_plan* plan_ = nullptr;
};

std::int64_t token_count(const application& job) { return job.batch() * job.tokens(); }

/// Whether the kernel lists the shapes that it serves: parts of the tensor would have others.
bool needs_whole_tensor(const application& job) {
  const ropewalk_limits* const limits = job.kernel.entry->limits;
  return limits != nullptr && limits->shape_count > 0;
}

std::int64_t tokens_per_part(const application& job) {
  constexpr std::int64_t part_bytes = 512 << 10;  // fits in a core's cache
  if (needs_whole_tensor(job)) return std::max<std::int64_t>(token_count(job), 1);
  return std::max<std::int64_t>(part_bytes / std::max<std::int64_t>(job.token_bytes(), 1), 1);
}

ropewalk_tensor tensor_of(const application& job, std::byte* data, std::vector<std::int64_t> shape) {
  ropewalk_tensor tensor{};
  tensor.data = data;
  tensor.dtype = job.dtype;
  tensor.rank = static_cast<std::int32_t>(shape.size());
  std::int64_t stride = 1;
  for (int axis = tensor.rank; axis-- > 0;) {
    tensor.shape[axis] = shape[static_cast<std::size_t>(axis)];
    tensor.stride[axis] = stride;
    stride *= tensor.shape[axis];
  }
  return tensor;
}

/// Consecutive tokens, from input to output, and their positions. The kernel works in place if it serves
/// that.
class part {
 public:
  void read(application& job, tables::row_run run) {
    const auto bytes = static_cast<std::size_t>(run.count * job.token_bytes());
    if (bytes > capacity_) {
      in_ = page_memory<std::byte>(bytes);
      if (!turns_in_place(job)) out_ = page_memory<std::byte>(bytes);
      capacity_ = bytes;
    }
    job.array->read({in_.data(), bytes});
    if (job.is_real())
      take(job, run, job.positions->real, real_);
    else if (job.positions)
      take(job, run, job.positions->numbers, whole_);
    else
      count(job, run);
  }

  void apply(const application& job, const plan_of_kernel& plan, tables::row_run run) const {
    std::vector<std::int64_t> shape = job.shape;
    if (!needs_whole_tensor(job)) shape = {run.count, job.extent(1), job.extent(0)};
    const ropewalk_tensor in = tensor_of(job, in_.data(), shape), out = tensor_of(job, turned(), shape);
    visit_operation(job.kernel.entry->operation, [&]<class Operation>() {
      auto call = empty_call<Operation>();
      if constexpr (std::is_same_v<Operation, rotate>) {
        call.flags = (job.backward ? ROPEWALK_BACKWARD : 0) | (job.unit ? ROPEWALK_UNIT : 0);
        call.query_in = in;
        call.query_out = out;
      } else if constexpr (std::is_same_v<Operation, add_row>) {
        call.in = in;
        call.out = out;
      } else {
        call.scores_in = in;
        call.scores_out = out;
      }
      call.tokens.positions = {.kind = job.is_real() ? ROPEWALK_POSITIONS_F64 : ROPEWALK_POSITIONS_I32,
                               .axes = job.axes(),
                               .data = job.is_real() ? static_cast<const void*>(real_.data()) : whole_.data(),
                               .stride = {run.count, job.tokens(), 1}};
      call.tokens.end = run.count;
      plan.apply(call.head);
    });
  }

  std::byte* turned() const { return out_.data() != nullptr ? out_.data() : in_.data(); }

 private:
  static bool turns_in_place(const application& job) {
    const ropewalk_limits* const limits = job.kernel.entry->limits;
    return limits == nullptr || (limits->not_served & ROPEWALK_NO_IN_PLACE) == 0;
  }

  /// Copies the positions of a run from the rows of all tokens.
  template <class Number>
  static void take(const application& job, tables::row_run run, const std::vector<Number>& rows,
                   std::vector<Number>& to) {
    const std::int64_t listed = job.positions->tokens();
    to.clear();
    for (std::int64_t axis = 0; axis < job.axes(); ++axis)
      for (std::int64_t i = 0; i < run.count; ++i)
        to.push_back(rows[static_cast<std::size_t>(axis * listed + job.place_of(run.first + i))]);
  }

  void count(const application& job, tables::row_run run) {
    whole_.clear();
    for (std::int64_t i = 0; i < run.count; ++i)
      whole_.push_back(static_cast<std::int32_t>(job.first_position + job.place_of(run.first + i)));
  }

  page_memory<std::byte> in_;
  page_memory<std::byte> out_;
  std::size_t capacity_ = 0;
  std::vector<std::int32_t> whole_;  // [axes][tokens of the run]
  std::vector<double> real_;
};

/// Name of a tensor's last axis.
std::string channels_name(rotate) { return "head_dim"; }
std::string channels_name(add_row) { return "d_model"; }
std::string channels_name(add_bias) { return "keys"; }
std::string channels_name(const application& job) {
  return visit_operation(job.kernel.entry->operation,
                         []<class Operation>() { return channels_name(Operation{}); });
}

std::string axes_text(const application& job, std::size_t rank, const std::string& last) {
  const bool has_queries = job.kernel.entry->operation == ROPEWALK_ADD_BIAS;
  return std::string(rank == 4 ? "[batch, " : "[") + (has_queries ? "queries" : "tokens") +
         (rank == 2 ? ", " : ", heads, ") + last + "]";
}

std::string shapes_allowed(const application& job, const std::string& last) {
  const bool adds_rows = job.kernel.entry->operation == ROPEWALK_ADD_ROW;
  return (adds_rows ? axes_text(job, 2, last) + ", " : "") + axes_text(job, 3, last) + " or " +
         axes_text(job, 4, last);
}

input::json record_of(const application& job, const std::string& command_line) {
  input::json record = output::origin_record(command_line);
  const bool rotates = job.kernel.entry->operation == ROPEWALK_ROTATE;
  record["array"] = rotates ? "rotated tensor" : "tensor with an encoding added";
  record["shape"] = job.array->header().shape;
  record["axes"] = axes_text(job, job.array->header().shape.size(), channels_name(job));
  record["dtype"] = name_of(job.dtype);
  if (const auto& text = tables::table_dtypes[job.dtype]; text.numpy_lacks_it)
    record["stored_as"] =
        tables::integer_of_bits(text.dtype) + ", the bits of the " + std::string(text.format_name);
  record["kernel"] = job.kernel.label();
  if (verify::needs_device(job.kernel)) record["vulkan_device"] = vulkan::device_text();
  record["promise"] =
      name_of(promise_of(*job.kernel.entry), static_cast<ropewalk_operation>(job.kernel.entry->operation));
  record["positions"] = job.positions_text;
  if (const auto* model = std::get_if<model::model>(&job.encoding)) {
    record["direction"] = job.backward ? "backward" : "forward";
    record["attention_factor"] = job.unit ? "left out" : "included";
    record["model"] = model::model_record(*model);
  } else if (const auto* rows = std::get_if<sinusoidal>(&job.encoding)) {
    record["encoding"] = tables::encoding_record(*rows);
  } else {
    record["encoding"] = tables::encoding_record(std::get<alibi>(job.encoding));
  }
  return record;
}

}  // namespace

void open_tensor(application& job, const std::string& path, const std::string& dtype) {
  job.array.emplace(input::only_array("input", path));
  const std::vector<std::int64_t>& shape = job.array->header().shape;
  const bool is_one_row = shape.size() == 2 && job.kernel.entry->operation == ROPEWALK_ADD_ROW;
  if (shape.size() != 3 && shape.size() != 4 && !is_one_row)
    throw bad_input("input", shape_text(shape), shapes_allowed(job, channels_name(job)));
  job.shape = shape;
  if (is_one_row) job.shape = {shape[0], 1, shape[1]};
  job.dtype = dtype_of_array(job.array->header().dtype, dtype);
  refuse_unreadable(shape, size_of(job.dtype));
}

void check_shape(application& job) {
  const std::vector<std::int64_t>& shape = job.array->header().shape;
  const auto require_extent = [&](std::int64_t count, int wanted, const std::string& allowed) {
    if (count != wanted) throw bad_input("input", shape_text(shape), allowed);
  };
  if (const auto* model = std::get_if<model::model>(&job.encoding)) {
    const int wanted = model->layout.head_dim;
    require_extent(job.extent(0), wanted, shapes_allowed(job, std::to_string(wanted)));
  } else if (const auto* rows = std::get_if<sinusoidal>(&job.encoding)) {
    require_extent(job.extent(0), rows->d_model, shapes_allowed(job, std::to_string(rows->d_model)));
  } else {
    const alibi& biases = std::get<alibi>(job.encoding);
    require_extent(job.extent(1), biases.heads,
                   "scores of " + std::to_string(biases.heads) + " heads: " + shapes_allowed(job, "keys"));
    job.first_position = job.extent(0) - job.tokens();
    if (is_by_key(biases.form)) job.first_position = std::max<std::int64_t>(job.first_position, 0);
  }
  job.positions_text =
      std::to_string(job.first_position) + ":" + std::to_string(job.first_position + job.tokens());
}

namespace {

[[noreturn]] void refuse_count(const application& job, const std::string& text) {
  throw bad_input("positions", text,
                  std::to_string(job.tokens()) + " positions, one per token" +
                      (job.batch() > 1 ? ", or one list per batch row" : ""));
}

}  // namespace

void place_tokens(application& job, const input::position_list& chosen) {
  if (chosen.size() != job.tokens() && (!chosen.is_listed || chosen.size() != job.batch() * job.tokens()))
    refuse_count(job, chosen.text());
  job.positions_text = chosen.text();
  job.positions.emplace();
  for (std::int64_t row = 0; row < chosen.size(); ++row)
    job.positions->numbers.push_back(static_cast<std::int32_t>(chosen.at(row)));
}

void place_tokens_on_axes(application& job, input::axis_positions chosen) {
  if (chosen.tokens() != job.tokens() && chosen.tokens() != job.batch() * job.tokens())
    refuse_count(job, chosen.text());
  const ropewalk_limits* const limits = job.kernel.entry->limits;
  constexpr std::uint64_t reals = std::uint64_t{1} << ROPEWALK_POSITIONS_F64;
  if (chosen.is_real() && (limits == nullptr || (limits->position_kinds & reals) == 0))
    throw bad_input("positions", chosen.text(),
                    "whole numbers, because " + job.kernel.label() + " does not serve real positions");
  for (const double position : chosen.real)
    if (!(position > -0x1p31 && position < 0x1p31))
      throw bad_input("positions", input::shortest_text(position),
                      "real numbers above -2147483648 and below 2147483648");
  job.positions_text = chosen.text();
  job.positions = std::move(chosen);
  if (const auto* model = std::get_if<model::model>(&job.encoding))
    job.positions = positions_of_kernels(*model, std::move(*job.positions));
}

void run(application& job, const std::string& command_line, bool quiet) {
  if (!job.positions && job.first_position < 0)
    throw bad_input("positions", "missing",
                    "one position per query: with " + std::to_string(job.tokens()) + " queries and " +
                        std::to_string(job.extent(0)) + " keys, the last query is not at the last key");
  if (!job.positions && job.first_position + job.tokens() > largest_position + 1)
    throw bad_input("input", shape_text(job.array->header().shape),
                    "at most 2^31 tokens, whose positions are counted from 0");
  const plan_of_kernel plan(job);
  const std::string record = output::pretty(record_of(job, command_line));
  tables::npy_output output(job.output, job.array->header());
  const std::int64_t tokens = job.token_bytes() == 0 ? 0 : token_count(job);
  output::require_space(job.output, static_cast<std::uint64_t>(tokens * job.token_bytes()));
  std::vector<part> parts(static_cast<std::size_t>(tables::slots(job.threads)));
  const auto at = [&](int slot) -> part& { return parts[static_cast<std::size_t>(slot)]; };
  output::progress_bar progress("apply", static_cast<std::uint64_t>(tokens), quiet);
  tables::in_order(tokens, tokens_per_part(job), job.threads, progress,
                   {.take = [&](tables::row_run run, int slot) { at(slot).read(job, run); },
                    .make = [&](tables::row_run run, int slot) { at(slot).apply(job, plan, run); },
                    .use =
                        [&](tables::row_run run, int slot) {
                          output.write(at(slot).turned(),
                                       static_cast<std::size_t>(run.count * job.token_bytes()));
                        }});
  job.array->require_end();
  output.commit(record);
}

}  // namespace ropewalk::apply
