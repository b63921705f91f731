// Tables of ALiBi: slopes and biases.

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "export/rows_in_order.hpp"
#include "export/tables.hpp"
#include "ropewalk/reference/alibi_digits.hpp"
#include "ropewalk/table/alibi_table.hpp"

namespace ropewalk::tables {
namespace {

/// The rows of biases, one for each head and query. Neighbouring queries of a head share all but one bias,
/// shifted by one key; in a form by the key they share all.
template <floating_format Float>
class bias_rows : public table_rows {
 public:
  bias_rows(const alibi& config, const bias_extent& extent)
      : table_rows(config.heads * extent.queries, extent.keys, sizeof(bits_of<Float>)),
        biases_(config),
        extent_(extent) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t query = (first + done) % extent_.queries;
      const std::int64_t part = std::min(count - done, extent_.queries - query);
      fill_head(static_cast<int>((first + done) / extent_.queries), query, part,
                out + static_cast<std::size_t>(done) * row_bytes());
      done += part;
    }
  }

 private:
  void fill_head(int head, std::int64_t query, std::int64_t count, std::byte* out) const {
    const alibi_form form = biases_.config().form;
    const std::int64_t last = alibi_origin(extent_.position_of(query + count - 1), extent_.keys, form);
    const std::int64_t ahead = is_by_key(form) ? 0 : count - 1;
    std::vector<bits_of<Float>> along;  // biases of distances last, last - 1, ...
    along.reserve(static_cast<std::size_t>(extent_.keys + ahead));
    for (std::int64_t i = 0; i < extent_.keys + ahead; ++i)
      along.push_back(biases_.entry<Float>(head, last - i));
    for (std::int64_t i = 0; i < count; ++i)
      std::memcpy(out + static_cast<std::size_t>(i) * row_bytes(),
                  along.data() + (ahead == 0 ? 0 : count - 1 - i), row_bytes());
  }

  alibi_biases biases_;
  bias_extent extent_;
};

class alibi_slopes_table : public table {
 public:
  explicit alibi_slopes_table(const alibi& config) : table(description_of(config), slope_content{config}) {}

  coordinates row_at(std::int64_t row) const override { return {{"head", std::to_string(row)}}; }
  std::string column_name(std::int64_t) const override { return about().array; }
  coordinates entry_at(std::int64_t row, std::int64_t) const override { return row_at(row); }

  void put(input::json& record) const override {
    record["encoding"] = {{"name", "alibi"}, {"heads", config_.heads}};
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      return std::make_unique<whole_rows<bits_of<Float>>>(alibi_slopes<Float>(config_));
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    return {reference::alibi_slope_digits(static_cast<int>(row), config_, digits)};
  }

 private:
  static table_description description_of(const alibi& config) {
    table_description about = described(table_kind::alibi_slopes);
    about.shape = {config.heads};
    about.rows = config.heads;
    about.columns = 1;
    about.rows_per_piece = rows_per_run(1);
    return about;
  }

  const alibi& config_ = std::get<slope_content>(content()).config;
};

class alibi_bias_table : public table {
 public:
  alibi_bias_table(const alibi& config, const bias_extent& extent)
      : table(description_of(config, extent), bias_content{config, extent}) {}

  coordinates row_at(std::int64_t row) const override {
    return {{"head", std::to_string(row / extent_.queries)},
            {"query", std::to_string(row % extent_.queries)}};
  }

  std::string column_name(std::int64_t column) const override { return "key_" + std::to_string(column); }

  coordinates entry_at(std::int64_t row, std::int64_t column) const override {
    coordinates at = row_at(row);
    at.push_back({"key", std::to_string(column)});
    return at;
  }

  void put(input::json& record) const override { record["encoding"] = encoding_record(config_); }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      return std::make_unique<bias_rows<Float>>(config_, extent_);
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    const int head = static_cast<int>(row / extent_.queries);
    const std::int64_t position = extent_.position_of(row % extent_.queries);
    std::vector<std::string> made;
    for (std::int64_t key = 0; key < extent_.keys; ++key)
      made.push_back(reference::alibi_bias_digits(head, position, key, config_, digits, extent_.keys));
    return made;
  }

 private:
  static table_description description_of(const alibi& config, const bias_extent& extent) {
    constexpr std::int64_t more = 16;  // times as many rows: after the first, each costs little
    table_description about = described(table_kind::alibi_bias);
    about.convention = convention_of(config.form);
    about.shape = {config.heads, extent.queries, extent.keys};
    about.rows = config.heads * extent.queries;
    about.columns = extent.keys;
    about.rows_per_piece = more * rows_per_run(extent.keys);
    return about;
  }

  static std::string convention_of(alibi_form form) {
    const std::string place = "; p = keys - queries + query: the last query has the position of the last key";
    switch (form) {
      case alibi_form::causal: break;
      case alibi_form::symmetric: return "entry [head, query, key] = -slope x |p - key|" + place;
      case alibi_form::key:
        return "entry [head, query, key] = slope x key, for every query alike, as BLOOM, Falcon and causal "
               "flash-attention have it";
      case alibi_form::last_key:
        return "entry [head, query, key] = slope x (key - (keys - 1)), for every query alike, as MPT has it";
    }
    return "entry [head, query, key] = -slope x (p - key), positive where a key is ahead, which a causal "
           "mask "
           "hides" +
           place;
  }

  const alibi& config_ = std::get<bias_content>(content()).config;
  const bias_extent& extent_ = std::get<bias_content>(content()).extent;
};

}  // namespace

input::json encoding_record(const alibi& config) {
  return {{"name", "alibi"}, {"heads", config.heads}, {"form", name_of(config.form)}};
}

std::unique_ptr<table> alibi_slopes_of(const alibi& config) {
  return std::make_unique<alibi_slopes_table>(config);
}

std::unique_ptr<table> alibi_bias_of(const alibi& config, const bias_extent& extent) {
  return std::make_unique<alibi_bias_table>(config, extent);
}

}  // namespace ropewalk::tables
