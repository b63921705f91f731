#pragma once
// What a kernel says, fit to be shown: a stranger's texts may hold anything and lack their zero.

#include <string>
#include <string_view>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::input {

/// "field: text" of an error on one line, control characters escaped; without the field when the text begins with it.
std::string words_of(const ropewalk_error& error);

/// `text` on one line, whole: control characters and bytes that are not ASCII escaped.
std::string visible(std::string_view text);

}  // namespace ropewalk::input
