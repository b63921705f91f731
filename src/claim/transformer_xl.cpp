// Claims about Transformer-XL's scores, and about programs that compute them.

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/nearest.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::claim {
namespace {

using numbers = matrix<double>;
constexpr int queries = 3, memory = 2, keys = queries + memory;

/// Names of the laws that a program for the scores breaks, with three queries and a memory of two.
std::string broken_laws(const transformer_xl_source& source) {
  std::string names;
  for (const law<checked_transformer_xl>& law : transformer_xl_laws::all)
    if (!law.measure({source}, {queries, memory}).holds)
      names += std::string(names.empty() ? "" : ", ") + std::string(law.name);
  return names.empty() ? "none" : names;
}

/// Products divided by `width`, with the keys after a query hidden.
numbers finished(const numbers& products, int memory_length, double width) {
  return matrix_of(products.rows(), products.columns(), [&](int i, int j) {
    return j <= i + memory_length ? products.at(i, j) / width : -std::numeric_limits<double>::infinity();
  });
}

evidence four_terms() {
  const auto over = [](double width) {
    return [=](const transformer_xl_example& sample) {
      return finished(terms_of(sample.head, sample.distances).sum(), memory_length_of(sample.head), width);
    };
  };
  const std::string as_stated = broken_laws(over(1)), divided = broken_laws(over(2));
  const transformer_xl_example sample = detail::transformer_xl_laws::example_of({queries, memory});
  const auto terms = terms_of(sample.head, sample.distances);
  const transformer_xl wikitext{.d_model = 410, .d_head = 41};
  const int content = static_cast<int>(terms.content_content.at(1, 0)),
            position = static_cast<int>(terms.content_position.at(1, 0)),
            global_content = static_cast<int>(terms.global_content.at(1, 0)),
            global_position = static_cast<int>(terms.global_position.at(1, 0));
  const std::string text = fmt::format(
      "query 1, key 0, memory 2, d_head 4: ({} + {} + {} + {}) / 2 = {}; laws broken by the sum as stated: "
      "{}; by the sum over sqrt(d_head): {}\nR is a fixed sinusoid of the distance, projected: of d_model "
      "410 and d_head 41 a head learns {} numbers for positions, whatever the length",
      content, position, global_content, global_position,
      (content + position + global_content + global_position) / 2.0, as_stated, divided,
      learned_parameters(wikitext));
  return {as_stated == "direct" && divided == "none", text};
}

evidence shifts_of_transformer_xl_and_xlnet() {
  const auto with = [](shift_form form, bool distances_ahead) {
    return [=](const transformer_xl_example& sample) {
      const int all = sample.head.keys.rows(), first = form == shift_form::xlnet ? all : all - 1;
      const int last = distances_ahead ? 1 - sample.head.queries.rows() : 0;
      return finished(shifted_products(sample.head, rows_between(sample.distances, first, last), form),
                      memory_length_of(sample.head), 2);
    };
  };
  const std::string padded = broken_laws(with(shift_form::transformer_xl, false)),
                    one_sided = broken_laws(with(shift_form::xlnet, false)),
                    two_sided = broken_laws(with(shift_form::xlnet, true));
  const shifted_from leak = transformer_xl_shift(0, 4, queries, keys);
  const shifted_from other_leak = xlnet_shift(0, 4, queries, keys, keys + 1);
  int leaking = 0, other_leaking = 0, both_sides_leaking = 0;
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j) {
      const shifted_from from = transformer_xl_shift(i, j, queries, keys);
      leaking += !from.is_padding && from.row != i ? 1 : 0;
      other_leaking += xlnet_shift(i, j, queries, keys, keys + 1).row != i ? 1 : 0;
      both_sides_leaking += xlnet_shift(i, j, queries, keys, keys + queries).row != i ? 1 : 0;
    }
  const std::string text = fmt::format(
      "laws broken under the mask: Transformer-XL's form {}; XLNet's with distances behind {}, with both "
      "sides {}\nwithout it, 3 queries and 5 keys: Transformer-XL's form takes entries from another query: "
      "{} (at (0, 4) that of query {}, column {}), XLNet's {} (query {}, column {}), with both sides {}",
      padded, one_sided, two_sided, leaking, leak.row, leak.column, other_leaking, other_leak.row,
      other_leak.column, both_sides_leaking);
  return {padded == "none" && one_sided == "none" && two_sided == "none" && leaking > 0 &&
              other_leaking > leaking && both_sides_leaking == 0,
          text};
}

}  // namespace

std::vector<claim> transformer_xl_claims() {
  return {{.number = 24,
           .documents = {document::attn_tensors},
           .statement = "Transformer-XL: score = q . k + q . R_(i-j) + u . k + v . R_(i-j)",
           .decided = verdict::corrected,
           .correction =
               "over sqrt(d_head), with R the sinusoids of memory_len + i - j projected by a learned matrix",
           .witness = "four_terms_are_the_direct_definition; laws \"direct\", \"four-terms\"",
           .run = four_terms},
          {.number = 67,
           .documents = {document::transformer_xl, document::xlnet},
           .statement = "the relative shift is the same in both, and gives every score its distance",
           .decided = verdict::corrected,
           .correction = "maps of different rows, alike wherever a causal query sees; beyond, rows that end "
                         "at distance 0 show another query's numbers, which the mask must hide",
           .witness = "both_shifts_are_the_direct_definition_wherever_a_query_sees; "
                      "hidden_entries_are_padding_and_the_next_row",
           .run = shifts_of_transformer_xl_and_xlnet}};
}

}  // namespace ropewalk::claim
