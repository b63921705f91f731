#pragma once
// Source of a table's entries: any run of rows, correctly rounded, with the byte layout of an array file.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "kernel/fast_rows.hpp"

namespace ropewalk::tables {

/// The rows of one table. `fill` may be called from many threads at once.
class table_rows {
 public:
  table_rows(std::int64_t rows, std::int64_t columns, std::size_t element_size)
      : rows_(rows), columns_(columns), element_size_(element_size) {}
  virtual ~table_rows() = default;
  table_rows(const table_rows&) = delete;
  table_rows& operator=(const table_rows&) = delete;

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::size_t row_bytes() const { return static_cast<std::size_t>(columns_) * element_size_; }

  /// Writes rows first .. first + count - 1, count x row_bytes() bytes.
  virtual void fill(std::int64_t first, std::int64_t count, std::byte* out) const = 0;

  /// Entries that each step of Ziv's loop has decided so far; counted for ranges of positions only.
  decided_entries decided() const {
    const std::lock_guard lock(decided_mutex_);
    return decided_;
  }

 protected:
  void add_decided(const decided_entries& more) const {
    const std::lock_guard lock(decided_mutex_);
    decided_ += more;
  }

 private:
  mutable std::mutex decided_mutex_;
  mutable decided_entries decided_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::size_t element_size_;
};

/// Rows of a table small enough to hold in memory; a Row has `columns` elements.
template <class Row>
class whole_rows : public table_rows {
 public:
  explicit whole_rows(std::vector<Row> made, std::int64_t columns = 1)
      : table_rows(static_cast<std::int64_t>(made.size()), columns,
                   sizeof(Row) / static_cast<std::size_t>(columns)),
        made_(std::move(made)) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    std::memcpy(out, made_.data() + first, static_cast<std::size_t>(count) * row_bytes());
  }

 private:
  std::vector<Row> made_;
};

}  // namespace ropewalk::tables
