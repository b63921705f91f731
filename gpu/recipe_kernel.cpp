// The kernel recipe-glsl.

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "gpu/dense_tensor.hpp"
#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "gpu/rotation_work.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"
#include "ropewalk/kernel/turn_channels.hpp"

namespace ropewalk::vulkan {
namespace {

class recipe_plan {
 public:
  using operation = rotate;

  explicit recipe_plan(const ropewalk_rotation& encoding) : plan_(encoding), device_(shared_device()) {
    const auto serves = [](bool is_served, const char* field, int value, const char* what) {
      if (!is_served)
        decline_field({"", field}, "is " + std::to_string(value) + "; recipe-glsl takes " + what);
    };
    serves(plan_.layout.rotary_dim % 8 == 0, "rotary_dim", plan_.layout.rotary_dim, "multiples of 8");
    serves(plan_.layout.head.head_dim % 4 == 0, "head_dim", plan_.layout.head.head_dim, "multiples of 4");
    serves(plan_.axes == 1, "axes", plan_.axes, "one axis only");
    const std::vector<double>& inv_freq = plan_.inv_freq;
    const double step = inv_freq[0] > 0 && inv_freq[1] > 0 ? inv_freq[1] / inv_freq[0] : 1;
    theta_scale_ = static_cast<float>(step);
    double geometric = 1;  // a divisor is the quotient of this progression and the scaled inverse frequency
    for (const double number : inv_freq) {
      divisors_.push_back(number > 0 ? static_cast<float>(geometric / number)
                                     : std::numeric_limits<float>::infinity());
      geometric *= step;
    }
  }
  recipe_plan(const recipe_plan&) = delete;
  recipe_plan& operator=(const recipe_plan&) = delete;

  /// Nothing is written before all results are computed.
  void apply(const ropewalk_rotation_call& call) const {
    turn_channels(call, plan_, [&](const checked_call& checked) { turn_all(checked); });
  }

 private:
  void turn_all(const checked_call& checked) const {
    require_narrow(checked);
    const std::vector<token_place> places = busy_places(checked);
    std::vector<dense_tensor> tensors = tensors_of(checked, places);
    for (dense_tensor& tensor : tensors) turn(checked, places, tensor);
    for (const dense_tensor& tensor : tensors) tensor.write();
  }

  void turn(const checked_call& call, std::span<const token_place> places, dense_tensor& tensor) const {
    device& device = device_->on();
    const std::size_t most = units_at_once(device, tensor.token_bytes());
    const input_buffer divisors(device, divisors_.size() * sizeof(float));
    std::copy(divisors_.begin(), divisors_.end(), divisors.as<float>());
    for (std::size_t begin = 0; begin < places.size(); begin += most) {
      const auto some = places.subspan(begin, std::min(most, places.size() - begin));
      const std::vector<std::int32_t> from = positions_of(some, 1);
      const input_buffer positions(device, from.size() * sizeof(std::int32_t));
      std::copy(from.begin(), from.end(), positions.as<std::int32_t>());
      const dense_tensor::run run(device, tensor, begin, some.size());
      commands work(device);
      for (const input_buffer* buffer : {&divisors, &positions}) buffer->send(work);
      run.send(work);
      work.barrier();
      record_recipe(*device_, work, {plan_.layout, call.dtype, some.size(), tensor.heads(), call.backward},
                    run.in(), run.out(),
                    {positions.on_device(), divisors.on_device(), theta_scale_,
                     call.unit ? 1.0f : static_cast<float>(plan_.attention_factor)});
      work.barrier();
      run.fetch(work);
      work.run();
      run.finish(run.result(), false);
    }
  }

  rotation_plan plan_;
  std::shared_ptr<kernel_device> device_;
  float theta_scale_ = 1;
  std::vector<float> divisors_;  // of angles
};

}  // namespace
}  // namespace ropewalk::vulkan

namespace ropewalk {

const ropewalk_kernel& vulkan_recipe() {
  static constexpr ropewalk_limits limits = with_every_pairing(vulkan::narrow_data);
  static constexpr ropewalk_kernel kernel =
      kernel_of<vulkan::recipe_plan>("recipe-glsl", promise::angle_f32, &limits);
  return kernel;
}

}  // namespace ropewalk
