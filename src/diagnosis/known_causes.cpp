#include "diagnosis/known_causes.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "fault/compound_faults.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::diagnosis {
namespace {

ropewalk_kernel faultless(ropewalk_operation operation) {
  if (operation == ROPEWALK_ROTATE) return fault::faultless_rotation();
  return operation == ROPEWALK_ADD_BIAS ? fault::faultless_bias_addition() : fault::faultless_row_addition();
}

/// The same kernel, with limits that exclude no call of a failing one.
ropewalk_kernel for_any_calls(ropewalk_kernel kernel) {
  kernel.name = "known-fault";
  kernel.promise = ropewalk::detail::find_stated(promise::canonical);
  kernel.limits = &any_pairing_and_position;
  return kernel;
}

/// Recipes of inference engines, as faults. Skips recipes with a table in bfloat16 or in the data's format:
/// the fault that rounds the table to the data's format covers them.
std::vector<fault::known_fault> faults_of_recipes() {
  std::vector<fault::known_fault> faults;
  for (const ropewalk_kernel& kernel : recipe_kernels()) {
    const std::string_view name = kernel.name;
    if (name == "recipe-hf-f32") faults.push_back({kernel, fault::sentence_of("fault-angle-f32")});
    if (name == "recipe-ggml")
      faults.push_back({kernel, "the angle is formed by repeated multiplication in binary32, as ggml does"});
    if (name == "recipe-bf16-angle") faults.push_back({kernel, "the angle is formed in bfloat16"});
    if (name == "recipe-f64")
      faults.push_back(
          {kernel, "frequencies, angles, cosines and sines are computed in binary64 and rounded at the end"});
  }
  return faults;
}

}  // namespace

template <class Kernel>
known_causes<Kernel>::known_causes(ropewalk_operation operation, hold_kernel hold)
    : hold_(std::move(hold)), faultless_(faultless(operation)), any_calls_(for_any_calls(faultless_)) {
  const bool rotates = operation == ROPEWALK_ROTATE;
  for (const fault::known_fault& planted :
       rotates ? fault::known_rotation_faults() : fault::known_addition_faults())
    if (static_cast<ropewalk_operation>(planted.kernel.operation) == operation) faults_.push_back(&planted);
  static const std::vector<fault::known_fault>& recipes = *new auto(faults_of_recipes());  // never freed
  if (rotates)
    for (const fault::known_fault& recipe : recipes) faults_.push_back(&recipe);
  singles_ = faults_.size();
  if (rotates)
    for (const fault::known_fault& planted : fault::compound_rotation_faults()) faults_.push_back(&planted);
}

template class known_causes<checked_rotation>;
template class known_causes<checked_addition>;

}  // namespace ropewalk::diagnosis
