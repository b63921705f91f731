// The kernels vulkan-sinusoidal-add and vulkan-alibi-add.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/addition_work.hpp"
#include "gpu/bias_entries.hpp"
#include "gpu/dense_tensor.hpp"
#include "gpu/kept_entries.hpp"
#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "gpu/turn_rows.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/row_plan.hpp"

namespace ropewalk::vulkan {
namespace {

/// Records the whole addition: sends the tensor and the start of each token's entries, adds the entries,
/// fetches the sums.
void record_sums(kernel_device& device, commands& work, const added_shape& shape,
                 const dense_tensor::run& tensor, const buffer& entries, const entry_starts& starts) {
  tensor.send(work);
  starts.send(work);
  work.barrier();
  record_addition(device, work, shape, tensor.in(), tensor.out(), entries, starts);
  work.barrier();
  tensor.fetch(work);
}

class sinusoidal_plan {
 public:
  using operation = add_row;

  explicit sinusoidal_plan(const ropewalk_row_addition& encoding)
      : plan_(encoding),
        arranged_(arrangement_of(plan_)),
        source_(rotation_of(encoding), plan_.pairs, arranged_),
        device_(shared_device()) {}
  sinusoidal_plan(const sinusoidal_plan&) = delete;
  sinusoidal_plan& operator=(const sinusoidal_plan&) = delete;

  /// Writes the output only after all results are computed.
  void apply(const ropewalk_row_call& call) const {
    const checked_call checked = check(call, plan_.width(), plan_.may_be_real());
    require_narrow(checked);
    const std::vector<token_place> places = busy_places(checked);
    if (places.empty()) return;
    dense_tensor tensor(checked.query.in, checked.query.out, places);
    // A token counts at least the bytes of all pairs' turns, so that these fit into one buffer, too.
    const std::uint64_t turns = arranged_.row_words / 2 * bytes_of_turns(checked.real_positions != nullptr);
    const std::size_t tokens_at_once =
        units_at_once(device_->on(), std::max<std::uint64_t>(tensor.token_bytes(), turns));
    for (std::size_t begin = 0; begin < places.size(); begin += tokens_at_once)
      add(checked.dtype, std::span(places).subspan(begin, std::min(tokens_at_once, places.size() - begin)),
          begin, tensor);
    tensor.write();
  }

 private:
  void add(ropewalk_dtype dtype, std::span<const token_place> places, std::size_t first,
           dense_tensor& tensor) const {
    row_key key{row_positions_of(places, 1), true};
    auto rows = kept_.of(key);
    const bool is_new = rows == nullptr;
    if (is_new)
      rows = std::make_shared<turn_source::rows>(*device_, source_, key.positions, places.size(), key.unit);
    const dense_tensor::run run(device_->on(), tensor, first, places.size());
    std::vector<std::uint32_t> first_entries(places.size());
    for (std::size_t token = 0; token < places.size(); ++token)
      first_entries[token] = static_cast<std::uint32_t>(token) * arranged_.row_words;
    const entry_starts starts(device_->on(), std::move(first_entries));
    const auto run_with = [&](auto record_rows) {
      commands work(device_->on());
      record_rows(work);
      record_sums(*device_, work,
                  {.dtype = dtype,
                   .tokens = places.size(),
                   .heads = tensor.heads(),
                   .head_dim = plan_.width(),
                   .added = plan_.channels(),
                   .row_words = arranged_.row_words},
                  run, rows->on_device(), starts);
      work.run();
    };
    run_with([&](commands& work) {
      if (is_new) rows->record(work);
    });
    if (is_new) {
      if (rows->decide_rest()) run_with([](commands&) {});
      kept_.keep(std::move(key), std::move(rows));
    }
    run.finish(run.result(), places.size() == tensor.tokens());
  }

  row_plan plan_;
  row_arrangement arranged_;
  turn_source source_;
  std::shared_ptr<kernel_device> device_;
  mutable kept_entries<row_key, turn_source::rows> kept_;  // freed before the device
};

class alibi_plan {
 public:
  using operation = add_bias;

  explicit alibi_plan(const ropewalk_bias_addition& encoding)
      : plan_(encoding), source_(plan_), device_(shared_device()) {}
  alibi_plan(const alibi_plan&) = delete;
  alibi_plan& operator=(const alibi_plan&) = delete;

  /// Writes the output only after all results are computed.
  void apply(const ropewalk_bias_call& call) const {
    const checked_call checked = check(call, plan_.heads());
    const tensor_view &in = checked.query.in, &out = checked.query.out;
    require_narrow(checked);
    const std::vector<token_place> places = busy_places(checked);
    if (places.empty()) return;
    const auto heads_at_once = static_cast<std::int64_t>(units_at_once(
        device_->on(),
        std::max(entry_bytes(in.channels() + most_padding), std::uint64_t{sizeof(slope_words)})));
    std::vector<dense_tensor> parts;
    for (std::int64_t first = 0; first < in.heads(); first += heads_at_once) {
      const std::int64_t count = std::min(heads_at_once, in.heads() - first);
      parts.emplace_back(heads_of(in, first, count), heads_of(out, first, count), places);
      add(checked, places, static_cast<int>(first), parts.back());
    }
    for (const dense_tensor& part : parts) part.write();
  }

