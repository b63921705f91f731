#include "plot/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "output/plain_text.hpp"
#include "plot/cell_codes.hpp"
#include "plot/palette.hpp"

namespace ropewalk::plot {
namespace {

using input::json;

template <class Value>
struct name_row {
  Value value;
  const char* name;
};

constexpr name_row<scale> scale_names[] = {
    {scale::linear, "linear"}, {scale::log2, "log2"}, {scale::log10, "log10"}};
constexpr name_row<mark> mark_names[] = {
    {mark::line, "line"},     {mark::dashed_line, "dashed-line"},
    {mark::points, "points"}, {mark::line_with_points, "line-with-points"},
    {mark::steps, "steps"},   {mark::impulses, "impulses"},
    {mark::bars, "bars"},     {mark::band, "band"}};
constexpr name_row<role> role_names[] = {{role::canonical, "canonical"}, {role::recipe, "recipe"},
                                         {role::given, "given"},         {role::bound, "bound"},
                                         {role::reference, "reference"}, {role::other, "other"}};

template <class Rows, class Value>
const char* name_in(const Rows& rows, Value value) {
  return std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return row.value == value; })
      ->name;
}

json number_json(double value) { return std::isfinite(value) ? json(value) : json(); }

json numbers_json(const std::vector<double>& values) {
  json object = json::array();
  for (const double value : values) object.push_back(number_json(value));
  return object;
}

json axis_json(const axis& axis) {
  json object{{"title", axis.title}, {"scale", name_in(scale_names, axis.scale)}};
  if (axis.least) object["least"] = axis.least.value;
  if (axis.most) object["most"] = axis.most.value;
  for (const tick& tick : axis.ticks) object["ticks"].push_back({{"at", tick.at}, {"label", tick.label}});
  if (axis.is_reversed) object["reversed"] = true;
  return object;
}

json series_json(const series& series) {
  json object{{"name", series.name},
              {"mark", name_in(mark_names, series.mark)},
              {"role", name_in(role_names, series.role)}};
  if (series.colour >= 0) object["colour"] = series.colour;
  object["x"] = numbers_json(series.x);
  object["y"] = numbers_json(series.y);
  if (!series.upper.empty()) object["upper"] = numbers_json(series.upper);
  if (!series.hints.empty()) object["hints"] = series.hints;
  if (!series.labels.empty()) object["labels"] = series.labels;
  if (!series.tags.empty()) object["tags"] = series.tags;
  return object;
}

json cells_json(const heat_map& map) {
  json object{
      {"rows", map.rows}, {"columns", map.columns}, {"title", map.title}, {"diverging", map.is_diverging}};
  if (map.least) object["least"] = map.least.value;
  if (map.most) object["most"] = map.most.value;
  if (map.values.size() <= most_plain_cells) {
    object["values"] = numbers_json(map.values);
  } else {
    const range within = colour_range(map);
    object["values"] = {{"codes", coded_cells(map, within)}, {"least", within.least}, {"most", within.most}};
  }
  return object;
}

json panel_json(const panel& panel) {
  json object{{"title", panel.title}, {"x", axis_json(panel.x)}, {"y", axis_json(panel.y)}};
  if (panel.is_square) object["square"] = true;
  object["series"] = json::array();
  for (const series& series : panel.series) object["series"].push_back(series_json(series));
  if (panel.cells) object["cells"] = cells_json(*panel.cells);
  return object;
}

// Caps on a figure that is read: at least twice the largest figures, sinusoids (1024 x 768 cells) and
// oscillations (some 4000 points).
constexpr std::size_t most_cells = std::size_t{1} << 21;
constexpr std::size_t most_points = std::size_t{1} << 20;
constexpr std::size_t most_elements = std::size_t{1} << 17;  // per list
constexpr std::size_t most_panels = 64;

/// A value of the JSON, and its place for messages.
class node {
 public:
  node(const json& value, std::string place, const std::string& file)
      : value_(&value), place_(std::move(place)), file_(&file) {}

  node operator[](const std::string& key) const {
    if (!value_->is_object()) refuse("an object");
    return {input::value_of(*value_, key), place_.empty() ? key : place_ + "." + key, *file_};
  }

