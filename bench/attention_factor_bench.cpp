// attention-factor and unit: rotations by an encoding with an attention factor, applied and not applied.

#include "bench/benchmark_groups.hpp"
#include "bench/timed_rotation.hpp"

namespace ropewalk::bench {
namespace {

/// The fixed rotation with the attention factor of YaRN.
std::shared_ptr<const measured_rotation> with_attention_factor() {
  static const auto value = std::make_shared<const measured_rotation>(
      model::model_by_hand(
          configuration.base, head_dim, configuration.rotary_dim, pairing::half_split,
          R"({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768})"),
      heads, 0, 1, often);
  return value;
}

}  // namespace

void add_attention_factor(case_list& to) {
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const verify::chosen_kernel& kernel : canonical_kernels()) {
      rotation_case rotation{
          .kernel = kernel, .dtype = dtype, .measured = with_attention_factor(), .tokens = 512};
      add_rotation(to, "attention-factor", rotation);
      rotation.flags = ROPEWALK_UNIT;
      add_rotation(to, "unit", rotation);
    }
}

}  // namespace ropewalk::bench
