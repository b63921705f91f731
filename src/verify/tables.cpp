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

/// The laws of a list by their names.
template <class Laws>
auto chosen_of(const Laws& laws, const std::vector<std::string_view>& names) {
  std::vector<const typename Laws::value_type*> r;
  for (const std::string_view name : names)
    for (const auto& one : laws)
      if (one.name == name) r.push_back(&one);
  return r;
}

/// The laws that apply to any of a table's first cases.
template <class Laws, class Case, class Subject>
std::vector<law_text> texts_of_applying(const Laws& laws, const table_under_laws<Case, Subject>& on) {
  constexpr std::int64_t looked_at = 64;
  std::vector<bool> applies(laws.size());
  for (std::int64_t number = 0; number < looked_at; ++number) {
    if (std::find(applies.begin(), applies.end(), false) == applies.end()) break;
    const Subject subject = on.subject(draw_table_case(on.cases, 0, number).value());
    for (std::size_t i = 0; i < laws.size(); ++i) applies[i] = applies[i] || laws[i].applies(subject);
  }
  std::vector<law_text> r;
  for (std::size_t i = 0; i < laws.size(); ++i)
    if (applies[i]) r.push_back(laws[i].text());
  return r;
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
    judged_table r{encoding, dtype, texts_of_applying(laws, on), {}, {}};
    r.go_on = [=, &laws](const std::vector<std::string_view>& names, std::uint64_t seed, const limits& until,
                         const std::atomic<bool>& stopped, std::vector<outcome>& so_far) {
      search_tables(chosen_of(laws, names), on, own_seed(seed), until, stopped, so_far);
    };
    r.shrink = [=, &laws](std::string_view name, std::uint64_t seed, counterexample& found,
                          const std::atomic<bool>& stopped, search::clock::time_point deadline) {
      shrink_table(*chosen_of(laws, {name}).front(), on, own_seed(seed), found, stopped, deadline);
    };
    all.push_back(std::move(r));
  }

  std::vector<judged_table> all;
};

/// visit(name, rule) for each scaling rule.
template <class Visit>
void for_each_rule(Visit visit) {
  for_each_type(scaling_rules{},
                [&]<class Rule>() { visit("RoPE, " + std::string(Rule::name), rope_scaling(Rule{})); });
}

void add_frequencies(table_list& to) {
  for_each_rule([&](const std::string& name, const rope_scaling& rule) {
    to.add(name, ROPEWALK_F64, frequency_laws::all, frequency_cases(rule), [](const frequency_case& of) {
      return checked_frequencies{inv_freqs<double>, of.config};
    });
  });
}

