#include "sweep/kernel_subject.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/law/kernel/call_memory.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "ropewalk/law/kernel/served_calls.hpp"
#include "ropewalk/numeric/round.hpp"
#include "sweep/digest.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::sweep {
namespace {

using verify::chosen_kernel;
using call_shape = std::array<std::int64_t, 4>;  // batch, tokens, heads, head_dim

// For a kernel in this process: input and output fit in a cache.
constexpr std::int64_t tokens_at_once = 1024;
// For a kernel in another process: each call costs a message.
constexpr std::int64_t tokens_out_of_process = 8192;
constexpr std::int64_t most_elements = 1 << 22;  // limit for a listed shape

bool serves_layout(const served_calls& served, const model::model& model) {
  return served.serves(model.layout, model.encoding.rotary_dim) && served.axes() >= axis_count(model.axes);
}

/// The shape of the calls: one head with many tokens or, if the kernel lists shapes, the one with the most
/// tokens; nullopt if all of these are too large.
std::optional<call_shape> shape_of_calls(const served_calls& served, int head_dim, std::int64_t tokens) {
  if (served.shapes().empty()) return call_shape{1, tokens, 1, head_dim};
  std::optional<call_shape> shape;
  for (const call_shape& values : served.shapes()) {
    if (values[3] != head_dim || served_calls::elements_of(values) > static_cast<double>(most_elements))
      continue;
    const auto rank = [](const call_shape& sizes) { return std::pair(sizes[0] * sizes[1], -sizes[2]); };
    if (!shape || rank(values) > rank(*shape)) shape = values;
  }
  return shape;
}

std::string range_text(position_range positions) {
  return std::to_string(positions.begin) + ":" + std::to_string(positions.end);
}

/// A failure of a kernel's process, or its refusal.
struct failed_call {
  bool is_declined = false;
  std::string text;
};

/// Makes a plan or a call; returns the failure, if any.
///
/// throws  missing_requirement if the device fails or a rounding is undecided
template <class Ask>
std::optional<failed_call> failure_of(const chosen_kernel& kernel, Ask ask) {
  try {
    ask();
    return std::nullopt;
  } catch (const kernel_trouble& trouble) {
    if (trouble.status() == ROPEWALK_UNDECIDED)
      throw missing_requirement(printable(kernel.label()) + ": " + trouble.what());
    return failed_call{trouble.status() == ROPEWALK_UNSUPPORTED, trouble.what()};
  } catch (const device_failure& failure) {
    throw missing_requirement(printable(kernel.label()) + ": " + failure.what());
  } catch (const case_set_aside& none) {
    throw missing_requirement(printable(kernel.label()) + ": " + none.what());
  }
}

/// A kernel's plan for one table. The kernel must outlive it.
class kernel_plan {
 public:
  kernel_plan(const ropewalk_kernel& kernel, const model::model& read_model) : kernel_(kernel) {
    const resolved_encoding resolved(model::placed(read_model), read_model.layout, {}, read_model.config);
    const ropewalk_rotation encoding = resolved.view();
    ropewalk_error error{};
    detail::expect_ok(detail::plan_once(kernel, encoding.head, plan_, error), error);
    if (plan_ == nullptr) throw kernel_trouble(ROPEWALK_OK, "plan returned ROPEWALK_OK but no plan");
  }
  ~kernel_plan() { kernel_.free_plan(plan_); }
  kernel_plan(const kernel_plan&) = delete;
  kernel_plan& operator=(const kernel_plan&) = delete;

  /// If a kernel declines tensors of rank 4, calls it with rank 3, one batch row.
  void apply(ropewalk_rotation_call& call) const {
    const floating_registers callers = default_floating_registers();
    ropewalk_error error{};
    std::int32_t status = detail::apply_once(kernel_, plan_, call.head, &error, callers);
    if (status == ROPEWALK_UNSUPPORTED && call.query_in.shape[0] == 1 && detail::take_rank_3(call)) {
      error = {};
      status = detail::apply_once(kernel_, plan_, call.head, &error, callers);
    }
    detail::expect_ok(status, error);
  }

 private:
  const ropewalk_kernel& kernel_;
  ropewalk_plan* plan_ = nullptr;
};

/// The buffers of calls, for one thread.
class call_blocks {
 public:
  call_blocks(call_memory* shared, std::size_t elements, std::size_t tokens)
      : input_(shared, elements * bytes_of_all, block_edge::end, 0),
        output_(shared, elements * sizeof(double), block_edge::end, untouched_byte),
        positions_(shared, tokens * sizeof(std::int32_t), block_edge::end, 0),
        elements_(elements) {}

