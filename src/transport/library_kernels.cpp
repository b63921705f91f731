#include "transport/library_kernels.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>

#include "input/bad_input.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "transport/encoding_copy.hpp"
#include "transport/gathered_call.hpp"
#include "transport/library.hpp"
#include "transport/remote_kernel.hpp"

namespace ropewalk::transport {
namespace {

std::deque<library>& open_libraries() {
  static std::deque<library> all;
  return all;
}

/// A block of a library's memory as a dense tensor.
class dense_block {
 public:
  dense_block(library& library, std::size_t bytes)
      : library_(library), bytes_(bytes), data_(library.take(bytes, block_edge::end)) {}
  ~dense_block() { library_.give_back(data_, bytes_); }
  dense_block(const dense_block&) = delete;
  dense_block& operator=(const dense_block&) = delete;

  std::byte* data() const { return data_; }

 private:
  library& library_;
  std::size_t bytes_;
  std::byte* data_;
};

ropewalk_tensor dense_view(void* data, const checked_call& call, const gathered_call& dense,
                           const rotated_tensor& tensor) {
  const std::int64_t heads = tensor.in.heads(), channels = tensor.in.channels();
  return {.data = data,
          .dtype = call.dtype,
          .rank = 4,
          .shape = {dense.batch(), dense.tokens(), heads, channels},
          .stride = {dense.tokens() * heads * channels, heads * channels, channels, 1}};
}

class plan_of_library : public remote_plan {
 public:
  plan_of_library(library& library, std::int32_t kernel, const ropewalk_head& encoding,
                  const call_extent& extent)
      : library_(library), encoding_(encoding), extent_(extent) {
    static std::atomic<std::uint64_t> plans{0};
    plan_ = {.kernel = kernel, .number = ++plans, .encoding = &encoding_.head()};
  }
  ~plan_of_library() override {
    if (is_made_) library_.free(plan_);
  }

  remote_answer make(bool& is_made) {
    const remote_answer answer = library_.make(plan_, is_made_);
    is_made = is_made_;
    return answer;
  }

  remote_answer apply(const ropewalk_head* call, const floating_registers& callers,
                      bool takes_error) override {
    return visit_operation(encoding_.head().operation, [&]<class Operation>() {
      const auto& value = *reinterpret_cast<const typename Operation::call*>(call);
      return is_shared(value) ? library_.apply(plan_, value, callers, takes_error)
                              : apply_gathered<Operation>(value, callers, takes_error);
    });
  }

 private:
  /// Whether the library's process can reach all memory of a call.
  template <class Call>
  bool is_shared(const Call& call) {
    const auto is_near = [&](const void* data) { return data == nullptr || library_.holds(data); };
    return is_near(call.tokens.positions.data) && are_near(call, is_near);
  }
  static bool are_near(const ropewalk_rotation_call& call, auto is_near) {
    return is_near(call.query_in.data) && is_near(call.query_out.data) && is_near(call.key_in.data) &&
           is_near(call.key_out.data);
  }
  static bool are_near(const ropewalk_row_call& call, auto is_near) {
    return is_near(call.in.data) && is_near(call.out.data);
  }
  static bool are_near(const ropewalk_bias_call& call, auto is_near) {
    return is_near(call.scores_in.data) && is_near(call.scores_out.data);
  }

