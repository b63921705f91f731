#pragma once
// One score of Transformer-XL in Boost.Multiprecision numbers of any precision, directly from its definition.
// Dai et al. 2019 (arXiv:1901.02860), sec. 3.3.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/config/transformer_xl.hpp"
#include "ropewalk/reference/number.hpp"
#include "ropewalk/reference/sinusoidal.hpp"

namespace ropewalk::reference {

/// The row of one relative position: the learned matrix times the sinusoids of the distance.
///
/// shape   [d_head]; weights [d_head][d_model]
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
std::vector<Number> transformer_xl_row(int distance, const std::vector<std::vector<Number>>& weights,
                                       const transformer_xl& config) {
  validate(config);
  require(weights.size() == static_cast<std::size_t>(config.d_head), "rows of weights",
          static_cast<double>(weights.size()), "d_head");
  std::vector<Number> row;
  for (const std::vector<Number>& of_channel : weights) {
    require(of_channel.size() == static_cast<std::size_t>(config.d_model), "columns of weights",
            static_cast<double>(of_channel.size()), "d_model");
    Number sum = 0;
    for (std::size_t i = 0; i < of_channel.size(); ++i)
      sum += of_channel[i] * sinusoidal_entry<Number>(distance, static_cast<int>(i), sinusoids_of(config));
    row.push_back(sum);
  }
  return row;
}

/// The score [(q + u) . k + (q + v) . r] / sqrt(d_head), with content bias u and position bias v.
///
/// domain  five vectors of the same length
/// error   a few ulp of the largest product
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
Number transformer_xl_score(const std::vector<Number>& query, const std::vector<Number>& key,
                            const std::vector<Number>& row, const std::vector<Number>& content_bias,
                            const std::vector<Number>& position_bias) {
  for (const auto* x : {&key, &row, &content_bias, &position_bias})
    require(x->size() == query.size(), "channels", static_cast<double>(x->size()), "those of the query");
  require(!query.empty(), "channels", 0, "a number above 0");
  Number sum = 0;
  for (std::size_t i = 0; i < query.size(); ++i)
    sum += (query[i] + content_bias[i]) * key[i] + (query[i] + position_bias[i]) * row[i];
  return Number(sum / sqrt(Number(static_cast<std::int64_t>(query.size()))));
}

}  // namespace ropewalk::reference
