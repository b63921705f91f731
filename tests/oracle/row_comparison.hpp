#pragma once
// Rows of cosine and sine compared with MPFR, in all formats at once.

#include <cstdint>
#include <ostream>
#include <vector>

#include "oracle/rope_oracle.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::oracle {

/// Result of a comparison: the number of wrong entries of each format, and the last wrong one.
struct wrong_entries {
  std::int64_t binary64 = 0;
  std::int64_t binary32 = 0;
  std::int64_t binary16 = 0;
  std::int64_t bfloat16 = 0;
  std::int64_t entries = 0;  // cosines and sines compared with MPFR, each in four formats
  std::int64_t last_position = 0;
  int last_pair = 0;

  std::int64_t total() const { return binary64 + binary32 + binary16 + bfloat16; }

  wrong_entries& operator+=(const wrong_entries& other) {
    if (other.total() != 0) {
      last_position = other.last_position;
      last_pair = other.last_pair;
    }
    binary64 += other.binary64;
    binary32 += other.binary32;
    binary16 += other.binary16;
    bfloat16 += other.bfloat16;
    entries += other.entries;
    return *this;
  }

  friend std::ostream& operator<<(std::ostream& out, const wrong_entries& w) {
    out << w.entries << " entries, wrong in f64: " << w.binary64 << ", f32: " << w.binary32
        << ", f16: " << w.binary16 << ", bf16: " << w.bfloat16;
    if (w.total() != 0) out << "; last at position " << w.last_position << ", pair " << w.last_pair;
    return out;
  }
};

/// Cosines and sines in one format; shape [positions, pairs].
template <floating_format Float>
struct rows_in {
  std::vector<bits_of<Float>> cos;
  std::vector<bits_of<Float>> sin;

  explicit rows_in(std::size_t entries) : cos(entries), sin(entries) {}
};

struct rows_in_all_formats {
  rows_in<double> binary64;
  rows_in<float> binary32;
  rows_in<ropewalk::binary16> binary16;
  rows_in<ropewalk::bfloat16> bfloat16;

  explicit rows_in_all_formats(std::size_t entries)
      : binary64(entries), binary32(entries), binary16(entries), bfloat16(entries) {}
};

/// Consecutive rows, computed by a walk.
inline rows_in_all_formats walked(const rope_rows& rows, position_range positions, bool unit = false) {
  rows_in_all_formats walked(static_cast<std::size_t>(size(positions)) *
                             static_cast<std::size_t>(rows.pairs()));
  const auto fill = [&]<class Float>(rows_in<Float>& part) {
    rows.rows<Float>(positions, unit, part.cos.data(), part.sin.data());
  };
  fill(walked.binary64), fill(walked.binary32), fill(walked.binary16), fill(walked.bfloat16);
  return walked;
}

/// One row, computed without a walk.
inline rows_in_all_formats row_of(const rope_rows& rows, std::int64_t position, bool unit = false) {
  rows_in_all_formats row(static_cast<std::size_t>(rows.pairs()));
  const auto fill = [&]<class Float>(rows_in<Float>& part) {
    rows.row<Float>(position, unit, part.cos.data(), part.sin.data());
  };
  fill(row.binary64), fill(row.binary32), fill(row.binary16), fill(row.bfloat16);
  return row;
}

/// Compares rows of consecutive positions with MPFR.
inline wrong_entries compare_with_mpfr(const rope_oracle& oracle, std::int64_t first,
                                       const rows_in_all_formats& rows) {
  wrong_entries wrong;
  const auto pairs = static_cast<std::size_t>(oracle.pairs());
  for (std::size_t i = 0; i < rows.binary64.cos.size(); ++i) {
    const std::int64_t position = first + static_cast<std::int64_t>(i / pairs);
    const int pair = static_cast<int>(i % pairs);
    const rope_oracle::entry truth = oracle.at(position, pair);
    const auto misses = [&]<class Float>(const rows_in<Float>& part) {
      return (part.cos[i] != truth.cos.in<Float>()) + (part.sin[i] != truth.sin.in<Float>());
    };
    wrong_entries here{misses(rows.binary64),
                       misses(rows.binary32),
                       misses(rows.binary16),
                       misses(rows.bfloat16),
                       2,
                       position,
                       pair};
    wrong += here;
  }
  return wrong;
}

}  // namespace ropewalk::oracle
