#pragma once
// What an array's file and its name say of the array: its kind, its positions, and options that its shape
// answers.

#include <cstdint>
#include <string>
#include <vector>

#include "command/table_options.hpp"
#include "input/array_file.hpp"

namespace ropewalk::command {

/// What `ropewalk table` recorded of an array; empty where it did not.
struct recorded_array {
  std::string name;  // of the kind, as arrays are named
  std::string positions;
  std::string layer;  // the kind of layers, in a file with a table for each
  std::string axis;   // that it is of alone
};

recorded_array recorded_of(const input::array_location& place);

/// The kind that an array's name says, as engines name it: "model.layers.0.inv_freq", "cos_cached.npy"; empty
/// where it says none.
std::string kind_by_name(const std::string& place);

/// Fills in options that the shape of an array answers, where they are not typed.
void take_from_shape(table_options& options, tables::table_kind kind, std::vector<std::int64_t> shape);

/// Whether an array holds nothing but zeros and ones: the sines and cosines of a layer that does not rotate.
bool is_without_rotation(const input::array_location& place);

/// The name of the format of an array's real numbers; empty where it holds others.
std::string format_of(const input::array_file& file);

}  // namespace ropewalk::command
