// Tables of T5's buckets.

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "export/rows_in_order.hpp"
#include "export/tables.hpp"
#include "ropewalk/table/t5_bias_table.hpp"

namespace ropewalk::tables {
namespace {

/// Buckets of relative positions, computed run by run: a table may be larger than memory.
class bucket_rows : public table_rows {
 public:
  bucket_rows(const t5_bias& config, std::int64_t max_relative)
      : table_rows(2 * max_relative + 1, 1, sizeof(std::int32_t)),
        config_(config),
        max_relative_(max_relative) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    for (std::int64_t row = first; row < first + count; ++row, out += sizeof(std::int32_t)) {
      const std::int32_t bucket = t5_bucket(row - max_relative_, config_);
      std::memcpy(out, &bucket, sizeof bucket);
    }
  }

 private:
  t5_bias config_;
  std::int64_t max_relative_;
};

class t5_buckets_table : public table {
 public:
  t5_buckets_table(const t5_bias& config, std::int64_t max_relative)
      : table(description_of(config, max_relative), bucket_content{config, max_relative}) {}

  coordinates row_at(std::int64_t row) const override {
    return {{"relative_position", std::to_string(row - max_relative_)}};
  }
  std::string column_name(std::int64_t) const override { return about().array; }
  coordinates entry_at(std::int64_t row, std::int64_t) const override { return row_at(row); }

  void put(input::json& record) const override {
    record["encoding"] = {{"name", "t5_bias"},
                          {"buckets", config_.buckets},
                          {"max_distance", config_.max_distance},
                          {"bidirectional", config_.bidirectional}};
    record["max_relative"] = max_relative_;
  }

  std::unique_ptr<table_rows> make_rows(table_dtype) const override {
    return std::make_unique<bucket_rows>(config_, max_relative_);
  }

  /// Never called: --digits is refused, as buckets are integers.
  std::vector<std::string> row_of_digits(std::int64_t row, int) const override {
    return {std::to_string(t5_bucket(row - max_relative_, config_))};
  }

 private:
  static table_description description_of(const t5_bias& config, std::int64_t max_relative) {
    table_description about = described(table_kind::t5_buckets);
    about.convention =
        "entry [i] is the bucket of relative position i - max_relative, key position - query position; " +
        std::string(config.bidirectional ? "keys ahead of the query have the upper half of the buckets"
                                         : "keys ahead of the query share bucket 0");
    about.rounding =
        "none: decided in whole numbers, a tie of the logarithms falls to the bucket that begins there";
    about.elements = table_elements::whole;
    about.shape = {2 * max_relative + 1};
    about.rows = 2 * max_relative + 1;
    about.columns = 1;
    about.rows_per_piece = rows_per_run(1);
    return about;
  }

  const t5_bias& config_ = std::get<bucket_content>(content()).config;
  const std::int64_t max_relative_ = std::get<bucket_content>(content()).max_relative;
};

}  // namespace

std::unique_ptr<table> t5_buckets_of(const t5_bias& config, std::int64_t max_relative) {
  return std::make_unique<t5_buckets_table>(config, max_relative);
}

}  // namespace ropewalk::tables
