// Tables of the scale of queries by their position.

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "export/tables.hpp"
#include "ropewalk/reference/query_scale_digits.hpp"
#include "ropewalk/table/query_scale_table.hpp"

namespace ropewalk::tables {
namespace {

/// Rows of one number. Positions in a range share the scale of their step.
template <floating_format Float>
class scale_rows : public table_rows {
 public:
  scale_rows(const query_scale& config, const input::position_list& positions)
      : table_rows(positions.size(), 1, sizeof(bits_of<Float>)), config_(config), positions_(positions) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    std::vector<bits_of<Float>> made;
    if (!positions_.is_listed) {
      made = query_scales<Float>({positions_.at(first), positions_.at(first) + count}, config_);
    } else {
      for (std::int64_t i = 0; i < count; ++i)
        made.push_back(round_query_scale<Float>(positions_.at(first + i), config_));
    }
    std::memcpy(out, made.data(), made.size() * sizeof(bits_of<Float>));
  }

 private:
  query_scale config_;
  input::position_list positions_;
};

table_description description_of(const input::position_list& positions) {
  table_description about = described(table_kind::query_scale);
  about.shape = {positions.size()};
  about.rows = positions.size();
  about.columns = 1;
  about.rows_per_piece = rows_per_piece(1, positions);
  return about;
}

class scales_of_queries : public table {
 public:
  scales_of_queries(const query_scale& config, const input::position_list& positions, std::string model)
      : table(description_of(positions), query_scale_content{config, positions}), model_(std::move(model)) {}

  coordinates row_at(std::int64_t row) const override { return {{"position", positions_.text_at(row)}}; }
  std::string column_name(std::int64_t) const override { return about().array; }
  coordinates entry_at(std::int64_t row, std::int64_t) const override { return row_at(row); }

  void put(input::json& record) const override {
    if (!model_.empty()) record["model"] = {{"name", model_}};
    record["positions"] = positions_.text();
    record["encoding"] = {{"name", "query_scale"},
                          {"strength", config_.strength},
                          {"length", config_.length},
                          {"shift", config_.shift}};
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      return std::make_unique<scale_rows<Float>>(config_, positions_);
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    return {reference::query_scale_digits(positions_.at(row), config_, digits)};
  }

 private:
  const query_scale& config_ = std::get<query_scale_content>(content()).config;
  const input::position_list& positions_ = std::get<query_scale_content>(content()).positions;
  std::string model_;
};

}  // namespace

std::unique_ptr<table> query_scales_of(const query_scale& config, const input::position_list& positions,
                                       const std::string& model) {
  refuse_positions_beyond(positions, largest_position + 1, "as queries are counted from 0");
  return std::make_unique<scales_of_queries>(config, positions, model);
}

}  // namespace ropewalk::tables
