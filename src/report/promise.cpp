#include "report/promise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "input/json_text.hpp"
#include "kernel/kernels.hpp"
#include "output/record.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::report {
namespace {

using input::json;

/// Encoding and positions for printing allowed errors.
struct allowed_at {
  rope encoding{.base = 10000, .rotary_dim = 128};
  head_layout layout{128};
  std::string words = "base 10000, rotary_dim 128; where a is 1 and nothing underflows";
  std::vector<std::int64_t> positions{0, 4096, 32768, 131072, 1048576};
  std::int64_t compared = 131072;
  rotated_model model{};
  std::vector<double> of_axes{};          // the largest coordinate of each axis on a grid; empty: no grid
  std::string where = "position 131072";  // where all promises are compared
};

/// The largest coordinate of each axis, as passed to kernels.
std::vector<double> largest_of_axes(const input::axis_positions& at) {
  std::vector<double> largest(static_cast<std::size_t>(at.axes));
  for (std::int64_t token = 0; token < at.tokens(); ++token) {
    const std::vector<double> numbers = at.numbers_at(token);
    for (std::size_t axis = 0; axis < largest.size(); ++axis)
      largest[axis] = std::max(largest[axis], std::abs(numbers[axis]));
  }
  return largest;
}

allowed_at on_model(const model::model* read_model) {
  allowed_at at;
  if (read_model == nullptr) return at;
  at.encoding = read_model->encoding;
  at.layout = read_model->layout;
  at.model.axes = read_model->axes;
  at.model.coordinates = read_model->coordinates;
  at.words = fmt::format("{}, base {}, rotary_dim {}; where nothing underflows", read_model->name,
                         read_model->encoding.base, read_model->encoding.rotary_dim);
  if (read_model->max_position_embeddings > 0) at.compared = read_model->max_position_embeddings;
  at.positions.insert(std::lower_bound(at.positions.begin(), at.positions.end(), at.compared), at.compared);
  at.positions.erase(std::unique(at.positions.begin(), at.positions.end()), at.positions.end());
  at.where = fmt::format("position {}", at.compared);
  if (read_model->placed_tokens) {
    at.of_axes = largest_of_axes(model::positions_of_kernels(*read_model, *read_model->placed_tokens));
    at.where = fmt::format("the largest coordinates of {} tokens, {}", read_model->placed_tokens->tokens(),
                           fmt::join(at.of_axes, " "));
  }
  return at;
}

/// PyTorch code that keeps a promise, and its consequence.
struct promise_example {
  std::string_view name;
  std::string_view code;
  std::string_view consequence;
};

constexpr std::string_view grows = "the error grows with the position";
constexpr std::string_view is_level = "the error does not grow with the position";

constexpr promise_example promise_examples[] = {
    {"exact", "none: the kernel `exact` of this library keeps it", "no answer is nearer to the exact one"},
    {"canonical", "none: the kernels cpu-turns and cpu-table of this library keep it",
     "the same bits on every machine, so that checksums can be compared"},
    {"rounded-table", "cos, sin from `ropewalk table cos-sin`, in float32; y = x.float() * cos + ...",
     is_level},
    {"dtype-table", "cos, sin from `ropewalk table cos-sin --dtype bf16`; y = x.float() * cos + ...",
     "the error does not grow with the position; it is that of the table's format"},
    {"angle-f64", "angle = positions.double()[..., None] * inv_freq.double(); cos = angle.cos().float()",
     grows},
    {"angle-f32", "angle = positions.float()[..., None] * inv_freq.float(); cos = angle.cos()", grows},
    {"hf", "as angle-f32, from an inv_freq formed in float32; cos = cos.to(x.dtype); y = x * cos + ...",
     grows}};

promise_example example_of(std::string_view name) {
  for (const promise_example& example : promise_examples)
    if (example.name == name) return example;
  if (const auto by_parts = promise_named(std::string(name)))
    return {name, "rounds exactly where its parts say", grows_with_position(*by_parts) ? grows : is_level};
  throw std::logic_error("no example of promise " + std::string(name));
}

double allowed(const promise& promised, ropewalk_dtype dtype, std::int64_t position, const allowed_at& at) {
  const checked_rotation kernel(cpu_table_kernel(), promised, at.encoding, at.layout, at.model);
  return with_format(dtype, [&]<class Float>() {
    if (at.of_axes.empty()) return kernel.accuracy_at<Float>(static_cast<double>(position), false).relative;
    double largest = 0;
    for (int pair = 0; pair < kernel.pairs(); ++pair) {
      const int axis = axis_of(pair, at.model.axes, at.encoding).axis;
      const double coordinate = at.of_axes[static_cast<std::size_t>(axis)];
      largest = std::max(largest, kernel.accuracy_at<Float>(coordinate, pair, false).relative);
    }
    return largest;
  });
}

std::string cells(const promise& promised, std::int64_t position, const allowed_at& at) {
  std::string cells;
  for (const ropewalk_dtype dtype : all_dtypes)
    cells += fmt::format("{:<11.4g}", allowed(promised, dtype, position, at));
  return cells.substr(0, cells.find_last_not_of(' ') + 1);
}

std::string head_of_cells() {
  std::string head;
  for (const ropewalk_dtype dtype : all_dtypes) head += fmt::format("{:<11}", name_of(dtype));
  return head.substr(0, head.find_last_not_of(' ') + 1);
}

std::string scale(const allowed_at& at) { return "relative to a|x|, " + at.words; }

void print_all(const allowed_at& at) {
  std::cout << "Promises, and the error that each allows one pair at " << at.where << ",\n"
            << scale(at) << ":\n\n"
            << fmt::format("{:<15}{}\n", "promise", head_of_cells());
  for (const promise_description& promise : promises)
    std::cout << fmt::format("{:<15}{}\n", promise.name, cells(promise.value, at.compared, at));
  std::cout << "\n`ropewalk explain promise NAME` says what each is, and shows code that keeps it.\n";
}

void print_one(const promise_description& description, const allowed_at& at) {
  const promise_example example = example_of(description.name);
  std::cout << description.name << "\n  says     " << description.statement << "\n";
  if (!promises_bits(description.value))
    std::cout << "  parts    " << parts_text(description.value, ROPEWALK_ROTATE) << "\n";
  std::cout << "  code     " << example.code << "\n  hence    " << example.consequence << "\n  allows   "
            << scale(at) << "\n"
            << fmt::format("             {:<12}{}\n", "position", head_of_cells());
  for (const std::int64_t position : at.positions) {
    const bool is_growing = grows_with_position(description.value);
    std::cout << fmt::format("             {:<12}{}\n",
                             !is_growing          ? "any"
                             : at.of_axes.empty() ? std::to_string(position)
                                                  : "of the grid",
                             cells(description.value, position, at));
    if (!is_growing || !at.of_axes.empty()) break;
  }
  if (!promises_bits(description.value))
    std::cout << "  leaves   the laws canonical and environment, which compare bits, do not run\n";
  std::cout << "  ask      ropewalk verify --kernel KERNEL --model MODEL --promise " << description.name
            << "\n";
}

json record_of(const promise_description& description, const allowed_at& at) {
  json record{{"promise", description.name},
              {"statement", description.statement},
              {"parts", json()},
              {"code", example_of(description.name).code},
              {"consequence", example_of(description.name).consequence},
              {"base", at.encoding.base},
              {"rotary_dim", at.encoding.rotary_dim},
              {"allows", json::array()}};
  if (!promises_bits(description.value)) record["parts"] = parts_text(description.value, ROPEWALK_ROTATE);
  for (const std::int64_t position : at.positions) {
    json value{{"position", position}};
    if (!at.of_axes.empty()) value = {{"positions", at.of_axes}};
    for (const ropewalk_dtype dtype : all_dtypes)
      value["relative"][name_of(dtype)] = allowed(description.value, dtype, position, at);
    record["allows"].push_back(value);
    if (!at.of_axes.empty()) break;
  }
  return record;
}

}  // namespace

void print_promise(std::string_view name, bool as_json, const model::model* of_model) {
  const allowed_at at = on_model(of_model);
  json all = json::array();
  std::vector<promise_description> each(std::begin(promises), std::end(promises));
  if (name.find('=') != name.npos)
    each = {{promise_named(std::string(name)).value_or(promise{}), name, "roundings where its parts say"}};
  for (const promise_description& description : each) {
    if (!name.empty() && description.name != name) continue;
    if (as_json)
      all.push_back(record_of(description, at));
    else if (!name.empty())
      print_one(description, at);
  }
  if (as_json)
    std::cout << output::pretty(name.empty() ? json{{"promises", all}} : all.front());
  else if (name.empty())
    print_all(at);
}

}  // namespace ropewalk::report
