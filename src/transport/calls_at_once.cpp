#include "transport/calls_at_once.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <latch>
#include <system_error>
#include <thread>
#include <utility>

#include "ropewalk/kernel/operation.hpp"
#include "transport/call_arrays.hpp"
#include "transport/system_failure.hpp"

namespace ropewalk::transport {
namespace {

constexpr std::uintptr_t alignment = 64;                  // a copy has its original's address modulo this
constexpr std::size_t most_bytes = std::size_t{1} << 20;  // per call
constexpr int rounds = 16;                                // parallel repetitions of the two calls

/// Visits each pointer of a call to its tensors.
template <class Visit>
void for_each_tensor(ropewalk_rotation_call& call, Visit visit) {
  for (ropewalk_tensor* const tensor : {&call.query_in, &call.query_out, &call.key_in, &call.key_out})
    visit(tensor->data);
}
template <class Visit>
void for_each_tensor(ropewalk_row_call& call, Visit visit) {
  for (ropewalk_tensor* const tensor : {&call.in, &call.out}) visit(tensor->data);
}
template <class Visit>
void for_each_tensor(ropewalk_bias_call& call, Visit visit) {
  for (ropewalk_tensor* const tensor : {&call.scores_in, &call.scores_out}) visit(tensor->data);
}

}  // namespace

std::unique_ptr<kept_call> kept_call::of(const call_area& area, std::int32_t operation,
                                         const ropewalk_head& call) {
  std::unique_ptr<kept_call> result(new kept_call);
  result->area_ = &area;
  result->head_ = &call;
  std::array<const std::byte*, call_area::slots> last{};
  for (const call_array& array : arrays_of(operation, call)) {
    const auto* const begin = reinterpret_cast<const std::byte*>(array.begin);
    const auto* const end = reinterpret_cast<const std::byte*>(array.end);
    const auto slot = area.slot_of(begin, array.end - array.begin);
    if (!slot) return nullptr;
    const std::byte*& first = result->first_[*slot];
    first = first == nullptr ? begin : std::min(first, begin);
    last[*slot] = std::max(last[*slot], end);
  }
  std::size_t all = 0;
  for (std::size_t slot = 0; slot < last.size(); ++slot)
    all += static_cast<std::size_t>(last[slot] - result->first_[slot]);
  if (all > most_bytes) return nullptr;
  for (std::size_t slot = 0; slot < last.size(); ++slot) {
    const std::byte* const first = result->first_[slot];
    result->before_[slot].assign(first, last[slot]);
    std::vector<std::byte>& room = result->room_[slot];
    room.resize(result->before_[slot].size() + alignment);
    result->now_[slot] =
        room.data() +
        (reinterpret_cast<std::uintptr_t>(first) - reinterpret_cast<std::uintptr_t>(room.data())) % alignment;
  }
  return result;
}

template <class Pointee>
Pointee* kept_call::moved(Pointee* from) const {
  const auto* const at = reinterpret_cast<const std::byte*>(from);
  const auto slot = area_->slot_of(at, 1);
  return slot ? reinterpret_cast<Pointee*>(now_[*slot] + (at - first_[*slot])) : from;
}

kept_call::answer kept_call::answer_of(const ropewalk_kernel& kernel, const ropewalk_plan* plan) {
  for (std::size_t slot = 0; slot < now_.size(); ++slot) std::ranges::copy(before_[slot], now_[slot]);
  auto* const call = const_cast<ropewalk_head*>(moved(head_));
  visit_operation(kernel.operation, [&]<class Operation>() {
    auto& value = *reinterpret_cast<typename Operation::call*>(call);
    for_each_tensor(value, [&](void*& data) { data = moved(data); });
    value.tokens.positions.data = moved(value.tokens.positions.data);
    value.tokens.sequence_offset = moved(value.tokens.sequence_offset);
  });
  if (kernel.apply(plan, call, nullptr) != ROPEWALK_OK) return std::nullopt;
  slots_bytes bytes;
  for (std::size_t slot = 0; slot < now_.size(); ++slot)
    bytes[slot].assign(now_[slot], now_[slot] + before_[slot].size());
  return bytes;
}

bool calls_at_once::take(const ropewalk_kernel& kernel, const ropewalk_plan* plan,
                         std::unique_ptr<kept_call> call) {
  call_ = std::move(call);
  const auto other = std::ranges::find_if(kept_, [&](const auto& kept) { return !kept->is_same(*call_); });
  other_ = other == kept_.end() ? nullptr : *other;
  if (kept_.size() < most_kept &&
      std::ranges::none_of(kept_, [&](const auto& kept) { return kept->is_same(*call_); }))
    kept_.push_back(call_);
  if (!other_) return false;
  alone_ = call_->answer_of(kernel, plan);
  other_alone_ = other_->answer_of(kernel, plan);
  // Other laws judge a kernel that changes its answer when called again.
  return alone_ && other_alone_ && call_->answer_of(kernel, plan) == alone_;
}

bool calls_at_once::differ(const ropewalk_kernel& kernel, const ropewalk_plan* plan) {
  std::latch ready(2);
  std::atomic<bool> differs = false;
  const auto make = [&](kept_call& call, const kept_call::answer& alone) {
    ready.arrive_and_wait();
    for (int round = 0; round < rounds && !differs; ++round)
      if (call.answer_of(kernel, plan) != alone) differs = true;
  };
  std::thread beside;
  try {
    beside = std::thread([&] { make(*other_, other_alone_); });
  } catch (const std::system_error& failure) {
    errno = failure.code().value();
    fail("starting a second thread that applies a plan");
  }
  make(*call_, alone_);
  beside.join();
  return differs;
}

}  // namespace ropewalk::transport
