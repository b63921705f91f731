#pragma once
// Promises of kernels: output bits, or the format that each part of the computation is rounded to. Some
// promises have names.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ropewalk/config/require.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// Output bits, or the format that each part of a computation is rounded to. In both cases the output is
/// rounded once to the data's format. For binary64 data, rotations and additions are done in binary64
/// wherever a part names binary32.
struct promise {
  ropewalk_bits bits = ROPEWALK_BOUNDED;          // the parts are ignored unless it is this
  ropewalk_part coordinate = ROPEWALK_UNROUNDED;  // tables only: computed as the frequency is, or in a format
  ropewalk_part frequency = ROPEWALK_UNROUNDED;   // as given, computed in a format, or from the previous pair
  ropewalk_part angle = ROPEWALK_UNROUNDED;       // exact, or position, frequency and product rounded
  ropewalk_part table = ROPEWALK_UNROUNDED;       // cosines and sines as stored, attention factor included
  ropewalk_part rotation = ROPEWALK_UNROUNDED;    // products and sums
  bool is_fused = false;                          // products and sums may be fused and in any order
  ropewalk_part entry = ROPEWALK_UNROUNDED;       // additions only: the number that is added
  ropewalk_part sum = ROPEWALK_UNROUNDED;

  friend constexpr bool operator==(const promise&, const promise&) = default;
  friend constexpr auto operator<=>(const promise&, const promise&) = default;

  static const promise exact, canonical, rounded_table, dtype_table, angle_f64, angle_f32, hf;
};

inline constexpr promise promise::exact{.bits = ROPEWALK_EXACT};
inline constexpr promise promise::canonical{.bits = ROPEWALK_CANONICAL};
inline constexpr promise promise::rounded_table{.table = ROPEWALK_PART_F32,
                                                .rotation = ROPEWALK_PART_F32,
                                                .is_fused = true,
                                                .entry = ROPEWALK_PART_F32,
                                                .sum = ROPEWALK_PART_F32};
inline constexpr promise promise::dtype_table{.table = ROPEWALK_PART_DATA,
                                              .rotation = ROPEWALK_PART_DATA,
                                              .is_fused = true,
                                              .entry = ROPEWALK_PART_DATA,
                                              .sum = ROPEWALK_PART_DATA};
inline constexpr promise promise::angle_f64{.angle = ROPEWALK_PART_F64,
                                            .table = ROPEWALK_PART_F32,
                                            .rotation = ROPEWALK_PART_F32,
                                            .is_fused = true,
                                            .entry = ROPEWALK_PART_F32,
                                            .sum = ROPEWALK_PART_F32};
inline constexpr promise promise::angle_f32{.angle = ROPEWALK_PART_F32,
                                            .table = ROPEWALK_PART_F32,
                                            .rotation = ROPEWALK_PART_F32,
                                            .is_fused = true,
                                            .entry = ROPEWALK_PART_F32,
                                            .sum = ROPEWALK_PART_F32};
inline constexpr promise promise::hf{.frequency = ROPEWALK_PART_F32,
                                     .angle = ROPEWALK_PART_F32,
                                     .table = ROPEWALK_PART_DATA,
                                     .rotation = ROPEWALK_PART_DATA,
                                     .is_fused = true,
                                     .entry = ROPEWALK_PART_DATA,
                                     .sum = ROPEWALK_PART_DATA};

/// A value of a part, and its word on the command line.
struct part_word {
  ropewalk_part value;
  std::string_view word;
};

/// One part: its name on the command line and its allowed values.
struct promise_part {
  std::string_view name;
  ropewalk_part promise::*member;
  ropewalk_operation operation;  // ROPEWALK_ROTATE, or ROPEWALK_ADD_ROW for every addition
  std::string_view unrounded;    // the word for ROPEWALK_UNROUNDED
  std::string_view allowed;      // the other words
  bool is_of_tables = false;     // kernels take it as input
};

inline constexpr part_word part_words[] = {{ROPEWALK_PART_F64, "f64"},
                                           {ROPEWALK_PART_F32, "f32"},
                                           {ROPEWALK_PART_BF16, "bf16"},
                                           {ROPEWALK_PART_DATA, "data"},
                                           {ROPEWALK_PART_REPEATED_F32, "repeated"}};

/// The parts, in the order of the computation.
inline constexpr promise_part promise_parts[] = {
    {"coordinate", &promise::coordinate, ROPEWALK_ROTATE, "as-frequency", "f64|f32|bf16", true},
    {"frequency", &promise::frequency, ROPEWALK_ROTATE, "given", "f64|f32|repeated"},
    {"angle", &promise::angle, ROPEWALK_ROTATE, "exact", "f64|f32|bf16"},
    {"table", &promise::table, ROPEWALK_ROTATE, "none", "f64|f32|bf16|data"},
    {"rotation", &promise::rotation, ROPEWALK_ROTATE, "exact", "f64|f32|data"},
    {"entry", &promise::entry, ROPEWALK_ADD_ROW, "exact", "f64|f32|data"},
    {"sum", &promise::sum, ROPEWALK_ADD_ROW, "exact", "f32|data"}};

