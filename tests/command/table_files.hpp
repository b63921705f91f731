#pragma once
// Array files that tables take as inputs: positions and weights.

#include <cstdint>
#include <string>
#include <vector>

#include "command/program.hpp"
#include "export/npy.hpp"

namespace ropewalk::command {

/// The bytes of an array file of any shape.
template <class Element>
std::string array_bytes(npy_dtype dtype, const std::vector<std::int64_t>& shape,
                        const std::vector<Element>& elements) {
  return tables::npy_header_bytes({dtype, shape}) +
         std::string(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(Element));
}

inline std::string positions_on_axes(std::int64_t axes, const std::vector<std::int32_t>& positions) {
  return array_bytes(npy_dtype::i32, {axes, static_cast<std::int64_t>(positions.size()) / axes}, positions);
}

}  // namespace ropewalk::command
