#include "command/verified_tables.hpp"

#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "command/verified_additions.hpp"
#include "ropewalk/encoding/attention_positions.hpp"
#include "ropewalk/law/alibi_laws.hpp"
#include "ropewalk/law/alibi_slope_laws.hpp"
#include "ropewalk/law/attention_laws.hpp"
#include "ropewalk/law/index_code_laws.hpp"
#include "ropewalk/law/learned_laws.hpp"
#include "ropewalk/law/rope_axes_laws.hpp"
#include "ropewalk/law/sinusoidal_laws.hpp"
#include "ropewalk/law/t5_bias_laws.hpp"
#include "ropewalk/law/transformer_xl_laws.hpp"
#include "ropewalk/law/xpos_laws.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/index_code_table.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"
#include "ropewalk/table/xpos_rows.hpp"

namespace ropewalk::command {
namespace {

constexpr std::int64_t sinusoidal_length = 300, code_length = 60, xpos_length = 40;

/// Laws, kept as long as the program: reports point at them. Equality decides where `relative_to` is empty.
const law* law_named(std::string_view name, std::string_view statement, std::string_view relative_to) {
  static std::map<std::pair<std::string_view, std::string_view>, law> laws;
  return &laws.try_emplace({name, statement}, law{name, statement, relative_to, {}, nullptr}).first->second;
}

class table_list {
 public:
  template <class Run>
  void add(const std::string& encoding, ropewalk_dtype dtype, std::string_view law,
           std::string_view statement, Run run, std::string_view relative_to = "") {
    all.push_back({encoding, dtype, law_named(law, statement, relative_to), std::move(run)});
  }

