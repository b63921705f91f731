#pragma once
// Paths of an SVG in fewer characters.

#include <optional>
#include <string>
#include <string_view>

namespace ropewalk::plot {

/// A path of the absolute commands M, L and Z, with places in tenths of a pixel and each point relative to
/// the one before; nullopt if it has others.
std::optional<std::string> short_path(std::string_view path);

}  // namespace ropewalk::plot