  /// Unit vectors in a format, written once.
  std::byte* input(ropewalk_dtype dtype, const model::model& model) {
    const auto before = [](ropewalk_dtype end) {
      std::size_t bytes = 0;
      for (const ropewalk_dtype first : all_dtypes)
        if (first < end) bytes += static_cast<std::size_t>(size_of(first));
      return bytes;
    };
    std::byte* const at = reinterpret_cast<std::byte*>(input_.data()) + elements_ * before(dtype);
    if (!std::exchange(is_written_[dtype], true))
      with_format(dtype, [&]<class Float>() { write_unit_vectors<Float>(at, model); });
    return at;
  }
  std::byte* output() const { return reinterpret_cast<std::byte*>(output_.data()); }
  std::int32_t* positions() const { return reinterpret_cast<std::int32_t*>(positions_.data()); }

 private:
  static constexpr std::size_t bytes_of_all = [] {
    std::size_t bytes = 0;
    for (const ropewalk_dtype dtype : all_dtypes) bytes += static_cast<std::size_t>(size_of(dtype));
    return bytes;
  }();

  template <floating_format Float>
  void write_unit_vectors(std::byte* to, const model::model& model) const {
    const bits_of<Float> bits = round<Float>(enclosure<2>::of(1)).bits;
    const auto head_dim = static_cast<std::size_t>(model.layout.head_dim);
    for (std::size_t head = 0; head < elements_; head += head_dim)
      for (int pair = 0; pair < pair_count(model.encoding); ++pair) {
        const int channel = model.layout.rotary_begin +
                            channels_of(pair, model.axes, model.encoding, model.layout.pairing_in).first;
        std::memcpy(to + (head + static_cast<std::size_t>(channel)) * sizeof bits, &bits, sizeof bits);
      }
  }

  call_bytes input_;
  call_bytes output_;
  call_bytes positions_;
  std::size_t elements_;
  std::array<bool, all_formats::size> is_written_{};
};

class kernel_subject : public subject {
 public:
  kernel_subject(const chosen_kernel& kernel, const served_calls& served, const swept_table& table)
      : kernel_(kernel), model_(table.model), table_(table.models.front()) {
    const auto shape = shape_of_calls(served, model_.layout.head_dim,
                                      kernel.is_out_of_process() ? tokens_out_of_process : tokens_at_once);
    if (!shape)
      throw bad_input("kernel", kernel.label(), "a kernel that lists a shape of at most 2^22 elements");
    shape_ = *shape;
    has_free_shape_ = served.shapes().empty();
  }

  right_entries right() const override {
    return promise_of(*kernel_.entry).bits == ROPEWALK_EXACT ? right_entries::rounded_once
                                                             : right_entries::through_rotation;
  }
  bool has_signed_zeros() const override { return false; }
  std::int64_t positions_at_once() const override { return shape_[0] * shape_[1]; }

  void fill(position_range positions, ropewalk_dtype dtype, void* cos, void* sin) override {
    if (const auto failed = failure_of(kernel_, [&] { turn(positions, dtype); }))
      throw kernel_failed(printable(kernel_.label()) + ": " + printable(failed->text) + " (table of " +
                          printable(table_) + ", " + ropewalk::name_of(dtype) + ", positions " +
                          range_text(positions) + ")");
    with_format(dtype, [&]<class Float>() {
      take(static_cast<std::size_t>(size(positions)), static_cast<bits_of<Float>*>(cos),
           static_cast<bits_of<Float>*>(sin));
    });
  }

  /// Makes the plan and one call; returns the failure, if any.
  std::optional<failed_call> try_at(std::int64_t position, ropewalk_dtype dtype) {
    return failure_of(kernel_, [&] { turn({position, position + 1}, dtype); });
  }

 private:
  /// Turns unit vectors at consecutive positions; further tokens of the call repeat the last position.
  void turn(position_range positions, ropewalk_dtype dtype) {
    if (!plan_) plan_.emplace(*kernel_.entry, model_);
    if (!blocks_)
      blocks_.emplace(shared_memory_of(*kernel_.entry),
                      static_cast<std::size_t>(shape_[0] * shape_[1] * shape_[2] * shape_[3]),
                      static_cast<std::size_t>(shape_[0] * shape_[1]));
    call_shape shape = shape_;
    if (has_free_shape_) shape[1] = size(positions);
    const std::int64_t tokens = shape[0] * shape[1];
    for (std::int64_t token = 0; token < tokens; ++token)
      blocks_->positions()[token] =
          static_cast<std::int32_t>(std::min(positions.begin + token, positions.end - 1));
    ropewalk_rotation_call call = empty_call<rotate>();
    call.query_in = dense(blocks_->input(dtype, model_), dtype, shape);
    call.query_out = dense(blocks_->output(), dtype, shape);
    call.tokens.positions = given_positions(blocks_->positions(), {0, shape[1], 1}, axis_count(model_.axes));
    call.tokens.end = tokens;
    plan_->apply(call);
  }

