#include "command/option/domains.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "ropewalk/config/alibi.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "verify/kernel_choice.hpp"
#include "verify/verification.hpp"

namespace ropewalk::command {
namespace {

/// Other words for formats, as PyTorch, NumPy and papers have them.
constexpr std::pair<std::string_view, std::string_view> dtype_words[] = {
    {"float64", "f64"}, {"fp64", "f64"},    {"double", "f64"}, {"float32", "f32"}, {"fp32", "f32"},
    {"float", "f32"},   {"float16", "f16"}, {"fp16", "f16"},   {"half", "f16"},    {"bfloat16", "bf16"}};

/// A list of formats by their names here. A comma at the end stays, to be refused.
std::string usual_dtypes(std::string words) {
  if (words.ends_with(',')) return words;
  std::string names;
  std::istringstream items(words);
  for (std::string item; std::getline(items, item, ',');) {
    for (const auto& [word, dtype] : dtype_words)
      if (item == word) item = dtype;
    names += (names.empty() ? "" : ",") + item;
  }
  return names;
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

value_names fixed_names(std::vector<std::string> names) {
  return [names = std::move(names)](const std::vector<std::string>&) { return names; };
}

option_domain whole_numbers(std::int64_t smallest, std::int64_t largest) {
  return {.text = fmt::format("a whole number from {} to {}", smallest, largest),
          .range = whole_range{smallest, largest}};
}

option_domain one_of(std::vector<std::string> names) {
  return {.text = listed(names), .names = fixed_names(std::move(names))};
}

option_domain dtype_domain() {
  return {.text = dtype_names(), .names = fixed_names(dtype_name_list()), .usual = usual_dtypes};
}

option_domain kernel_domain() {
  return {.text =
              "a kernel of `ropewalk verify --list`, library:PATH or program:COMMAND, with #NAME for one of "
              "several",
          .names = [](const auto&) { return kernel_names(); }};
}

option_domain law_domain() {
  return {.text = "a name that `ropewalk verify --list` lists",
          .names = [](const auto&) { return law_names(); }};
}

option_domain promise_domain() {
  return {.text = promise_names() + ", or the format of each rounding: " + promise_part_texts(),
          .names = fixed_names(input::names_in(promises)),
          .parts = promise_part_list};
}

option_domain table_kind_domain() { return one_of(input::names_in(tables::table_kinds)); }

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const verify::chosen_kernel& kernel : verify::nameable_kernel_list())
    names.emplace_back(kernel.entry->name);
  return names;
}

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  const auto add = [&](const law_text& law) {
    if (std::find(names.begin(), names.end(), law.name) == names.end()) names.emplace_back(law.name);
  };
  for_each_type(operations{}, [&]<class Operation>() {
    for (const law_text& law : verify::laws_of_one_kernel(Operation::number)) add(law);
  });
  for (const law_text& law : verify::laws_of_tables()) add(law);
  return names;
}

std::vector<std::string> promise_part_list() {
  std::vector<std::string> parts;
  for (const promise_part& part : promise_parts) {
    const auto add = [&](std::string_view word) {
      parts.push_back(std::string(part.name) + "=" + std::string(word));
    };
    add(part.unrounded);
    for (const part_word& word : part_words)
      if (detail::part_value(part, word.word)) add(word.word);
  }
  parts.emplace_back("fused");
  return parts;
}

input::unknown_name unknown_law(const std::string& name, const std::vector<std::string>& known) {
  return {"law", name, known, "`ropewalk verify --list`"};
}

input::unknown_name unknown_promise(const std::string& name) {
  return {"promise", name, input::names_in(promises), "`ropewalk verify --list`"};
}

std::vector<std::string> dtype_name_list() {
  std::vector<std::string> names;
  for (const ropewalk_dtype dtype : all_dtypes) names.emplace_back(name_of(dtype));
  return names;
}

std::vector<std::string> alibi_form_words() {
  std::vector<std::string> words;
  for (const alibi_form form : alibi_forms) words.emplace_back(name_of(form));
  words.emplace_back(flash_attention_form);
  return words;
}

std::vector<std::string> sinusoidal_layouts() {
  using enum sinusoidal_layout;
  return names_of(interleaved, sin_cos, cos_sin);
}

}  // namespace ropewalk::command
