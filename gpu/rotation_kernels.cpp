// The kernels vulkan-turns and vulkan-table.

#include <algorithm>
#include <memory>
#include <vector>

#include "gpu/dense_tensor.hpp"
#include "gpu/kept_entries.hpp"
#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "gpu/rotation_work.hpp"
#include "gpu/table_rows.hpp"
#include "gpu/turn_rows.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/turn_channels.hpp"

namespace ropewalk::vulkan {
namespace {

template <class Source>
class rope_plan {
  using rows_of_source = typename Source::rows;

 public:
  using operation = rotate;

  explicit rope_plan(const ropewalk_rotation& encoding)
      : plan_(encoding), source_(encoding, plan_), device_(shared_device()) {}
  rope_plan(const rope_plan&) = delete;
  rope_plan& operator=(const rope_plan&) = delete;

  /// Nothing is written before all results are computed.
  void apply(const ropewalk_rotation_call& call) const {
    turn_channels(
        call, plan_, [&](const checked_call& checked) { turn_all(checked); }, real_positions::served);
  }

 private:
  void turn_all(const checked_call& checked) const {
    require_narrow(checked);
    const std::vector<token_place> places = busy_places(checked);
    std::vector<dense_tensor> tensors = tensors_of(checked, places);
    if (tensors.empty()) return;
    const std::size_t most = tokens_at_once(tensors, checked.real_positions != nullptr);
    for (std::size_t begin = 0; begin < places.size(); begin += most)
      turn(checked, std::span(places).subspan(begin, std::min(most, places.size() - begin)), begin, tensors);
    for (const dense_tensor& tensor : tensors) tensor.write();
  }

  std::size_t tokens_at_once(const std::vector<dense_tensor>& tensors, bool is_real) const {
    const auto pairs = static_cast<std::uint64_t>(plan_.layout.pairs());
    units_at_once(device_->on(), pairs * bytes_of_turns(is_real));  // declines turns that exceed a buffer
    std::uint64_t widest =
        sizeof(std::uint32_t) *
        std::max<std::uint64_t>(row_words(plan_.layout.pairs()),
                                words_of_position(is_real) * static_cast<std::uint64_t>(plan_.axes));
    for (const dense_tensor& tensor : tensors) widest = std::max<std::uint64_t>(widest, tensor.token_bytes());
    return units_at_once(device_->on(), widest);
  }

  void turn(const checked_call& call, std::span<const token_place> places, std::size_t first,
            std::vector<dense_tensor>& tensors) const {
    device& device = device_->on();
    row_key key{row_positions_of(places, plan_.axes), call.unit};
    std::shared_ptr<rows_of_source> rows = kept_.of(key);
    const bool is_new = rows == nullptr;
    if (is_new)
      rows = std::make_shared<rows_of_source>(*device_, source_, key.positions, places.size(), key.unit);
    std::vector<dense_tensor::run> runs;
    for (dense_tensor& tensor : tensors) runs.emplace_back(device, tensor, first, places.size());
    const auto run_with = [&](auto record_rows) {
      commands work(device);
      record_rows(work);
      for (const dense_tensor::run& run : runs) run.send(work);
      work.barrier();
      for (std::size_t i = 0; i < runs.size(); ++i)
        record_rotation(*device_, work,
                        {plan_.layout, call.dtype, places.size(), tensors[i].heads(), call.backward},
                        runs[i].in(), runs[i].out(), rows->on_device());
      work.barrier();
      for (const dense_tensor::run& run : runs) run.fetch(work);
      work.run();
    };
    run_with([&](commands& work) {
      if (is_new) rows->record(work);
    });
    const bool is_all = first == 0 && places.size() == tensors.front().tokens();
    if (is_new) {
      if (rows->decide_rest()) run_with([](commands&) {});
      kept_.keep(std::move(key), std::move(rows));
    }
    std::vector<const std::byte*> results;  // all of them, before anything is written
    for (const dense_tensor::run& run : runs) results.push_back(run.result());
    for (std::size_t i = 0; i < runs.size(); ++i) runs[i].finish(results[i], is_all);
  }

  rotation_plan plan_;
  Source source_;
  std::shared_ptr<kernel_device> device_;
  mutable kept_entries<row_key, rows_of_source> kept_;  // freed before the device
};

}  // namespace
}  // namespace ropewalk::vulkan

namespace ropewalk {

std::vector<ropewalk_kernel> vulkan_rotations() {
  using namespace vulkan;
  static constexpr ropewalk_limits limits = with_every_pairing(with_real_positions(narrow_data));
  return {kernel_of<rope_plan<turn_source>>("vulkan-turns", promise::canonical, &limits),
          kernel_of<rope_plan<table_source>>("vulkan-table", promise::canonical, &limits)};
}

}  // namespace ropewalk
