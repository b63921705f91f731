#pragma once
// Words as a shell reads them.

#include <string>
#include <string_view>

namespace ropewalk::command {

/// One word as a shell would have to be given it.
std::string shell_quoted(std::string_view word);

}  // namespace ropewalk::command
