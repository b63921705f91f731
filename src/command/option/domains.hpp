#pragma once
// The domains that several options share, and the names that they hold.

#include <cstdint>
#include <string>
#include <vector>

#include "command/option/option_row.hpp"
#include "export/table_kind.hpp"
#include "input/unknown_name.hpp"
#include "ropewalk/config/sinusoidal.hpp"

namespace ropewalk::command {

/// "a whole number from A to B".
option_domain whole_numbers(std::int64_t smallest, std::int64_t largest);

/// One of these names.
option_domain one_of(std::vector<std::string> names);

/// Offers the same names behind any words.
value_names fixed_names(std::vector<std::string> names);

option_domain dtype_domain();
option_domain kernel_domain();
option_domain law_domain();
option_domain promise_domain();
option_domain table_kind_domain();

/// Names of built-in kernels, of all operations.
std::vector<std::string> kernel_names();

/// The names of all laws, of kernels first and then of tables, each once.
std::vector<std::string> law_names();

/// Every part that a promise may state, as typed: "angle=f32", ..., "fused".
std::vector<std::string> promise_part_list();

/// Refusals of a name that no law or promise has.
input::unknown_name unknown_law(const std::string& name, const std::vector<std::string>& known);
input::unknown_name unknown_promise(const std::string& name);

/// The names of all dtypes.
std::vector<std::string> dtype_name_list();

/// The word that names BLOOM's form of ALiBi after the kernel that has it, too.
inline constexpr const char* flash_attention_form = "flash-attention";

/// The words that --form takes.
std::vector<std::string> alibi_form_words();

/// The words that --layer, --axis and --recipe take for all of them.
inline constexpr std::string_view every_one = "all";

inline constexpr const char* path_or_stdin = "a path, or - for standard input";
inline constexpr const char* path_or_stdout = "a path, or - for standard output";
inline constexpr const char* config_files =
    "a config.json, a GGUF file, a directory that holds a config.json, or -";
inline constexpr const char* array_files =
    ".npy, or one of an .npz, a safetensors or a GGUF file; * for any letters of a NAME";

/// "A, B, C".
std::string listed(const std::vector<std::string>& names);

/// The names of `choices`.
template <class... Choices>
std::vector<std::string> names_of(Choices... choices) {
  return {std::string(name_of(choices))...};
}

/// The layouts of sinusoidal tables.
std::vector<std::string> sinusoidal_layouts();

}  // namespace ropewalk::command
