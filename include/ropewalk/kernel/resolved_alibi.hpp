#pragma once
// ALiBi resolved for a kernel that adds its bias: the slopes, each rounded once.

#include <concepts>
#include <vector>

#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk {

/// The field `origin` of a ropewalk_bias_addition.
constexpr ropewalk_bias_origin origin_of(alibi_form form) {
  if (form == alibi_form::last_key) return ROPEWALK_FROM_LAST_KEY;
  return form == alibi_form::key ? ROPEWALK_FROM_FIRST_KEY : ROPEWALK_FROM_QUERY;
}

/// The form that a checked encoding has.
constexpr alibi_form form_of(const ropewalk_bias_addition& encoding) {
  if (encoding.origin == ROPEWALK_FROM_LAST_KEY) return alibi_form::last_key;
  if (encoding.origin == ROPEWALK_FROM_FIRST_KEY) return alibi_form::key;
  return encoding.is_symmetric == 1 ? alibi_form::symmetric : alibi_form::causal;
}

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
            .slopes = slopes_.data(),
            .origin = origin_of(config_.form)};
  }

 private:
  alibi config_;
  std::vector<ropewalk_real> slopes_;
};

}  // namespace ropewalk
