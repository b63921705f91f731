// Tables of the sinusoidal encoding, in every convention.

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "export/tables.hpp"
#include "ropewalk/reference/sinusoidal_digits.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::tables {
namespace {

template <floating_format Float>
class encoding_rows : public table_rows {
 public:
  encoding_rows(const sinusoidal& config, const input::position_list& positions)
      : table_rows(positions.size(), config.d_model, sizeof(bits_of<Float>)),
        rows_(config),
        positions_(positions) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    const auto width = static_cast<std::size_t>(columns());
    std::vector<bits_of<Float>> made(static_cast<std::size_t>(count) * width);
    if (!positions_.is_real() && !positions_.is_listed)
      rows_.rows<Float>({positions_.at(first), positions_.at(first) + count}, made.data());
    else
      for (std::int64_t i = 0; i < count; ++i)
        rows_.row<Float>(positions_.number_at(first + i), made.data() + static_cast<std::size_t>(i) * width);
    std::memcpy(out, made.data(), made.size() * sizeof(bits_of<Float>));
  }

 private:
  sinusoidal_rows rows_;
  input::position_list positions_;
};

std::string convention_of(const sinusoidal& config) {
  std::string text;
  switch (config.layout) {
    case sinusoidal_layout::interleaved:
      text = "channel 2 pair = sin(row x inv_freq[pair]), channel 2 pair + 1 = cos(row x inv_freq[pair])";
      break;
    case sinusoidal_layout::sin_cos:
      text = "channels: sin(row x inv_freq[pair]) of all pairs, then cos";
      break;
    case sinusoidal_layout::cos_sin:
      text = "channels: cos(row x inv_freq[pair]) of all pairs, then sin";
      break;
  }
  if (config.d_model % 2 != 0) text += ", then a channel of zeros";
  text += "; inv_freq[pair] = ";
  if (config.scale != 1) text += "scale ";
  text += "base^(-pair / (floor(d_model / 2) - shift))";
  return text + (config.padding_idx ? "; row = position + padding_idx + 1, and that of position -1, the "
                                      "padding, is zero"
                                    : "; row = position");
}

table_description description_of(const sinusoidal& config, const input::position_list& positions) {
  table_description about = described(table_kind::sinusoidal);
  about.convention = convention_of(config);
  about.shape = {positions.size(), config.d_model};
  about.rows = positions.size();
  about.columns = config.d_model;
  about.rows_per_piece = rows_per_piece(about.columns, positions);
  return about;
}

class sinusoidal_numbers : public table {
 public:
  sinusoidal_numbers(const sinusoidal& config, const input::position_list& positions)
      : table(description_of(config, positions), sinusoidal_content{config, positions}) {}

  coordinates row_at(std::int64_t row) const override { return {{"position", positions_.text_at(row)}}; }

  std::string column_name(std::int64_t column) const override { return "channel_" + std::to_string(column); }

  coordinates entry_at(std::int64_t row, std::int64_t column) const override {
    const sinusoidal_channel content = content_of(static_cast<int>(column), config_);
    coordinates at = row_at(row);
    at.push_back({"channel", std::to_string(column)});
    if (content.holds == wave::zero) return at;
    at.push_back({"pair", std::to_string(content.pair)});
    at.push_back({"of", content.holds == wave::sine ? "sin" : "cos", true});
    return at;
  }

  void put(input::json& record) const override {
    record["positions"] = positions_.text();
    record["encoding"] = encoding_record(config_);
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      return std::make_unique<encoding_rows<Float>>(config_, positions_);
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    std::vector<std::string> made;
    for (int channel = 0; channel < config_.d_model; ++channel)
      made.push_back(reference::sinusoidal_digits(positions_.number_at(row), channel, config_, digits));
    return made;
  }

 private:
  const sinusoidal& config_ = std::get<sinusoidal_content>(content()).config;
  const input::position_list& positions_ = std::get<sinusoidal_content>(content()).positions;
};

}  // namespace

input::json encoding_record(const sinusoidal& config) {
  input::json record = {{"name", "sinusoidal"},
                        {"base", config.base},
                        {"d_model", config.d_model},
                        {"shift", config.shift},
                        {"layout", name_of(config.layout)}};
  if (config.scale != 1) record["scale"] = config.scale;
  if (config.d_model % 2 != 0) record["odd"] = name_of(config.odd);
  if (config.padding_idx) record["padding_idx"] = config.padding_idx.value;
  return record;
}

std::unique_ptr<table> sinusoidal_table_of(const sinusoidal& config, const input::position_list& positions) {
  return std::make_unique<sinusoidal_numbers>(config, positions);
}

}  // namespace ropewalk::tables
