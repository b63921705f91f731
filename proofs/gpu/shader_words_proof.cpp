// Theorems about the SPIR-V of the shaders: cosines, sines and biases use integer operations alone; rotations
// use floating-point additions, subtractions and multiplications that must not be fused; additions use no
// multiplication that rounds; the constants are those of eighth_turn.hpp. Altered words fail the checks.

#include "gpu/eighth_turn.hpp"
#include "gpu/float_controls.hpp"
#include "gpu/shader_words.hpp"
#include "spirv_module.hpp"

namespace ropewalk::spirv_proof {
namespace shader_words_proof {

using namespace vulkan::shader_words;

constexpr module_words rotations[] = {rotate_f32,       rotate_f16,     rotate_bf16,    rotate_by_8_f16,
                                      rotate_by_8_bf16, rotate_any_f32, rotate_any_f16, rotate_any_bf16};

constexpr module_words additions[] = {add_f32,       add_f16,     add_bf16,    add_bias_f32, add_bias_f16,
                                      add_bias_bf16, add_any_f32, add_any_f16, add_any_bf16};

consteval bool entries_are_made_of_whole_numbers_alone() {
  constexpr module_words made[] = {rows, repair, real_rows, real_repair, bias};
  return std::all_of(std::begin(made), std::end(made),
                     [](module_words words) { return has_listed_operations_alone(words, false); });
}
static_assert(entries_are_made_of_whole_numbers_alone());

/// Products by 2^112 are allowed: they are exact, and widen binary16.
consteval bool additions_add_and_fuse_nothing() {
  constexpr auto two_to_112 = std::uint32_t{127 + 112} << 23;
  return std::all_of(std::begin(additions), std::end(additions), [](module_words words) {
    return has_listed_operations_alone(words, true) && contracts_nothing(words) &&
           count(words, OpFSub) == 0 && multiplies_by_nothing_but(words, two_to_112) &&
           count(words, OpFAdd) >= 1;
  });
}
static_assert(additions_add_and_fuse_nothing());

consteval bool rotations_add_subtract_and_multiply_alone_and_fuse_nothing() {
  return std::all_of(std::begin(rotations), std::end(rotations), [](module_words words) {
    return has_listed_operations_alone(words, true) && contracts_nothing(words) &&
           count(words, OpFMul) >= 4 && count(words, OpFAdd) >= 1 && count(words, OpFSub) >= 1;
  });
}
static_assert(rotations_add_subtract_and_multiply_alone_and_fuse_nothing());

constexpr bool has_words_of(module_words words, std::uint64_t value) {
  return has_constant(words, static_cast<std::uint32_t>(value)) &&
         (value >> 32 == 0 || has_constant(words, static_cast<std::uint32_t>(value >> 32)));
}

consteval bool fast_constants_are_those_of_the_header() {
  bool those = true;
  for (const module_words made : {module_words{rows}, module_words{real_rows}}) {
    those = those && has_constant(made, eighth_turn::fast_error);
    for (const std::uint64_t bits : eighth_turn::sine) those = those && has_words_of(made, bits);
    for (const std::uint64_t bits : std::span(eighth_turn::cosine).subspan(1))
      those = those && has_words_of(made, bits);
  }
  return those;
}
static_assert(fast_constants_are_those_of_the_header());

consteval bool slow_constants_are_those_of_the_header() {
  bool those = true;
  for (const module_words made : {module_words{repair}, module_words{real_repair}}) {
    those = those && has_constant(made, eighth_turn::slow_error);
    for (const auto& term : eighth_turn::sine_series)
      for (const std::uint32_t word : term) those = those && has_constant(made, word);
    for (const auto& term : eighth_turn::cosine_series)
      for (const std::uint32_t word : term) those = those && has_constant(made, word);
  }
  return those;
}
static_assert(slow_constants_are_those_of_the_header());

/// Whether the words passed to a device that supports every float control declare all three for 32 bits.
constexpr bool declares_float_controls(module_words module) {
  const auto words = vulkan::with_float_controls(module, {true, true, true});
  for (const spv::Op opcode : {OpCapability, OpExecutionMode})
    if (count(words, opcode) != count(module, opcode) + 3) return false;
  using enum spv::ExecutionMode;
  for (const spv::ExecutionMode mode : {RoundingModeRTE, DenormPreserve, SignedZeroInfNanPreserve}) {
    bool is_declared = false;
    for_each_instruction(words, [&](const instruction& each) {
      is_declared = is_declared ||
                    (each.opcode() == OpExecutionMode && each.words[2] == word(mode) && each.words[3] == 32);
    });
    if (!is_declared) return false;
  }
  return true;
}

consteval bool float_controls_are_declared() {
  return std::all_of(std::begin(rotations), std::end(rotations), declares_float_controls) &&
         std::all_of(std::begin(additions), std::end(additions), declares_float_controls);
}
static_assert(float_controls_are_declared());

/// The recipe shaders, which use the builtin pow, cos and sin as engines do, are refused.
consteval bool builtin_pow_cos_and_sin_are_refused() {
  constexpr module_words recipes[] = {recipe_f32, recipe_f16, recipe_bf16, recipe_by_8_f16, recipe_by_8_bf16};
  return std::none_of(std::begin(recipes), std::end(recipes),
                      [](module_words words) { return has_listed_operations_alone(words, true); });
}
static_assert(builtin_pow_cos_and_sin_are_refused());

/// Refuses words without `precise`; words with a division, a floating-point product, a conversion or a sine
/// in place of an operation; and words with a constant changed by one.
consteval bool spoiled_words_are_refused() {
  const auto relaxed = changed(rotate_f32, [](std::span<std::uint32_t> words) {
    if (spirv::opcode(words[0]) == OpDecorate && words[2] == word(spv::Decoration::NoContraction))
      words[2] = word(spv::Decoration::RelaxedPrecision);
  });
  const auto with_operation = [](module_words words, spv::Op from, spv::Op to) {
    return changed(words, [=](std::span<std::uint32_t> part) {
      if (spirv::opcode(part[0]) == from) part[0] = spirv::instruction(to, spirv::length(part[0]));
    });
  };
  const auto with_sine = [](module_words words) {
    return changed(words, [](std::span<std::uint32_t> part) {
      if (spirv::opcode(part[0]) == OpExtInst) part[4] = GLSLstd450Sin;
    });
  };
  const auto tampered = changed(rows, [](std::span<std::uint32_t> words) {
    if (spirv::opcode(words[0]) == OpConstant && words.size() == 4 && words[3] == 0x99696315) ++words[3];
  });
  return !contracts_nothing(relaxed) && !multiplies_by_nothing_but(rotate_f16, 0x77800000) &&
         !has_listed_operations_alone(with_operation(rotate_f32, OpFMul, OpFDiv), true) &&
         !has_listed_operations_alone(with_operation(rows, OpIMul, OpFMul), false) &&
         !has_listed_operations_alone(with_operation(rows, OpBitcast, OpConvertUToF), false) ==
             (count(rows, OpBitcast) != 0) &&
         !has_listed_operations_alone(with_sine(rows), false) &&
         !has_listed_operations_alone(with_sine(rotate_f32), true) && !has_constant(tampered, 0x99696315);
}
static_assert(spoiled_words_are_refused());

}  // namespace shader_words_proof
}  // namespace ropewalk::spirv_proof
