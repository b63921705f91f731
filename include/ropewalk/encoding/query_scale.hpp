#pragma once
// The scale of queries by their position, as an exact value. It is 1 in the first step, and irrational in
// every other: the logarithm of a whole number above 1 is transcendental, and so is its product with a
// rational strength. So no scale is a rounding tie.

#include <cstdint>

#include "ropewalk/config/query_scale.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Scale of the queries in one step: 1 + strength ln(1 + step).
///
/// domain  0 <= step <= 2^31
/// error   carried by the enclosure; exact in step 0, and where the strength is 0
/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr enclosure<N> query_scale_of_step(std::int64_t step, const query_scale& config) {
  validate(config);
  require(step >= 0 && step <= largest_position + 1, "step", static_cast<double>(step),
          "a number from 0 to 2147483648");
  const auto item = enclosure<N>::of(1);
  if (step == 0 || config.strength == 0) return item;
  return item + enclosure<N>::of(config.strength) * log(enclosure<N>::of(step + 1));
}

/// Factor by which a model multiplies the query at a position, before the scores.
///
/// shape   scalar; a table has one for each position
/// units   none
/// domain  0 <= position <= 2147483647
/// error   carried by the enclosure; exact where position + shift is below the length
/// throws  std::invalid_argument naming the field and its value
/// source  Llama4TextAttention in Hugging Face transformers (attn_temperature_tuning);
///         get_llama_4_attn_scale in its Ministral3
template <int N>
constexpr enclosure<N> query_scale_at(std::int64_t position, const query_scale& config) {
  validate_position(position, config);
  return query_scale_of_step<N>(scale_step(position, config), config);
}

}  // namespace ropewalk
