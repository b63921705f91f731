#pragma once
// Text of strangers for reports and figures: names of kernels and files, and what libraries print, may hold
// any bytes.

#include <string>
#include <string_view>

namespace ropewalk::output {

/// `text` in UTF-8 without control characters, except line feeds and tabs: every other byte, those of
/// characters that XML excludes and of marks that reverse the direction of text included, becomes \xNN.
std::string plain_text(std::string_view text);

/// The same on one line: a line feed becomes \n, a tab \t.
std::string plain_line(std::string_view text);

/// plain_line for HTML and Markdown: whatever either reads as markup becomes a character reference, so that
/// the text is shown as it is, in a cell of a table, too.
std::string markup_text(std::string_view text);

/// The same set as code, in which GitHub links no names.
std::string markup_code(std::string_view text);

}  // namespace ropewalk::output
