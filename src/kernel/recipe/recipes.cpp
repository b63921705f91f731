#include "kernel/recipe/recipes.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernel/recipe/application.hpp"
#include "kernel/recipe/element.hpp"
#include "kernel/recipe/nearest_cos_sin.hpp"

namespace ropewalk::recipe {
namespace {

float to_bfloat16(float value) { return widened<bfloat16>(rounded<bfloat16>(value), nullptr); }

cos_sin_of<float> scaled(cos_sin_of<float> point, double factor) {
  if (factor == 1) return point;
  const auto single = static_cast<float>(factor);
  return {point.cos * single, point.sin * single};
}

/// Replaces the angles in `cos` by a row of scaled cosines and sines.
void row_of_angles(std::size_t pairs, double factor, float* cos, float* sin) {
  nearest_cos_sin({cos, pairs}, cos, sin);
  for (std::size_t pair = 0; factor != 1 && pair < pairs; ++pair) {
    const cos_sin_of<float> point = scaled({cos[pair], sin[pair]}, factor);
    cos[pair] = point.cos;
    sin[pair] = point.sin;
  }
}

double factor_of(const frequencies& from, bool unit) { return unit ? 1 : from.attention_factor; }

struct hf_f32 {
  static void row(const frequencies& from, std::int64_t position, bool unit, float* cos, float* sin) {
    const auto where = static_cast<float>(position);
    const std::size_t pairs = from.single_inv_freq.size();
    for (std::size_t pair = 0; pair < pairs; ++pair) cos[pair] = where * from.single_inv_freq[pair];
    row_of_angles(pairs, factor_of(from, unit), cos, sin);
  }

  static void inv_freqs(const frequencies& from, double* out) {
    std::copy(from.single_inv_freq.begin(), from.single_inv_freq.end(), out);
  }
};

struct ggml {
  static void row(const frequencies& from, std::int64_t position, bool unit, float* cos, float* sin) {
    auto theta = static_cast<float>(position);
    for (std::size_t pair = 0; pair < from.divisor.size(); ++pair) {
      cos[pair] = theta / from.divisor[pair];
      theta *= from.theta_scale;
    }
    row_of_angles(from.divisor.size(), factor_of(from, unit), cos, sin);
  }

  /// The angles at position 1.
  static void inv_freqs(const frequencies& from, double* out) {
    float theta = 1;
    for (std::size_t pair = 0; pair < from.divisor.size(); ++pair) {
      out[pair] = theta / from.divisor[pair];
      theta *= from.theta_scale;
    }
  }
};

struct bf16_cache {
  static void row(const frequencies& from, std::int64_t position, bool unit, float* cos, float* sin) {
    hf_f32::row(from, position, unit, cos, sin);
    std::transform(cos, cos + from.single_inv_freq.size(), cos, to_bfloat16);
    std::transform(sin, sin + from.single_inv_freq.size(), sin, to_bfloat16);
  }

  static void inv_freqs(const frequencies& from, double* out) { hf_f32::inv_freqs(from, out); }
};

struct bf16_angle {
  static void row(const frequencies& from, std::int64_t position, bool unit, float* cos, float* sin) {
    const float where = to_bfloat16(static_cast<float>(position));
    for (std::size_t pair = 0; pair < from.single_inv_freq.size(); ++pair) {
      const float angle = to_bfloat16(where * to_bfloat16(from.single_inv_freq[pair]));
      const cos_sin_of<float> point = nearest_cos_sin(angle);
      const cos_sin_of<float> entry =
          scaled({to_bfloat16(point.cos), to_bfloat16(point.sin)}, factor_of(from, unit));
      cos[pair] = to_bfloat16(entry.cos);
      sin[pair] = to_bfloat16(entry.sin);
    }
  }

  static void inv_freqs(const frequencies& from, double* out) {
    std::transform(from.single_inv_freq.begin(), from.single_inv_freq.end(), out, to_bfloat16);
  }
};

struct f64 {
  static void row(const frequencies& from, std::int64_t position, bool unit, float* cos, float* sin) {
    for (std::size_t pair = 0; pair < from.inv_freq.size(); ++pair) {
      const double angle = static_cast<double>(position) * from.inv_freq[pair];
      const cos_sin_of<float> point = nearest_cos_sin_narrowed(angle, factor_of(from, unit));
      cos[pair] = point.cos;
      sin[pair] = point.sin;
    }
  }

  static void wide_row(const frequencies& from, std::int64_t position, bool unit, double* cos, double* sin) {
    for (std::size_t pair = 0; pair < from.inv_freq.size(); ++pair) {
      const cos_sin_of<double> point = nearest_cos_sin(static_cast<double>(position) * from.inv_freq[pair]);
      cos[pair] = point.cos * factor_of(from, unit);
      sin[pair] = point.sin * factor_of(from, unit);
    }
  }

  static void inv_freqs(const frequencies& from, double* out) {
    std::copy(from.inv_freq.begin(), from.inv_freq.end(), out);
  }
};

/// Computes a row in binary32 and widens its entries.
template <class Recipe>
void widened_row(const frequencies& from, std::int64_t position, bool unit, double* cos, double* sin) {
  std::vector<float> row(2 * from.inv_freq.size());
  float* const row_sin = row.data() + from.inv_freq.size();
  Recipe::row(from, position, unit, row.data(), row_sin);
  std::copy_n(row.data(), from.inv_freq.size(), cos);
  std::copy_n(row_sin, from.inv_freq.size(), sin);
}

template <class Recipe>
constexpr known_recipe single(std::string_view name, std::string_view text, promise promised,
                              bool takes_single_inv_freq = true,
                              void (*turn)(const recipe_call&) = turn_canonically) {
  return {name, text, promised, takes_single_inv_freq, Recipe::row, widened_row<Recipe>, Recipe::inv_freqs,
          turn};
}

constexpr promise bf16_cache_promise{
    .angle = ROPEWALK_PART_F32, .table = ROPEWALK_PART_BF16, .rotation = ROPEWALK_PART_F32, .is_fused = true};
constexpr promise bf16_angle_promise{.angle = ROPEWALK_PART_BF16,
                                     .table = ROPEWALK_PART_BF16,
                                     .rotation = ROPEWALK_PART_F32,
                                     .is_fused = true};

constexpr promise repeated_multiplication{.frequency = ROPEWALK_PART_REPEATED_F32,
                                          .angle = ROPEWALK_PART_F32,
                                          .table = ROPEWALK_PART_F32,
                                          .rotation = ROPEWALK_PART_F32,
                                          .is_fused = true};

constexpr known_recipe recipes[] = {
    single<hf_f32>("recipe-hf-f32", "the angle in binary32, as Hugging Face, vLLM and others form it",
                   promise::angle_f32),
    single<ggml>("recipe-ggml", "the angle by repeated multiplication in binary32, as ggml on a CPU",
                 repeated_multiplication, false, turn_pair_by_pair),
    single<bf16_cache>("recipe-bf16-cache", "the angle in binary32, cosines and sines kept in bfloat16",
                       bf16_cache_promise),
    single<bf16_angle>("recipe-bf16-angle", "inverse frequency, position and angle in bfloat16",
                       bf16_angle_promise),
    {"recipe-f64", "everything in binary64, entries rounded at the end", promise::angle_f64, false, f64::row,
     f64::wide_row, f64::inv_freqs, turn_canonically}};

}  // namespace

std::span<const known_recipe, recipe_count> known_recipes() { return recipes; }

}  // namespace ropewalk::recipe
