#include "verify/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "ropewalk/encoding/attention_positions.hpp"
#include "ropewalk/encoding/learned.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/in_order.hpp"
#include "ropewalk/table/index_code_table.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/query_scale_table.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"
#include "ropewalk/table/xpos_rows.hpp"
#include "search/schedule.hpp"
#include "search/table_cases.hpp"
#include "search/table_search.hpp"
#include "verify/subjects.hpp"

namespace ropewalk::verify {
namespace {

using namespace search;

/// Selects laws of a list by name.
template <class Laws>
auto chosen_of(const Laws& laws, const std::vector<std::string_view>& names) {
  std::vector<const typename Laws::value_type*> types;
  for (const std::string_view name : names)
    for (const auto& law : laws)
      if (law.name == name) types.push_back(&law);
  return types;
}

/// The laws that apply to some of a table's first cases.
template <class Laws, class Case, class Subject>
std::vector<law_text> texts_of_applying(const Laws& laws, const table_under_laws<Case, Subject>& on) {
  constexpr std::int64_t looked_at = 64;
  std::vector<bool> applies(laws.size());
  for (std::int64_t number = 0; number < looked_at; ++number) {
    if (std::find(applies.begin(), applies.end(), false) == applies.end()) break;
    const Subject subject = on.subject(draw_table_case(on.cases, 0, number).value());
    for (std::size_t i = 0; i < laws.size(); ++i) applies[i] = applies[i] || laws[i].applies(subject);
  }
  std::vector<law_text> result;
  for (std::size_t i = 0; i < laws.size(); ++i)
    if (applies[i]) result.push_back(laws[i].text());
  return result;
}

class table_list {
 public:
  /// Adds a table under every law of its subject; subject(case) makes the table.
  template <class Laws, class Case, class Make>
  void add(const std::string& encoding, ropewalk_dtype dtype, const Laws& laws, rc::Gen<Case> cases,
           Make subject) {
    using subject_type = std::invoke_result_t<Make, const Case&>;
    const table_under_laws<Case, subject_type> on{std::move(cases), std::move(subject)};
    const auto own_seed = [=](std::uint64_t seed) { return job_seed(seed, encoding, dtype, "tables"); };
    judged_table table{encoding, dtype, texts_of_applying(laws, on), {}, {}};
    table.go_on = [=, &laws](const std::vector<std::string_view>& names, std::uint64_t seed,
                             const limits& until, const std::atomic<bool>& stopped,
                             std::vector<outcome>& so_far) {
      search_tables(chosen_of(laws, names), on, own_seed(seed), until, stopped, so_far);
    };
    table.shrink = [=, &laws](std::string_view name, std::uint64_t seed, counterexample& counterexample,
                              const std::atomic<bool>& stopped, search::clock::time_point deadline) {
      shrink_table(*chosen_of(laws, {name}).front(), on, own_seed(seed), counterexample, stopped, deadline);
    };
    all.push_back(std::move(table));
  }

