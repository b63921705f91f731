#include "ropewalk/law/kernel/call_words.hpp"

#include <vector>

namespace ropewalk {
namespace {

std::string listed(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// Tokens first .. last - 1: "token 3", "tokens 3 to 5", "no token".
std::string tokens_from(std::int64_t first, std::int64_t last) {
  if (first == last) return "no token";
  if (last == first + 1) return "token " + std::to_string(first);
  return "tokens " + std::to_string(first) + " to " + std::to_string(last - 1);
}

std::vector<std::int64_t> lengths_of(const std::vector<std::int64_t>& ends) {
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 1; i < ends.size(); ++i) lengths.push_back(ends[i] - ends[i - 1]);
  return lengths;
}

}  // namespace

std::string words_of(const law_case& whole, const law_case& part, const call_form& form, std::int64_t first) {
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  if (!form.sequence_offset.empty()) {
    add("sequences of " + listed(lengths_of(form.sequence_offset)) + " tokens");
  } else if (part.batch * part.tokens != whole.batch * whole.tokens) {
    const std::int64_t row = first / whole.tokens, from = first % whole.tokens;
    const std::string of_row = whole.batch == 1 ? "" : " of batch row " + std::to_string(row);
    add(tokens_from(from, from + part.tokens) + of_row + " alone");
  }
  if (form.rank_3 && form.sequence_offset.empty()) add("tensors of rank 3");
  if (!form.cuts.empty()) add("one call to token " + listed(form.cuts) + ", one from there on");
  if (form.part) add(tokens_from(form.part->first, form.part->last) + " asked for alone");
  if (form.counted_positions) add("positions counted by the kernel");
  if (form.shared_positions) add("one row of positions for all batch rows");
  if (part.in_place != whole.in_place) add(part.in_place ? "in place" : "out of place");
  return text;
}

}  // namespace ropewalk
