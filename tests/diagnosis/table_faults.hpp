#pragma once
// Rotary tables as engines make them, in plain binary64 or binary32 arithmetic, with one mistake each: the
// faults of configurations and tables that public trackers show.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "diagnosis/given_array.hpp"
#include "model/model.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"

namespace ropewalk::table_faults {

/// An engine's table before it is laid out: frequencies, the factor of cosines and sines, and positions.
struct engine_table {
  std::vector<double> inv_freqs;
  double factor = 1;
  std::function<double(double)> position = [](double p) { return p; };
  double cos_sign = 1, sin_sign = 1;
};

/// 1 / base^(2 pair / width), by the engine's own pow.
inline std::vector<double> plain_inv_freqs(double base, int pairs, int width) {
  std::vector<double> freqs;
  for (int pair = 0; pair < pairs; ++pair) freqs.push_back(1 / std::pow(base, 2.0 * pair / width));
  return freqs;
}

/// Llama 3's rule as Hugging Face transformers writes it.
inline std::vector<double> by_llama3(std::vector<double> inv_freqs, const llama3& rule) {
  const double low = rule.original_max_position_embeddings / rule.low_freq_factor;
  const double high = rule.original_max_position_embeddings / rule.high_freq_factor;
  for (double& inv_freq : inv_freqs) {
    const double wavelength = 2 * std::numbers::pi / inv_freq;
    if (wavelength > low) {
      inv_freq /= rule.factor;
    } else if (wavelength >= high) {
      const double smooth = (rule.original_max_position_embeddings / wavelength - rule.low_freq_factor) /
                            (rule.high_freq_factor - rule.low_freq_factor);
      inv_freq = (1 - smooth) * inv_freq / rule.factor + smooth * inv_freq;
    }
  }
  return inv_freqs;
}

/// YaRN's ramp as Hugging Face transformers writes it; `is_reversed` exchanges its two ends.
inline std::vector<double> by_yarn(std::vector<double> inv_freqs, const rope& config, bool truncate,
                                   bool is_reversed = false) {
  const auto& rule = config.scaling.as<yarn>();
  const double dim = config.rotary_dim, length = rule.original_max_position_embeddings;
  const auto end = [&](double rotations) {
    return dim * std::log(length / (rotations * 2 * std::numbers::pi)) / (2 * std::log(config.base));
  };
  double low = end(rule.beta_fast), high = end(rule.beta_slow);
  if (truncate) low = std::floor(low), high = std::ceil(high);
  low = std::max(low, 0.0), high = std::min(high, dim - 1);
  if (low == high) high += 0.001;
  for (std::size_t pair = 0; pair < inv_freqs.size(); ++pair) {
    double ramp = std::min(1.0, std::max(0.0, (static_cast<double>(pair) - low) / (high - low)));
    if (is_reversed) ramp = 1 - ramp;
    inv_freqs[pair] = inv_freqs[pair] / factor_of(config.scaling) * ramp + inv_freqs[pair] * (1 - ramp);
  }
  return inv_freqs;
}

/// The frequencies and the factor that a right engine forms.
inline engine_table right_engine(const model::model& model) {
  const rope& own = model.encoding;
  engine_table engine{plain_inv_freqs(own.base, pair_count(own), own.rotary_dim)};
  const double factor = factor_of(own.scaling);
  if (own.scaling.is<llama3>()) engine.inv_freqs = by_llama3(engine.inv_freqs, own.scaling.as<llama3>());
  if (own.scaling.is<linear>())
    for (double& inv_freq : engine.inv_freqs) inv_freq /= factor;
  if (own.scaling.is<yarn>()) {
    const auto& rule = own.scaling.as<yarn>();
    engine.inv_freqs = by_yarn(engine.inv_freqs, own, rule.truncate);
    const auto mscale = [&](double m) { return factor <= 1 ? 1 : 0.1 * m * std::log(factor) + 1; };
    const bool has_both = rule.mscale.value_or(0) != 0 && rule.mscale_all_dim.value_or(0) != 0;
    engine.factor = rule.attention_factor ? rule.attention_factor.value
                    : has_both            ? mscale(rule.mscale.value) / mscale(rule.mscale_all_dim.value)
                                          : mscale(1);
  }
  if (own.scaling.is<longrope>()) {
    const auto& rule = own.scaling.as<longrope>();
    const bool is_long = static_cast<double>(own.seq_len) > rule.original_max_position_embeddings;
    const factor_list& list = is_long ? rule.long_factor : rule.short_factor;
    for (std::size_t pair = 0; pair < engine.inv_freqs.size(); ++pair)
      engine.inv_freqs[pair] /= list[static_cast<int>(pair)];
    engine.factor = rule.attention_factor ? rule.attention_factor.value
                    : rule.short_mscale   ? (is_long ? rule.long_mscale.value : rule.short_mscale.value)
                    : factor <= 1
                        ? 1
                        : std::sqrt(1 + std::log(factor) / std::log(rule.original_max_position_embeddings));
  }
  if (own.scaling.is<dynamic>()) {
    const auto& rule = own.scaling.as<dynamic>();
    const double length = std::max(static_cast<double>(own.seq_len), rule.max_position_embeddings);
    const double growth = rule.factor * length / rule.max_position_embeddings - (rule.factor - 1);
    const double dim = own.rotary_dim;
    engine.inv_freqs =
        plain_inv_freqs(own.base * std::pow(growth, dim / (dim - 2)), pair_count(own), own.rotary_dim);
  }
  if (own.scaling.is<ntk>()) {
    const double dim = own.rotary_dim;
    engine.inv_freqs =
        plain_inv_freqs(own.base * std::pow(factor, dim / (dim - 2)), pair_count(own), own.rotary_dim);
  }
  if (own.scaling.is<proportional>())
    for (int pair = 0; pair < pair_count(own); ++pair)
      engine.inv_freqs[static_cast<std::size_t>(pair)] *=
          pair < own.scaling.as<proportional>().live_pairs ? 1 / factor : 0;
  return engine;
}

/// Bytes of a number in a dtype, rounded to nearest even.
inline void append(std::vector<std::byte>& to, tables::table_dtype dtype, double value) {
  tables::in_format(dtype, [&]<class Float>() {
    const bits_of<Float> bits = convert<Float, double>(to_bits(value));
    const std::size_t at = to.size();
    to.resize(at + sizeof bits);
    std::memcpy(to.data() + at, &bits, sizeof bits);
  });
}

/// An array in memory.
inline diagnosis::given_array array_of(const tables::array_layout& layout, tables::table_dtype dtype,
                                       int pairs, const input::position_list& positions,
                                       std::vector<std::byte> bytes) {
  diagnosis::given_array array{layout, dtype, pairs, positions};
  const auto rows = static_cast<std::size_t>(diagnosis::grid_of(array).rows());
  array.read = [kept = std::move(bytes), rows](std::int64_t row, std::byte* out) {
    const std::size_t width = kept.size() / rows;
    std::memcpy(out, kept.data() + static_cast<std::size_t>(row) * width, width);
  };
  return array;
}

/// A format in which an engine computes.
enum class working { binary64, binary32 };

/// Lays out an engine's table as an array; in binary32, frequency, angle, cosine and product are rounded.
inline diagnosis::given_array laid_out(const engine_table& engine, const tables::array_layout& layout,
                                       tables::table_dtype dtype, const input::position_list& positions,
                                       working in) {
  const auto rounded = [&](double x) {
    return in == working::binary32 ? static_cast<double>(static_cast<float>(x)) : x;
  };
  const auto entry = [&](double position, int pair, bool is_sin) {
    const double inv_freq = rounded(engine.inv_freqs[static_cast<std::size_t>(pair)]);
    const double angle = rounded(rounded(engine.position(position)) * inv_freq);
    const double unit = rounded(is_sin ? std::sin(angle) : std::cos(angle));
    return rounded(unit * rounded(engine.factor)) * (is_sin ? engine.sin_sign : engine.cos_sign);
  };
  const int pairs = static_cast<int>(engine.inv_freqs.size());
  const tables::array_grid grid{layout, pairs, positions.size()};
  std::vector<std::byte> bytes;
  for (std::int64_t row = 0; row < grid.rows(); ++row)
    for (std::int64_t column = 0; column < grid.columns(); ++column) {
      const tables::array_place at = grid.at(row, column);
      const double value = has_positions(layout)
                               ? entry(positions.number_at(at.position_row), at.pair, at.is_sin)
                               : rounded(engine.inv_freqs[static_cast<std::size_t>(at.pair)]);
      append(bytes, dtype, value);
    }
  return array_of(layout, dtype, pairs, positions, std::move(bytes));
}

}  // namespace ropewalk::table_faults
