#pragma once
// Encodings and cases for the tests of laws: drawn from a fixed seed, small, finite.

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::example {

struct encoding {
  const char* name;
  rope config;
  head_layout layout;
};

inline const std::vector<encoding>& encodings() {
  static const std::vector<encoding> all{
      {"default, half-split", {.base = 10000, .rotary_dim = 16}, {16}},
      {"llama3, interleaved",
       {.base = 500000,
        .rotary_dim = 32,
        .scaling = llama3{.factor = 8,
                          .low_freq_factor = 1,
                          .high_freq_factor = 4,
                          .original_max_position_embeddings = 8192}},
       {32, pairing::interleaved, pairing::interleaved}},
      {"yarn with a tail of channels",
       {.base = 1000000,
        .rotary_dim = 20,
        .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}},
       {27, pairing::interleaved, pairing::interleaved}},
  };
  return all;
}

/// The number of a format that is nearest to a binary64.
inline std::uint64_t bits_near(ropewalk_dtype dtype, double value) {
  return with_format(dtype, [&]<class Float>() -> std::uint64_t {
    return convert<Float, double>(std::bit_cast<std::uint64_t>(value));
  });
}

/// A case that meets the needs of a law: numbers in [-1, 1) and positions of every size.
inline law_case case_for(const law<checked_rotation>& law, const encoding& from, ropewalk_dtype dtype,
                         std::uint64_t seed) {
  std::mt19937_64 random(seed);
  law_case test_case;
  test_case.dtype = dtype;
  test_case.head_dim = from.layout.head_dim + (law.needs.pass_through_channels ? 3 : 0);
  test_case.batch = 2;
  test_case.tokens = 3;
  test_case.query_heads = 2;
  test_case.key_heads = law.needs.as_many_key_heads ? 2 : 1;
  test_case.query_in.gap = test_case.key_in.gap = test_case.query_out.gap = test_case.key_out.gap = 2;
  test_case.flags =
      law.needs.one_range || law.needs.attention_factor ? 0 : static_cast<std::uint32_t>(random() % 4);
  test_case.range = law.needs.one_range ? static_cast<int>(seed % position_ranges) : -1;
  for (int i = 0; i < 6; ++i) {
    auto position = static_cast<std::int32_t>(random() >> 33 >> random() % 31);
    if (random() % 2 == 0) position = -position;
    if (law.needs.one_range) position = static_cast<std::int32_t>(std::int64_t{1} << test_case.range);
    test_case.positions.push_back(law.needs.position_zero ? 0 : position);
  }
  test_case.shift[0] = static_cast<std::int32_t>(random() >> 40);
  test_case.power = 3;
  const auto fraction = [&] { return static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63; };
  for (std::int64_t i = 0; i < 12 * test_case.head_dim; ++i)
    test_case.query.push_back(bits_near(dtype, fraction()));
  for (std::int64_t i = 0; i < 6 * test_case.key_heads * test_case.head_dim; ++i)
    test_case.key.push_back(bits_near(dtype, fraction()));
  return test_case;
}

/// One head of zeros at one position.
inline law_case single_head(ropewalk_dtype dtype, int head_dim, std::int32_t position) {
  law_case head;
  head.dtype = dtype;
  head.head_dim = head_dim;
  head.query_heads = 1;
  head.positions = {static_cast<double>(position)};
  head.query.assign(static_cast<std::size_t>(head_dim), 0);
  return head;
}

}  // namespace ropewalk::example
