// Tables of sinusoids, slopes and buckets with the faults of public trackers: each is made in plain
// arithmetic, and must be named; an honest engine's table is never blamed.

#include "diagnosis/addition_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "diagnosis/named_tables.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"

namespace ropewalk::table_faults {
namespace {

using diagnosis::given_array, diagnosis::table_cause, diagnosis::table_verdict;
using tables::table_dtype;

/// An array of numbers, row by row.
given_array array_of_numbers(tables::table_kind kind, table_dtype dtype, int count,
                             const std::function<double(int)>& number) {
  std::vector<std::byte> bytes;
  for (int i = 0; i < count; ++i) append(bytes, dtype, number(i));
  return array_of({kind}, dtype, count, {}, std::move(bytes));
}

/// A library's sinusoids: exp of a product, as tensor2tensor, or a power, as the paper.
struct sinusoid_engine {
  bool is_paper = true;
  sinusoidal_layout layout = sinusoidal_layout::interleaved;
  working in = working::binary64;
  std::function<double(double)> row = [](double position) { return position; };
};

given_array sinusoids(const sinusoid_engine& engine, const sinusoidal& config, table_dtype dtype,
                      const input::position_list& positions) {
  const auto rounded = [&](double x) {
    return engine.in == working::binary32 ? static_cast<double>(static_cast<float>(x)) : x;
  };
  const int pairs = config.d_model / 2;
  const double step = rounded(rounded(std::log(config.base)) / (pairs - 1));
  const auto inv_freq = [&](int pair) {
    return engine.is_paper ? rounded(1 / rounded(std::pow(config.base, rounded(2.0 * pair / config.d_model))))
                           : rounded(std::exp(rounded(-pair * step)));
  };
  std::vector<std::byte> bytes;
  for (std::int64_t place = 0; place < positions.size(); ++place)
    for (int channel = 0; channel < config.d_model; ++channel) {
      sinusoidal as = config;
      as.layout = engine.layout;
      const sinusoidal_channel content = content_of(channel, as);
      const double angle = rounded(engine.row(positions.number_at(place)) * inv_freq(content.pair));
      append(bytes, dtype, content.holds == wave::sine ? std::sin(angle) : std::cos(angle));
    }
  given_array plain;
  plain.dtype = dtype;
  plain.positions = positions;
  given_array sinusoids = diagnosis::sinusoidal_array(plain, config);
  sinusoids.read = array_of(sinusoids.layout, dtype, pairs, positions, std::move(bytes)).read;
  return sinusoids;
}

const sinusoidal paper{.d_model = 64};
const sinusoidal tensor2tensor{.d_model = 64, .shift = 1, .layout = sinusoidal_layout::sin_cos};
const input::position_list some_positions{.range = {-40, 1000}};

/// The names of what explains an engine's sinusoids, in every format.
std::string names_for(sinusoid_engine engine, const sinusoidal& config) {
  std::set<std::string> names;
  for (const table_dtype dtype : {table_dtype::f32, table_dtype::bf16})
    for (const working in : {working::binary64, working::binary32}) {
      engine.in = in;
      names.insert(names_of(diagnosis::explain_table(sinusoids(engine, config, dtype, some_positions),
                                                     diagnosis::sinusoidal_suspects(config), promise::hf)));
    }
  return names.size() == 1 ? *names.begin() : fmt::format("{}", fmt::join(names, "; "));
}

TEST(SinusoidalCause, AnHonestTableIsNeverBlamed) {
  EXPECT_EQ(names_for({}, paper), "holds");
  EXPECT_EQ(names_for({false, sinusoidal_layout::sin_cos}, tensor2tensor), "holds");
  sinusoidal padded = tensor2tensor;
  padded.padding_idx = 1;
  const auto row = [](double position) { return position + 2; };
  const input::position_list from_zero{.range = {0, 300}};
  const auto array = sinusoids({false, sinusoidal_layout::sin_cos, working::binary32, row}, padded,
                               table_dtype::f32, from_zero);
  EXPECT_EQ(diagnosis::explain_table(array, diagnosis::sinusoidal_suspects(padded), promise::hf).verdict,
            table_verdict::holds);
}

TEST(SinusoidalCause, NamesTheConventionOfAnotherLibrary) {
  EXPECT_EQ(names_for({true, sinusoidal_layout::sin_cos}, tensor2tensor), "shift-0");
  EXPECT_EQ(names_for({false, sinusoidal_layout::interleaved}, paper), "shift-1");
  EXPECT_EQ(names_for({false, sinusoidal_layout::cos_sin}, tensor2tensor), "layout-cos-sin");
  EXPECT_EQ(names_for({true, sinusoidal_layout::sin_cos}, paper), "layout-sin-cos");
  EXPECT_EQ(names_for({false, sinusoidal_layout::interleaved}, tensor2tensor), "layout-interleaved");
}

TEST(SinusoidalCause, NamesPositionsThatAnEngineMistakes) {
  const auto in_bfloat16 = [](double p) {
    return from_bits<double>(convert<double, bfloat16>(convert<bfloat16, double>(to_bits(p))));
  };
  EXPECT_EQ(in_bfloat16(937), 936);
  EXPECT_EQ(names_for({true, sinusoidal_layout::interleaved, {}, in_bfloat16}, paper), "positions-bf16");
  const auto absolute = [](double p) { return std::abs(p); };
  EXPECT_EQ(names_for({true, sinusoidal_layout::interleaved, {}, absolute}, paper), "positions-absolute");
  const auto padded = [](double p) { return p + 2; };
  EXPECT_NE(names_for({true, sinusoidal_layout::interleaved, {}, padded}, paper).find("padding-1"),
            std::string::npos);
}

/// The names of what explains slopes, made in binary64 and stored in each dtype.
std::string names_for_slopes(int heads, const std::function<double(int)>& slope) {
  std::set<std::string> names;
  for (const table_dtype dtype : {table_dtype::f64, table_dtype::f32, table_dtype::bf16})
    names.insert(names_of(
        diagnosis::explain_table(array_of_numbers(tables::table_kind::alibi_slopes, dtype, heads, slope),
                                 diagnosis::slope_suspects({.heads = heads}), promise::hf)));
  return names.size() == 1 ? *names.begin() : fmt::format("{}", fmt::join(names, "; "));
}

TEST(SlopeCause, NamesFaultsAndNoHonestTable) {
  const auto of_power = [](int head, int heads) { return std::pow(2, -8.0 * (head + 1) / heads); };
  const auto right_12 = [&](int head) {
    return head < 8 ? of_power(head, 8) : std::pow(2, -4.0 * (2 * (head - 8) + 1) / 8);
  };
  EXPECT_EQ(names_for_slopes(12, right_12), "holds");
  EXPECT_EQ(names_for_slopes(16, [&](int head) { return of_power(head, 16); }), "holds");
  EXPECT_EQ(names_for_slopes(16, [&](int head) { return of_power(head - 1, 16); }), "exponent-from-zero");
  EXPECT_EQ(names_for_slopes(12, [&](int head) { return of_power(head, 12); }), "formula-for-any-heads");
  EXPECT_EQ(names_for_slopes(32, [&](int head) { return of_power(head % 8, 8); }), "local-heads-4");
  EXPECT_EQ(names_for_slopes(8, [&](int head) { return of_power(8 + head, 16); }), "part-1-of-2");
  std::vector<double> sorted;
  for (int head = 0; head < 12; ++head) sorted.push_back(right_12(head));
  std::sort(sorted.rbegin(), sorted.rend());
  EXPECT_EQ(names_for_slopes(12, [&](int head) { return sorted[static_cast<std::size_t>(head)]; }),
            "slopes-sorted");
  EXPECT_EQ(names_for_slopes(12, [](int) { return 0.3; }), "not explained");
}

double through_bfloat16(double x) {
  return from_bits<double>(convert<double, bfloat16>(convert<bfloat16, double>(to_bits(x))));
}

double slope_of_71(int head) {
  return head < 64 ? std::pow(2, -8.0 * (head + 1) / 64) : std::pow(2, -4.0 * (2 * (head - 64) + 1) / 64);
}

TEST(SlopeCause, NamesSlopesOfFalcon) {
  const auto names = [](const std::function<double(int)>& slope) {
    return names_of(diagnosis::explain_table(
        array_of_numbers(tables::table_kind::alibi_slopes, table_dtype::f32, 71, slope),
        diagnosis::slope_suspects({.heads = 71}), promise::hf));
  };
  EXPECT_EQ(names([](int head) { return through_bfloat16(slope_of_71(head)); }), "alibi-slopes-bf16");
  EXPECT_EQ(names([](int head) { return slope_of_71(head) / std::sqrt(80); }), "alibi-over-root-80");
  EXPECT_EQ(names([](int head) { return through_bfloat16(slope_of_71(head)) / 8; }),
            "alibi-slopes-bf16-over-root-64");
  EXPECT_EQ(names([](int head) { return slope_of_71(head) / 5; }), "not explained");
}

/// What explains biases [71, 3, 9] of bias(slope, query, key), asked in a form.
std::string names_for_biases(alibi_form form, const std::function<double(double, int, int)>& bias) {
  constexpr int heads = 71, queries = 3, keys = 9;
  return names_of(diagnosis::explain_table(
      array_of_numbers(tables::table_kind::alibi_bias, table_dtype::f32, heads * queries * keys,
                       [&](int place) {
                         const int query = keys - queries + place / keys % queries;
                         return bias(slope_of_71(place / keys / queries), query, place % keys);
                       }),
      diagnosis::bias_suspects({.heads = heads, .form = form}, {queries, keys}), promise::hf));
}

TEST(BiasCause, NamesAnotherFormAndFalcon) {
  const std::function<double(double, int, int)> made[] = {
      [](double slope, int query, int key) { return slope * (key - query); },
      [](double slope, int query, int key) { return -slope * std::abs(key - query); },
      [](double slope, int, int key) { return slope * key; },
      [](double slope, int, int key) { return slope * (key - 8); }};
  for (const alibi_form right : alibi_forms)
    for (const alibi_form form : alibi_forms)
      EXPECT_EQ(names_for_biases(right, made[static_cast<int>(form)]),
                form == right ? "holds" : std::string("form-") + name_of(form));
  const auto falcon = [](double slope, int, int key) {
    return through_bfloat16(through_bfloat16(slope) * key);
  };
  const auto falcon_effective = [&](double slope, int query, int key) {
    return falcon(slope, query, key) / 8;
  };
  EXPECT_EQ(names_for_biases(alibi_form::causal, falcon), "alibi-key-bf16");
  EXPECT_EQ(names_for_biases(alibi_form::causal, falcon_effective), "alibi-key-bf16-over-root-64");
  EXPECT_EQ(names_for_biases(alibi_form::key, falcon_effective), "alibi-bf16-over-root-64");
  EXPECT_EQ(names_for_biases(alibi_form::causal,
                             [](double slope, int query, int key) { return slope * (key - query) / 16; }),
            "alibi-over-root-256");
  EXPECT_EQ(names_for_biases(alibi_form::causal,
                             [](double slope, int query, int key) { return 2 * slope * (key - query); }),
            "slopes-doubled");
}

/// What explains buckets of relative positions -200 .. 200.
table_cause cause_of_buckets(const t5_bias& config, const std::function<int(int)>& bucket) {
  std::vector<std::byte> bytes(401 * sizeof(std::int32_t));
  for (int i = 0; i < 401; ++i) {
    const std::int32_t index = bucket(i - 200);
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof index, &index, sizeof index);
  }
  const given_array array =
      array_of({tables::table_kind::t5_buckets}, table_dtype::i32, 401, {}, std::move(bytes));
  return diagnosis::explain_table(array, diagnosis::bucket_suspects(config, 200), promise::hf);
}

std::string names_for_buckets(const t5_bias& config, const std::function<int(int)>& bucket) {
  return names_of(cause_of_buckets(config, bucket));
}

TEST(BucketCause, NamesFaultsAndNoHonestTable) {
  // `_relative_position_bucket` as Hugging Face transformers writes it, by log2, which is exact at the edges.
  const auto bucket = [](int relative, bool bidirectional, int max_distance) {
    int first = 0, all = 32;
    if (bidirectional) {
      all = 16;
      first = relative > 0 ? 16 : 0;
    }
    const int distance = bidirectional ? std::abs(relative) : std::max(-relative, 0);
    const int exact = all / 2;
    if (distance < exact) return first + distance;
    const double share = std::log2(distance / static_cast<double>(exact)) /
                         std::log2(max_distance / static_cast<double>(exact));
    return first + std::min(exact + static_cast<int>(share * (all - exact)), all - 1);
  };
  const t5_bias encoder{}, decoder{.bidirectional = false};
  EXPECT_EQ(names_for_buckets(encoder, [&](int count) { return bucket(count, true, 128); }), "holds");
  EXPECT_EQ(names_for_buckets(decoder, [&](int count) { return bucket(count, false, 128); }), "holds");
  EXPECT_EQ(names_for_buckets(encoder, [&](int count) { return bucket(count, false, 128); }),
            "direction-flag");
  EXPECT_EQ(names_for_buckets(decoder, [&](int count) { return bucket(count, true, 128); }),
            "direction-flag");
  EXPECT_EQ(names_for_buckets(encoder, [&](int count) { return bucket(-count, true, 128); }),
            "relative-negated");
  EXPECT_EQ(names_for_buckets({.max_distance = 64}, [&](int count) { return bucket(count, true, 128); }),
            "max-distance-128");
  EXPECT_EQ(names_for_buckets(encoder, [&](int count) { return bucket(count + 1, true, 128); }),
            "relative-after");
  EXPECT_EQ(names_for_buckets(encoder, [](int i) { return i & 1; }), "not explained");
  const table_cause one_wrong =
      cause_of_buckets(encoder, [&](int count) { return count == -150 ? 3 : bucket(count, true, 128); });
  EXPECT_EQ(one_wrong.common, "relative position -150");
}

}  // namespace
}  // namespace ropewalk::table_faults
