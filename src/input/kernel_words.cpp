#include "input/kernel_words.hpp"

#include <cstring>

#include "input/bad_input.hpp"

namespace ropewalk::input {

std::string visible(std::string_view text) {
  std::string line;
  for (const char& letter : text) line += printable({&letter, 1});
  return line;
}

std::string words_of(const ropewalk_error& error) {
  const std::string field = visible({error.field, strnlen(error.field, sizeof error.field)});
  const std::string text = visible({error.text, strnlen(error.text, sizeof error.text)});
  if (text.empty() && field.empty()) return "no reason given";
  return text.starts_with(field) ? text : field + ": " + text;  // texts of this library begin with the field
}

}  // namespace ropewalk::input
