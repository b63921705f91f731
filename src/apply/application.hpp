#pragma once
// Applies a kernel to a tensor in a file, part by part, and writes the result to another file. The kernel
// rotates, adds sinusoidal rows, or adds ALiBi's biases to scores.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "input/array_file.hpp"
#include "input/axis_positions.hpp"
#include "input/positions.hpp"
#include "model/model.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/kernel.h"
#include "verify/kernel_choice.hpp"

namespace ropewalk::apply {

/// A job of `ropewalk apply`: kernel, encoding, tensor and options, all parsed.
struct application {
  verify::chosen_kernel kernel;
  std::variant<model::model, sinusoidal, alibi> encoding;  // of the kernel's operation
  std::optional<input::array_file> array{};
  std::vector<std::int64_t> shape{};  // [batch, tokens, heads, channels] or without batch, as kernels have it
  ropewalk_dtype dtype = ROPEWALK_F32;
  // Positions of tokens, or of batch x tokens. Without positions, tokens are counted, alike on every axis.
  std::optional<input::axis_positions> positions{};
  std::int64_t first_position = 0;  // where counting starts in each batch row
  std::string positions_text{};
  std::string output{};  // a path, or -
  int threads = 1;
  bool backward = false;
  bool unit = false;  // without the attention factor

  /// Size of one axis, counted from the last.
  std::int64_t extent(std::size_t from_last) const {
    return shape.rbegin()[static_cast<std::ptrdiff_t>(from_last)];
  }
  /// Tokens of one batch row.
  std::int64_t tokens() const { return extent(2); }
  /// Batch rows; 1 for a tensor of three axes.
  std::int64_t batch() const { return shape.size() == 4 ? shape[0] : 1; }
  /// Rows of positions.
  int axes() const { return positions ? positions->axes : 1; }
  /// Whether positions are real.
  bool is_real() const { return positions && positions->is_real(); }
  /// Index of a token's position in the list. Tokens are counted across batch rows.
  std::int64_t place_of(std::int64_t token) const {
    return !positions || positions->tokens() == tokens() ? token % tokens() : token;
  }
  /// Bytes of one token's heads.
  std::int64_t token_bytes() const { return extent(0) * extent(1) * size_of(dtype); }
};

/// Opens the tensor of a file, or of standard input for "-", and reads its header. With an empty `dtype` the
/// file's type is used; bfloat16, which NumPy lacks, must be given.
///
/// shape   [tokens, heads, channels] or [batch, tokens, heads, channels], with channels = head_dim or
///         d_model; for d_model also [tokens, d_model]; for ALiBi [queries, heads, keys], with or without
///         batch
/// throws  bad_input naming input or dtype
void open_tensor(application& job, const std::string& path, const std::string& dtype);

/// Refuses a tensor whose extents are not the encoding's. Positions are then 0, 1, ... in each batch row
/// until place_tokens sets others. For biases, the last query is at the position of the last key.
///
/// throws  bad_input naming input
void check_shape(application& job);

/// Sets the positions of the tokens: one for each token, shared by all batch rows, or a list with one for
/// each token of every batch row.
///
/// throws  bad_input naming positions
void place_tokens(application& job, const input::position_list& chosen);

/// Sets the positions of the tokens from one row per axis of the encoding.
///
/// throws  bad_input naming positions, also where the kernel does not serve real ones
void place_tokens_on_axes(application& job, input::axis_positions chosen);

/// Applies the kernel and writes the output, with its record beside it. Tokens pass through in small parts; a
/// kernel that lists the shapes that it serves gets the whole tensor.
///
/// throws  bad_input naming input or output; std::invalid_argument if the kernel refuses; missing_requirement
///         if it is undecided or its device fails
void run(application& job, const std::string& command_line, bool quiet);

}  // namespace ropewalk::apply
