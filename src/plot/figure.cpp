#include "plot/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "export/plain_text.hpp"
#include "input/bad_input.hpp"
#include "input/json_text.hpp"
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
  json r = json::array();
  for (const double value : values) r.push_back(number_json(value));
  return r;
}

json axis_json(const axis& of) {
  json r{{"title", of.title}, {"scale", name_in(scale_names, of.scale)}};
  if (of.least) r["least"] = of.least.value;
  if (of.most) r["most"] = of.most.value;
  for (const tick& one : of.ticks) r["ticks"].push_back({{"at", one.at}, {"label", one.label}});
  if (of.is_reversed) r["reversed"] = true;
  return r;
}

json series_json(const series& of) {
  json r{{"name", of.name}, {"mark", name_in(mark_names, of.mark)}, {"role", name_in(role_names, of.role)}};
  if (of.colour >= 0) r["colour"] = of.colour;
  r["x"] = numbers_json(of.x);
  r["y"] = numbers_json(of.y);
  if (!of.upper.empty()) r["upper"] = numbers_json(of.upper);
  if (!of.hints.empty()) r["hints"] = of.hints;
  if (!of.labels.empty()) r["labels"] = of.labels;
  if (!of.tags.empty()) r["tags"] = of.tags;
  return r;
}

json cells_json(const heat_map& of) {
  json r{{"rows", of.rows}, {"columns", of.columns}, {"title", of.title}, {"diverging", of.is_diverging}};
  if (of.least) r["least"] = of.least.value;
  if (of.most) r["most"] = of.most.value;
  if (of.values.size() <= most_plain_cells) {
    r["values"] = numbers_json(of.values);
  } else {
    const range within = colour_range(of);
    r["values"] = {{"codes", coded_cells(of, within)}, {"least", within.least}, {"most", within.most}};
  }
  return r;
}

json panel_json(const panel& of) {
  json r{{"title", of.title}, {"x", axis_json(of.x)}, {"y", axis_json(of.y)}};
  if (of.is_square) r["square"] = true;
  r["series"] = json::array();
  for (const series& one : of.series) r["series"].push_back(series_json(one));
  if (of.cells) r["cells"] = cells_json(*of.cells);
  return r;
}

// Of a figure that is read: twice and more what the largest has, sinusoids (1024 x 768 cells), oscillations
// (some 4000 points).
constexpr std::size_t most_cells = std::size_t{1} << 21;
constexpr std::size_t most_points = std::size_t{1} << 20;
constexpr std::size_t most_elements = std::size_t{1} << 17;  // of one list
constexpr std::size_t most_panels = 64;

/// A value of the JSON, and its place, which refusals name.
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
    std::vector<node> r;
    for (std::size_t i = 0; i < value_->size(); ++i)
      r.emplace_back((*value_)[i], place_ + "[" + std::to_string(i) + "]", *file_);
    return r;
  }

  std::string text() const {
    if (!value_->is_string()) refuse("a text");
    return output::plain_text(value_->get_ref<const std::string&>());  // may go to a terminal
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
    std::vector<double> r;
    for (const node& one : elements())
      r.push_back(one.is_null() ? std::numeric_limits<double>::quiet_NaN() : one.number());
    return r;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> r;
    if (is_null()) return r;
    for (const node& one : elements()) r.push_back(one.text());
    return r;
  }
  std::map<std::string, std::string> text_map() const {
    std::map<std::string, std::string> r;
    if (is_null()) return r;
    if (!value_->is_object()) refuse("an object");
    for (const auto& [key, value] : value_->items()) r[key] = (*this)[key].text();
    return r;
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
  axis r{.title = from["title"].text(),
         .scale = from["scale"].choice(scale_names),
         .least = from["least"].number_if_given(),
         .most = from["most"].number_if_given(),
         .is_reversed = from["reversed"].flag()};
  for (const char* bound : {"least", "most"})
    if (r.scale != scale::linear && !from[bound].is_null() && !(from[bound].number() > 0))
      from[bound].refuse("a number above 0 on a logarithmic scale");
  if (!from["ticks"].is_null())
    for (const node& one : from["ticks"].elements())
      r.ticks.push_back({one["at"].number(), one["label"].text()});
  return r;
}

