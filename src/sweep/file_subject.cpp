#include "sweep/file_subject.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include "array/comparison.hpp"
#include "input/array_file.hpp"
#include "input/bad_input.hpp"
#include "input/input_file.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "sweep/digest.hpp"

namespace ropewalk::sweep {
namespace {

constexpr const char* option = "table";

/// The location of an array in a file that can be read more than once.
input::array_location seekable(const std::string& text) {
  const std::vector<input::array_location> places = input::array_locations(option, text);
  if (places.size() > 1) throw bad_input(option, text, "the name of one array");
  if (input::input_file(option, places.front().path).size() < 0)
    throw bad_input(option, text, "a regular file: a pipe can be read only once");
  return places.front();
}

/// Reads rows of an array in a file; ascending order is fastest.
class file_rows {
 public:
  file_rows(const input::array_location& place, std::size_t row_bytes)
      : place_(place), row_bytes_(row_bytes) {}

  void read(std::int64_t row, std::span<std::byte> bytes) {
    if (!file_ || row < next_) {
      file_.emplace(option, place_);
      next_ = 0;
    }
    file_->skip(static_cast<std::uint64_t>(row - next_) * row_bytes_);
    file_->read(bytes);
    next_ = row + static_cast<std::int64_t>(bytes.size() / row_bytes_);
  }

 private:
  input::array_location place_;
  std::size_t row_bytes_;
  std::optional<input::array_file> file_;
  std::int64_t next_ = 0;  // row
};

/// Destination of a column's number.
struct column_place {
  int pair = 0;
  int copy = 0;
  bool is_sin = false;
};

}  // namespace

struct given_table::opened {
  input::array_location place;
  tables::array_layout layout;
  position_range positions{};
  ropewalk_dtype dtype = ROPEWALK_F32;
  std::vector<std::int64_t> shape;  // without leading ones
  std::string content;

  tables::array_grid grid(int pairs) const { return {layout, pairs, size(positions)}; }
};

namespace {

class file_subject : public subject {
 public:
  file_subject(const input::array_location& place, const tables::array_grid& grid, position_range positions,
               ropewalk_dtype dtype)
      : grid_(grid),
        positions_(positions),
        row_bytes_(static_cast<std::size_t>(grid.columns()) * static_cast<std::size_t>(size_of(dtype))),
        rows_{file_rows(place, row_bytes_), file_rows(place, row_bytes_)},
        entries_{tables::holds_both(grid.layout()) || grid.layout().kind == tables::table_kind::cos,
                 tables::holds_both(grid.layout()) || grid.layout().kind == tables::table_kind::sin,
                 tables::has_copies(grid.layout()) ? 2 : 1} {
    std::vector<std::array<int, 2>> seen(static_cast<std::size_t>(grid.pairs()));
    for (std::int64_t column = 0; column < grid.columns(); ++column) {
      const tables::array_place at = grid.at(0, column);
      columns_.push_back({at.pair, seen[static_cast<std::size_t>(at.pair)][at.is_sin ? 1 : 0]++, at.is_sin});
    }
  }

  given_entries given() const override { return entries_; }
  std::int64_t positions_at_once() const override { return 256; }

  void fill(position_range positions, ropewalk_dtype dtype, void* cos, void* sin) override {
    const std::int64_t first = positions.begin - positions_.begin;
    for (const bool is_second : {false, true}) {
      if (is_second && !grid_.has_planes()) return;
      read_.resize(static_cast<std::size_t>(size(positions)) * row_bytes_);
      rows_[is_second ? 1 : 0].read(first + (is_second ? size(positions_) : 0), read_);
      with_format(dtype, [&]<class Float>() {
        take(static_cast<std::size_t>(size(positions)), is_second, static_cast<bits_of<Float>*>(cos),
             static_cast<bits_of<Float>*>(sin));
      });
    }
  }

 private:
  template <class Stored>
  void take(std::size_t rows, bool is_second, Stored* cos, Stored* sin) const {
    const auto pairs = static_cast<std::size_t>(grid_.pairs());
    const std::byte* from = read_.data();
    for (std::size_t row = 0; row < rows; ++row)
      for (const column_place& place : columns_) {
        const std::size_t at = (static_cast<std::size_t>(place.copy) * rows + row) * pairs;
        std::memcpy((place.is_sin || is_second ? sin : cos) + at + place.pair, from, sizeof(Stored));
        from += sizeof(Stored);
      }
  }

  tables::array_grid grid_;
  position_range positions_;
  std::size_t row_bytes_;
  std::array<file_rows, 2> rows_;  // of each plane
  given_entries entries_;
  std::vector<column_place> columns_;
  std::vector<std::byte> read_;
};

}  // namespace

given_table::given_table(const std::string& text, const tables::array_layout& layout, std::int64_t first) {
  auto made = std::make_unique<opened>();
  made->place = seekable(text);
  made->layout = layout;
  input::array_file file(option, made->place);
  const auto elements =
      tables::is_complex(layout) ? tables::table_elements::complex : tables::table_elements::real;
  made->dtype = *dtype_named(tables::text_of(array::dtype_of_file(file, elements, "")).name);
  made->shape = without_ones(file.header().shape, made->grid(1).shape().size());
  const std::size_t axis = made->grid(1).has_planes() ? 1 : 0;
  if (made->shape.size() != made->grid(1).shape().size() || made->shape[axis] < 1)
    file.refuse("shape " + shape_text(file.header().shape), "the shape of a table with positions");
  made->positions = {first, first + made->shape[axis]};
  validate(made->positions);
  file.skip(static_cast<std::uint64_t>(element_count(file.header())) * size_of(file.header().dtype) - 1);
  std::byte last{};
  file.read({&last, 1});
  file.require_end();
  made->content = digest_of_file(option, made->place.path);
  value_ = std::move(made);
}

given_table::~given_table() = default;

ropewalk_dtype given_table::dtype() const { return value_->dtype; }
position_range given_table::positions() const { return value_->positions; }
const std::string& given_table::content() const { return value_->content; }

void given_table::require_serves(const work_range& work) const {
  const auto range_text = [](position_range range) {
    return std::to_string(range.begin) + ":" + std::to_string(range.end);
  };
  const std::string place = printable(value_->place.text());
  for (const ropewalk_dtype dtype : work.dtypes)
    if (dtype != value_->dtype)
      throw bad_input("dtype", ropewalk::name_of(dtype),
                      ropewalk::name_of(value_->dtype) + (", as " + place) + " holds");
  for (const swept_table& table : work.tables) {
    if (table.positions.begin < value_->positions.begin || table.positions.end > value_->positions.end)
      throw bad_input("positions", range_text(table.positions),
                      "positions in " + range_text(value_->positions) + ", the rows of " + place);
    if (const auto wanted = value_->grid(table.pairs).shape(); wanted != value_->shape)
      throw bad_input(option, place + " (shape " + shape_text(value_->shape) + ")",
                      "shape " + shape_text(wanted) + ", that of the table of " + table.models.front());
  }
}

std::unique_ptr<subject> given_table::subject_of(const swept_table& table) const {
  return std::make_unique<file_subject>(value_->place, value_->grid(table.pairs), value_->positions,
                                        value_->dtype);
}

}  // namespace ropewalk::sweep