void add_cosines_and_sines(table_list& to) {
  for_each_format([&]<class Float>() {
    for_each_rule([&](const std::string& name, const rope_scaling& rule) {
      to.add(name, dtype_of<Float>, cos_sin_laws::all, cos_sin_cases(rule), [](const cos_sin_case& of) {
        const auto rows = [known = std::make_shared<const rope_rows>(of.config)](std::int64_t position,
                                                                                 const rope&) {
          std::vector<bits_of<Float>> cos(static_cast<std::size_t>(known->pairs())), sin(cos);
          known->template row<Float>(position, false, cos.data(), sin.data());
          std::vector<cos_sin_entry> r;
          for (std::size_t pair = 0; pair < cos.size(); ++pair) r.push_back({cos[pair], sin[pair]});
          return r;
        };
        return checked_cos_sin{dtype_of<Float>, rows, of.config};
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
             [=](const sinusoidal_case& of) {
               return checked_sinusoids{dtype_of<Float>, rows, of.config};
             });
  });
}

void add_linear_biases(table_list& to) {
  const auto biases = [](int n, const alibi& of) { return alibi_biases(of).entries<double>(n, n); };
  for (const alibi_form form : alibi_forms) {
    const std::string name = std::string("alibi, ") + name_of(form);
    if (!is_by_key(form))  // no slope depends on the form
      to.add(name, ROPEWALK_F64, slope_laws::all, slope_cases(form), [](const slope_case& of) {
        return checked_slopes{alibi_slopes<double>, of.config};
      });
    to.add(name, ROPEWALK_F64, bias_laws::all, bias_cases(form), [=](const bias_case& of) {
      return checked_biases{biases, of.config};
    });
  }
}

void add_buckets(table_list& to) {
  for (const bool is_encoder : {true, false})
    to.add(is_encoder ? "t5, encoder" : "t5, decoder", ROPEWALK_F64, bucket_laws::all,
           bucket_cases(is_encoder), [](const bucket_case& of) {
             return checked_buckets{t5_bucket, of.config};
           });
}

void add_index_codes(table_list& to) {
  for_each_format([&]<class Float>() {
    const auto made = [](position_range positions, const index_code& config) {
      return widened(index_codes<Float>(positions, config));
    };
    for (int kind = 0; kind <= static_cast<int>(index_code_kind::sine_only); ++kind)
      to.add(name_of(index_code_kind(kind)), dtype_of<Float>, index_code_laws::all,
             index_code_cases(index_code_kind(kind)), [=](const index_code_case& of) {
               return checked_index_codes{dtype_of<Float>, made, of.config};
             });
  });
}

void add_query_scales(table_list& to) {
  for_each_format([&]<class Float>() {
    const auto scales = [](position_range positions, const query_scale& config) {
      return widened(query_scales<Float>(positions, config));
    };
    to.add("query scale", dtype_of<Float>, query_scale_laws::all, query_scale_cases(),
           [=](const query_scale_case& of) {
             return checked_query_scales{dtype_of<Float>, scales, of.config};
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
  to.add("learned", ROPEWALK_F32, learned_laws::all, learned_cases(), [=](const learned_case& of) {
    return checked_learned_rows{ROPEWALK_F32, of.config, source};
  });
}

/// Transformer-XL's attention scores of small integers, by one form of the relative shift; exact in binary64.
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
           transformer_xl_cases(), [form](const transformer_xl_case&) {
             return checked_transformer_xl{
                 [form](const transformer_xl_example& of) { return shifted_scores(of, form); }};
           });
}

void add_attention(table_list& to) {
  using real_rows = matrix<attention_real>;
  const auto exact = [](const matrix<double>& x) { return enclosed<attention_limbs>(x); };
  const auto add = [&](const char* name, const attention_traits& traits, auto attend) {
    to.add(name, ROPEWALK_F64, attention_laws::all, attention_cases(), [=](const attention_case& given) {
      return checked_attention{
          [=, base = given.config.base](const attention_example& of) { return attend(of, base); }, traits};
    });
  };
  constexpr attention_mask causal{.keys = visible_keys::causal};
  add("attention, no positions", {}, [=](const attention_example& of, double) {
    return attention(exact(of.queries), exact(of.keys), exact(of.values));
  });
  add("attention, causal", {.is_causal = true}, [=](const attention_example& of, double) {
    return attention(exact(of.queries), exact(of.keys), exact(of.values), causal);
  });
  add("attention, sinusoidal", {.has_positions = true}, [=](const attention_example& of, double base) {
    const auto summed = [&](const matrix<double>& x) {
      return with_sinusoids(exact(x), of.positions, {.base = base, .d_model = x.columns()});
    };
    return attention(summed(of.queries), summed(of.keys), exact(of.values));
  });
  add("attention, RoPE", {.has_positions = true, .is_relative = true},
      [=](const attention_example& of, double base) {
        const auto turned = [&](const matrix<double>& x) {
          return rotated_rows(exact(x), of.positions, rope{.base = base, .rotary_dim = x.columns()});
        };
        return attention(turned(of.queries), turned(of.keys), exact(of.values));
      });
  add("attention, ALiBi", {.has_positions = true, .is_relative = true, .is_causal = true},
      [=](const attention_example& of, double) {
        const real_rows biases =
            linear_biases<attention_limbs>(of.positions, of.positions, 0, {.heads = of.keys.columns()});
        return attention_of_scores(attention_scores(exact(of.queries), exact(of.keys)) + biases,
                                   exact(of.values), causal);
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
      to.add(name, dtype_of<Float>, axes_laws::all, axes_cases(rule), [](const axes_case& given) {
        const auto made = std::make_shared<const rope_axes_rows>(given.config.axes, given.config.encoding);
        const auto rows = [made](const std::vector<std::int32_t>& at, const rope_axes&, const rope&) {
          return widened_pairs(made->template row<Float>(at));
        };
        return checked_axes_rows{dtype_of<Float>, rows, given.config.axes, given.config.encoding};
      });
    const auto row = [](std::int64_t position, xpos_side side, const xpos& config) {
      return widened_pairs(xpos_row<Float>(position, side, config));
    };
    to.add("xPos", dtype_of<Float>, xpos_laws::all, xpos_cases(), [=](const xpos_case& of) {
      return checked_xpos_rows{dtype_of<Float>, row, of.config};
    });
  });
}

std::vector<std::string_view> names_of(const std::vector<law_text>& laws) {
  std::vector<std::string_view> r;
  for (const law_text& one : laws) r.push_back(one.name);
  return r;
}

result line_of(const judged_table& table, std::size_t law, const table_plan& how, outcome found,
               const std::atomic<bool>& stopped) {
  result r;
  r.kernel = tables_label;
  r.model = table.encoding;
  r.dtype = table.dtype;
  r.law = table.laws[law];
  r.found = std::move(found);
  // As many as it takes until table_cases of them decide something, unless that is given up.
  const std::int64_t missing = is_given_up(r.found) ? 0 : table_cases - r.found.decided;
  r.found.wanted = r.found.asked() + missing;
  if (!r.found.failure) return r;
  table.shrink(r.law.name, how.seed, *r.found.failure, stopped, how.end);
  r.reproduce =
      fmt::format("ropewalk verify --law {} --dtype {} --seed {} --cases {}{}", r.law.name, name_of(r.dtype),
                  how.seed, r.found.decided, r.found.decided < table_cases ? " --allow-cut" : "");
  return r;
}

}  // namespace

judged_tables judge(const std::vector<judged_table>& tables, const table_plan& how,
                    const std::atomic<bool>& stopped) {
  std::vector<std::vector<outcome>> found;
  for (const judged_table& one : tables) found.emplace_back(one.laws.size());
  // A few cases of every table before all cases of any.
  constexpr std::int64_t cases_at_first = 3;
  for (const std::int64_t cases : {std::min(cases_at_first, how.cases), how.cases}) {
    std::atomic<std::size_t> next = 0;
    on_threads(how.threads, [&](int) {
      for (std::size_t i = next++; i < tables.size(); i = next++)
        tables[i].go_on(names_of(tables[i].laws), how.seed, {0, cases, {}, how.end}, stopped, found[i]);
    });
  }
  judged_tables r;
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (std::size_t law = 0; law < found[i].size(); ++law) {
      const outcome& one = found[i][law];
      if (one.drawn == 0 && stopped) continue;
      r.lines.push_back(line_of(tables[i], law, how, one, stopped));
    }
  return r;
}

std::vector<judged_table> own_tables() {
  table_list r;
  add_frequencies(r);
  add_cosines_and_sines(r);
  add_sinusoids(r);
  add_linear_biases(r);
  add_buckets(r);
  add_index_codes(r);
  add_query_scales(r);
  add_learned(r);
  add_transformer_xl(r);
  add_attention(r);
  add_axes_and_xpos(r);
  return std::move(r.all);
}

std::vector<law_text> laws_of_tables() {
  std::vector<law_text> r;
  const auto add = [&](const auto&... lists) {
    const auto add_one = [&](const auto& list) {
      for (const auto& law : list) r.push_back(law.text());
    };
    (add_one(lists), ...);
  };
  add(frequency_laws::all, cos_sin_laws::all, sinusoidal_laws::all, slope_laws::all, bias_laws::all,
      bucket_laws::all, index_code_laws::all, query_scale_laws::all, learned_laws::all,
      transformer_xl_laws::all, attention_laws::all, axes_laws::all, xpos_laws::all);
  return r;
}

}  // namespace ropewalk::verify
