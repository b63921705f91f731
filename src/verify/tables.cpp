#include "verify/tables.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "ropewalk/encoding/attention_positions.hpp"
#include "ropewalk/encoding/learned.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/index_code_table.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"
#include "ropewalk/table/xpos_rows.hpp"
#include "verify/subjects.hpp"

namespace ropewalk::verify {
namespace {

constexpr std::int64_t sinusoidal_length = 300, code_length = 60, xpos_length = 40, bias_length = 24;

class table_list {
 public:
  /// Every law of a subject that speaks of it, on one case.
  template <class Laws, class Subject>
  void add(const std::string& encoding, ropewalk_dtype dtype, const Laws& laws, Subject subject,
           const typename Subject::case_type& given) {
    const auto held = std::make_shared<const Subject>(std::move(subject));
    for (const law<Subject>& one : laws)
      if (one.applies(*held))
        all.push_back({encoding, dtype, one.text(),
                       [measure = one.measure, held, given] { return measure(*held, given); }});
  }

  std::vector<judged_table> all;
};

constexpr double short_list[] = {1, 1, 1.25, 1.25, 1.5, 1.5, 2, 2},
                 long_list[] = {1, 2, 4, 8, 16, 24, 32, 32};

// One configuration of each rule.

rope example(std::type_identity<unscaled>) { return {.rotary_dim = 64}; }
rope example(std::type_identity<linear>) { return {.rotary_dim = 64, .scaling = linear{.factor = 4}}; }
rope example(std::type_identity<dynamic>) {
  return {
      .rotary_dim = 64, .scaling = dynamic{.factor = 2, .max_position_embeddings = 4096}, .seq_len = 8192};
}
rope example(std::type_identity<ntk>) { return {.rotary_dim = 64, .scaling = ntk{.factor = 4}}; }
rope example(std::type_identity<llama3>) {
  return {.base = 500000,
          .rotary_dim = 128,
          .scaling = llama3{.factor = 8,
                            .low_freq_factor = 1,
                            .high_freq_factor = 4,
                            .original_max_position_embeddings = 8192}};
}
rope example(std::type_identity<yarn>) {
  return {.base = 1000000,
          .rotary_dim = 128,
          .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}};
}
rope example(std::type_identity<longrope>) {
  return {.rotary_dim = 16,
          .scaling = longrope{.short_factor = short_list,
                              .long_factor = long_list,
                              .original_max_position_embeddings = 4096,
                              .max_position_embeddings = 131072},
          .seq_len = 8192};
}
rope example(std::type_identity<proportional>) {
  return {.base = 1000000, .rotary_dim = 64, .scaling = proportional{.live_pairs = 8, .factor = 1}};
}

std::vector<std::pair<std::string, rope>> rotary_configurations() {
  std::vector<std::pair<std::string, rope>> r;
  for_each_type(scaling_rules{}, [&]<class Rule>() {
    const bool is_none = std::is_same_v<Rule, unscaled>;
    r.push_back(
        {"RoPE, " + (is_none ? "base 10000" : std::string(Rule::name)), example(std::type_identity<Rule>())});
  });
  return r;
}

void add_frequencies(table_list& to) {
  for (const auto& [name, config] : rotary_configurations())
    to.add(name, ROPEWALK_F64, frequency_laws::all, held_frequencies{inv_freqs<double>, config}, {});
}

/// Every size of position, both signs, and neighbours.
listed_positions telling_positions() {
  listed_positions r{{0, 1, 2, 3, -1, 63, 64, 4095, 8191, 131071}};
  for (int k = 17; k <= 30; ++k) r.positions.push_back((std::int64_t{1} << k) + (k % 3 - 1));
  r.positions.push_back(2147483647);
  r.positions.push_back(-2147483648);
  return r;
}

void add_cosines_and_sines(table_list& to) {
  for_each_format([&]<class Float>() {
    for (const auto& [name, config] : rotary_configurations()) {
      const auto rows = [known = std::make_shared<const rope_rows>(config)](std::int64_t position,
                                                                            const rope&) {
        std::vector<bits_of<Float>> cos(static_cast<std::size_t>(known->pairs())), sin(cos);
        known->template row<Float>(position, false, cos.data(), sin.data());
        std::vector<cos_sin_entry> r;
        for (std::size_t pair = 0; pair < cos.size(); ++pair) r.push_back({cos[pair], sin[pair]});
        return r;
      };
      to.add(name, dtype_of<Float>, cos_sin_laws::all, held_cos_sin{dtype_of<Float>, rows, config},
             telling_positions());
    }
  });
}

void add_sinusoids(table_list& to) {
  for_each_format([&]<class Float>() {
    const auto rows = [](position_range positions, const sinusoidal& config) {
      return widened(sinusoidal_encodings<Float>(positions, config));
    };
    for (const auto& [name, config] : sinusoidal_conventions())
      to.add(name, dtype_of<Float>, sinusoidal_laws::all, held_sinusoids{dtype_of<Float>, rows, config},
             {sinusoidal_length});
  });
}

void add_linear_biases(table_list& to) {
  const auto biases = [](int n, const alibi& of) { return alibi_biases(of).entries<double>(n, n); };
  for (const auto& [name, config] : alibi_conventions()) {
    to.add(name, ROPEWALK_F64, slope_laws::all, held_slopes{alibi_slopes<double>, config}, {});
    to.add(name, ROPEWALK_F64, bias_laws::all, held_biases{biases, config}, {bias_length});
  }
}

void add_buckets(table_list& to) {
  to.add("t5, encoder", ROPEWALK_F64, bucket_laws::all, held_buckets{t5_bucket, {}}, {});
  to.add("t5, decoder", ROPEWALK_F64, bucket_laws::all, held_buckets{t5_bucket, {.bidirectional = false}},
         {});
}

void add_index_codes(table_list& to) {
  const std::pair<const char*, index_code> codes[] = {
      {"integer", {}},
      {"normalised", {.kind = index_code_kind::normalised, .length = code_length}},
      {"binary", {.kind = index_code_kind::binary, .width = 6}},
      {"sine-only", {.kind = index_code_kind::sine_only, .width = 16}}};
  for_each_format([&]<class Float>() {
    const auto made = [](position_range positions, const index_code& config) {
      return widened(index_codes<Float>(positions, config));
    };
    for (const auto& [name, config] : codes)
      to.add(name, dtype_of<Float>, index_code_laws::all, held_index_codes{dtype_of<Float>, made, config},
             {code_length});
  });
}

void add_learned(table_list& to) {
  const learned config{.max_position_embeddings = 16, .d_model = 4};
  std::vector<std::uint32_t> weights;  // no two alike
  for (int i = 0; i < 16 * 4; ++i) weights.push_back(to_bits(static_cast<float>(i)));
  const learned_lookup lookup = [=](std::int64_t position) -> std::optional<std::vector<std::uint64_t>> {
    try {
      const auto row = learned_table<float>(config, weights).row(position);
      return std::vector<std::uint64_t>(row.begin(), row.end());
    } catch (const std::invalid_argument&) {
      return std::nullopt;
    }
  };
  to.add("learned", ROPEWALK_F32, learned_laws::all,
         held_learned_rows{ROPEWALK_F32, config, widened(weights), lookup}, {});
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
  for (const shift_form form : {shift_form::transformer_xl, shift_form::xlnet})
    to.add(form == shift_form::xlnet ? "XLNet" : "Transformer-XL", ROPEWALK_F64, transformer_xl_laws::all,
           held_transformer_xl{[form](const transformer_xl_example& of) { return shifted_scores(of, form); }},
           {.queries = 4, .memory = 3});
}

void add_attention(table_list& to) {
  using real_rows = matrix<attention_real>;
  using positions = std::vector<double>;
  constexpr int tokens = 4, channels = 4;
  const auto add = [&](const char* name, const attention_traits& traits, auto positioned) {
    const attention_rule rule = [positioned](const attention_example& of) {
      const auto exact = [](const matrix<double>& x) { return enclosed<attention_limbs>(x); };
      return attention(positioned(exact(of.queries), of.positions), positioned(exact(of.keys), of.positions),
                       exact(of.values));
    };
    to.add(name, ROPEWALK_F64, attention_laws::all, held_attention{rule, traits},
           example_of(tokens, channels, 7));
  };
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
      return widened_pairs(rope_axes_rows(axes, of).template row<Float>(at));
    };
    for (const auto& [name, axes] : rules)
      to.add(name, dtype_of<Float>, axes_laws::all,
             held_axes_rows{dtype_of<Float>, rows, axes, {.rotary_dim = 32}}, {});
    const auto row = [](std::int64_t position, xpos_side side, const xpos& config) {
      return widened_pairs(xpos_row<Float>(position, side, config));
    };
    to.add("xPos", dtype_of<Float>, xpos_laws::all,
           held_xpos_rows{dtype_of<Float>, row, {.rotary_dim = 16, .length = xpos_length}}, {xpos_length});
  });
}

}  // namespace

std::vector<judged_table> own_tables() {
  table_list r;
  add_frequencies(r);
  add_cosines_and_sines(r);
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

}  // namespace ropewalk::verify
