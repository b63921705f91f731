#pragma once
// The numbers that an addition should add, as bits and as exact values: rows of a sinusoidal encoding, or
// ALiBi's biases.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <variant>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/kernel/resolved_alibi.hpp"
#include "ropewalk/kernel/resolved_sinusoidal.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk {

class addition_truth {
 public:
  /// Rows of a sinusoidal encoding.
  ///
  /// throws  std::invalid_argument naming the field and its value
  explicit addition_truth(const sinusoidal& config);
  /// ALiBi's biases for scores of `keys` keys.
  addition_truth(const alibi& config, int keys);

  /// Calls visit.operator()<add_row>() or visit.operator()<add_bias>().
  template <class Visit>
  decltype(auto) visit_operation(Visit visit) const {
    return is_row() ? visit.template operator()<add_row>() : visit.template operator()<add_bias>();
  }
  /// ROPEWALK_ADD_ROW for sinusoids, ROPEWALK_ADD_BIAS for ALiBi.
  ropewalk_operation operation() const {
    return visit_operation([]<class Operation>() { return Operation::number; });
  }
  /// Calls use(head of the resolved encoding). `often` is the encoding's hint of frequent positions; an empty
  /// range gives no hint, and biases ignore it.
  void with_encoding(position_range often, const std::function<void(const ropewalk_head&)>& use) const;
  /// Channels of a head, or keys of a score row.
  int width() const { return is_row() ? row().rows.width() : keys_; }
  /// Channels or keys that are added to; the other channels are copied.
  int added() const { return is_row() ? 2 * pair_count(row().rows.config()) : keys_; }
  /// Heads that the scores must have; 0 for rows, which are added to any number of heads.
  int heads() const { return is_row() ? 0 : bias().biases.config().heads; }
  /// The form of the biases; none for rows.
  std::optional<alibi_form> form() const {
    return is_row() ? std::nullopt : std::optional(bias().biases.config().form);
  }

  /// Whether positions may be real: only for rows without an offset, because the sum could round.
  bool has_real_positions() const { return is_row() && row_offset(row().rows.config()) == 0; }

  /// Numbers that are added to one head of a token, in the format of the sum.
  ///
  /// shape   to [width()]; channels that are copied have +0
  /// domain  a whole position for biases
  /// error   correctly rounded
  template <floating_format Wide>
  void entries(double position, int head, bits_of<Wide>* to) const {
    if (is_row()) return row().rows.template row<Wide>(position, to);
    for (int key = 0; key < keys_; ++key)
      to[key] = bias().biases.template entry<Wide>(head, static_cast<std::int64_t>(position), key, keys_);
  }

  /// Exact value of one entry.
  template <int N>
  enclosure<N> exact(double position, int head, int channel) const {
    if (is_row()) return sinusoidal_entry<N>(position, channel, row().rows.config());
    const alibi& config = bias().biases.config();
    const std::int64_t origin = alibi_origin(static_cast<std::int64_t>(position), keys_, config.form);
    return ropewalk::alibi_bias<N>(head, origin - channel, config);
  }

 private:
  struct row_truth {
    explicit row_truth(const sinusoidal& config);
    sinusoidal_rows rows;
    resolved_sinusoidal resolved;
  };
  struct bias_truth {
    explicit bias_truth(const alibi& config);
    alibi_biases biases;
    resolved_alibi resolved;
  };

  bool is_row() const { return std::holds_alternative<row_truth>(truth_); }
  const row_truth& row() const { return *std::get_if<row_truth>(&truth_); }
  const bias_truth& bias() const { return *std::get_if<bias_truth>(&truth_); }

  std::variant<row_truth, bias_truth> truth_;
  int keys_ = 0;
};

}  // namespace ropewalk
