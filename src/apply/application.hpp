#pragma once
// Reads a tensor from a file, part by part, applies a kernel to it and writes the result to another file.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "input/array_file.hpp"
#include "input/positions.hpp"
#include "model/model.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/kernel.h"
#include "verify/kernel_choice.hpp"

namespace ropewalk::apply {

/// A job of `ropewalk apply`: kernel, model, tensor and options, all parsed.
struct application {
  verify::chosen_kernel kernel;
  model::model model;
  std::optional<input::array_file> array{};
  ropewalk_dtype dtype = ROPEWALK_F32;
  std::vector<std::int32_t> positions{};  // [tokens] or [batch][tokens]; empty: counted from 0
  std::string positions_text{};
  std::string output{};  // a path, or -
  int threads = 1;
  bool backward = false;
  bool unit = false;  // without the attention factor

  /// Size of one axis, counted from the last.
  std::int64_t extent(std::size_t from_last) const {
    return array->header().shape.rbegin()[static_cast<std::ptrdiff_t>(from_last)];
  }
  /// Tokens of one batch row.
  std::int64_t tokens() const { return extent(2); }
  /// Batch rows; 1 for a tensor of three axes.
  std::int64_t batch() const { return array->header().shape.size() == 4 ? array->header().shape[0] : 1; }
  /// Position of a token, counted through all batch rows.
  std::int32_t position_of(std::int64_t token) const {
    if (positions.empty() || static_cast<std::int64_t>(positions.size()) == tokens()) token %= tokens();
    return positions.empty() ? static_cast<std::int32_t>(token) : positions[static_cast<std::size_t>(token)];
  }
  /// Bytes of one token's heads.
  std::int64_t token_bytes() const { return extent(0) * extent(1) * size_of(dtype); }
};

/// Opens the tensor of a file, or of standard input for "-", and reads its header. An empty `dtype` takes the
/// type that the file names; bfloat16, which NumPy lacks, must be named. Positions are 0, 1, ... in each
/// batch row until place_tokens sets others.
///
/// shape   [tokens, heads, head_dim] or [batch, tokens, heads, head_dim]
/// throws  bad_input naming input or dtype
void open_tensor(application& job, const std::string& path, const std::string& dtype);

/// Sets the positions of the tokens: one for each token, shared by all batch rows, or a list with one for
/// each token of every batch row.
///
/// throws  bad_input naming positions
void place_tokens(application& job, const input::position_list& chosen);

/// Applies the kernel and writes the output, with its record beside it. Tokens pass through in small parts;
/// only for a kernel that lists the shapes it serves is the tensor held as a whole.
///
/// throws  bad_input naming input or output; std::invalid_argument if the kernel refuses; missing_requirement
///         if it is undecided or its device fails
void run(application& job, const std::string& command_line, bool quiet);

}  // namespace ropewalk::apply
