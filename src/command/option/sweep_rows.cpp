// Options of `ropewalk sweep` alone.

#include "command/option/domains.hpp"
#include "command/option/headings.hpp"
#include "command/option/rows.hpp"
#include "kernel/recipe/recipes.hpp"

namespace ropewalk::command {
namespace {

std::vector<std::string> recipe_names() {
  std::vector<std::string> names{std::string(every_one)};
  for (const recipe::known_recipe& known : recipe::known_recipes()) names.emplace_back(known.name);
  return names;
}

}  // namespace

std::vector<option_row> sweep_rows() {
  using enum option_words;
  const std::string own_tables =
      "cos-sin: the cosines and sines behind all of the program's own tables of positions; any kind of "
      "cosines "
      "and sines with --compare FILE";
  return {
      {.name = "--recipe",
       .value = "NAME",
       .domain = {.names = [](const auto&) { return recipe_names(); }},
       .help = "entries as an engine computes them: a recipe's name, or all, each in a directory of its own "
               "below "
               "DIR",
       .uses = {{"sweep", headings::sweep}}},
      {.name = "--table",
       .value = "KIND",
       .domain = {.text = own_tables, .names = fixed_names({"cos-sin", "cos", "sin"})},
       .default_text = "cos-sin",
       .help = own_tables,
       .uses = {{"sweep", headings::sweep}}},
      {.name = "--compare",
       .value = "FILE[#NAME]",
       .help = "a table in a file, whose rows begin at the first of --positions",
       .uses = {{"sweep", headings::sweep}}},
      {.name = "--shard",
       .value = "K/N",
       .domain = {.text = "K/N, the K-th of N shards, from 1/N to N/N"},
       .help = "do the K-th of N parts, for any scheduler",
       .uses = {{"sweep", headings::sweep}}},
      {.name = "--resume",
       .words = flag,
       .help = "go on where DIR has results of the same range of work (the default)",
       .uses = {{"sweep", headings::sweep}}},
      {.name = "--merge",
       .value = "DIR",
       .words = several,
       .help = "do nothing; merge the results of directories in --output",
       .uses = {{"sweep", headings::sweep}}},
      {.name = "--audit",
       .words = flag,
       .help = "then hold the results to other arithmetic: every hard case by MPFR, some units with each "
               "entry from "
               "its own phase",
       .uses = {{"sweep", headings::sweep}}},
      {.name = "--certificates",
       .value = "DIR",
       .help = "then write a certificate of every table of the program's own into DIR, or complete it",
       .uses = {{"sweep", headings::sweep}}},
      {.name = "--budget",
       .value = "SECONDS",
       .domain = {.text = "seconds above 0"},
       .help = "begin no unit after this time; exit code 3 if some are left",
       .uses = {{"sweep", headings::sweep}}},
  };
}

}  // namespace ropewalk::command
