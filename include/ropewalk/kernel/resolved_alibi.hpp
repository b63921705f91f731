#pragma once
// ALiBi resolved for a kernel that adds its bias: the slopes, each rounded once.

#include <concepts>
#include <vector>

#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk {

/// Owns the slopes of a ropewalk_bias_addition.
///
/// error   slopes are correctly rounded to 256 bits
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
class resolved_alibi {
 public:
  template <std::same_as<alibi> Config = alibi>
  explicit resolved_alibi(const Config& config) : config_(config) {
    validate(config);
    for (int head = 0; head < config.heads; ++head)
      slopes_.push_back(with_enough_limbs("slopes", [&]<int N>() {
                          return detail::round_real(alibi_slope<N>(head, config));
                        }).value);
  }

  /// The C struct, which points into this object.
  ropewalk_bias_addition view() const {
    return {.head = head_of<add_bias, ropewalk_bias_addition>(),
            .heads = config_.heads,
            .is_symmetric = config_.form == alibi_form::symmetric ? 1 : 0,
            .slopes = slopes_.data()};
  }

 private:
  alibi config_;
  std::vector<ropewalk_real> slopes_;
};

}  // namespace ropewalk