  /// Applies the plan to copies of the tensors.
  template <class Operation>
  remote_answer apply_gathered(const typename Operation::call& far, const floating_registers& callers,
                               bool takes_error) {
    const gathered_call dense(
        checked(read_struct<typename Operation::call>(&far.head, Operation::number, "call"), extent_),
        extent_.axes);
    const checked_call& call = dense.call();
    auto near = empty_call<Operation>();
    const dense_block query(library_, dense.bytes_of(call.query));
    std::optional<dense_block> key, positions;
    dense.gather(call.query, query.data());
    const ropewalk_tensor of_query = dense_view(query.data(), call, dense, call.query);
    ropewalk_tensor of_key{};
    if (call.key.is_present) {
      key.emplace(library_, dense.bytes_of(call.key));
      dense.gather(call.key, key->data());
      of_key = dense_view(key->data(), call, dense, call.key);
    }
    detail::set_input(near, of_query, of_key);
    detail::set_output(near, of_query, of_key);
    detail::set_flags(near, flags_of(far));
    near.tokens.end = dense.batch() * dense.tokens();
    near.tokens.positions =
        dense.has_real_positions()
            ? placed_positions(positions, dense.real_positions(), ROPEWALK_POSITIONS_F64, dense)
            : placed_positions(positions, dense.positions(), ROPEWALK_POSITIONS_I32, dense);
    const remote_answer answer = library_.apply(plan_, near, callers, takes_error);
    if (answer.status != ROPEWALK_OK) return answer;
    dense.scatter(query.data(), call.query);
    if (key) dense.scatter(key->data(), call.key);
    return answer;
  }

  /// Positions in memory that the library's process can reach.
  template <class Number>
  ropewalk_positions placed_positions(std::optional<dense_block>& to, const std::vector<Number>& numbers,
                                      ropewalk_position_kind kind, const gathered_call& call) {
    const std::size_t bytes = numbers.size() * sizeof(Number);
    to.emplace(library_, bytes);
    std::memcpy(to->data(), numbers.data(), bytes);
    return {kind, extent_.axes, to->data(), {call.batch() * call.tokens(), call.tokens(), 1}};
  }

  static std::uint32_t flags_of(const ropewalk_rotation_call& call) { return call.flags; }
  static std::uint32_t flags_of(const auto&) { return 0; }

  library& library_;
  encoding_copy encoding_;
  call_extent extent_;
  library_plan plan_;
  bool is_made_ = false;
};

/// One kernel of a library.
class kernel_of_library : public remote_kernel {
 public:
  kernel_of_library(library& library, std::int32_t index, described_kernel about)
      : remote_kernel(std::move(about)), library_(library), index_(index) {}

  remote_answer plan(const ropewalk_head* encoding, std::unique_ptr<remote_plan>& made) override {
    return visit_operation(about().operation, [&]<class Operation>() {
      const auto value = read_struct<typename Operation::encoding>(encoding, Operation::number, "encoding");
      auto plan = std::make_unique<plan_of_library>(library_, index_, value.head, extent_of(value));
      bool is_made = false;
      const remote_answer answer = plan->make(is_made);
      if (is_made) made = std::move(plan);
      return answer;
    });
  }

  void free_null() override { library_.free_null(index_); }

 private:
  library& library_;
  std::int32_t index_;
};

}  // namespace

std::vector<const ropewalk_kernel*> library_kernels(const std::string& path, const child_limits& limits) {
  library& library = open_libraries().emplace_back(path, limits);
  std::vector<const ropewalk_kernel*> kernels;
  for (described_kernel& about : library.describe()) {
    const auto index = static_cast<std::int32_t>(kernels.size());
    kernels.push_back(&keep(std::make_unique<kernel_of_library>(library, index, std::move(about)),
                            "the library's process"));
    share_memory(*kernels.back(), library);
  }
  return kernels;
}

std::vector<std::string> unconfined_libraries() {
  std::vector<std::string> libraries;
  for (const library& library : open_libraries())
    if (const std::string why = library.unconfined(); !why.empty())
      libraries.push_back(
          fmt::format("not confined, so it could signal this program and access its memory ({}): {}",
                      printable(why), printable("library:" + library.path())));
  return libraries;
}

std::vector<ended_library> end_libraries() {
  std::vector<ended_library> libraries;
  for (library& library : open_libraries()) {
    const std::string how = library.end();
    libraries.push_back({library.path(), how, library.printed(), library.is_printing_cut()});
  }
  return libraries;
}

}  // namespace ropewalk::transport