  std::vector<verified_table> all;
};

template <class Visit>
void for_each_format(Visit visit) {
  visit.template operator()<double>();
  visit.template operator()<float>();
  visit.template operator()<binary16>();
  visit.template operator()<bfloat16>();
}

void add_sinusoids(table_list& to) {
  for_each_format([&]<class Float>() {
    for (const auto& [name, config] : sinusoidal_conventions())
      for (const auto& one : sinusoidal_laws<Float>)
        if (one.applies(config))
          to.add(
              name, dtype_of<Float>, one.name, one.statement,
              [measure = one.measure, config = config] {
                return measure(sinusoidal_encodings<Float>, config, sinusoidal_length);
              },
              one.name == "shift" ? "absolute" : "");
  });
}

void add_linear_biases(table_list& to) {
  constexpr int length = 24;
  for (const auto& [name, config] : alibi_conventions()) {
    for (const slope_law& one : slope_laws)
      if (one.applies(config))
        to.add(name, ROPEWALK_F64, one.name, one.statement,
               [measure = one.measure, config = config] { return measure(alibi_slopes<double>, config); });
    for (const bias_law& one : bias_laws)
      if (one.applies(config))
        to.add(name, ROPEWALK_F64, one.name, one.statement, [measure = one.measure, config = config] {
          return measure([](int n, const alibi& of) { return alibi_biases(of).entries<double>(n, n); },
                         length, config);
        });
  }
}

void add_buckets(table_list& to) {
  const std::pair<const char*, t5_bias> settings[] = {{"t5, encoder", {}},
                                                      {"t5, decoder", {.bidirectional = false}}};
  for (const auto& [name, config] : settings)
    for (const bucket_law& one : bucket_laws)
      to.add(name, ROPEWALK_F64, one.name, one.statement,
             [measure = one.measure, config] { return measure(t5_bucket, config); });
}

void add_index_codes(table_list& to) {
  const std::pair<const char*, index_code> codes[] = {
      {"integer", {}},
      {"normalised", {.kind = index_code_kind::normalised, .length = code_length}},
      {"binary", {.kind = index_code_kind::binary, .width = 6}},
      {"sine-only", {.kind = index_code_kind::sine_only, .width = 16}}};
  for_each_format([&]<class Float>() {
    for (const auto& [name, config] : codes)
      for (const auto& one : index_code_laws<Float>)
        if (one.applies(config))
          to.add(name, dtype_of<Float>, one.name, one.statement, [measure = one.measure, config] {
            return measure(index_codes<Float>, config, code_length);
          });
  });
}

void add_learned(table_list& to) {
  for (const auto& one : learned_laws<float>)
    to.add("learned", ROPEWALK_F32, one.name, one.statement, [measure = one.measure] {
      std::vector<std::uint32_t> weights;  // no two alike
      for (int i = 0; i < 16 * 4; ++i) weights.push_back(to_bits(static_cast<float>(i)));
      const learned_table<float> table({.max_position_embeddings = 16, .d_model = 4}, weights);
      const learned_lookup<float> lookup =
          [](std::int64_t position,
             const learned_table<float>& in) -> std::optional<std::vector<std::uint32_t>> {
        try {
          const auto row = in.row(position);
          return std::vector<std::uint32_t>(row.begin(), row.end());
        } catch (const std::invalid_argument&) {
          return std::nullopt;
        }
      };
      return measure(lookup, table);
    });
}

/// Transformer-XL's scores of small whole numbers by one of the shifts: binary64 holds them exactly.
matrix<double> shifted_scores(const transformer_xl_example& of, shift_form form) {
  const int keys = of.head.keys.rows(), memory = memory_length_of(of.head);
  const auto products = form == shift_form::transformer_xl
                            ? shifted_products(of.head, rows_between(of.distances, keys - 1, 0), form)
                            : shifted_products(of.head, of.distances, form);
  return matrix_of(products.rows(), products.columns(), [&](int i, int j) {
    return j <= i + memory ? products.at(i, j) / 2 : -std::numeric_limits<double>::infinity();
  });
}

void add_transformer_xl(table_list& to) {
  constexpr int queries = 4, memory = 3;
  for (const shift_form form : {shift_form::transformer_xl, shift_form::xlnet})
    for (const transformer_xl_law& one : transformer_xl_laws)
      to.add(form == shift_form::xlnet ? "XLNet" : "Transformer-XL", ROPEWALK_F64, one.name, one.statement,
             [measure = one.measure, form] {
               return measure([form](const transformer_xl_example& of) { return shifted_scores(of, form); },
                              queries, memory);
             });
}

void add_attention(table_list& to) {
  using real_rows = matrix<attention_real>;
  constexpr int tokens = 4, channels = 4;
  const auto add = [&](const char* name, const attention_traits& traits, auto positioned) {
    for (const attention_law& one : attention_laws)
      if (one.applies(traits))
        to.add(name, ROPEWALK_F64, one.name, one.statement, [measure = one.measure, positioned] {
          const attention_rule rule = [positioned](const attention_example& of) {
            const auto exact = [](const matrix<double>& x) { return enclosed<attention_limbs>(x); };
            return attention(positioned(exact(of.queries), of.positions),
                             positioned(exact(of.keys), of.positions), exact(of.values));
          };
          return measure(rule, example_of(tokens, channels, 7));
        });
  };
  using positions = std::vector<double>;
  add("attention, no positions", {}, [](const real_rows& rows, const positions&) { return rows; });
  add("attention, sinusoidal", {.has_positions = true}, [](const real_rows& rows, const positions& at) {
    return with_sinusoids(rows, at, {.d_model = channels});
  });
  add("attention, RoPE", {.has_positions = true, .is_relative = true},
      [](const real_rows& rows, const positions& at) {
        return rotated_rows(rows, at, rope{.rotary_dim = channels});
      });
}

void add_axes_and_xpos(table_list& to) {
  const std::pair<const char*, rope_axes> rules[] = {
      {"RoPE, Qwen2-VL", {axis_rule::mrope, {4, 6, 6}}},
      {"RoPE, Qwen3-VL", {axis_rule::mrope_interleaved, {6, 5, 5}}},
      {"RoPE, Pixtral", {axis_rule::pixtral}},
      {"RoPE, Qwen2-VL vision", {axis_rule::qwen_vision}}};
  for_each_format([&]<class Float>() {
    const auto rows = [](const std::vector<std::int32_t>& at, const rope_axes& axes, const rope& of) {
      return rope_axes_rows(axes, of).template row<Float>(at);
    };
    for (const auto& [name, axes] : rules)
      for (const auto& one : rope_axes_laws<Float>)
        to.add(name, dtype_of<Float>, one.name, one.statement, [measure = one.measure, rows, axes = axes] {
          return measure(rows, axes, {.rotary_dim = 32});
        });
    for (const auto& one : xpos_laws<Float>)
      to.add(
          "xPos", dtype_of<Float>, one.name, one.statement,
          [measure = one.measure] {
            return measure(xpos_row<Float>, xpos_length, {.rotary_dim = 16, .length = xpos_length});
          },
          one.name == "rounded-once" ? "" : "scale^2");
  });
}

}  // namespace

std::vector<verified_table> verified_tables() {
  table_list r;
  add_sinusoids(r);
  add_linear_biases(r);
  add_buckets(r);
  add_index_codes(r);
  add_learned(r);
  add_transformer_xl(r);
  add_attention(r);
  add_axes_and_xpos(r);
  return std::move(r.all);
}

}  // namespace ropewalk::command
