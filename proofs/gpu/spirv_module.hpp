#pragma once
// A SPIR-V module looked at while compiling: which operations it has, and how they are decorated.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ropewalk::spirv_proof {

using module_words = std::span<const std::uint32_t>;

/// One instruction: its words, the first with opcode and length.
struct instruction {
  module_words words;
  constexpr std::uint32_t opcode() const { return words[0] & 0xffff; }
};

template <class Visit>
constexpr void for_each_instruction(module_words words, Visit visit) {
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16)
    visit(instruction{words.subspan(at, words[at] >> 16)});
}

constexpr bool is_among(std::uint32_t value, std::initializer_list<std::uint32_t> list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Opcodes by the names of the specification.
inline constexpr std::uint32_t ext_inst = 12, type_float = 22, constant = 43, decorate = 71, f_negate = 127,
                               f_add = 129, f_sub = 131, f_mul = 133;
inline constexpr std::uint32_t no_contraction = 42;

/// What neither computes nor converts numbers: debugging names, types, constants, memory, control.
constexpr bool is_structure(std::uint32_t op) {
  return is_among(op, {3,  5,  6,  10, 11, 14,  15,  16,  17,  19,  20,  21,  22,  23,  28,  29,  30, 32, 33,
                       41, 42, 43, 44, 46, 48,  49,  50,  51,  52,  54,  55,  56,  57,  59,  61,  62, 65, 71,
                       72, 79, 80, 81, 82, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 400});
}

/// Whole numbers, bits, comparisons of them, selections, atomic additions and maxima.
constexpr bool is_integer(std::uint32_t op) {
  return is_among(op, {126, 128, 130, 132, 134, 135, 149, 150, 151, 152, 154, 155, 164,
                       165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177,
                       178, 179, 194, 195, 196, 197, 198, 199, 200, 234, 239}) ||
         op == 124;  // OpBitcast changes no bit
}

/// findMSB, abs and min of whole numbers, among the instructions of GLSL.std.450.
constexpr bool is_integer_extended(std::uint32_t number) { return is_among(number, {5, 38, 39, 73, 74, 75}); }

constexpr bool is_rounded_once(std::uint32_t op) { return is_among(op, {f_negate, f_add, f_sub, f_mul}); }

/// Every operation is one of whole numbers, or with `rotates` an addition, a subtraction, a multiplication or a negation.
constexpr bool has_listed_operations_alone(module_words words, bool rotates) {
  bool r = true;
  for_each_instruction(words, [&](const instruction& one) {
    const std::uint32_t op = one.opcode();
    const bool is_listed = op == ext_inst
                               ? is_integer_extended(one.words[4])
                               : is_structure(op) || is_integer(op) || (rotates && is_rounded_once(op));
    r = r && is_listed && (rotates || op != type_float);
  });
  return r;
}

/// No addition, subtraction or multiplication may be fused with another.
constexpr bool contracts_nothing(module_words words) {
  std::vector<std::uint32_t> decorated;
  for_each_instruction(words, [&](const instruction& one) {
    if (one.opcode() == decorate && one.words[2] == no_contraction) decorated.push_back(one.words[1]);
  });
  bool r = true;
  for_each_instruction(words, [&](const instruction& one) {
    if (is_among(one.opcode(), {f_add, f_sub, f_mul}))
      r = r && std::find(decorated.begin(), decorated.end(), one.words[2]) != decorated.end();
  });
  return r;
}

constexpr bool has_constant(module_words words, std::uint32_t value) {
  bool r = false;
  for_each_instruction(words, [&](const instruction& one) {
    r = r || (one.opcode() == constant && one.words.size() == 4 && one.words[3] == value);
  });
  return r;
}

constexpr std::size_t count(module_words words, std::initializer_list<std::uint32_t> opcodes) {
  std::size_t r = 0;
  for_each_instruction(words, [&](const instruction& one) { r += is_among(one.opcode(), opcodes) ? 1 : 0; });
  return r;
}

/// The module with each instruction changed by change(words of one instruction).
template <class Change>
constexpr std::vector<std::uint32_t> changed(module_words words, Change change) {
  std::vector<std::uint32_t> r(words.begin(), words.end());
  for (std::size_t at = 5; at < r.size(); at += r[at] >> 16) change(std::span(r).subspan(at, r[at] >> 16));
  return r;
}

}  // namespace ropewalk::spirv_proof
