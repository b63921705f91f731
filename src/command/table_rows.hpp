#pragma once
// Where a table's entries come from: any run of rows, correctly rounded, as they lie in an array file.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "command/table_form.hpp"
#include "kernel/fast_rows.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::command {

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

  /// Which step of Ziv's loop decided the entries of consecutive positions filled so far.
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

/// The rows of an array in a format, columns of one element each.
///
/// throws  std::invalid_argument naming the field and its value; undecided where the cap of precision is met
std::unique_ptr<table_rows> make_table_rows(const table_form& form, table_dtype dtype, const rope& config,
                                            const position_list& positions);

}  // namespace ropewalk::command
