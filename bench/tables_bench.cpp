// tables: 131,072 x 64 correctly rounded cosines and sines in each format. Binary32 is compared with a copy
// of the same bytes, binary64 with a memset and with MPFR, 16-bit formats with binary32.

#include <mpfr.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "bench/benchmark_groups.hpp"
#include "bench/exact_row.hpp"
#include "bench/interleaved.hpp"
#include "bench/rotation.hpp"
#include "kernel/fast_rows.hpp"
#include "kernel/page_memory.hpp"
#include "kernel/wide_rows.hpp"

namespace ropewalk::bench {
namespace {

constexpr int row_count = 131072;
constexpr int pairs_of_row = configuration.rotary_dim / 2;

/// Fills both halves of a table: cosines, then sines.
template <class Float>
void fill_table(const rotation_plan& plan, std::byte* table) {
  const simd::target& target = *simd::targets().front();
  auto* const cos = reinterpret_cast<row_entry<Float>*>(table);
  auto* const sin = cos + row_count * pairs_of_row;
  if constexpr (std::is_same_v<Float, double>)
    wide_walk(wide_rows(plan, target, false)).rows({0, row_count}, cos, sin);
  else
    row_walk(fast_rows(plan, target)).rows<Float>({0, row_count}, false, cos, sin);
}

/// Cosines and sines computed by MPFR only: angles of 160 bits, results rounded once.
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

  /// Computes a sample of the table's rows: sampled_positions.
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

template <class Float>
constexpr std::size_t table_bytes = sizeof(row_entry<Float>) *
                                    2 * std::size_t{row_count} * std::size_t{pairs_of_row};

/// Memory in huge pages if the system grants them, written once.
page_memory<std::byte> written_pages(std::size_t bytes) {
  page_memory<std::byte> pages(bytes);
  std::memset(pages.data(), 1, bytes);
  return pages;
}

template <class Float, class Other>
void time_table(measure::bench_row& row, const pace& how, std::byte* table, Other other) {
  const resolved_encoding encoding = encoding_with(pairing::half_split);
  const rotation_plan plan(encoding.view());
  interleave(
      row, how, [&] { fill_table<Float>(plan, table); }, other);
  fill_table<Float>(plan, table);
  constexpr std::size_t bytes_of_row = sizeof(row_entry<Float>) * pairs_of_row;
  for (const std::size_t position : {0, 1, row_count / 2, row_count - 1}) {
    const std::byte* const cos = table + position * bytes_of_row;
    check_exact_bits<Float>(row, static_cast<std::int64_t>(position), cos, cos + row_count * bytes_of_row);
  }
}

void time_to_copy(measure::bench_row& row, const pace& how) {
  const auto table = written_pages(table_bytes<float>), from = written_pages(table_bytes<float>);
  time_table<float>(row, how, table.data(),
                    [&] { std::memcpy(table.data(), from.data(), table_bytes<float>); });
}

void time_to_memset(measure::bench_row& row, const pace& how) {
  const auto table = written_pages(table_bytes<double>);
  time_table<double>(row, how, table.data(), [&] { std::memset(table.data(), 1, table_bytes<double>); });
}

template <class Narrow>
void time_to_binary32(measure::bench_row& row, const pace& how) {
  const auto table = written_pages(table_bytes<Narrow>), other = written_pages(table_bytes<float>);
  const resolved_encoding encoding = encoding_with(pairing::half_split);
  const rotation_plan plan(encoding.view());
  time_table<Narrow>(row, how, table.data(), [&] { fill_table<float>(plan, other.data()); });
}

/// MPFR computes only a sample: its time is scaled to the whole table.
void time_to_mpfr(measure::bench_row& row, const pace& how) {
  const auto table = written_pages(table_bytes<double>);
  mpfr_table mpfr;
  time_table<double>(row, how, table.data(), [&] { mpfr.fill(); });
  for (measure::round_times& round : row.repetitions.back())
    round.other *= static_cast<double>(row_count) / mpfr_table::sampled_positions;
}

template <class Float>
measure::bench_row row_of_table(const char* group, const char* other) {
  measure::bench_row row = row_of(group, "walk", name_of(dtype_of<Float>), not_said, row_count);
  row.bytes = static_cast<double>(table_bytes<Float>);  // bytes written only
  row.other = other;
  return row;
}

}  // namespace

void add_tables(case_list& to) {
  to.push_back({row_of_table<float>("tables", "memcpy"), time_to_copy});
  to.push_back({row_of_table<double>("tables", "memset"), time_to_memset});
  to.push_back({row_of_table<binary16>("tables", "f32 table"), time_to_binary32<binary16>});
  to.push_back({row_of_table<bfloat16>("tables", "f32 table"), time_to_binary32<bfloat16>});
  to.push_back({row_of_table<double>("tables-and-mpfr", "MPFR"), time_to_mpfr});
}

}  // namespace ropewalk::bench
