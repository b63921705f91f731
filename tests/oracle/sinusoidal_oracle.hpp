#pragma once
// Rows of the sinusoidal encoding by MPFR: frequencies from `reference` in run-time precision, sines and
// cosines by MPFR's own functions, in the layouts of engines. One evaluation serves all formats.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "oracle/rope_oracle.hpp"
#include "ropewalk/reference/sinusoidal.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::oracle {

class sinusoidal_oracle {
 public:
  explicit sinusoidal_oracle(const sinusoidal& config, mpfr_prec_t table_bits = 1024) : config_(config) {
    for (int pair = 0; pair < config.d_model / 2; ++pair)
      inv_freq_.push_back(detail::in_precision(
          table_bits, [&] { return reference::sinusoidal_inv_freq<detail::boost_number>(pair, config); }));
  }

  /// throws  std::runtime_error when an entry needs more bits than the table has
  std::vector<four_roundings> row(double position) const {
    std::vector<four_roundings> row(static_cast<std::size_t>(config_.d_model));
    if (config_.padding_idx && position == -1) return row;
    mpfr_number where(2200, position);
    if (config_.padding_idx) mpfr_add_si(where, where, config_.padding_idx.value + 1L, MPFR_RNDN);
    const std::size_t pairs = inv_freq_.size();
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const waves both = at(where, inv_freq_[pair]);
      switch (config_.layout) {
        case sinusoidal_layout::interleaved: row[2 * pair] = both.sin, row[2 * pair + 1] = both.cos; break;
        case sinusoidal_layout::sin_cos: row[pair] = both.sin, row[pairs + pair] = both.cos; break;
        case sinusoidal_layout::cos_sin: row[pair] = both.cos, row[pairs + pair] = both.sin; break;
      }
    }
    return row;
  }

 private:
  struct waves {
    four_roundings sin;
    four_roundings cos;
  };

  static waves at(const mpfr_number& row, const mpfr_number& inv_freq) {
    if (mpfr_zero_p(row)) return {{}, {to_bits(1.0), to_bits(1.0f), 0x3c00, 0x3f80}};
    const mpfr_exp_t whole_bits = std::max<mpfr_exp_t>(0, mpfr_get_exp(row) + mpfr_get_exp(inv_freq));
    for (mpfr_prec_t bits = 112;; bits *= 2) {
      // The table's error, below 2^(2 - its bits) of the angle, must be negligible against that of `bits`.
      if (bits + whole_bits + 8 > inv_freq.bits())
        throw std::runtime_error("oracle: an entry of a table is undecided");
      if (const auto decided = try_at(row, inv_freq, bits + whole_bits)) return *decided;
    }
  }

  static std::optional<waves> try_at(const mpfr_number& row, const mpfr_number& inv_freq, mpfr_prec_t bits) {
    mpfr_number angle(bits), cos(bits), sin(bits);
    mpfr_mul(angle, row, inv_freq, MPFR_RNDN);
    mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
    // The angle is off by less than 2^(its exponent + 1 - bits). |sin x| <= |x|, and slopes are at most 1.
    const mpfr_exp_t error = mpfr_get_exp(angle) + 2 - bits;
    const auto rounded_cos =
        round_to_all(detail::widened(cos, std::max<mpfr_exp_t>(mpfr_get_exp(angle), 1) + 2 - bits));
    const auto rounded_sin = round_to_all(detail::widened(sin, error));
    if (!rounded_cos || !rounded_sin) return std::nullopt;
    return waves{*rounded_sin, *rounded_cos};
  }

  sinusoidal config_;
  std::vector<mpfr_number> inv_freq_;
};

/// Number of entries of a row that differ from MPFR's, in one format.
template <floating_format Float>
std::int64_t wrong_entries_of(const bits_of<Float>* row, const std::vector<four_roundings>& truth) {
  std::int64_t wrong = 0;
  for (std::size_t channel = 0; channel < truth.size(); ++channel)
    wrong += row[channel] != truth[channel].in<Float>();
  return wrong;
}

}  // namespace ropewalk::oracle
