// Tables of the coordinates of a model's tokens on its axes.

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "export/tables.hpp"
#include "ropewalk/numeric/rational.hpp"
#include "ropewalk/reference/decimal.hpp"

namespace ropewalk::tables {
namespace {

/// The coordinates of tokens, one row for each axis: exact quotients.
class token_coordinates {
 public:
  token_coordinates(const model::model& model, input::axis_positions at, bool is_real)
      : positions_(std::move(at)), is_real_(is_real) {
    for (int axis = 0; axis < positions_.axes; ++axis) {
      const auto index = static_cast<std::size_t>(axis);
      axes_.push_back({model.coordinates[index], model.grid_divisor[index]});
    }
  }

  int axes() const { return positions_.axes; }
  std::int64_t tokens() const { return positions_.tokens(); }
  bool are_whole() const {
    return !is_real_ && !positions_.is_real() &&
           std::all_of(axes_.begin(), axes_.end(), [](const own_axis& axis) {
             return axis.index == ropewalk::coordinate{} && axis.divisor == 1;
           });
  }

  /// domain  are_whole()
  std::int32_t whole(std::int64_t axis, std::int64_t token) const {
    return positions_.numbers[place(axis, token)];
  }

  template <floating_format Float>
  bits_of<Float> rounded(std::int64_t axis, std::int64_t token) const {
    if (positions_.is_real()) return convert<Float, double>(to_bits(positions_.real[place(axis, token)]));
    const quotient_of_whole exact = exact_at(axis, token);
    return round<Float>(rational<limbs>::of(exact.numerator) / rational<limbs>::of(exact.denominator) /
                        rational<limbs>::of(axes_[static_cast<std::size_t>(axis)].divisor));
  }

  std::string digits(std::int64_t axis, std::int64_t token, int count) const {
    using boost::multiprecision::cpp_rational;
    if (positions_.is_real())
      return reference::decimal_digits(cpp_rational(positions_.real[place(axis, token)]), count);
    const quotient_of_whole exact = exact_at(axis, token);
    return reference::decimal_digits(cpp_rational(exact.numerator, exact.denominator) /
                                         cpp_rational(axes_[static_cast<std::size_t>(axis)].divisor),
                                     count);
  }

 private:
  static constexpr int limbs = 4;

  struct own_axis {
    ropewalk::coordinate index{};
    double divisor = 1;
  };
  struct quotient_of_whole {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;
  };

  std::size_t place(std::int64_t axis, std::int64_t token) const {
    return static_cast<std::size_t>(axis * tokens() + token);
  }

  /// scale (index + offset).
  quotient_of_whole exact_at(std::int64_t axis, std::int64_t token) const {
    const ropewalk::coordinate& coordinate = axes_[static_cast<std::size_t>(axis)].index;
    return {
        coordinate.scale.numerator * position_of_index(positions_.numbers[place(axis, token)], coordinate),
        coordinate.scale.denominator * coordinate.offset.denominator};
  }

  input::axis_positions positions_;
  std::vector<own_axis> axes_;
  bool is_real_;
};

template <class Element, class At>
class coordinate_rows : public table_rows {
 public:
  coordinate_rows(const token_coordinates& coordinates, At at)
      : table_rows(coordinates.axes(), coordinates.tokens(), sizeof(Element)), at_(std::move(at)) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    for (std::int64_t axis = first; axis < first + count; ++axis)
      for (std::int64_t token = 0; token < columns(); ++token, out += sizeof(Element)) {
        const Element element = at_(axis, token);
        std::memcpy(out, &element, sizeof element);
      }
  }

 private:
  At at_;
};

template <class Element, class At>
std::unique_ptr<table_rows> rows_of(const token_coordinates& coordinates, At at) {
  return std::make_unique<coordinate_rows<Element, At>>(coordinates, std::move(at));
}

table_description description_of(const token_coordinates& coordinates) {
  table_description about = described(table_kind::positions);
  if (coordinates.are_whole()) {
    about.rounding = "none: the entries are integers";
    about.elements = table_elements::whole;
  }
  about.shape = {coordinates.axes(), coordinates.tokens()};
  about.rows = coordinates.axes();
  about.columns = coordinates.tokens();
  return about;
}

class positions_table : public table {
 public:
  positions_table(const model::model& model, input::axis_positions at, bool is_real)
      : positions_table(token_coordinates(model, std::move(at), is_real), model) {}

  coordinates row_at(std::int64_t row) const override { return {{"axis", std::to_string(row)}}; }
  std::string column_name(std::int64_t column) const override { return "token_" + std::to_string(column); }
  coordinates entry_at(std::int64_t row, std::int64_t column) const override {
    return {{"axis", std::to_string(row)}, {"token", std::to_string(column)}};
  }

  void put(input::json& record) const override {
    record["model"] = {{"name", model_}};
    record["encoding"] = {{"name", "positions"}, {"axes", at_.axes()}, {"tokens", at_.tokens()}};
    if (!order_.empty()) record["encoding"]["order"] = order_;
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    if (at_.are_whole())
      return rows_of<std::int32_t>(
          at_, [this](std::int64_t axis, std::int64_t token) { return at_.whole(axis, token); });
    return in_format(dtype, [&]<class Float>() {
      return rows_of<bits_of<Float>>(
          at_, [this](std::int64_t axis, std::int64_t token) { return at_.rounded<Float>(axis, token); });
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    std::vector<std::string> names;
    for (std::int64_t token = 0; token < at_.tokens(); ++token)
      names.push_back(at_.digits(row, token, digits));
    return names;
  }

 private:
  positions_table(token_coordinates at, const model::model& model)
      : table(description_of(at)),
        at_(std::move(at)),
        model_(model.name),
        order_(model.grid == nullptr ? "" : model.grid->sentence) {}

  token_coordinates at_;
  std::string model_;
  std::string order_;
};

}  // namespace

std::unique_ptr<table> positions_table_of(const model::model& model, input::axis_positions at, bool is_real) {
  return std::make_unique<positions_table>(model, std::move(at), is_real);
}

}  // namespace ropewalk::tables
