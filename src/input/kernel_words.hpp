#pragma once
// Makes error texts of kernels printable: a foreign kernel's text may have any bytes and lack the final NUL.

#include <string>
#include <string_view>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::input {

/// An error as "field: text" on one line, escaped. The field is dropped if the text begins with it.
std::string words_of(const ropewalk_error& error);

/// All of `text` on one line, with control characters and non-ASCII bytes escaped.
std::string visible(std::string_view text);

}  // namespace ropewalk::input