  const std::string& place() const { return place_; }
  const std::string& file() const { return *file_; }
  bool is_null() const { return value_->is_null(); }
  bool is_object() const { return value_->is_object(); }

  std::vector<node> elements() const {
    if (!value_->is_array()) refuse("a list");
    if (value_->size() > most_elements)
      throw bad_input(place_, std::to_string(value_->size()) + " elements",
                      "at most " + std::to_string(most_elements) + ", in " + printable(*file_));
    std::vector<node> elements;
    for (std::size_t i = 0; i < value_->size(); ++i)
      elements.emplace_back((*value_)[i], place_ + "[" + std::to_string(i) + "]", *file_);
    return elements;
  }

  std::string text() const {
    if (!value_->is_string()) refuse("a text");
    return output::plain_text(value_->get_ref<const std::string&>());  // may be printed to a terminal
  }
  bool flag() const {
    if (!is_null() && !value_->is_boolean()) refuse("true or false");
    return !is_null() && value_->get<bool>();
  }
  double number() const {
    if (!value_->is_number()) refuse("a number");
    return value_->get<double>();
  }
  given<double> number_if_given() const { return is_null() ? given<double>{} : given<double>{number()}; }

  std::size_t count(std::size_t least, std::size_t most) const {
    if (!value_->is_number_integer() || value_->get<double>() < static_cast<double>(least) ||
        value_->get<double>() > static_cast<double>(most))
      refuse("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return value_->get<std::size_t>();
  }

  std::vector<double> numbers() const {
    std::vector<double> numbers;
    for (const node& element : elements())
      numbers.push_back(element.is_null() ? std::numeric_limits<double>::quiet_NaN() : element.number());
    return numbers;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    if (is_null()) return texts;
    for (const node& element : elements()) texts.push_back(element.text());
    return texts;
  }
  std::map<std::string, std::string> text_map() const {
    std::map<std::string, std::string> by_name;
    if (is_null()) return by_name;
    if (!value_->is_object()) refuse("an object");
    for (const auto& [key, value] : value_->items()) by_name[key] = (*this)[key].text();
    return by_name;
  }

  template <class Rows>
  auto choice(const Rows& rows) const {
    std::string names;
    for (const auto& row : rows) {
      if (value_->is_string() && value_->get_ref<const std::string&>() == row.name) return row.value;
      names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    refuse(names);
  }

  [[noreturn]] void refuse(const std::string& allowed) const {
    throw bad_input(place_.empty() ? "data" : place_, input::shown(*value_),
                    allowed + ", in " + printable(*file_));
  }

 private:
  const json* value_;
  std::string place_;
  const std::string* file_;
};

axis axis_in(const node& from) {
  axis result{.title = from["title"].text(),
              .scale = from["scale"].choice(scale_names),
              .least = from["least"].number_if_given(),
              .most = from["most"].number_if_given(),
              .is_reversed = from["reversed"].flag()};
  for (const char* bound : {"least", "most"})
    if (result.scale != scale::linear && !from[bound].is_null() && !(from[bound].number() > 0))
      from[bound].refuse("a number above 0 on a logarithmic scale");
  if (!from["ticks"].is_null())
    for (const node& element : from["ticks"].elements())
      result.ticks.push_back({element["at"].number(), element["label"].text()});
  return result;
}

series series_in(const node& from) {
  constexpr std::size_t most_colours = 1000;
  series result{.name = from["name"].text(),
                .mark = from["mark"].choice(mark_names),
                .role = from["role"].choice(role_names),
                .x = from["x"].numbers(),
                .y = from["y"].numbers(),
                .hints = from["hints"].texts(),
                .labels = from["labels"].texts(),
                .tags = from["tags"].text_map()};
  if (!from["upper"].is_null()) result.upper = from["upper"].numbers();
  if (!from["colour"].is_null()) result.colour = static_cast<int>(from["colour"].count(0, most_colours));
  const auto require_as_many = [&](const char* name, std::size_t count, bool may_be_none) {
    if (count != result.x.size() && !(may_be_none && count == 0))
      from[name].refuse("as many as x, " + std::to_string(result.x.size()));
  };
  require_as_many("y", result.y.size(), false);
  require_as_many("upper", result.upper.size(), result.mark != mark::band);
  require_as_many("hints", result.hints.size(), true);
  require_as_many("labels", result.labels.size(), true);
  return result;
}

heat_map cells_in(const node& from) {
  constexpr std::size_t most = std::size_t{1} << 13;  // rows or columns
  heat_map map{.rows = from["rows"].count(1, most),
               .columns = from["columns"].count(1, most),
               .values = {},
               .title = from["title"].text(),
               .least = from["least"].number_if_given(),
               .most = from["most"].number_if_given(),
               .is_diverging = from["diverging"].flag()};
  if (map.rows * map.columns > most_cells)
    throw bad_input(from.place() + ".rows x columns", std::to_string(map.rows * map.columns),
                    "at most " + std::to_string(most_cells) + ", in " + printable(from.file()));
  const node values = from["values"];
  if (values.is_object()) {
    const range within{values["least"].number(), values["most"].number()};
    auto cells = cells_of(values["codes"].text(), map.rows, map.columns, within);
    if (!cells) values["codes"].refuse("the codes of rows x columns cells, by zlib, in base64");
    map.values = std::move(*cells);
  } else {
    map.values = values.numbers();
  }
  if (map.values.size() != map.rows * map.columns) values.refuse("rows x columns numbers");
  return map;
}

panel panel_in(const node& from) {
  panel result{.title = from["title"].text(), .x = axis_in(from["x"]), .y = axis_in(from["y"])};
  for (const node& element : from["series"].elements()) result.series.push_back(series_in(element));
  if (!from["cells"].is_null()) result.cells = cells_in(from["cells"]);
  for (const char* name : {"x", "y"})
    if (result.cells && (name[0] == 'x' ? result.x : result.y).scale != scale::linear)
      from[name]["scale"].refuse("linear beside cells");
  result.is_square = from["square"].flag();
  return result;
}

}  // namespace

std::string as_json(const figure& figure) {
  json object{{"schema", figure_schema},     {"name", figure.name},    {"title", figure.title},
              {"sentence", figure.sentence}, {"alt", figure.alt},      {"command", figure.command},
              {"columns", figure.columns},   {"panels", json::array()}};
  if (!figure.where.empty()) object["where"] = figure.where;
  for (const panel& panel : figure.panels) object["panels"].push_back(panel_json(panel));
  // Kernel names may have any bytes; those that are not UTF-8 become U+FFFD.
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

figure figure_from_json(const std::string& text, const std::string& file) {
  constexpr std::size_t most_columns = 8;
  json read;
  try {
    read = input::object_of(text);
  } catch (const input::bad_json& why) {
    throw bad_input("data", file + " (" + why.what() + ")", "JSON that `ropewalk plot --json` wrote");
  }
  const node root(read, "", file);
  if (const node schema = root["schema"]; schema.is_null() || schema.text() != figure_schema)
    schema.refuse(std::string(figure_schema));
  figure result{.name = root["name"].text(),
                .title = root["title"].text(),
                .sentence = root["sentence"].text(),
                .alt = root["alt"].text(),
                .command = root["command"].text(),
                .panels = {},
                .columns = static_cast<int>(root["columns"].count(1, most_columns))};
  if (const node where = root["where"]; !where.is_null()) result.where = where.text();
  std::size_t points = 0, cells = 0;
  for (const node& element : root["panels"].elements()) {
    result.panels.push_back(panel_in(element));
    for (const series& series : result.panels.back().series) points += series.x.size();
    if (result.panels.back().cells) cells += result.panels.back().cells->values.size();
    const auto require_at_most = [&](std::size_t most, std::size_t count, const char* what) {
      if (count > most)
        throw bad_input("data", fmt::format("{} (more than {} {})", file, most, what),
                        fmt::format("at most {} {} in a figure", most, what));
    };
    require_at_most(most_panels, result.panels.size(), "panels");
    require_at_most(most_points, points, "points");
    require_at_most(most_cells, cells, "cells");
  }
  return result;
}

}  // namespace ropewalk::plot
