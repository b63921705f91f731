#include "command/table_rows.hpp"

#include <cstring>
#include <utility>

#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/rope_rows.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk::command {
namespace {

/// A table that is small enough to be made whole: a row for each pair.
template <class Row>
class pair_rows : public table_rows {
 public:
  pair_rows(std::vector<Row> made, std::int64_t columns, std::size_t element_size)
      : table_rows(static_cast<std::int64_t>(made.size()), columns, element_size), made_(std::move(made)) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    std::memcpy(out, made_.data() + first, static_cast<std::size_t>(count) * row_bytes());
  }

 private:
  std::vector<Row> made_;
};

template <floating_format Float>
class cos_sin_rows : public table_rows {
 public:
  cos_sin_rows(table_kind kind, const rope& config, const position_list& positions)
      : table_rows(positions.size(), pair_count(config), sizeof(bits_of<Float>)),
        wants_cos_(kind == table_kind::cos),
        exact_(config),
        positions_(positions) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    const auto width = static_cast<std::size_t>(columns());
    std::vector<bits_of<Float>> cos(static_cast<std::size_t>(count) * width), sin(cos.size());
    if (positions_.is_listed) {
      for (std::int64_t i = 0; i < count; ++i) {
        const std::size_t at = static_cast<std::size_t>(i) * width;
        exact_.template row<Float>(positions_.at(first + i), false, cos.data() + at, sin.data() + at);
      }
    } else {
      const position_range run{positions_.at(first), positions_.at(first) + count};
      exact_.template rows<Float>(run, false, cos.data(), sin.data());
    }
    const auto& wanted = wants_cos_ ? cos : sin;
    std::memcpy(out, wanted.data(), wanted.size() * sizeof(bits_of<Float>));
  }

 private:
  bool wants_cos_;
  rope_rows exact_;
  position_list positions_;
};

template <floating_format Float>
std::unique_ptr<table_rows> make_rows(table_kind kind, const rope& config, const position_list& positions) {
  if (has_positions(kind)) return std::make_unique<cos_sin_rows<Float>>(kind, config, positions);
  return std::make_unique<pair_rows<bits_of<Float>>>(inv_freqs<Float>(config), 1, sizeof(bits_of<Float>));
}

}  // namespace

std::unique_ptr<table_rows> make_table_rows(table_kind kind, table_dtype dtype, const rope& config,
                                            const position_list& positions) {
  switch (dtype) {
    case table_dtype::f64: return make_rows<double>(kind, config, positions);
    case table_dtype::f32: return make_rows<float>(kind, config, positions);
    case table_dtype::f16: return make_rows<binary16>(kind, config, positions);
    case table_dtype::bf16: return make_rows<bfloat16>(kind, config, positions);
    case table_dtype::u32: break;
  }
  constexpr int words = 4;
  return std::make_unique<pair_rows<turn_fraction<words>>>(turn_fractions<words>(config), words,
                                                           sizeof(std::uint32_t));
}

std::vector<std::int64_t> shape_of(table_kind kind, const rope& config, const position_list& positions) {
  const std::int64_t pairs = pair_count(config);
  if (kind == table_kind::inv_freq) return {pairs};
  if (kind == table_kind::turns) return {pairs, 4};
  return {positions.size(), pairs};
}

}  // namespace ropewalk::command
