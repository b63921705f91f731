// Options of `ropewalk table` and `ropewalk apply`, but those of some kinds of table.

#include "command/option/domains.hpp"
#include "command/option/headings.hpp"
#include "command/option/rows.hpp"
#include "export/file_format.hpp"

namespace ropewalk::command {
namespace {

using enum option_words;

constexpr int most_digits = 1000;

/// "npy (with a sidecar FILE.json), npz, ...".
std::string formats_with_notes() {
  std::string text;
  for_each_type(tables::file_formats{}, [&]<class File>() {
    text += (text.empty() ? "" : ", ") + std::string(File::name);
    if (!File::note.empty()) text += " (" + std::string(File::note) + ")";
  });
  return text;
}

std::vector<std::string> format_list() {
  std::vector<std::string> names;
  for_each_type(tables::file_formats{}, [&]<class File>() { names.emplace_back(File::name); });
  return names;
}

std::vector<option_row> written_rows() {
  option_domain kinds = table_kind_domain();
  kinds.parts = [] { return input::names_in(tables::table_kinds); };
  return {
      {.name = "kind",
       .value = "KIND",
       .domain = kinds,
       .help = kinds.text + "; several of one encoding with commas, for " +
               tables::format_names([]<class File>() { return File::holds_several; }) +
               "; without it, a model's kinds are listed",
       .uses = {{"table"}}},
      {.name = "--format",
       .value = "FORMAT",
       .domain = one_of(format_list()),
       .default_text = "what the suffix of --output says, else npy",
       .help = formats_with_notes(),
       .uses = {{"table", headings::written}}},
      {.name = "--output",
       .value = "FILE",
       .domain = {.text = path_or_stdout},
       .help = "where to write; - is standard output",
       .uses = {{"table", headings::written}}},
      {.name = "--name",
       .value = "NAME",
       .default_text = "after the kind, cos or ropewalk_cos",
       .help = tables::format_names([]<class File>() { return File::is_named; }) +
               ": what the array is called; NAME.cos among several",
       .uses = {{"table", headings::written}}},
      {.name = "--digits",
       .value = "N",
       .domain = whole_numbers(1, most_digits),
       .help = tables::format_names([]<class File>() { return File::has_digits; }) +
               ": N correctly rounded decimal digits instead of a dtype, up to " +
               std::to_string(most_digits),
       .uses = {{"table", headings::written}}},
      {.name = "--compare",
       .value = "FILE[#NAME]",
       .words = several,
       .help = "write nothing; say how far each array is (" + std::string(array_files) +
               "); exit 1 when one differs",
       .uses = {{"table", headings::compared}}},
  };
}

std::vector<option_row> applied_rows() {
  return {
      {.name = "--input",
       .value = "X.npy",
       .domain = {.text = path_or_stdin},
       .help = "[tokens, heads, head_dim] or [batch, tokens, heads, head_dim]; of sinusoids also [tokens, "
               "d_model]; scores [queries, heads, keys] or [batch, queries, heads, keys]",
       .uses = {{"apply", headings::apply}}},
      {.name = "--output",
       .value = "Y.npy",
       .domain = {.text = path_or_stdout},
       .help = "where to write, with a sidecar Y.npy.json; - is standard output",
       .uses = {{"apply", headings::apply}}},
      {.name = "--backward",
       .words = flag,
       .help = "apply the adjoint a R(-t), as for gradients",
       .uses = {{"apply", headings::apply}}},
      {.name = "--unit",
       .words = flag,
       .help = "leave out the attention factor, to shift keys that already contain it",
       .uses = {{"apply", headings::apply}}},
  };
}

}  // namespace

std::vector<option_row> table_rows() {
  std::vector<option_row> rows = written_rows();
  for (option_row& row : applied_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace ropewalk::command
