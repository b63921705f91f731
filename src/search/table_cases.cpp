// Cases of tables that are not rotary: sinusoids, linear biases, buckets, index codes, learned rows, and
// programs.

#include "search/table_cases.hpp"

#include "search/table_draws.hpp"

namespace ropewalk::search {

void validate_case(const sinusoidal_case& test_case) {
  validate(test_case.config);
  validate(test_case.input);
}
void validate_case(const slope_case& test_case) { validate(test_case.config); }
void validate_case(const bias_case& test_case) { validate(test_case.config); }
void validate_case(const bucket_case& test_case) { validate(test_case.config); }
void validate_case(const index_code_case& test_case) {
  validate(test_case.config);
  validate(test_case.input);
  validate_position(test_case.input.begin, test_case.config);
  validate_position(test_case.input.end - 1, test_case.config);
}
void validate_case(const query_scale_case& test_case) {
  validate(test_case.config);
  validate(test_case.input);
  validate_position(test_case.input.begin, test_case.config);
}
void validate_case(const learned_case& test_case) { validate(test_case.config); }
void validate_case(const transformer_xl_case& /*of*/) {}
void validate_case(const attention_case& /*of*/) {}

namespace {

using tables::nearer_to;
using tables::simpler_list;

/// A run of `length` positions, from any start.
position_range draw_run(dice& from, std::int64_t length) {
  const std::int64_t begin = std::min(tables::any_position(from), largest_position + 1 - length);
  return {begin, begin + length};
}

/// Draws a short run of positions, or narrow rows and more than 64 positions.
sinusoidal_case draw_sinusoidal_case(dice& from, sinusoidal config) {
  const bool is_long = from.one_in(32);
  const auto pairs = static_cast<int>(from.between(1, is_long ? 2 : 8));
  config.d_model = 2 * pairs + (config.odd == odd_width::zero && from.one_in(2) ? 1 : 0);
  config.base = tables::any_base(from, pairs);
  if (config.padding_idx) config.padding_idx = static_cast<int>(from.between(0, 3));
  return {config, draw_run(from, is_long ? from.between(65, 80) : from.between(2, 9)), {}};
}

std::vector<sinusoidal_case> simpler_sinusoidal_cases(const sinusoidal_case& test_case) {
  simpler_list<sinusoidal_case> result(test_case);
  const int odd = test_case.config.d_model % 2;
  result.offer_each(nearer_to(1, pair_count(test_case.config)),
                    [&](sinusoidal_case& tested, std::int64_t pairs) {
                      tested.config.d_model = static_cast<int>(2 * pairs) + odd;
                    });
  result.offer_each(nearer_to(0, odd),
                    [](sinusoidal_case& tested, std::int64_t) { --tested.config.d_model; });
  result.offer_each(tables::simpler_numbers(test_case.config.base, 10000),
                    [](sinusoidal_case& tested, double base) { tested.config.base = base; });
  if (test_case.config.padding_idx)
    result.offer_each(
        nearer_to(0, test_case.config.padding_idx.value),
        [](sinusoidal_case& tested, std::int64_t row) { tested.config.padding_idx = static_cast<int>(row); });
  tables::offer_simpler_run(result, test_case);
  return result.take();
}

/// A number of heads from 1 to 64; a power of two in a quarter of the cases.
int draw_heads(dice& from) {
  return static_cast<int>(from.one_in(4) ? std::int64_t{1} << from.below(7) : from.between(1, 64));
}

bias_case draw_bias_case(dice& from, alibi_form form) {
  constexpr std::int64_t most_numbers = 400;
  bias_case test_case{{draw_heads(from), form}, {}, {}};
  test_case.input.length = from.between(2, 12);
  while (test_case.input.length > 2 &&
         test_case.config.heads * test_case.input.length * test_case.input.length > most_numbers)
    --test_case.input.length;
  return test_case;
}

template <class Case>
void offer_fewer_heads(simpler_list<Case>& to, const Case& test_case) {
  to.offer_each(nearer_to(1, test_case.config.heads),
                [](Case& tested, std::int64_t heads) { tested.config.heads = static_cast<int>(heads); });
}

/// Draws max_distance as the number of exact buckets times a power, where ties occur, or as any larger
/// number.
bucket_case draw_bucket_case(dice& from, bool bidirectional) {
  constexpr std::int64_t farthest = 512;
  bucket_case test_case{{.bidirectional = bidirectional}, {}, {}};
  const std::int64_t least = bidirectional ? 4 : 2;
  test_case.config.buckets =
      static_cast<int>(from.one_in(2) ? least << from.below(4) : from.between(least, 40));
  const std::int64_t exact = exact_buckets(test_case.config), root = from.between(2, 5);
  std::int64_t last = exact * root;
  for (std::int64_t i = from.below(6); i > 0 && last * root <= farthest; --i) last *= root;
  if (from.one_in(4)) last = exact + from.between(1, 100);
  test_case.config.max_distance = static_cast<int>(last);
  return test_case;
}

index_code_case draw_index_code_case(dice& from, index_code_kind kind) {
  index_code_case test_case{{.kind = kind}, {}, {}};
  const std::int64_t length = from.between(2, 12);
  if (kind == index_code_kind::binary) {
    test_case.config.width = static_cast<int>(from.between(1, 31));
    test_case.config.order = from.one_in(2) ? bit_order::lsb : bit_order::msb;
  }
  if (kind == index_code_kind::sine_only) {
    test_case.config.width = static_cast<int>(from.between(1, 8));
    test_case.config.base = tables::any_base(from, test_case.config.width);
  }
  const bool is_normalised = kind == index_code_kind::normalised;
  if (is_normalised)
    test_case.config.length = 1 + (static_cast<std::int64_t>(from.bits() >> 33) >> from.below(31));
  test_case.input = draw_run(from, length);
  if (kind != index_code_kind::binary && !is_normalised) return test_case;
  const std::int64_t count = is_normalised
                                 ? test_case.config.length
                                 : std::min(std::int64_t{1} << test_case.config.width, largest_position + 1);
  const std::int64_t begin = test_case.input.begin < 0 ? -test_case.input.begin - 1 : test_case.input.begin;
  test_case.input.begin = begin % count;
  test_case.input.end = std::min(count, test_case.input.begin + length);
  return test_case;
}

std::vector<index_code_case> simpler_index_code_cases(const index_code_case& test_case) {
  simpler_list<index_code_case> result(test_case);
  result.offer_each(nearer_to(1, test_case.config.width), [](index_code_case& tested, std::int64_t width) {
    tested.config.width = static_cast<int>(width);
  });
  result.offer_each(nearer_to(std::min<std::int64_t>(1, test_case.config.length), test_case.config.length),
                    [](index_code_case& tested, std::int64_t length) { tested.config.length = length; });
  result.offer_each(tables::simpler_numbers(test_case.config.base, 10000),
                    [](index_code_case& tested, double base) { tested.config.base = base; });
  result.offer([](index_code_case& tested) { tested.config.order = bit_order::lsb; });
  tables::offer_simpler_run(result, test_case);
  return result.take();
}

/// Draws positions on both sides of a step's end; within a step, all have the same scale.
query_scale_case draw_query_scale_case(dice& from) {
  constexpr double usual_strength = 0.1;
  constexpr std::int64_t most_positions = 12, usual_steps = 64;
  query_scale_case test_case;
  test_case.config.strength = from.one_in(4) ? usual_strength : tables::any_size(from, -10, 4);
  test_case.config.length = from.one_in(2) ? std::int64_t{1} << from.below(15) : from.between(1, 20000);
  test_case.config.shift = static_cast<int>(from.below(2));
  const std::int64_t count = from.between(3, most_positions);
  const std::int64_t last_step = scale_step(largest_position - most_positions, test_case.config);
  const std::int64_t step = from.one_in(2) ? 1 : 1 + from.below(from.one_in(4) ? last_step : usual_steps);
  const std::int64_t begin = std::max<std::int64_t>(0, first_of_step(step, test_case.config) - count / 2);
  test_case.input = {begin, begin + count};
  return test_case;
}

std::vector<query_scale_case> simpler_query_scale_cases(const query_scale_case& test_case) {
  simpler_list<query_scale_case> result(test_case);
  result.offer_each(tables::simpler_numbers(test_case.config.strength, 1),
                    [](query_scale_case& tested, double strength) { tested.config.strength = strength; });
  result.offer_each(nearer_to(1, test_case.config.length),
                    [](query_scale_case& tested, std::int64_t length) { tested.config.length = length; });
  result.offer([](query_scale_case& tested) { tested.config.shift = 0; });
  tables::offer_simpler_run(result, test_case);
  return result.take();
}

std::vector<learned_case> simpler_learned_cases(const learned_case& test_case) {
  simpler_list<learned_case> result(test_case);
  result.offer_each(nearer_to(1, test_case.config.max_position_embeddings),
                    [](learned_case& tested, std::int64_t n) { tested.config.max_position_embeddings = n; });
  result.offer_each(nearer_to(1, test_case.config.d_model), [](learned_case& tested, std::int64_t n) {
    tested.config.d_model = static_cast<int>(n);
  });
  return result.take();
}

std::vector<transformer_xl_case> simpler_transformer_xl_cases(const transformer_xl_case& test_case) {
  simpler_list<transformer_xl_case> result(test_case);
  const segment_lengths& lengths = test_case.input;
  result.offer_each(nearer_to(1, lengths.queries), [](transformer_xl_case& tested, std::int64_t n) {
    tested.input.queries = static_cast<int>(n);
  });
  result.offer_each(nearer_to(0, lengths.memory), [](transformer_xl_case& tested, std::int64_t n) {
    tested.input.memory = static_cast<int>(n);
  });
  result.offer_each(nearer_to(0, lengths.numbers), [](transformer_xl_case& tested, std::int64_t n) {
    tested.input.numbers = static_cast<int>(n);
  });
  return result.take();
}

/// Draws equally spaced tokens from any first position.
attention_case draw_attention_case(dice& from) {
  const auto tokens = static_cast<int>(from.one_in(8) ? 4 : from.between(2, 3));
  const auto channels = static_cast<int>(2 * from.between(1, 2));
  attention_case test_case;
  test_case.config.base = tables::any_base(from, channels / 2);
  test_case.input = example_of(tokens, channels, static_cast<std::uint32_t>(from.bits() >> 32));
  constexpr double steps[] = {1, 1, 2, 0.5};
  const double step = steps[from.below(4)];
  const auto first = static_cast<double>(tables::any_position(from) >> 10);
  for (double& position : test_case.input.positions) position = first + step * position;
  return test_case;
}

matrix<double> without_last_row(const matrix<double>& x) {
  return matrix_of(x.rows() - 1, x.columns(), [&](int i, int j) { return x.at(i, j); });
}

std::vector<attention_case> simpler_attention_cases(const attention_case& test_case) {
  simpler_list<attention_case> result(test_case);
  if (test_case.input.queries.rows() > 1)
    result.offer([](attention_case& tested) {
      for (matrix<double> attention_example::*rows :
           {&attention_example::queries, &attention_example::keys, &attention_example::values})
        tested.input.*rows = without_last_row(tested.input.*rows);
      tested.input.positions.pop_back();
    });
  result.offer_each(tables::simpler_numbers(test_case.config.base, 10000),
                    [](attention_case& tested, double base) { tested.config.base = base; });
  result.offer([](attention_case& tested) {
    const double first = tested.input.positions[0];
    for (double& position : tested.input.positions) position -= first;
  });
  for (matrix<double> attention_example::*rows :
       {&attention_example::queries, &attention_example::keys, &attention_example::values})
    for (int i = 0; i < (test_case.input.*rows).rows(); ++i)
      for (int j = 0; j < (test_case.input.*rows).columns(); ++j)
        result.offer([&](attention_case& tested) { (tested.input.*rows).at(i, j) = 0; });
  return result.take();
}

}  // namespace

rc::Gen<sinusoidal_case> sinusoidal_cases(const sinusoidal& convention) {
  return tables::generated<sinusoidal_case>(
      [=](dice& from) { return draw_sinusoidal_case(from, convention); }, simpler_sinusoidal_cases);
}

rc::Gen<slope_case> slope_cases(alibi_form form) {
  return tables::generated<slope_case>(
      [=](dice& from) {
        return slope_case{{draw_heads(from), form}, {}, {}};
      },
      [](const slope_case& test_case) {
        simpler_list<slope_case> result(test_case);
        offer_fewer_heads(result, test_case);
        return result.take();
      });
}

rc::Gen<bias_case> bias_cases(alibi_form form) {
  return tables::generated<bias_case>(
      [=](dice& from) { return draw_bias_case(from, form); },
      [](const bias_case& test_case) {
        simpler_list<bias_case> result(test_case);
        offer_fewer_heads(result, test_case);
        result.offer_each(nearer_to(1, test_case.input.length),
                          [](bias_case& tested, std::int64_t length) { tested.input.length = length; });
        return result.take();
      });
}

rc::Gen<bucket_case> bucket_cases(bool bidirectional) {
  return tables::generated<bucket_case>(
      [=](dice& from) { return draw_bucket_case(from, bidirectional); },
      [](const bucket_case& test_case) {
        simpler_list<bucket_case> result(test_case);
        result.offer_each(nearer_to(2, test_case.config.buckets), [](bucket_case& tested, std::int64_t n) {
          tested.config.buckets = static_cast<int>(n);
        });
        result.offer_each(
            nearer_to(2, test_case.config.max_distance),
            [](bucket_case& tested, std::int64_t n) { tested.config.max_distance = static_cast<int>(n); });
        return result.take();
      });
}

rc::Gen<index_code_case> index_code_cases(index_code_kind kind) {
  return tables::generated<index_code_case>([=](dice& from) { return draw_index_code_case(from, kind); },
                                            simpler_index_code_cases);
}

rc::Gen<query_scale_case> query_scale_cases() {
  return tables::generated<query_scale_case>(draw_query_scale_case, simpler_query_scale_cases);
}

rc::Gen<learned_case> learned_cases() {
  return tables::generated<learned_case>(
      [](dice& from) {
        return learned_case{{from.between(1, 48), static_cast<int>(from.between(1, 12))}, {}, {}};
      },
      simpler_learned_cases);
}

rc::Gen<transformer_xl_case> transformer_xl_cases() {
  return tables::generated<transformer_xl_case>(
      [](dice& from) {
        const auto queries = static_cast<int>(from.between(1, 5)),
                   memory = static_cast<int>(from.between(0, 5));
        return transformer_xl_case{{}, {queries, memory, static_cast<int>(from.below(1000))}, {}};
      },
      simpler_transformer_xl_cases);
}

rc::Gen<attention_case> attention_cases() {
  return tables::generated<attention_case>(draw_attention_case, simpler_attention_cases);
}

}  // namespace ropewalk::search