/// A promise with a name.
struct promise_description {
  promise value{};
  std::string_view name;  // on the command line
  std::string_view statement;
};

/// The named promises, from strict to loose.
inline constexpr promise_description promises[] = {
    {promise::exact, "exact", "every output is the exact value rounded once"},
    {promise::canonical, "canonical", "the canonical operation's bits, for every input"},
    {promise::rounded_table, "rounded-table",
     "cosine and sine correctly rounded to binary32, then any order of operations"},
    {promise::dtype_table, "dtype-table", "cosine and sine rounded to the data's format"},
    {promise::angle_f64, "angle-f64", "the angle formed in binary64, everything else as rounded-table"},
    {promise::angle_f32, "angle-f32", "the angle formed in binary32, everything else as rounded-table"},
    {promise::hf, "hf",
     "frequency and angle formed in binary32, cosine, sine and rotation in the data's format"}};

/// Whether a promise fixes every bit of the output.
constexpr bool promises_bits(const promise& promised) { return promised.bits != ROPEWALK_BOUNDED; }

/// Whether the error that a promise allows grows with the position.
constexpr bool grows_with_position(const promise& promised) {
  return promised.angle != ROPEWALK_UNROUNDED || promised.frequency != ROPEWALK_UNROUNDED;
}

/// Whether products and sums of a rotation may be rounded to the data's own format.
constexpr bool rotates_in_dtype(const promise& promised) { return promised.rotation == ROPEWALK_PART_DATA; }

namespace detail {

/// Whether a part belongs to an operation: each part belongs either to rotations or to additions.
constexpr bool has_part(ropewalk_operation operation, const promise_part& part) {
  return (operation == ROPEWALK_ROTATE) == (part.operation == ROPEWALK_ROTATE);
}

/// The word for a value of a part; empty if the part may not have that value.
constexpr std::string_view word_of(const promise_part& part, int value) {
  if (value == ROPEWALK_UNROUNDED) return part.unrounded;
  for (const part_word& word : part_words)
    if (word.value == value) {
      const std::size_t at = part.allowed.find(word.word);  // no word contains another
      return at == std::string_view::npos ? std::string_view() : part.allowed.substr(at, word.word.size());
    }
  return {};
}

/// The value of a part that a word on the command line stands for.
constexpr std::optional<ropewalk_part> part_value(const promise_part& part, std::string_view word) {
  if (word.empty()) return std::nullopt;
  if (word == part.unrounded) return ROPEWALK_UNROUNDED;
  for (const part_word& entry : part_words)
    if (entry.word == word && word_of(part, entry.value) == word) return entry.value;
  return std::nullopt;
}

/// Sets the part that "fused" or "NAME=WORD" names, and returns its bit: one bit per part, and one for
/// "fused". Returns 0 for any other text.
constexpr unsigned set_part(promise& promised, std::string_view text) {
  if (text == "fused") {
    promised.is_fused = true;
    return 1;
  }
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return 0;
  unsigned bit = 2;
  for (const promise_part& part : promise_parts) {
    if (part.name == text.substr(0, equals)) {
      const std::optional<ropewalk_part> value = part_value(part, text.substr(equals + 1));
      if (!value) return 0;
      promised.*part.member = *value;
      return bit;
    }
    bit *= 2;
  }
  return 0;
}

/// Whether two promises are the same for an operation.
constexpr bool is_same_for(ropewalk_operation operation, const promise& a, const promise& b) {
  if (a.bits != b.bits) return false;
  if (promises_bits(a)) return true;
  for (const promise_part& part : promise_parts)
    if (has_part(operation, part) && a.*part.member != b.*part.member) return false;
  return operation != ROPEWALK_ROTATE || a.is_fused == b.is_fused;
}

}  // namespace detail

/// The name of a promise for an operation; empty if it has none.
constexpr std::string_view known_name_of(const promise& promised, ropewalk_operation operation) {
  for (const promise_description& description : promises)
    if (detail::is_same_for(operation, description.value, promised)) return description.name;
  return {};
}

