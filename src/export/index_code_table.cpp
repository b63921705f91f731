// Tables of index codes: positions, normalised positions, binary digits, or one sine per channel.

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "export/tables.hpp"
#include "ropewalk/reference/index_code_digits.hpp"
#include "ropewalk/table/index_code_rows.hpp"

namespace ropewalk::tables {
namespace {

template <floating_format Float>
class code_rows : public table_rows {
 public:
  code_rows(const index_code& config, const input::position_list& positions)
      : table_rows(positions.size(), config.width, sizeof(bits_of<Float>)),
        codes_(config),
        positions_(positions) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    std::vector<bits_of<Float>> made(static_cast<std::size_t>(count * columns()));
    if (!positions_.is_real() && !positions_.is_listed)
      codes_.rows<Float>({positions_.at(first), positions_.at(first) + count}, made.data());
    else
      for (std::int64_t i = 0; i < count; ++i) {
        auto* const row = made.data() + i * columns();
        if (positions_.is_real())
          codes_.row<Float>(positions_.real_at(first + i), row);
        else
          codes_.row<Float>(positions_.at(first + i), row);
      }
    std::memcpy(out, made.data(), made.size() * sizeof(bits_of<Float>));
  }

 private:
  index_code_rows codes_;
  input::position_list positions_;
};

/// Whether a row is one number.
bool is_one_number(index_code_kind kind) {
  return kind == index_code_kind::integer || kind == index_code_kind::normalised;
}

input::json record_of(const index_code& config) {
  input::json record = {{"name", name_of(config.kind)}};
  if (config.kind == index_code_kind::normalised) record["length"] = config.length;
  if (!is_one_number(config.kind)) record["width"] = config.width;
  if (config.kind == index_code_kind::binary) record["bit_order"] = name_of(config.order);
  if (config.kind == index_code_kind::sine_only) record["base"] = config.base;
  return record;
}

table_description description_of(table_kind kind, const index_code& config,
                                 const input::position_list& positions) {
  table_description about = described(kind);
  if (kind == table_kind::binary) {
    about.convention =
        config.order == bit_order::lsb
            ? "entry [row, column] is bit `column` of the position, the least significant first"
            : "entry [row, column] is bit width - 1 - `column` of the position, the most "
              "significant first";
    about.rounding = "none: every entry is 0 or 1";
  }
  about.shape = {positions.size(), config.width};
  about.rows = positions.size();
  about.columns = config.width;
  about.rows_per_piece = rows_per_piece(about.columns, positions);
  return about;
}

class index_code_numbers : public table {
 public:
  index_code_numbers(table_kind kind, const index_code& config, const input::position_list& positions)
      : table(description_of(kind, config, positions), index_code_content{config, positions}) {}

  coordinates row_at(std::int64_t row) const override { return {{"position", positions_.text_at(row)}}; }

  std::string column_name(std::int64_t column) const override {
    if (is_one_number(config_.kind)) return about().array;
    return (config_.kind == index_code_kind::binary ? "bit_" : "channel_") + number_of(column);
  }

  coordinates entry_at(std::int64_t row, std::int64_t column) const override {
    coordinates at = row_at(row);
    if (!is_one_number(config_.kind))
      at.push_back({config_.kind == index_code_kind::binary ? "bit" : "channel", number_of(column)});
    return at;
  }

  void put(input::json& record) const override {
    record["positions"] = positions_.text();
    record["encoding"] = record_of(config_);
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      return std::make_unique<code_rows<Float>>(config_, positions_);
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    std::vector<std::string> made;
    for (int column = 0; column < config_.width; ++column)
      made.push_back(is_rational(config_.kind)
                         ? reference::index_code_digits(positions_.at(row), column, config_, digits)
                         : reference::sine_only_digits(positions_.number_at(row), column, config_, digits));
    return made;
  }

 private:
  /// Number of a column in labels: for a bit, the exponent of its place value.
  std::string number_of(std::int64_t column) const {
    const bool is_reversed = config_.kind == index_code_kind::binary && config_.order == bit_order::msb;
    return std::to_string(is_reversed ? config_.width - 1 - column : column);
  }

  const index_code& config_ = std::get<index_code_content>(content()).config;
  const input::position_list& positions_ = std::get<index_code_content>(content()).positions;
};

/// Refuses positions outside the code's range, before anything is written.
void refuse_positions_without_code(const index_code& config, const input::position_list& positions) {
  if (config.kind == index_code_kind::binary)
    return refuse_positions_beyond(positions, std::int64_t{1} << config.width,
                                   "as width " + std::to_string(config.width) + " has bits for");
  if (config.kind == index_code_kind::normalised)
    refuse_positions_beyond(positions, config.length, "as length " + std::to_string(config.length) + " says");
}

}  // namespace

std::unique_ptr<table> index_codes_of(table_kind kind, const index_code& config,
                                      const input::position_list& positions) {
  refuse_positions_without_code(config, positions);
  return std::make_unique<index_code_numbers>(kind, config, positions);
}

}  // namespace ropewalk::tables