  std::vector<judged_table> all;
};

/// Calls visit(name, rule) for each scaling rule.
template <class Visit>
void for_each_rule(Visit visit) {
  for_each_type(scaling_rules{},
                [&]<class Rule>() { visit("RoPE, " + std::string(Rule::name), rope_scaling(Rule{})); });
}

void add_frequencies(table_list& to) {
  for_each_rule([&](const std::string& name, const rope_scaling& rule) {
    to.add(name, ROPEWALK_F64, frequency_laws::all, frequency_cases(rule),
           [](const frequency_case& test_case) {
             return checked_frequencies{inv_freqs<double>, test_case.config};
           });
  });
}

void add_cosines_and_sines(table_list& to) {
  for_each_format([&]<class Float>() {
    for_each_rule([&](const std::string& name, const rope_scaling& rule) {
      to.add(name, dtype_of<Float>, cos_sin_laws::all, cos_sin_cases(rule),
             [](const cos_sin_case& test_case) {
               const auto rows = [known = std::make_shared<const rope_rows>(test_case.config)](
                                     std::int64_t position, const rope&) {
                 std::vector<bits_of<Float>> cos(static_cast<std::size_t>(known->pairs())), sin(cos);
                 known->template row<Float>(position, false, cos.data(), sin.data());
                 std::vector<cos_sin_entry> entries;
                 for (std::size_t pair = 0; pair < cos.size(); ++pair)
                   entries.push_back({cos[pair], sin[pair]});
                 return entries;
               };
               return checked_cos_sin{dtype_of<Float>, rows, test_case.config};
             });
    });
  });
}

void add_sinusoids(table_list& to) {
  for_each_format([&]<class Float>() {
    const auto rows = [](position_range positions, const sinusoidal& config) {
      return widened(sinusoidal_encodings<Float>(positions, config));
    };
    for (const auto& [name, config] : sinusoidal_conventions())
      to.add(name, dtype_of<Float>, sinusoidal_laws::all, sinusoidal_cases(config),
             [=](const sinusoidal_case& test_case) {
               return checked_sinusoids{dtype_of<Float>, rows, test_case.config};
             });
  });
}

void add_linear_biases(table_list& to) {
  const auto biases = [](int n, const alibi& config) { return alibi_biases(config).entries<double>(n, n); };
  for (const alibi_form form : alibi_forms) {
    const std::string name = std::string("alibi, ") + name_of(form);
    if (!is_by_key(form))  // no slope depends on the form
      to.add(name, ROPEWALK_F64, slope_laws::all, slope_cases(form), [](const slope_case& test_case) {
        return checked_slopes{alibi_slopes<double>, test_case.config};
      });
    to.add(name, ROPEWALK_F64, bias_laws::all, bias_cases(form), [=](const bias_case& test_case) {
      return checked_biases{biases, test_case.config};
    });
  }
}

void add_buckets(table_list& to) {
  for (const bool is_encoder : {true, false})
    to.add(is_encoder ? "t5, encoder" : "t5, decoder", ROPEWALK_F64, bucket_laws::all,
           bucket_cases(is_encoder), [](const bucket_case& test_case) {
             return checked_buckets{t5_bucket, test_case.config};
           });
}

void add_index_codes(table_list& to) {
  for_each_format([&]<class Float>() {
    const auto made = [](position_range positions, const index_code& config) {
      return widened(index_codes<Float>(positions, config));
    };
    for (int kind = 0; kind <= static_cast<int>(index_code_kind::sine_only); ++kind)
      to.add(name_of(index_code_kind(kind)), dtype_of<Float>, index_code_laws::all,
             index_code_cases(index_code_kind(kind)), [=](const index_code_case& test_case) {
               return checked_index_codes{dtype_of<Float>, made, test_case.config};
             });
  });
}

void add_query_scales(table_list& to) {
  for_each_format([&]<class Float>() {
    const auto scales = [](position_range positions, const query_scale& config) {
      return widened(query_scales<Float>(positions, config));
    };
    to.add("query scale", dtype_of<Float>, query_scale_laws::all, query_scale_cases(),
           [=](const query_scale_case& test_case) {
             return checked_query_scales{dtype_of<Float>, scales, test_case.config};
           });
  });
}

void add_learned(table_list& to) {
  const learned_source source = [](const learned& config, const std::vector<std::uint64_t>& weights) {
    const std::vector<std::uint32_t> numbers(weights.begin(), weights.end());
    return [=](std::int64_t position) -> std::optional<std::vector<std::uint64_t>> {
      try {
        const auto row = learned_table<float>(config, numbers).row(position);
        return std::vector<std::uint64_t>(row.begin(), row.end());
      } catch (const std::invalid_argument&) {
        return std::nullopt;
      }
    };
  };
  to.add("learned", ROPEWALK_F32, learned_laws::all, learned_cases(), [=](const learned_case& test_case) {
    return checked_learned_rows{ROPEWALK_F32, test_case.config, source};
  });
}

/// Transformer-XL's attention scores of small integers, with one form of the relative shift; exact in
/// binary64.
matrix<double> shifted_scores(const transformer_xl_example& example, shift_form form) {
  const int keys = example.head.keys.rows(), memory = memory_length_of(example.head);
  const auto products =
      form == shift_form::transformer_xl
          ? shifted_products(example.head, rows_between(example.distances, keys - 1, 0), form)
          : shifted_products(example.head, example.distances, form);
  return matrix_of(products.rows(), products.columns(), [&](int i, int j) {
    return j <= i + memory ? products.at(i, j) / 2 : -std::numeric_limits<double>::infinity();
  });
}

void add_transformer_xl(table_list& to) {
  for (const shift_form form : {shift_form::transformer_xl, shift_form::xlnet})
    to.add(form == shift_form::xlnet ? "XLNet" : "Transformer-XL", ROPEWALK_F64, transformer_xl_laws::all,
           transformer_xl_cases(), [form](const transformer_xl_case&) {
             return checked_transformer_xl{
                 [form](const transformer_xl_example& example) { return shifted_scores(example, form); }};
           });
}

void add_attention(table_list& to) {
  using real_rows = matrix<attention_real>;
  const auto exact = [](const matrix<double>& x) { return enclosed<attention_limbs>(x); };
  const auto add = [&](const char* name, const attention_traits& traits, auto attend) {
    to.add(name, ROPEWALK_F64, attention_laws::all, attention_cases(), [=](const attention_case& test_case) {
      return checked_attention{[=, base = test_case.config.base](const attention_example& example) {
                                 return attend(example, base);
                               },
                               traits};
    });
  };
  constexpr attention_mask causal{.keys = visible_keys::causal};
  add("attention, no positions", {}, [=](const attention_example& example, double) {
    return attention(exact(example.queries), exact(example.keys), exact(example.values));
  });
  add("attention, causal", {.is_causal = true}, [=](const attention_example& example, double) {
    return attention(exact(example.queries), exact(example.keys), exact(example.values), causal);
  });
  add("attention, sinusoidal", {.has_positions = true}, [=](const attention_example& example, double base) {
    const auto summed = [&](const matrix<double>& x) {
      return with_sinusoids(exact(x), example.positions, {.base = base, .d_model = x.columns()});
    };
    return attention(summed(example.queries), summed(example.keys), exact(example.values));
  });
  add("attention, RoPE", {.has_positions = true, .is_relative = true},
      [=](const attention_example& example, double base) {
        const auto turned = [&](const matrix<double>& x) {
          return rotated_rows(exact(x), example.positions, rope{.base = base, .rotary_dim = x.columns()});
        };
        return attention(turned(example.queries), turned(example.keys), exact(example.values));
      });
  add("attention, ALiBi", {.has_positions = true, .is_relative = true, .is_causal = true},
      [=](const attention_example& example, double) {
        const real_rows biases = linear_biases<attention_limbs>(example.positions, example.positions, 0,
                                                                {.heads = example.keys.columns()});
        return attention_of_scores(attention_scores(exact(example.queries), exact(example.keys)) + biases,
                                   exact(example.values), causal);
      });
}

void add_axes_and_xpos(table_list& to) {
  const std::pair<const char*, axes_kind> rules[] = {{"RoPE, Qwen2-VL", axes_kind::mrope},
                                                     {"RoPE, Qwen3-VL", axes_kind::mrope_interleaved},
                                                     {"RoPE, Pixtral", axes_kind::pixtral},
                                                     {"RoPE, Qwen2-VL vision", axes_kind::qwen_vision},
                                                     {"RoPE, any axes", axes_kind::any}};
  for_each_format([&]<class Float>() {
    for (const auto& [name, rule] : rules)
      to.add(name, dtype_of<Float>, axes_laws::all, axes_cases(rule), [](const axes_case& test_case) {
        const auto made =
            std::make_shared<const rope_axes_rows>(test_case.config.axes, test_case.config.encoding);
        const auto rows = [made](const std::vector<std::int32_t>& at, const rope_axes&, const rope&) {
          return widened_pairs(made->template row<Float>(at));
        };
        return checked_axes_rows{dtype_of<Float>, rows, test_case.config.axes, test_case.config.encoding};
      });
    const auto row = [](std::int64_t position, xpos_side side, const xpos& config) {
      return widened_pairs(xpos_row<Float>(position, side, config));
    };
    to.add("xPos", dtype_of<Float>, xpos_laws::all, xpos_cases(), [=](const xpos_case& tested) {
      return checked_xpos_rows{dtype_of<Float>, row, tested.config};
    });
  });
}

std::vector<std::string_view> names_of(const std::vector<law_text>& laws) {
  std::vector<std::string_view> names;
  for (const law_text& law : laws) names.push_back(law.name);
  return names;
}

result line_of(const judged_table& table, std::size_t law, const table_plan& plan, outcome outcome,
               const std::atomic<bool>& stopped) {
  result line;
  line.kernel = tables_label;
  line.model = table.encoding;
  line.dtype = table.dtype;
  line.law = table.laws[law];
  line.outcome = std::move(outcome);
  // Enough cases for table_cases of them to be decided, unless the search gave up.
  const std::int64_t missing = is_given_up(line.outcome) ? 0 : table_cases - line.outcome.decided;
  line.outcome.count = line.outcome.asked() + missing;
  if (!line.outcome.failure) return line;
  table.shrink(line.law.name, plan.seed, *line.outcome.failure, stopped, plan.end);
  line.reproduce = fmt::format("ropewalk verify --law {} --dtype {} --seed {} --cases {}{}", line.law.name,
                               name_of(line.dtype), plan.seed, line.outcome.decided,
                               line.outcome.decided < table_cases ? " --allow-cut" : "");
  return line;
}

}  // namespace

judged_tables judge(const std::vector<judged_table>& tables, const table_plan& plan,
                    const std::atomic<bool>& stopped) {
  std::vector<std::vector<outcome>> items;
  for (const judged_table& table : tables) items.emplace_back(table.laws.size());
  // A few cases of every table first, then the rest.
  constexpr std::int64_t cases_at_first = 3;
  for (const std::int64_t cases : {std::min(cases_at_first, plan.cases), plan.cases}) {
    std::atomic<std::size_t> next = 0;
    on_threads(plan.threads, [&](int) {
      for (std::size_t i = next++; i < tables.size(); i = next++)
        tables[i].go_on(names_of(tables[i].laws), plan.seed, {0, cases, {}, plan.end}, stopped, items[i]);
    });
  }
  judged_tables result;
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (std::size_t law = 0; law < items[i].size(); ++law) {
      const outcome& outcome = items[i][law];
      if (outcome.drawn == 0 && stopped) continue;
      result.lines.push_back(line_of(tables[i], law, plan, outcome, stopped));
    }
  return result;
}

std::vector<judged_table> own_tables() {
  table_list list;
  add_frequencies(list);
  add_cosines_and_sines(list);
  add_sinusoids(list);
  add_linear_biases(list);
  add_buckets(list);
  add_index_codes(list);
  add_query_scales(list);
  add_learned(list);
  add_transformer_xl(list);
  add_attention(list);
  add_axes_and_xpos(list);
  return std::move(list.all);
}

std::vector<law_text> laws_of_tables() {
  std::vector<law_text> laws;
  const auto add = [&](const auto&... lists) {
    const auto add_one = [&](const auto& list) {
      for (const auto& law : list) laws.push_back(law.text());
    };
    (add_one(lists), ...);
  };
  add(frequency_laws::all, cos_sin_laws::all, sinusoidal_laws::all, slope_laws::all, bias_laws::all,
      bucket_laws::all, index_code_laws::all, query_scale_laws::all, learned_laws::all,
      transformer_xl_laws::all, attention_laws::all, axes_laws::all, xpos_laws::all);
  return laws;
}

}  // namespace ropewalk::verify