/// The parts of a promise that belong to an operation, as on the command line:
/// "frequency=given,angle=f32,...". The coordinate is left out if it is computed as the frequency is.
///
/// domain  the promise fixes no bits
inline std::string parts_text(const promise& promised, ropewalk_operation operation) {
  std::string text;
  for (const promise_part& part : promise_parts)
    if (detail::has_part(operation, part) &&
        !(part.is_of_tables && promised.*part.member == ROPEWALK_UNROUNDED))
      text += (text.empty() ? "" : ",") + std::string(part.name) + "=" +
              std::string(detail::word_of(part, promised.*part.member));
  return operation == ROPEWALK_ROTATE && promised.is_fused ? text + ",fused" : text;
}

/// The promise as on the command line: its name, or its parts.
inline std::string name_of(const promise& promised, ropewalk_operation operation) {
  const std::string_view known = known_name_of(promised, operation);
  return known.empty() ? parts_text(promised, operation) : std::string(known);
}

/// "exact, canonical, ...": the names that a message lists as allowed.
inline std::string promise_names() {
  std::string names;
  for (const promise_description& promise : promises)
    names += (names.empty() ? "" : ", ") + std::string(promise.name);
  return names;
}

/// "coordinate=as-frequency|f64|f32|bf16, ...": the parts that a message lists as allowed.
inline std::string promise_part_texts() {
  std::string texts;
  for (const promise_part& part : promise_parts)
    texts +=
        std::string(part.name) + "=" + std::string(part.unrounded) + "|" + std::string(part.allowed) + ", ";
  return texts + "fused";
}

/// The promise that a text spells: a name, or parts ("angle=f32,table=data,rotation=data,fused"), each at
/// most once. Parts that are left out are not rounded. Returns nullopt for any other text.
constexpr std::optional<promise> promise_named(std::string_view text) {
  for (const promise_description& description : promises)
    if (description.name == text) return description.value;
  promise promised{};
  for (unsigned number = 0;;) {
    const std::size_t comma = text.find(',');
    const unsigned bit = detail::set_part(promised, text.substr(0, comma));
    if (bit == 0 || (number & bit) != 0) return std::nullopt;
    number |= bit;
    if (comma == std::string_view::npos) return promised;
    text.remove_prefix(comma + 1);
  }
}

/// The promise that a kernel makes. Parts that belong to other operations are ignored.
///
/// throws  std::invalid_argument naming the part, its value and what is allowed
constexpr promise promise_of(const ropewalk_kernel& kernel) {
  const ropewalk_promise& described = *kernel.promise;
  require(described.bits >= ROPEWALK_BOUNDED && described.bits <= ROPEWALK_EXACT, "promise.bits",
          described.bits, "a member of enum ropewalk_bits");
  promise promised{.bits = static_cast<ropewalk_bits>(described.bits)};
  if (promises_bits(promised)) return promised;
  const auto read = [&](std::int32_t value, const promise_part& part, const char* field) {
    const auto operation = static_cast<ropewalk_operation>(kernel.operation);
    if (!detail::has_part(operation, part)) return;
    require(!detail::word_of(part, value).empty(), field, value,
            "a format that this part may have: see kernel.h");
    promised.*part.member = static_cast<ropewalk_part>(value);
  };
  read(described.frequency, promise_parts[1], "promise.frequency");
  read(described.angle, promise_parts[2], "promise.angle");
  read(described.table, promise_parts[3], "promise.table");
  read(described.rotation, promise_parts[4], "promise.rotation");
  read(described.entry, promise_parts[5], "promise.entry");
  read(described.sum, promise_parts[6], "promise.sum");
  if (kernel.operation == ROPEWALK_ROTATE) {
    require(described.is_fused == 0 || described.is_fused == 1, "promise.is_fused", described.is_fused,
            "0, 1");
    promised.is_fused = described.is_fused == 1;
  }
  for (const promise_description& description : promises)
    if (detail::is_same_for(static_cast<ropewalk_operation>(kernel.operation), description.value, promised))
      return description.value;
  return promised;
}

/// The promise as a struct of kernel.h.
constexpr ropewalk_promise stated(const promise& promised) {
  return {.struct_size = sizeof(ropewalk_promise),
          .bits = promised.bits,
          .frequency = promised.frequency,
          .angle = promised.angle,
          .table = promised.table,
          .rotation = promised.rotation,
          .is_fused = promised.is_fused ? 1 : 0,
          .entry = promised.entry,
          .sum = promised.sum};
}

/// A named promise as a struct of kernel.h, in static storage.
template <int Index>
inline constexpr ropewalk_promise stated_promise = stated(promises[Index].value);

namespace detail {

template <int Index = 0>
constexpr const ropewalk_promise* find_stated(const promise& promised) {
  if constexpr (Index < static_cast<int>(std::size(promises))) {
    return promises[Index].value == promised ? &stated_promise<Index> : find_stated<Index + 1>(promised);
  } else {
    throw std::invalid_argument("this promise has no name");
  }
}

}  // namespace detail

}  // namespace ropewalk