  static ropewalk_tensor dense(std::byte* data, ropewalk_dtype dtype, const call_shape& shape) {
    ropewalk_tensor dense{.data = data, .dtype = dtype, .rank = 4, .shape = {}, .stride = {}};
    std::int64_t stride = 1;
    for (std::size_t axis = 4; axis-- > 0;) {
      dense.shape[axis] = shape[axis];
      dense.stride[axis] = stride;
      stride *= shape[axis];
    }
    return dense;
  }

  /// Extracts the first head of each token.
  template <class Stored>
  void take(std::size_t rows, Stored* cos, Stored* sin) const {
    const auto pairs = static_cast<std::size_t>(pair_count(model_.encoding));
    const auto stride = static_cast<std::size_t>(shape_[2] * shape_[3]);
    const auto* from = reinterpret_cast<const Stored*>(blocks_->output());
    for (std::size_t row = 0; row < rows; ++row, from += stride, cos += pairs, sin += pairs) {
      if (model_.layout.pairing_out == pairing::half_split) {
        std::memcpy(cos, from, pairs * sizeof(Stored));
        std::memcpy(sin, from + pairs, pairs * sizeof(Stored));
        continue;
      }
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        const channel_pair at =
            channels_of(static_cast<int>(pair), model_.axes, model_.encoding, model_.layout.pairing_out);
        cos[pair] = from[at.first];
        sin[pair] = from[at.second];
      }
    }
  }

  chosen_kernel kernel_;
  model::model model_;
  std::string table_;
  call_shape shape_{};
  bool has_free_shape_ = true;
  std::optional<kernel_plan> plan_;
  std::optional<call_blocks> blocks_;
};

class kernel_maker : public subject_maker {
 public:
  explicit kernel_maker(chosen_kernel kernel)
      : kernel_(std::move(kernel)),
        served_(kernel_.entry->limits == nullptr ? served_calls() : served_calls(*kernel_.entry->limits)) {}

  void require_serves(const work_range& range) const override {
    for (const ropewalk_dtype dtype : range.dtypes)
      if (!served_.serves(dtype)) throw bad_input("dtype", ropewalk::name_of(dtype), what_is_served());
    const position_range served = served_.positions();
    for (const swept_table& table : range.tables) {
      if (table.positions.begin < served.begin || table.positions.end > served.end)
        throw bad_input("positions", range_text(table.positions), what_is_served());
      for (const ropewalk_dtype dtype : range.dtypes) try_one(table, dtype);
    }
  }

  std::unique_ptr<subject> subject_of(const swept_table& table) const override {
    return std::make_unique<kernel_subject>(kernel_, served_, table);
  }

 private:
  std::string what_is_served() const {
    return "what " + printable(kernel_.label()) + " serves: " + served_.text();
  }

  void try_one(const swept_table& table, ropewalk_dtype dtype) const {
    const std::int64_t position = table.positions.begin;
    const std::string& name = table.models.front();
    if (!serves_layout(served_, table.model)) throw bad_input("model", name, what_is_served());
    const auto failed = kernel_subject(kernel_, served_, table).try_at(position, dtype);
    if (!failed) return;
    const std::string what = printable(kernel_.label()) + ": " + printable(failed->text) + " (table of " +
                             printable(name) + ", " + ropewalk::name_of(dtype) + ", position " +
                             std::to_string(position) + ")";
    if (failed->is_declined) throw std::invalid_argument(what);
    throw kernel_failed(what);
  }

  chosen_kernel kernel_;
  served_calls served_;
};

}  // namespace

std::string content_of_kernel(const std::string& name) {
  std::string digests;
  std::error_code unknown;
  for (const std::string& path : verify::only_kernel(name).files())
    if (std::filesystem::is_regular_file(path, unknown)) digests += digest_of_file("kernel", path);
  return digests.empty() ? digests : digest_of(digests);
}

std::unique_ptr<subject_maker> kernel_outputs(const std::string& name) {
  chosen_kernel kernel = verify::only_kernel(name);
  if (kernel.entry->operation != ROPEWALK_ROTATE) throw bad_input("kernel", name, "a kernel that rotates");
  if (kernel.is_in_files()) throw bad_input("kernel", name, "a kernel that answers without a person's help");
  return std::make_unique<kernel_maker>(std::move(kernel));
}

}  // namespace ropewalk::sweep
