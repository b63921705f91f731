#pragma once
// Shortens the paths of an SVG.

#include <optional>
#include <string>
#include <string_view>

namespace ropewalk::plot {

/// A path of the absolute commands M, L and Z, rewritten with coordinates in tenths of a pixel and each point
/// relative to the one before; nullopt if it has other commands.
std::optional<std::string> short_path(std::string_view path);

}  // namespace ropewalk::plot
