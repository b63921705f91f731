// Configurations of tables and their cases in words.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "search/table_cases.hpp"

namespace ropewalk::search {
namespace {

std::string text_of(double number) { return fmt::format("{}", number); }
std::string text_of(bool flag) { return flag ? "true" : "false"; }
std::string text_of(int number) { return fmt::format("{}", number); }
std::string text_of(const factor_list& list) {
  return fmt::format("[{}]", fmt::join(list.first, list.first + list.count, ", "));
}

template <class Number>
std::string field(const char* key, const Number& number) {
  return fmt::format(" {} {}", key, text_of(number));
}
template <class Number>
std::string field(const char* key, const given<Number>& number) {
  return number ? field(key, number.value) : "";
}

std::string text_of(const rope& of) {
  std::string text = fmt::format("base {}, rotary_dim {}", of.base, of.rotary_dim);
  if (of.scaling.is<unscaled>()) return text;
  text += fmt::format(", {}", name_of(of.scaling));
  of.scaling.visit([&](const auto& rule) {
    for_each_number(rule, [&](const char* key, const auto& number) { text += field(key, number); });
  });
  if (depends_on_seq_len(of.scaling)) text += fmt::format(", seq_len {}", of.seq_len);
  return text;
}

std::string text_of(const listed_positions& of) {
  return fmt::format("; positions {}", fmt::join(of.positions, " "));
}

std::string text_of(position_range of) { return fmt::format("; positions {} to {}", of.begin, of.end - 1); }

std::string text_of(const alibi& of) { return fmt::format("{} heads, {}", of.heads, name_of(of.form)); }

std::string text_of(const matrix<double>& x) {
  std::string text;
  for (int i = 0; i < x.rows(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " | ", fmt::join(x.row(i), " "));
  return text;
}

}  // namespace

std::string text_of(const frequency_case& of) { return text_of(of.config); }

std::string text_of(const cos_sin_case& of) { return text_of(of.config) + text_of(of.given); }

std::string text_of(const axes_case& of) {
  std::string text(name_of(of.config.axes));
  if (is_mrope(of.config.axes))
    text += fmt::format(" of sections {}", fmt::join(sections_of(of.config.axes), " "));
  return text + ", " + text_of(of.config.encoding) + text_of(of.given);
}

std::string text_of(const xpos_case& of) {
  return fmt::format("base {}, rotary_dim {}, scale_base {}, length {}", of.config.base, of.config.rotary_dim,
                     of.config.scale_base, of.config.length) +
         text_of(of.given);
}

std::string text_of(const sinusoidal_case& of) {
  std::string text = fmt::format("base {}, d_model {}, shift {}, {} layout", of.config.base,
                                 of.config.d_model, of.config.shift, name_of(of.config.layout));
  if (of.config.scale != 1) text += fmt::format(", scale {}", of.config.scale);
  if (of.config.padding_idx) text += fmt::format(", padding_idx {}", of.config.padding_idx.value);
  return text + text_of(of.given);
}

std::string text_of(const slope_case& of) { return text_of(of.config); }

std::string text_of(const bias_case& of) {
  return text_of(of.config) + fmt::format("; {} queries and keys", of.given.length);
}

std::string text_of(const bucket_case& of) {
  return fmt::format("{} buckets, max_distance {}, {}", of.config.buckets, of.config.max_distance,
                     of.config.bidirectional ? "bidirectional" : "causal");
}

std::string text_of(const index_code_case& of) {
  std::string text = name_of(of.config.kind);
  if (of.config.kind == index_code_kind::normalised) text += fmt::format(" by {}", of.config.length);
  if (of.config.kind == index_code_kind::binary)
    text += fmt::format(" of {} digits, {} first", of.config.width, name_of(of.config.order));
  if (of.config.kind == index_code_kind::sine_only)
    text += fmt::format(" of width {}, base {}", of.config.width, of.config.base);
  return text + text_of(of.given);
}

std::string text_of(const query_scale_case& of) {
  return fmt::format("strength {}, length {}, shift {}", of.config.strength, of.config.length,
                     of.config.shift) +
         text_of(of.given);
}

std::string text_of(const learned_case& of) {
  return fmt::format("{} positions of {} channels", of.config.max_position_embeddings, of.config.d_model);
}

std::string text_of(const transformer_xl_case& of) {
  return fmt::format("{} queries after {} keys, numbers {}", of.given.queries, of.given.memory,
                     of.given.numbers);
}

std::string text_of(const attention_case& of) {
  return fmt::format("base {}; queries {}; keys {}; values {}; positions {}", of.config.base,
                     text_of(of.given.queries), text_of(of.given.keys), text_of(of.given.values),
                     fmt::join(of.given.positions, " "));
}

}  // namespace ropewalk::search
