#pragma once
// Cosines and sines of a whole sequence in one call.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// What apply_rope turns by.
struct cos_sin_rows {
  std::vector<float> cos;
  std::vector<float> sin;
};

/// Cosines and sines of positions 0 .. seq_len - 1, attention factor included.
///
/// shape   cos, sin [seq_len, rotary_dim / 2], row after row
/// domain  1 <= seq_len <= 2147483648
/// error   correctly rounded to binary32
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
/// source  Su et al. 2021, sec. 3.2
template <std::same_as<rope> Config = rope>
cos_sin_rows rotary_embedding(std::int64_t seq_len, const Config& config) {
  require(seq_len >= 1 && seq_len <= largest_position + 1, "seq_len", static_cast<double>(seq_len),
          "a whole number from 1 to 2147483648");
  const rope_rows rows(config);
  std::vector<std::uint32_t> cos(static_cast<std::size_t>(seq_len) * static_cast<std::size_t>(rows.pairs())),
      sin(cos);
  rows.rows<float>({0, seq_len}, false, cos.data(), sin.data());
  cos_sin_rows r;
  std::transform(cos.begin(), cos.end(), std::back_inserter(r.cos), from_bits<float>);
  std::transform(sin.begin(), sin.end(), std::back_inserter(r.sin), from_bits<float>);
  return r;
}

}  // namespace ropewalk
