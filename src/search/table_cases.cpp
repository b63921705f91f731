// Cases of tables other than rotary ones: sinusoids, linear biases, buckets,
// index codes, learned rows, and programs.

#include "search/table_cases.hpp"

#include "search/table_draws.hpp"

namespace ropewalk::search {

void validate_case(const sinusoidal_case& of) {
  validate(of.config);
  validate(of.given);
}
void validate_case(const slope_case& of) { validate(of.config); }
void validate_case(const bias_case& of) { validate(of.config); }
void validate_case(const bucket_case& of) { validate(of.config); }
void validate_case(const index_code_case& of) {
  validate(of.config);
  validate(of.given);
  validate_position(of.given.begin, of.config);
  validate_position(of.given.end - 1, of.config);
}
void validate_case(const query_scale_case& of) {
  validate(of.config);
  validate(of.given);
  validate_position(of.given.begin, of.config);
}
void validate_case(const learned_case& of) { validate(of.config); }
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

std::vector<sinusoidal_case> simpler_sinusoidal_cases(const sinusoidal_case& given) {
  simpler_list<sinusoidal_case> r(given);
  const int odd = given.config.d_model % 2;
  r.offer_each(nearer_to(1, pair_count(given.config)), [&](sinusoidal_case& one, std::int64_t pairs) {
    one.config.d_model = static_cast<int>(2 * pairs) + odd;
  });
  r.offer_each(nearer_to(0, odd), [](sinusoidal_case& one, std::int64_t) { --one.config.d_model; });
  r.offer_each(tables::simpler_numbers(given.config.base, 10000),
               [](sinusoidal_case& one, double base) { one.config.base = base; });
  if (given.config.padding_idx)
    r.offer_each(nearer_to(0, given.config.padding_idx.value), [](sinusoidal_case& one, std::int64_t row) {
      one.config.padding_idx = static_cast<int>(row);
    });
  tables::offer_simpler_run(r, given);
  return r.take();
}

/// A number of heads from 1 to 64, in a quarter of the cases a power of two.
int draw_heads(dice& from) {
  return static_cast<int>(from.one_in(4) ? std::int64_t{1} << from.below(7) : from.between(1, 64));
}

bias_case draw_bias_case(dice& from, alibi_form form) {
  constexpr std::int64_t most_numbers = 400;
  bias_case r{{draw_heads(from), form}, {}, {}};
  r.given.length = from.between(2, 12);
  while (r.given.length > 2 && r.config.heads * r.given.length * r.given.length > most_numbers)
    --r.given.length;
  return r;
}

template <class Case>
void offer_fewer_heads(simpler_list<Case>& to, const Case& given) {
  to.offer_each(nearer_to(1, given.config.heads),
                [](Case& one, std::int64_t heads) { one.config.heads = static_cast<int>(heads); });
}

/// Draws max_distance as the number of exact buckets times a power, where
/// ties occur, or as any number above it.
bucket_case draw_bucket_case(dice& from, bool bidirectional) {
  constexpr std::int64_t farthest = 512;
  bucket_case r{{.bidirectional = bidirectional}, {}, {}};
  const std::int64_t least = bidirectional ? 4 : 2;
  r.config.buckets = static_cast<int>(from.one_in(2) ? least << from.below(4) : from.between(least, 40));
  const std::int64_t exact = exact_buckets(r.config), root = from.between(2, 5);
  std::int64_t last = exact * root;
  for (std::int64_t i = from.below(6); i > 0 && last * root <= farthest; --i) last *= root;
  if (from.one_in(4)) last = exact + from.between(1, 100);
  r.config.max_distance = static_cast<int>(last);
  return r;
}

index_code_case draw_index_code_case(dice& from, index_code_kind kind) {
  index_code_case r{{.kind = kind}, {}, {}};
  const std::int64_t length = from.between(2, 12);
  if (kind == index_code_kind::binary) {
    r.config.width = static_cast<int>(from.between(1, 31));
    r.config.order = from.one_in(2) ? bit_order::lsb : bit_order::msb;
  }
  if (kind == index_code_kind::sine_only) {
    r.config.width = static_cast<int>(from.between(1, 8));
    r.config.base = tables::any_base(from, r.config.width);
  }
  const bool is_normalised = kind == index_code_kind::normalised;
  if (is_normalised) r.config.length = 1 + (static_cast<std::int64_t>(from.bits() >> 33) >> from.below(31));
  r.given = draw_run(from, length);
  if (kind != index_code_kind::binary && !is_normalised) return r;
  const std::int64_t count =
      is_normalised ? r.config.length : std::min(std::int64_t{1} << r.config.width, largest_position + 1);
  const std::int64_t begin = r.given.begin < 0 ? -r.given.begin - 1 : r.given.begin;
  r.given.begin = begin % count;
  r.given.end = std::min(count, r.given.begin + length);
  return r;
}

std::vector<index_code_case> simpler_index_code_cases(const index_code_case& given) {
  simpler_list<index_code_case> r(given);
  r.offer_each(nearer_to(1, given.config.width),
               [](index_code_case& one, std::int64_t width) { one.config.width = static_cast<int>(width); });
  r.offer_each(nearer_to(std::min<std::int64_t>(1, given.config.length), given.config.length),
               [](index_code_case& one, std::int64_t length) { one.config.length = length; });
  r.offer_each(tables::simpler_numbers(given.config.base, 10000),
               [](index_code_case& one, double base) { one.config.base = base; });
  r.offer([](index_code_case& one) { one.config.order = bit_order::lsb; });
  tables::offer_simpler_run(r, given);
  return r.take();
}

/// Draws positions on both sides of a step's end: inside of a step, all have one scale.
query_scale_case draw_query_scale_case(dice& from) {
  constexpr double usual_strength = 0.1;
  constexpr std::int64_t most_positions = 12, usual_steps = 64;
  query_scale_case r;
  r.config.strength = from.one_in(4) ? usual_strength : tables::any_size(from, -10, 4);
  r.config.length = from.one_in(2) ? std::int64_t{1} << from.below(15) : from.between(1, 20000);
  r.config.shift = static_cast<int>(from.below(2));
  const std::int64_t count = from.between(3, most_positions);
  const std::int64_t last_step = scale_step(largest_position - most_positions, r.config);
  const std::int64_t step = from.one_in(2) ? 1 : 1 + from.below(from.one_in(4) ? last_step : usual_steps);
  const std::int64_t begin = std::max<std::int64_t>(0, first_of_step(step, r.config) - count / 2);
  r.given = {begin, begin + count};
  return r;
}

std::vector<query_scale_case> simpler_query_scale_cases(const query_scale_case& given) {
  simpler_list<query_scale_case> r(given);
  r.offer_each(tables::simpler_numbers(given.config.strength, 1),
               [](query_scale_case& one, double strength) { one.config.strength = strength; });
  r.offer_each(nearer_to(1, given.config.length),
               [](query_scale_case& one, std::int64_t length) { one.config.length = length; });
  r.offer([](query_scale_case& one) { one.config.shift = 0; });
  tables::offer_simpler_run(r, given);
  return r.take();
}

std::vector<learned_case> simpler_learned_cases(const learned_case& given) {
  simpler_list<learned_case> r(given);
  r.offer_each(nearer_to(1, given.config.max_position_embeddings),
               [](learned_case& one, std::int64_t n) { one.config.max_position_embeddings = n; });
  r.offer_each(nearer_to(1, given.config.d_model),
               [](learned_case& one, std::int64_t n) { one.config.d_model = static_cast<int>(n); });
  return r.take();
}

std::vector<transformer_xl_case> simpler_transformer_xl_cases(const transformer_xl_case& given) {
  simpler_list<transformer_xl_case> r(given);
  const segment_lengths& of = given.given;
  r.offer_each(nearer_to(1, of.queries),
               [](transformer_xl_case& one, std::int64_t n) { one.given.queries = static_cast<int>(n); });
  r.offer_each(nearer_to(0, of.memory),
               [](transformer_xl_case& one, std::int64_t n) { one.given.memory = static_cast<int>(n); });
  r.offer_each(nearer_to(0, of.numbers),
               [](transformer_xl_case& one, std::int64_t n) { one.given.numbers = static_cast<int>(n); });
  return r.take();
}

/// Draws equally spaced tokens, from any first position.
attention_case draw_attention_case(dice& from) {
  const auto tokens = static_cast<int>(from.one_in(8) ? 4 : from.between(2, 3));
  const auto channels = static_cast<int>(2 * from.between(1, 2));
  attention_case r;
  r.config.base = tables::any_base(from, channels / 2);
  r.given = example_of(tokens, channels, static_cast<std::uint32_t>(from.bits() >> 32));
  constexpr double steps[] = {1, 1, 2, 0.5};
  const double step = steps[from.below(4)];
  const auto first = static_cast<double>(tables::any_position(from) >> 10);
  for (double& position : r.given.positions) position = first + step * position;
  return r;
}

matrix<double> without_last_row(const matrix<double>& x) {
  return matrix_of(x.rows() - 1, x.columns(), [&](int i, int j) { return x.at(i, j); });
}

std::vector<attention_case> simpler_attention_cases(const attention_case& given) {
  simpler_list<attention_case> r(given);
  if (given.given.queries.rows() > 1)
    r.offer([](attention_case& one) {
      for (matrix<double> attention_example::*rows :
           {&attention_example::queries, &attention_example::keys, &attention_example::values})
        one.given.*rows = without_last_row(one.given.*rows);
      one.given.positions.pop_back();
    });
  r.offer_each(tables::simpler_numbers(given.config.base, 10000),
               [](attention_case& one, double base) { one.config.base = base; });
  r.offer([](attention_case& one) {
    const double first = one.given.positions[0];
    for (double& position : one.given.positions) position -= first;
  });
  for (matrix<double> attention_example::*rows :
       {&attention_example::queries, &attention_example::keys, &attention_example::values})
    for (int i = 0; i < (given.given.*rows).rows(); ++i)
      for (int j = 0; j < (given.given.*rows).columns(); ++j)
        r.offer([&](attention_case& one) { (one.given.*rows).at(i, j) = 0; });
  return r.take();
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
      [](const slope_case& given) {
        simpler_list<slope_case> r(given);
        offer_fewer_heads(r, given);
        return r.take();
      });
}

rc::Gen<bias_case> bias_cases(alibi_form form) {
  return tables::generated<bias_case>(
      [=](dice& from) { return draw_bias_case(from, form); },
      [](const bias_case& given) {
        simpler_list<bias_case> r(given);
        offer_fewer_heads(r, given);
        r.offer_each(nearer_to(1, given.given.length),
                     [](bias_case& one, std::int64_t length) { one.given.length = length; });
        return r.take();
      });
}

rc::Gen<bucket_case> bucket_cases(bool bidirectional) {
  return tables::generated<bucket_case>(
      [=](dice& from) { return draw_bucket_case(from, bidirectional); },
      [](const bucket_case& given) {
        simpler_list<bucket_case> r(given);
        r.offer_each(nearer_to(2, given.config.buckets),
                     [](bucket_case& one, std::int64_t n) { one.config.buckets = static_cast<int>(n); });
        r.offer_each(nearer_to(2, given.config.max_distance),
                     [](bucket_case& one, std::int64_t n) { one.config.max_distance = static_cast<int>(n); });
        return r.take();
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
