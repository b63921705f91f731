// tables: 131,072 x 64 correctly rounded cosines and sines, against a memset of the same bytes and against
// MPFR.

#include <mpfr.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/nouns.hpp"
#include "bench/page_buffer.hpp"
#include "bench/rotation.hpp"
#include "kernel/fast_rows.hpp"
#include "kernel/wide_rows.hpp"

namespace ropewalk::bench {
namespace {

constexpr int row_count = 131072;
constexpr int pairs_of_row = configuration.rotary_dim / 2;

/// Fills both halves of a table: cosines, then sines.
template <class Float>
void fill_table(const rotation_plan& plan, Float* cos, Float* sin) {
  const simd::target& target = *simd::targets().front();
  if constexpr (std::is_same_v<Float, float>)
    row_walk(fast_rows(plan, target)).rows({0, row_count}, false, cos, sin);
  else
    wide_walk(wide_rows(plan, target, false)).rows({0, row_count}, cos, sin);
}

/// Cosines and sines by MPFR alone: angles of 160 bits, results rounded once.
class mpfr_table {
 public:
  static constexpr int sampled_positions = 64;

  mpfr_table() {
    mpfr_init2(angle_, precision);
    mpfr_init2(cos_, 53);
    mpfr_init2(sin_, 53);
    for (int pair = 0; pair < pairs_of_row; ++pair) {
      auto& inv_freq = inv_freq_.emplace_back();
      mpfr_init2(&inv_freq, precision);
      mpfr_set_si(angle_, -2 * pair, MPFR_RNDN);
      mpfr_div_si(angle_, angle_, configuration.rotary_dim, MPFR_RNDN);  // exact: a power of two
      mpfr_set_d(&inv_freq, configuration.base, MPFR_RNDN);
      mpfr_pow(&inv_freq, &inv_freq, angle_, MPFR_RNDN);
    }
  }
  mpfr_table(const mpfr_table&) = delete;
  mpfr_table& operator=(const mpfr_table&) = delete;
  ~mpfr_table() {
    for (auto& inv_freq : inv_freq_) mpfr_clear(&inv_freq);
    mpfr_clears(angle_, cos_, sin_, nullptr);
  }

  /// Computes sampled_positions of the table's rows.
  void fill() {
    for (int position = 0; position < row_count; position += row_count / sampled_positions)
      for (auto& inv_freq : inv_freq_) {
        mpfr_mul_si(angle_, &inv_freq, position, MPFR_RNDN);
        mpfr_sin_cos(sin_, cos_, angle_, MPFR_RNDN);
        benchmark::DoNotOptimize(mpfr_get_d(sin_, MPFR_RNDN) + mpfr_get_d(cos_, MPFR_RNDN));
      }
  }

 private:
  static constexpr mpfr_prec_t precision = 160;
  std::vector<std::remove_extent_t<mpfr_t>> inv_freq_;
  mpfr_t angle_, cos_, sin_;
};

template <class Float, class Other>
interleaved_times time_table(benchmark::State& state, std::byte* table, Other other) {
  const resolved_encoding encoding = encoding_with(pairing::half_split);
  const rotation_plan plan(encoding.view());
  auto* cos = reinterpret_cast<Float*>(table);
  return interleave(
      state, 1, [&] { fill_table<Float>(plan, cos, cos + row_count * pairs_of_row); }, other);
}

template <class Float>
constexpr std::size_t table_bytes = sizeof(Float) * 2 * std::size_t{row_count} * std::size_t{pairs_of_row};

template <class Float>
void time_to_memset(benchmark::State& state) {
  const page_buffer table(table_bytes<Float>);
  const auto times =
      time_table<Float>(state, table.data(), [&] { std::memset(table.data(), 1, table_bytes<Float>); });
  count(state, times, table_bytes<Float>, "memset");
}

/// The ratio compares times per entry, since MPFR computes only a sample.
void time_to_mpfr(benchmark::State& state) {
  const page_buffer table(table_bytes<double>);
  mpfr_table mpfr;
  auto times = time_table<double>(state, table.data(), [&] { mpfr.fill(); });
  times.ratio *= static_cast<double>(mpfr_table::sampled_positions) / row_count;
  count(state, times, table_bytes<double>, "mpfr");
}

}  // namespace

void register_tables() {
  const auto name = [](const char* noun, const char* dtype) {
    return benchmark_name(noun, "walk", dtype, not_said, row_count);
  };
  add_benchmark(name("tables", "f32"), 15, time_to_memset<float>);
  add_benchmark(name("tables", "f64"), 11, time_to_memset<double>);
  add_benchmark(name("tables-and-mpfr", "f64"), 11, time_to_mpfr);
}

}  // namespace ropewalk::bench
