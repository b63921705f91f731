#include "command/table_options.hpp"

#include <algorithm>

#include "command/option/headings.hpp"
#include "input/unknown_name.hpp"

namespace ropewalk::command {
namespace {

kind_set set_of(std::span<const tables::table_kind> kinds) {
  kind_set set;
  for (const tables::table_kind kind : kinds) set = set | kind_set(kind);
  return set;
}

}  // namespace

const std::vector<std::string_view>& kind_options() {
  static const std::vector<std::string_view> options = [] {
    std::vector<std::string_view> names;
    for (const option_row& row : option_table())
      if (row.use_of("table") != nullptr && row.use_of("table")->heading.title == headings::table_kinds.title)
        names.push_back(row.name);
    return names;
  }();
  return options;
}

alibi_form alibi_form_named(const std::string& text) {
  for (const alibi_form form : alibi_forms)
    if (text == name_of(form)) return form;
  if (text == flash_attention_form) return alibi_form::key;
  throw refusal("--form", text);
}

tables::array_layout layout_named(tables::table_kind kind, const std::string& name) {
  tables::array_layout layout{.kind = kind};
  if (kind == tables::table_kind::skewed_cos_sin) {
    // A pair has two angles, so each channel has an entry of its own.
    layout.arrangement = tables::cos_sin_layout::hf;
    return layout;
  }
  const std::string_view hf = text_of(tables::cos_sin_layout::hf).name;
  const std::string kind_name(text_of(kind).name);
  if (!holds_both(layout)) {
    if (!has_positions(layout) || name.empty()) return layout;
    if (name != hf) throw bad_input("layout", name, std::string(hf) + " for " + kind_name);
    layout.arrangement = tables::cos_sin_layout::hf;
    return layout;
  }
  for (const tables::cos_sin_layout_text& text : tables::cos_sin_layouts)
    if (text.name == name) {
      layout.arrangement = text.layout;
      return layout;
    }
  throw bad_input("layout", name.empty() ? "missing" : name,
                  listed(input::names_in(tables::cos_sin_layouts)) + " for " + kind_name);
}

tables::table_kind kind_from(std::string_view option, const std::string& name) {
  for (const tables::table_kind_text& text : tables::table_kinds)
    if (text.name == name) return text.kind;
  if (name.empty()) throw bad_input(option, "missing", table_kind_domain().text);
  throw input::unknown_name("kind", name, input::names_in(tables::table_kinds), "`ropewalk table --help`");
}

std::string typed(const table_options& options, std::string_view option) {
  return first_value(options, option);
}

bool takes_model(tables::table_kind kind) { return option_named("--model").kinds.has(kind); }

void refuse_foreign_options(const table_options& options, std::span<const tables::table_kind> kinds) {
  const kind_set chosen = set_of(kinds);
  visit_options(options, [&](std::string_view name, const auto& value) {
    const auto values = values_of(value);
    const option_row* const row = find_option("table", name);
    if (values.empty() || row == nullptr || row->kinds.empty() || row->kinds.meets(chosen)) return;
    throw bad_input(field_name(name), values.front(),
                    "none for " + kind_names(chosen) + ", only for " + kind_names(row->kinds));
  });
}

std::int64_t required_number(const table_options& options, std::string_view option) {
  const std::string text = typed(options, option);
  return whole_number_of(option, text.empty() ? "missing" : text);
}

std::int64_t required_number(const table_options& options, std::string_view option, whole_range range) {
  const std::string text = typed(options, option);
  return input::whole_number(std::string(field_name(option)), text.empty() ? "missing" : text, range.smallest,
                             range.largest);
}

}  // namespace ropewalk::command