 private:
  static std::uint64_t entry_bytes(std::int64_t entries) {
    return static_cast<std::uint64_t>(entries) * sizeof(std::uint32_t);
  }

  /// Consecutive queries that share a run of entries.
  struct query_run {
    std::size_t first, count;
    std::int64_t lowest, highest;  // smallest and largest origin of their biases

    query_run with(std::int64_t position) const {
      return {first, count + 1, std::min(lowest, position), std::max(highest, position)};
    }
    std::int64_t entries(std::int64_t keys) const { return highest - lowest + keys; }
  };

  void add(const checked_call& call, std::span<const token_place> places, int first_head,
           dense_tensor& tensor) const {
    const std::int64_t keys = call.query.in.channels();
    const std::size_t most_queries =
        units_at_once(device_->on(), std::max<std::uint64_t>(tensor.token_bytes(), word_bytes));
    const auto most_entries =
        static_cast<std::int64_t>(units_at_once(device_->on(), entry_bytes(tensor.heads())));
    const auto fits = [&](const query_run& run) {
      const std::int64_t used = static_cast<std::int64_t>(run.count) * keys;
      return run.count <= most_queries &&
             run.entries(keys) + most_padding <= std::min(most_entries, std::max(used, always_shared));
    };
    const auto origin = [&](std::size_t i) { return plan_.origin_of(places[i].position(), keys); };
    query_run run{0, 1, origin(0), origin(0)};
    for (std::size_t i = 1; i < places.size(); ++i) {
      const query_run longer = run.with(origin(i));
      if (fits(longer)) {
        run = longer;
        continue;
      }
      add(call, places, first_head, run, tensor);
      run = {i, 1, origin(i), origin(i)};
    }
    add(call, places, first_head, run, tensor);
  }

  void add(const checked_call& call, std::span<const token_place> places, int first_head,
           const query_run& queries, dense_tensor& tensor) const {
    const std::int64_t keys = call.query.in.channels();
    const auto offset_of = [&](std::size_t i) {
      const std::int64_t position = places[queries.first + i].position();
      return static_cast<std::uint32_t>(queries.highest - plan_.origin_of(position, keys));
    };
    const bias_run key{.first_head = first_head,
                       .heads = static_cast<int>(tensor.heads()),
                       .ahead = -queries.highest,
                       .count = static_cast<std::uint32_t>(queries.entries(keys)),
                       .begin = aligning(offset_of(0))};
    auto entries = kept_.of(key);
    const bool is_new = entries == nullptr;
    if (is_new) entries = std::make_shared<slope_source::entries>(*device_, source_, key);
    const dense_tensor::run run(device_->on(), tensor, queries.first, queries.count);
    std::vector<std::uint32_t> first_entries(queries.count);
    for (std::size_t i = 0; i < queries.count; ++i) first_entries[i] = key.begin + offset_of(i);
    const entry_starts starts(device_->on(), std::move(first_entries));
    commands work(device_->on());
    if (is_new) entries->record(work);
    record_sums(*device_, work,
                {.dtype = call.dtype,
                 .tokens = queries.count,
                 .heads = tensor.heads(),
                 .head_dim = keys,
                 .added = keys,
                 .head_step = entries->head_step()},
                run, entries->on_device(), starts);
    work.run();
    if (is_new) {
      entries->require_decided();
      kept_.keep(key, std::move(entries));
    }
    run.finish(run.result(), queries.count == places.size() && tensor.heads() == plan_.heads());
  }

  // Up to this number of entries per head, computing them costs less than another submission.
  static constexpr std::int64_t always_shared = 4096;

  // Padding aligns the entries of each head, and those of the first query.
  static constexpr std::int64_t most_padding = 6;

  bias_plan plan_;
  slope_source source_;
  std::shared_ptr<kernel_device> device_;
  mutable kept_entries<bias_run, slope_source::entries> kept_;  // freed before the device
};

constexpr ropewalk_limits narrow_rows = with_real_positions(narrow_data);

constexpr ropewalk_limits narrow_scores = [] {
  ropewalk_limits limits = narrow_data;
  limits.forms = every_bias_form.forms;
  return limits;
}();

}  // namespace
}  // namespace ropewalk::vulkan

namespace ropewalk {

std::vector<ropewalk_kernel> vulkan_additions() {
  return {
      kernel_of<vulkan::sinusoidal_plan>("vulkan-sinusoidal-add", promise::canonical, &vulkan::narrow_rows),
      kernel_of<vulkan::alibi_plan>("vulkan-alibi-add", promise::canonical, &vulkan::narrow_scores)};
}

}  // namespace ropewalk