series series_in(const node& from) {
  constexpr std::size_t most_colours = 1000;
  series r{.name = from["name"].text(),
           .mark = from["mark"].choice(mark_names),
           .role = from["role"].choice(role_names),
           .x = from["x"].numbers(),
           .y = from["y"].numbers(),
           .hints = from["hints"].texts(),
           .labels = from["labels"].texts(),
           .tags = from["tags"].text_map()};
  if (!from["upper"].is_null()) r.upper = from["upper"].numbers();
  if (!from["colour"].is_null()) r.colour = static_cast<int>(from["colour"].count(0, most_colours));
  const auto require_as_many = [&](const char* name, std::size_t count, bool may_be_none) {
    if (count != r.x.size() && !(may_be_none && count == 0))
      from[name].refuse("as many as x, " + std::to_string(r.x.size()));
  };
  require_as_many("y", r.y.size(), false);
  require_as_many("upper", r.upper.size(), r.mark != mark::band);
  require_as_many("hints", r.hints.size(), true);
  require_as_many("labels", r.labels.size(), true);
  return r;
}

heat_map cells_in(const node& from) {
  constexpr std::size_t most = std::size_t{1} << 13;  // rows or columns
  heat_map r{.rows = from["rows"].count(1, most),
             .columns = from["columns"].count(1, most),
             .values = {},
             .title = from["title"].text(),
             .least = from["least"].number_if_given(),
             .most = from["most"].number_if_given(),
             .is_diverging = from["diverging"].flag()};
  if (r.rows * r.columns > most_cells)
    throw bad_input(from.place() + ".rows x columns", std::to_string(r.rows * r.columns),
                    "at most " + std::to_string(most_cells) + ", in " + printable(from.file()));
  const node values = from["values"];
  if (values.is_object()) {
    const range within{values["least"].number(), values["most"].number()};
    auto cells = cells_of(values["codes"].text(), r.rows, r.columns, within);
    if (!cells) values["codes"].refuse("the codes of rows x columns cells, by zlib, in base64");
    r.values = std::move(*cells);
  } else {
    r.values = values.numbers();
  }
  if (r.values.size() != r.rows * r.columns) values.refuse("rows x columns numbers");
  return r;
}

panel panel_in(const node& from) {
  panel r{.title = from["title"].text(), .x = axis_in(from["x"]), .y = axis_in(from["y"])};
  for (const node& one : from["series"].elements()) r.series.push_back(series_in(one));
  if (!from["cells"].is_null()) r.cells = cells_in(from["cells"]);
  for (const char* name : {"x", "y"})
    if (r.cells && (name[0] == 'x' ? r.x : r.y).scale != scale::linear)
      from[name]["scale"].refuse("linear beside cells");
  r.is_square = from["square"].flag();
  return r;
}

}  // namespace

std::string as_json(const figure& of) {
  json r{{"schema", figure_schema}, {"name", of.name},        {"title", of.title},
         {"sentence", of.sentence}, {"alt", of.alt},          {"command", of.command},
         {"columns", of.columns},   {"panels", json::array()}};
  if (!of.where.empty()) r["where"] = of.where;
  for (const panel& one : of.panels) r["panels"].push_back(panel_json(one));
  // Names of kernels may hold any bytes; those that are not UTF-8 become U+FFFD.
  return r.dump(-1, ' ', false, json::error_handler_t::replace);
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
  figure r{.name = root["name"].text(),
           .title = root["title"].text(),
           .sentence = root["sentence"].text(),
           .alt = root["alt"].text(),
           .command = root["command"].text(),
           .panels = {},
           .columns = static_cast<int>(root["columns"].count(1, most_columns))};
  if (const node where = root["where"]; !where.is_null()) r.where = where.text();
  std::size_t points = 0, cells = 0;
  for (const node& one : root["panels"].elements()) {
    r.panels.push_back(panel_in(one));
    for (const series& of : r.panels.back().series) points += of.x.size();
    if (r.panels.back().cells) cells += r.panels.back().cells->values.size();
    const auto require_at_most = [&](std::size_t most, std::size_t count, const char* what) {
      if (count > most)
        throw bad_input("data", fmt::format("{} (more than {} {})", file, most, what),
                        fmt::format("at most {} {} in a figure", most, what));
    };
    require_at_most(most_panels, r.panels.size(), "panels");
    require_at_most(most_points, points, "points");
    require_at_most(most_cells, cells, "cells");
  }
  return r;
}

}  // namespace ropewalk::plot
