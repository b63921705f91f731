#include "gpu/bias_entries.hpp"

#include <algorithm>

#include "gpu/shader_list.hpp"
#include "ropewalk/kernel/error.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::vulkan {

slope_source::slope_source(const bias_plan& plan) : is_symmetric_(plan.is_symmetric) {
  for (int head = 0; head < plan.heads(); ++head) {
    const ropewalk::detail::resolved_number& slope = plan.slopes[static_cast<std::size_t>(head)];
    const int exponent = top_exponent(slope.midpoint);
    const auto significand = round_fraction<4>(times_power_of_two(slope, -exponent));
    if (!significand.decided || significand.bits[3] >> 31 == 0)
      decline_field({"", "slopes", head}, "is not known to 128 bits");
    slope_words& made = slopes_.emplace_back(
        slope_words{.significand = {}, .exponent = exponent, .is_exact = is_exact(slope)});
    std::copy(significand.bits.begin(), significand.bits.end(), made.significand);
  }
}

slope_source::entries::entries(kernel_device& device, const slope_source& source, const bias_run& run)
    : device_(&device),
      is_symmetric_(source.is_symmetric_),
      run_(run),
      slopes_(device.on(), static_cast<std::size_t>(run.heads) * sizeof(slope_words)),
      entries_(take_buffer(device.on(), static_cast<std::size_t>(run.heads) * head_step() * word_bytes,
                           memory_kind::device)),
      flag_(device.on(), word_bytes) {
  std::copy_n(source.slopes_.begin() + run.first_head, run.heads, slopes_.as<slope_words>());
}

void slope_source::entries::record(commands& by) {
  slopes_.send(by);
  by.clear(flag_.on_device(), word_bytes);
  by.barrier();
  const buffer_range buffers[] = {{&slopes_.on_device()}, {entries_.get()}, {&flag_.on_device()}};
  const auto heads = static_cast<std::uint32_t>(run_.heads);
  const auto distance = static_cast<std::uint32_t>(run_.ahead < 0 ? -run_.ahead : run_.ahead);
  device_->dispatch(by, bias_shader(), {is_symmetric_}, buffers,
                    {.heads = heads,
                     .entries = run_.count,
                     .head_step = head_step(),
                     .begin = run_.begin,
                     .first = distance,
                     .first_ahead = run_.ahead > 0 ? 1u : 0u},
                    groups_of(std::uint64_t{heads} * run_.count));
  by.barrier();
  flag_.fetch(by);
}

void slope_source::entries::require_decided() const {
  std::uint32_t flagged = 0;
  std::memcpy(&flagged, flag_.data(), sizeof flagged);
  if (flagged == 0) return;
  const field_name field{"", "slopes", run_.first_head + static_cast<int>(flagged) - 1};
  throw refused_call(field.text(), field.text() + " times a distance is not decided by 128 bits",
                     ROPEWALK_UNDECIDED);
}

}  // namespace ropewalk::vulkan
