#pragma once
// Inspects the operations of a SPIR-V module and their decorations, in constant evaluation.

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/spirv_words.hpp"

namespace ropewalk::spirv_proof {

using module_words = std::span<const std::uint32_t>;

namespace spirv = vulkan::spirv;
using spirv::word;
using enum spv::Op;

struct instruction {
  module_words words;
  constexpr spv::Op opcode() const { return spirv::opcode(words[0]); }
};

template <class Visit>
constexpr void for_each_instruction(module_words words, Visit visit) {
  for (std::size_t at = spirv::header_words; at < words.size(); at += spirv::length(words[at]))
    visit(instruction{words.subspan(at, spirv::length(words[at]))});
}

template <class Value, class... Listed>
constexpr bool is_among(Value value, Listed... list) {
  return ((value == list) || ...);
}

/// Operations that neither compute nor convert numbers: debug names, types, constants, memory, control flow;
/// and OpUndef, with which the optimizer fills unread components of a vector.
constexpr bool is_structure(spv::Op op) {
  return is_among(op, OpSource, OpName, OpMemberName, OpExtension, OpExtInstImport, OpMemoryModel,
                  OpEntryPoint, OpExecutionMode, OpCapability, OpDecorate, OpMemberDecorate, OpTypeVoid,
                  OpTypeBool, OpTypeInt, OpTypeFloat, OpTypeVector, OpTypeArray, OpTypeRuntimeArray,
                  OpTypeStruct, OpTypePointer, OpTypeFunction, OpConstantTrue, OpConstantFalse, OpConstant,
                  OpConstantComposite, OpConstantNull, OpUndef, OpSpecConstantTrue, OpSpecConstantFalse,
                  OpSpecConstant, OpSpecConstantComposite, OpSpecConstantOp, OpVariable, OpLoad, OpStore,
                  OpAccessChain, OpVectorShuffle, OpCompositeConstruct, OpCompositeExtract, OpCompositeInsert,
                  OpCopyLogical, OpFunction, OpFunctionParameter, OpFunctionEnd, OpFunctionCall, OpPhi,
                  OpLoopMerge, OpSelectionMerge, OpLabel, OpBranch, OpBranchConditional, OpSwitch, OpKill,
                  OpReturn, OpReturnValue, OpUnreachable);
}

/// Operations on integers, bits and booleans, comparisons, selections, atomic additions and maxima; OpBitcast
/// changes no bit.
constexpr bool is_integer(spv::Op op) {
  return is_among(op, OpSNegate, OpIAdd, OpISub, OpIMul, OpUDiv, OpSDiv, OpIAddCarry, OpISubBorrow,
                  OpUMulExtended, OpSMulExtended, OpAny, OpAll, OpLogicalEqual, OpLogicalNotEqual,
                  OpLogicalOr, OpLogicalAnd, OpLogicalNot, OpSelect, OpIEqual, OpINotEqual, OpUGreaterThan,
                  OpSGreaterThan, OpUGreaterThanEqual, OpSGreaterThanEqual, OpULessThan, OpSLessThan,
                  OpULessThanEqual, OpSLessThanEqual, OpShiftRightLogical, OpShiftRightArithmetic,
                  OpShiftLeftLogical, OpBitwiseOr, OpBitwiseXor, OpBitwiseAnd, OpNot, OpBitcast, OpAtomicIAdd,
                  OpAtomicUMax);
}

/// Integer instructions of GLSL.std.450, by their numbers.
constexpr bool is_integer_extended(std::uint32_t number) {
  return is_among(number, GLSLstd450SAbs, GLSLstd450UMin, GLSLstd450UMax, GLSLstd450SMin, GLSLstd450SMax,
                  GLSLstd450FindILsb, GLSLstd450FindSMsb, GLSLstd450FindUMsb);
}

constexpr bool is_rounded_once(spv::Op op) { return is_among(op, OpFNegate, OpFAdd, OpFSub, OpFMul); }

/// Whether every operation is an integer operation or, with `rotates`, a floating-point addition,
/// subtraction, multiplication or negation; floating-point types also need `rotates`.
constexpr bool has_listed_operations_alone(module_words words, bool rotates) {
  bool alone = true;
  for_each_instruction(words, [&](const instruction& instruction) {
    const spv::Op op = instruction.opcode();
    const bool is_listed = op == OpExtInst
                               ? is_integer_extended(instruction.words[4])
                               : is_structure(op) || is_integer(op) || (rotates && is_rounded_once(op));
    alone = alone && is_listed && (rotates || op != OpTypeFloat);
  });
  return alone;
}

/// Whether every floating-point addition, subtraction and multiplication is decorated NoContraction.
constexpr bool contracts_nothing(module_words words) {
  std::vector<std::uint32_t> decorated;
  for_each_instruction(words, [&](const instruction& instruction) {
    if (instruction.opcode() == OpDecorate && instruction.words[2] == word(spv::Decoration::NoContraction))
      decorated.push_back(instruction.words[1]);
  });
  bool nothing = true;
  for_each_instruction(words, [&](const instruction& instruction) {
    if (is_among(instruction.opcode(), OpFAdd, OpFSub, OpFMul))
      nothing =
          nothing && std::find(decorated.begin(), decorated.end(), instruction.words[2]) != decorated.end();
  });
  return nothing;
}

constexpr bool has_constant(module_words words, std::uint32_t value) {
  bool constant = false;
  for_each_instruction(words, [&](const instruction& instruction) {
    constant = constant || (instruction.opcode() == OpConstant && instruction.words.size() == 4 &&
                            instruction.words[3] == value);
  });
  return constant;
}

/// Whether one factor of every floating-point product is the constant with these bits, or a vector of it.
constexpr bool multiplies_by_nothing_but(module_words words, std::uint32_t bits) {
  std::vector<std::uint32_t> constants;
  const auto is_it = [&](std::uint32_t id) {
    return std::find(constants.begin(), constants.end(), id) != constants.end();
  };
  bool multiplies = true;
  for_each_instruction(words, [&](const instruction& instruction) {
    const auto members = instruction.words.subspan(std::min<std::size_t>(3, instruction.words.size()));
    if ((instruction.opcode() == OpConstant && members.size() == 1 && members[0] == bits) ||
        (instruction.opcode() == OpConstantComposite && std::all_of(members.begin(), members.end(), is_it)))
      constants.push_back(instruction.words[2]);
    if (instruction.opcode() == OpFMul)
      multiplies = multiplies && (is_it(instruction.words[3]) || is_it(instruction.words[4]));
  });
  return multiplies;
}

constexpr std::size_t count(module_words words, spv::Op opcode) {
  std::size_t count = 0;
  for_each_instruction(
      words, [&](const instruction& instruction) { count += instruction.opcode() == opcode ? 1 : 0; });
  return count;
}

/// A copy of the module, with change applied to the words of each instruction.
template <class Change>
constexpr std::vector<std::uint32_t> changed(module_words words, Change change) {
  std::vector<std::uint32_t> result(words.begin(), words.end());
  for (std::size_t at = spirv::header_words; at < result.size(); at += spirv::length(result[at]))
    change(std::span(result).subspan(at, spirv::length(result[at])));
  return result;
}

}  // namespace ropewalk::spirv_proof
