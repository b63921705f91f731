#pragma once
// Groups of rotations whose output bits are the same on every machine. portable_hashes.txt has a hash of each
// group.

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernel/rotation_case.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk::test {

/// The contents of tensors.
enum class contents {
  near_one,   // every product is a normal number, so that roundings alone decide the bits
  any_bits,   // subnormals, infinities, NaN
  every_bits  // each 16-bit pattern; wider ones at random
};

struct portable_group {
  std::string name;
  std::int64_t pieces = 1;  // number of calls that the tokens of a case are split into, the last tokens first
  contents elements = contents::any_bits;
  std::vector<rotation_case> cases{};
  std::vector<std::shared_ptr<const resolved_encoding>> resolved{};  // of each case
};

namespace detail {

inline constexpr pairing both_pairings[] = {pairing::interleaved, pairing::half_split};
inline constexpr std::int32_t last_position = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int32_t first_position = std::numeric_limits<std::int32_t>::min();

inline std::vector<rotation_case> every_pairing() {
  std::vector<rotation_case> rotations;
  for (const pairing in : both_pairings)
    for (const pairing out : both_pairings)
      for (const bool in_place : {false, true})
        for (const int rotary_dim : {12, 62, 128})
          rotations.push_back({.encoding = {.base = 10000, .rotary_dim = rotary_dim},
                               .layout = {.head_dim = rotary_dim == 12 ? 17 : rotary_dim,
                                          .pairing_in = in,
                                          .pairing_out = out},
                               .tokens = 4,
                               .query_heads = 3,
                               .in_place = in_place});
  return rotations;
}

inline std::vector<rotation_case> every_arrangement() {
  std::vector<rotation_case> rotations;
  for (const arrangement how : all_arrangements)
    for (const bool in_place : {false, true})
      rotations.push_back({.layout = {.head_dim = 11, .pairing_in = pairing::interleaved},
                           .batch = 2,
                           .how = how,
                           .in_place = in_place});
  return rotations;
}

inline std::vector<rotation_case> every_tail() {
  std::vector<rotation_case> tail;
  for (const pairing both : both_pairings)
    for (int rotary_dim = 2; rotary_dim <= 36; rotary_dim += 2)
      for (const int rest : {0, 1, 7})
        tail.push_back({.encoding = {.base = 10000, .rotary_dim = rotary_dim},
                        .layout = {.head_dim = rotary_dim + rest, .pairing_in = both, .pairing_out = both},
                        .tokens = 2,
                        .query_heads = rotary_dim % 7 + 1,
                        .key_heads = rotary_dim % 5});
  return tail;
}

/// Large and negative positions, forward and backward, with the attention factor and without.
inline std::vector<rotation_case> far_positions() {
  std::vector<rotation_case> positions;
  for (const pairing both : both_pairings)
    for (const std::uint32_t flags :
         {0u, ROPEWALK_BACKWARD, ROPEWALK_UNIT, ROPEWALK_UNIT | ROPEWALK_BACKWARD})
      positions.push_back(
          {.encoding = {.base = 500000,
                        .rotary_dim = 16,
                        .scaling = yarn{.factor = 4, .original_max_position_embeddings = 8192}},
           .layout = {.head_dim = 16, .pairing_in = both, .pairing_out = both},
           .tokens = 10,
           .flags = flags,
           .positions = {0, 1, -1, 16777217, -16777217, 131071, 1435833356, last_position, first_position,
                         first_position + 1}});
  return positions;
}

/// Consecutive positions, across 0 and up to the last position.
inline std::vector<rotation_case> consecutive_positions() {
  std::vector<rotation_case> positions;
  for (const std::int32_t first : {-40, 100'000, last_position - 79}) {
    rotation_case rotation{
        .encoding = {.base = 10000, .rotary_dim = 34}, .layout = {.head_dim = 34}, .tokens = 80};
    for (int i = 0; i < 80; ++i) rotation.positions.push_back(first + i);
    positions.push_back(rotation);
  }
  return positions;
}

/// Scaling rules that do not depend on the sequence length, with unrotated pairs and with attention factors
/// beyond the range of vectors.
inline std::vector<rotation_case> every_scaling() {
  const std::int64_t length = 8192;
  const rope_scaling rules[] = {
      linear{.factor = 4},
      ntk{.factor = 8},
      llama3{.factor = 8,
             .low_freq_factor = 1,
             .high_freq_factor = 4,
             .original_max_position_embeddings = length},
      yarn{.factor = 4, .original_max_position_embeddings = length},
      yarn{.factor = 2, .original_max_position_embeddings = length, .attention_factor = 0x1p-110},
      yarn{.factor = 2, .original_max_position_embeddings = length, .attention_factor = 0x1p110},
      proportional{.live_pairs = 5}};
  std::vector<rotation_case> scaling;
  for (const rope_scaling& rule : rules)
    scaling.push_back({.encoding = {.base = 500000, .rotary_dim = 32, .scaling = rule},
                       .layout = {.head_dim = 32},
                       .tokens = 4,
                       .positions = {7, -4095, 131071, last_position}});
  return scaling;
}

/// Positions with rows in the plan's table, and positions whose rows are computed on the spot.
inline std::vector<rotation_case> often_and_rare() {
  std::vector<rotation_case> often;
  for (const std::uint32_t flags : {0u, ROPEWALK_UNIT | ROPEWALK_BACKWARD})
    often.push_back({.encoding = {.base = 10000,
                                  .rotary_dim = 20,
                                  .scaling = yarn{.factor = 2, .original_max_position_embeddings = 64}},
                     .layout = {.head_dim = 20},
                     .batch = 2,
                     .tokens = 6,
                     .flags = flags,
                     .positions = {-21, -20, -1, 0, 1, 69, 70, 71, 7, 6, 5, 4},
                     .often = {-20, 70}});
  return often;
}

inline std::vector<rotation_case> all_elements() {
  std::vector<rotation_case> elements;
  for (const pairing both : both_pairings)
    elements.push_back({.encoding = {.base = 10000, .rotary_dim = 64},
                        .layout = {.head_dim = 64, .pairing_in = both, .pairing_out = both},
                        .tokens = 16,
                        .query_heads = 64,
                        .key_heads = 0});
  return elements;
}

}  // namespace detail

/// The groups in every format. They are made once, because frequencies take longer than rotations.
inline const std::vector<portable_group>& portable_groups() {
  using namespace detail;
  static const std::vector<portable_group> groups = [] {
    std::vector<portable_group> every{{"near-one", 1, contents::near_one, every_pairing()},
                                      {"pairings", 1, contents::any_bits, every_pairing()},
                                      {"arrangements", 1, contents::any_bits, every_arrangement()},
                                      {"tails", 1, contents::any_bits, every_tail()},
                                      {"far-positions", 1, contents::near_one, far_positions()},
                                      {"consecutive", 1, contents::near_one, consecutive_positions()},
                                      {"pieces", 7, contents::any_bits, consecutive_positions()},
                                      {"scalings", 1, contents::near_one, every_scaling()},
                                      {"often-and-rare", 1, contents::any_bits, often_and_rare()},
                                      {"every-bits", 1, contents::every_bits, all_elements()}};
    std::vector<portable_group> result;
    for (portable_group& group : every) {
      for (const rotation_case& test_case : group.cases)
        group.resolved.push_back(
            std::make_shared<const resolved_encoding>(test_case.encoding, test_case.layout, test_case.often));
      for (const ropewalk_dtype dtype : all_dtypes) {
        portable_group& added = result.emplace_back(group);
        added.name = std::string(name_of(dtype)) + '/' + group.name;
        for (rotation_case& test_case : added.cases) test_case.dtype = dtype;
      }
    }
    return result;
  }();
  return groups;
}

}  // namespace ropewalk::test
