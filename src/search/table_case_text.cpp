// Text of table configurations and their cases.

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

std::string text_of(const rope& config) {
  std::string text = fmt::format("base {}, rotary_dim {}", config.base, config.rotary_dim);
  if (config.scaling.is<unscaled>()) return text;
  text += fmt::format(", {}", name_of(config.scaling));
  config.scaling.visit([&](const auto& rule) {
    for_each_number(rule, [&](const char* key, const auto& number) { text += field(key, number); });
  });
  if (depends_on_seq_len(config.scaling)) text += fmt::format(", seq_len {}", config.seq_len);
  return text;
}

std::string text_of(const listed_positions& test_case) {
  return fmt::format("; positions {}", fmt::join(test_case.positions, " "));
}

std::string text_of(position_range positions) {
  return fmt::format("; positions {} to {}", positions.begin, positions.end - 1);
}

std::string text_of(const alibi& config) {
  return fmt::format("{} heads, {}", config.heads, name_of(config.form));
}

std::string text_of(const matrix<double>& x) {
  std::string text;
  for (int i = 0; i < x.rows(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " | ", fmt::join(x.row(i), " "));
  return text;
}

}  // namespace

std::string text_of(const frequency_case& test_case) { return text_of(test_case.config); }

std::string text_of(const cos_sin_case& test_case) {
  return text_of(test_case.config) + text_of(test_case.input);
}

std::string text_of(const axes_case& test_case) {
  std::string text(name_of(test_case.config.axes));
  if (is_mrope(test_case.config.axes))
    text += fmt::format(" of sections {}", fmt::join(sections_of(test_case.config.axes), " "));
  return text + ", " + text_of(test_case.config.encoding) + text_of(test_case.input);
}

std::string text_of(const xpos_case& test_case) {
  return fmt::format("base {}, rotary_dim {}, scale_base {}, length {}", test_case.config.base,
                     test_case.config.rotary_dim, test_case.config.scale_base, test_case.config.length) +
         text_of(test_case.input);
}

std::string text_of(const sinusoidal_case& test_case) {
  std::string text =
      fmt::format("base {}, d_model {}, shift {}, {} layout", test_case.config.base, test_case.config.d_model,
                  test_case.config.shift, name_of(test_case.config.layout));
  if (test_case.config.scale != 1) text += fmt::format(", scale {}", test_case.config.scale);
  if (test_case.config.padding_idx)
    text += fmt::format(", padding_idx {}", test_case.config.padding_idx.value);
  return text + text_of(test_case.input);
}

std::string text_of(const slope_case& test_case) { return text_of(test_case.config); }

std::string text_of(const bias_case& test_case) {
  return text_of(test_case.config) + fmt::format("; {} queries and keys", test_case.input.length);
}

std::string text_of(const bucket_case& test_case) {
  return fmt::format("{} buckets, max_distance {}, {}", test_case.config.buckets,
                     test_case.config.max_distance,
                     test_case.config.bidirectional ? "bidirectional" : "causal");
}

std::string text_of(const index_code_case& test_case) {
  std::string text = name_of(test_case.config.kind);
  if (test_case.config.kind == index_code_kind::normalised)
    text += fmt::format(" by {}", test_case.config.length);
  if (test_case.config.kind == index_code_kind::binary)
    text += fmt::format(" of {} digits, {} first", test_case.config.width, name_of(test_case.config.order));
  if (test_case.config.kind == index_code_kind::sine_only)
    text += fmt::format(" of width {}, base {}", test_case.config.width, test_case.config.base);
  return text + text_of(test_case.input);
}

std::string text_of(const query_scale_case& test_case) {
  return fmt::format("strength {}, length {}, shift {}", test_case.config.strength, test_case.config.length,
                     test_case.config.shift) +
         text_of(test_case.input);
}

std::string text_of(const learned_case& test_case) {
  return fmt::format("{} positions of {} channels", test_case.config.max_position_embeddings,
                     test_case.config.d_model);
}

std::string text_of(const transformer_xl_case& test_case) {
  return fmt::format("{} queries after {} keys, numbers {}", test_case.input.queries, test_case.input.memory,
                     test_case.input.numbers);
}

std::string text_of(const attention_case& test_case) {
  return fmt::format("base {}; queries {}; keys {}; values {}; positions {}", test_case.config.base,
                     text_of(test_case.input.queries), text_of(test_case.input.keys),
                     text_of(test_case.input.values), fmt::join(test_case.input.positions, " "));
}

}  // namespace ropewalk::search
