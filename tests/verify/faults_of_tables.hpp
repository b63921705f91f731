#pragma once
// Faults of tables other than rotary ones, and of programs.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "law/faulty_buckets.hpp"
#include "law/faulty_sinusoids.hpp"
#include "ropewalk/encoding/attention_positions.hpp"
#include "ropewalk/encoding/learned.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/index_code_table.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"
#include "verify/table_fault.hpp"

namespace ropewalk::example {

/// Rows from a cache whose key is the end of the run alone: a shorter run with the same
/// end gets the first rows of the cached one.
template <class Source>
auto with_cache_by_the_end(Source source) {
  const auto cache = std::make_shared<std::map<std::int64_t, std::vector<std::uint64_t>>>();
  return [=](position_range positions, const auto& config) {
    std::vector<std::uint64_t> bits = source(positions, config);
    const std::vector<std::uint64_t>& known = cache->try_emplace(positions.end, bits).first->second;
    if (known.size() > bits.size()) std::copy_n(known.begin(), bits.size(), bits.begin());
    return bits;
  };
}

inline std::vector<std::uint64_t> exact_sinusoids(position_range positions, const sinusoidal& config) {
  return widened(sinusoidal_encodings<float>(positions, config));
}

inline void add_sinusoid_faults(table_faults& to) {
  constexpr sinusoidal paper{}, padded{.odd = odd_width::zero, .padding_idx = 1};
  const auto add = [&](const law<checked_sinusoids>& caught, const sinusoidal& convention, auto make) {
    to.add("sinusoidal", sinusoidal_laws::all, caught, sinusoidal_cases(convention),
           [=](const sinusoidal_case& test_case) {
             return checked_sinusoids{ROPEWALK_F32, make(), test_case.config};
           });
  };
  /// Exact entries, each changed by change(value, position).
  const auto changed = [](auto change) {
    return [=]() -> sinusoidal_source {
      return [=](position_range positions, const sinusoidal& config) {
        std::vector<std::uint64_t> bits = exact_sinusoids(positions, config);
        for (std::size_t i = 0; i < bits.size(); ++i) {
          const auto width = static_cast<std::size_t>(config.d_model);
          const float value = from_bits<float>(static_cast<std::uint32_t>(bits[i]));
          bits[i] = to_bits(change(value, positions.begin + static_cast<std::int64_t>(i / width)));
        }
        return bits;
      };
    };
  };
  const auto faulty = [](sinusoid_fault fault) {
    return [=]() -> sinusoidal_source { return sinusoids_with<float>(fault); };
  };
  add(sinusoidal_laws::range, paper,
      changed([](float x, std::int64_t p) { return p != 0 && std::abs(x) >= 0.5f ? 2 * x : x; }));
  add(sinusoidal_laws::origin, paper, faulty(sinusoid_fault::off_by_one));
  add(sinusoidal_laws::zeros, padded, [] {
    return sinusoidal_source([](position_range positions, const sinusoidal& config) {
      std::vector<std::uint64_t> bits = exact_sinusoids(positions, config);
      const auto row = static_cast<std::size_t>(-1 - positions.begin);
      if (positions.begin <= -1 && -1 < positions.end)
        bits[row * static_cast<std::size_t>(config.d_model)] = 1;
      return bits;
    });
  });
  add(sinusoidal_laws::frequencies, paper, [] {
    return sinusoidal_source([](position_range positions, const sinusoidal& config) {
      std::vector<std::uint64_t> bits = exact_sinusoids(positions, config);
      const auto width = static_cast<std::size_t>(config.d_model);
      for (std::size_t row = 0; row + width <= bits.size(); row += width)
        for (std::size_t pair = 0; pair < width / 4; ++pair)
          for (std::size_t wave = 0; wave < 2; ++wave)
            std::swap(bits[row + 2 * pair + wave], bits[row + width - 2 - 2 * pair + wave]);
      return bits;
    });
  });
  add(sinusoidal_laws::distinct, paper, [] {
    return sinusoidal_source([](position_range positions, const sinusoidal& config) {
      std::vector<std::uint64_t> bits = exact_sinusoids(positions, config);
      const auto ring = std::size_t{64} * static_cast<std::size_t>(config.d_model);
      for (std::size_t i = ring; i < bits.size(); ++i) bits[i] = bits[i - ring];
      return bits;
    });
  });
  add(sinusoidal_laws::shift, paper, faulty(sinusoid_fault::own_frequency));
  add(sinusoidal_laws::same_row, paper,
      [] { return sinusoidal_source(with_cache_by_the_end(exact_sinusoids)); });
  add(sinusoidal_laws::rounded_once, paper, changed([](float x, std::int64_t) { return small_ones_off(x); }));
}

inline void add_linear_bias_faults(table_faults& to) {
  const auto add_slopes = [&](const law<checked_slopes>& caught, auto change) {
    const slope_source slopes = [=](const alibi& config) {
      std::vector<std::uint64_t> result = alibi_slopes<double>(config);
      change(result, config);
      return result;
    };
    to.add("slope", slope_laws::all, caught, slope_cases(alibi_form::causal),
           [=](const slope_case& test_case) {
             return checked_slopes{slopes, test_case.config};
           });
  };
  using slopes = std::vector<std::uint64_t>;
  add_slopes(slope_laws::whole, [](slopes& result, const alibi&) {
    result.insert(result.begin(), to_bits(1.0));
    result.pop_back();
  });
  add_slopes(slope_laws::falling, [](slopes& result, const alibi& config) {
    if (config.heads >= 16) std::swap(result[0], result[2]);
  });
  add_slopes(slope_laws::geometric,
             [](slopes& result, const alibi& config) { result[0] += config.heads >= 16 ? 4 : 0; });
  add_slopes(slope_laws::interlaced, [](slopes& result, const alibi& config) {
    const int power = ropewalk::detail::formula_heads(config.heads);
    const slopes twice = alibi_slopes<double>({.heads = 2 * power});
    for (int head = power; head < config.heads; ++head)
      result[static_cast<std::size_t>(head)] = twice[static_cast<std::size_t>(head - power)];
  });
  /// Biases given by bias(exact biases, head, query, key).
  const auto add_biases = [&](const law<checked_biases>& caught, alibi_form form, auto bias) {
    const bias_source biases = [=](int length, const alibi& config) {
      const alibi_biases exact(alibi{.heads = config.heads});
      slopes result;
      for (int head = 0; head < config.heads; ++head)
        for (int query = 0; query < length; ++query)
          for (int key = 0; key < length; ++key) result.push_back(bias(exact, head, query, key));
      return result;
    };
    to.add("bias", bias_laws::all, caught, bias_cases(form), [=](const bias_case& test_case) {
      return checked_biases{biases, test_case.config};
    });
  };
  using table = alibi_biases;
  const auto distance = [](int query, int key) { return std::int64_t{std::abs(query - key)}; };
  add_biases(bias_laws::diagonal, alibi_form::causal, [](const table& biases, int head, int, int key) {
    return biases.template entry<double>(head, -key);
  });
  add_biases(bias_laws::toeplitz, alibi_form::causal, [=](const table& biases, int head, int query, int key) {
    const std::uint64_t bits = biases.template entry<double>(head, distance(query, key));
    return query > 1 && key == query - 1 ? bits + 1 : bits;
  });
  add_biases(bias_laws::farther_is_less, alibi_form::symmetric,
             [=](const table& biases, int head, int query, int key) {
               return biases.template entry<double>(head, -distance(query, key));
             });
  add_biases(bias_laws::mirrored, alibi_form::symmetric,
             [=](const table& biases, int head, int query, int key) {
               return biases.template entry<double>(head, (key > query ? 2 : 1) * distance(query, key));
             });
  add_biases(bias_laws::row, alibi_form::symmetric, [=](const table& biases, int head, int query, int key) {
    return biases.template entry<double>(head, distance(query, key) * distance(query, key));
  });
}

inline void add_bucket_faults(table_faults& to) {
  const auto add = [&](const law<checked_buckets>& caught, bool bidirectional, const bucket_source& buckets) {
    to.add("bucket", bucket_laws::all, caught, bucket_cases(bidirectional),
           [=](const bucket_case& test_case) {
             return checked_buckets{buckets, test_case.config};
           });
  };
  /// Buckets of keys at or behind the query, changed by change(bucket, distance, config).
  const auto behind = [](auto change) {
    return [=](std::int64_t relative, const t5_bias& config) {
      const int bucket = t5_bucket(relative, config);
      return relative <= 0 ? change(bucket, -relative, config) : bucket;
    };
  };
  add(bucket_laws::within_table, false, behind([](int bucket, std::int64_t distance, const t5_bias& config) {
        if (distance < config.max_distance) return bucket;
        return exact_buckets(config) + static_cast<int>(binary64_log_of_quotient(distance, config));
      }));
  add(bucket_laws::own_bucket, false, behind([](int bucket, std::int64_t, const t5_bias& config) {
        return bucket == exact_buckets(config) - 1 ? bucket + 1 : bucket;
      }));
  add(bucket_laws::never_decreasing, false, behind([](int bucket, std::int64_t, const t5_bias& config) {
        const int exact = exact_buckets(config);
        if (buckets_per_direction(config) - exact < 3 || bucket < exact || bucket > exact + 1) return bucket;
        return 2 * exact + 1 - bucket;
      }));
  add(bucket_laws::edges, false, buckets_by([](std::int64_t distance, const t5_bias& config) {
        return binary64_log_of_quotient(distance, config) * (1 - 0x1p-50);
      }));
  add(bucket_laws::saturating, true, behind([](int bucket, std::int64_t distance, const t5_bias& config) {
        return distance < config.max_distance ? bucket : bucket + 1;
      }));
  add(bucket_laws::directions, true,
      [](std::int64_t relative, const t5_bias& config) { return t5_bucket(-std::abs(relative), config); });
}

inline void add_index_code_faults(table_faults& to) {
  const auto add = [&](const law<checked_index_codes>& caught, index_code_kind kind, auto make) {
    to.add("index_code", index_code_laws::all, caught, index_code_cases(kind),
           [=](const index_code_case& test_case) {
             return checked_index_codes{ROPEWALK_F32, make(), test_case.config};
           });
  };
  /// Codes given by number(position, column, config, first position asked for).
  const auto of_numbers = [](auto number) {
    return [=]() -> index_code_source {
      return [=](position_range positions, const index_code& config) {
        std::vector<std::uint64_t> bits;
        for (std::int64_t p = positions.begin; p < positions.end; ++p)
          for (int column = 0; column < config.width; ++column)
            bits.push_back(to_bits(static_cast<float>(number(p, column, config, positions.begin))));
        return bits;
      };
    };
  };
  const auto digit = [](std::int64_t p, int column, const index_code& config) {
    return (p >> (config.order == bit_order::lsb ? column : config.width - 1 - column)) & 1;
  };
  add(index_code_laws::code_range, index_code_kind::binary,
      of_numbers([=](std::int64_t p, int column, const index_code& config, std::int64_t) {
        return 2 * digit(p, column, config) - 1;
      }));
  add(index_code_laws::code_unique, index_code_kind::binary,
      of_numbers([=](std::int64_t, int column, const index_code& config, std::int64_t first) {
        return digit(first, column, config);
      }));
  add(index_code_laws::bit_period, index_code_kind::binary,
      of_numbers([=](std::int64_t p, int column, const index_code& config, std::int64_t) {
        return digit(p ^ (p >> 1), column, config);
      }));
  add(index_code_laws::same_code, index_code_kind::integer, [] {
    return index_code_source(with_cache_by_the_end([](position_range positions, const index_code& config) {
      return widened(index_codes<float>(positions, config));
    }));
  });
  add(index_code_laws::code_rounded_once, index_code_kind::integer,
      of_numbers([](std::int64_t p, int, const index_code&, std::int64_t) { return p + 1; }));
}

inline void add_query_scale_faults(table_faults& to) {
  /// Scales given by number(position, config).
  const auto add = [&](const law<checked_query_scales>& caught, auto number) {
    const query_scale_source scales = [=](position_range positions, const query_scale& config) {
      std::vector<std::uint64_t> bits;
      for (std::int64_t p = positions.begin; p < positions.end; ++p)
        bits.push_back(to_bits(number(p, config)));
      return bits;
    };
    to.add("query_scale", query_scale_laws::all, caught, query_scale_cases(),
           [=](const query_scale_case& test_case) {
             return checked_query_scales{ROPEWALK_F64, scales, test_case.config};
           });
  };
  const auto exact = [](std::int64_t p, const query_scale& config) {
    return from_bits<double>(round_query_scale<double>(p, config));
  };
  const auto step = [](std::int64_t p, const query_scale& config) {
    return static_cast<double>(scale_step(p, config));
  };
  add(query_scale_laws::scale_rising,
      [=](std::int64_t p, const query_scale& config) { return 1 / exact(p, config); });
  add(query_scale_laws::scale_steps, [=](std::int64_t p, const query_scale& config) {
    if (config.length == 1) return exact(p, config);
    return 1 + config.strength *
                   std::log1p(static_cast<double>(p + config.shift) / static_cast<double>(config.length));
  });
  add(query_scale_laws::scale_one, [=](std::int64_t p, const query_scale& config) {
    return exact(std::max(p, first_of_step(1, config)), config);
  });
  add(query_scale_laws::scale_rounded_once, [=](std::int64_t p, const query_scale& config) {
    return 1 + config.strength * std::log2(1 + step(p, config));
  });
}

inline void add_learned_faults(table_faults& to) {
  const auto add = [&](const law<checked_learned_rows>& caught, auto looked_up) {
    const learned_source source = [=](const learned& config, const std::vector<std::uint64_t>& weights) {
      const std::vector<std::uint32_t> numbers(weights.begin(), weights.end());
      return [=](std::int64_t position) -> std::optional<std::vector<std::uint64_t>> {
        try {
          const auto row = learned_table<float>(config, numbers).row(looked_up(position, config));
          return std::vector<std::uint64_t>(row.begin(), row.end());
        } catch (const std::invalid_argument&) {
          return std::nullopt;
        }
      };
    };
    to.add("learned", learned_laws::all, caught, learned_cases(), [=](const learned_case& test_case) {
      return checked_learned_rows{ROPEWALK_F32, test_case.config, source};
    });
  };
  add(learned_laws::served, [](std::int64_t p, const learned& config) {
    return p >= 0 && p < config.max_position_embeddings ? p ^ 1 : p;
  });
  add(learned_laws::refused, [](std::int64_t p, const learned& config) {
    return std::clamp<std::int64_t>(p, 0, config.max_position_embeddings - 1);
  });
}

inline void add_transformer_xl_faults(table_faults& to) {
  using numbers = matrix<double>;
  const auto finished = [](const numbers& products, int memory) {
    return matrix_of(products.rows(), products.columns(), [&](int i, int j) {
      return j <= i + memory ? products.at(i, j) / 2 : -std::numeric_limits<double>::infinity();
    });
  };
  const auto exact = [=](const transformer_xl_example& example, int memory) {
    return finished(terms_of(example.head, example.distances).sum(), memory);
  };
  const auto add = [&](const law<checked_transformer_xl>& caught, const transformer_xl_source& scores) {
    to.add("transformer_xl", transformer_xl_laws::all, caught, transformer_xl_cases(),
           [=](const transformer_xl_case&) { return checked_transformer_xl{scores}; });
  };
  /// The exact scores plus more(example, query, key).
  const auto with_more = [=](auto more) {
    return [=](const transformer_xl_example& example) {
      numbers result = exact(example, memory_length_of(example.head));
      for (int i = 0; i < result.rows(); ++i)
        for (int j = 0; j < result.columns(); ++j) result.at(i, j) += more(example, i, j);
      return result;
    };
  };
  add(transformer_xl_laws::masked,
      [=](const transformer_xl_example& example) { return exact(example, example.head.keys.rows()); });
  add(transformer_xl_laws::memory, [=](const transformer_xl_example& example) {
    const int memory = memory_length_of(example.head);
    transformer_xl_example nearer =
        example;  // row first_distance - d holds distance d - memory in place of d
    for (int row = 0; row < example.distances.rows.rows(); ++row)
      for (int c = 0; c < example.distances.rows.columns(); ++c)
        nearer.distances.rows.at(row, c) =
            example.distances.rows.at(std::min(row + memory, example.distances.rows.rows() - 1), c);
    return exact(nearer, memory);
  });
  add(transformer_xl_laws::four_terms, [=](transformer_xl_example example) {
    std::swap(example.head.content_bias, example.head.position_bias);
    return exact(example, memory_length_of(example.head));
  });
  add(transformer_xl_laws::own_query, with_more([](const transformer_xl_example& example, int i, int j) {
        return i + 1 < example.head.queries.rows()
                   ? example.head.queries.at(i + 1, 0) * example.head.keys.at(j, 0)
                   : 0.0;
      }));
  add(transformer_xl_laws::own_distance, with_more([](const transformer_xl_example& example, int i, int j) {
        const int distance = memory_length_of(example.head) + i - j;
        return distance > 0 ? example.head.queries.at(i, 0) *
                                  example.distances.rows.at(example.distances.first_distance, 0)
                            : 0.0;
      }));
  add(transformer_xl_laws::direct, [=](const transformer_xl_example& example) {
    const numbers halves = exact(example, memory_length_of(example.head));
    return halves + halves;
  });
}

inline void add_attention_faults(table_faults& to) {
  using real = attention_real;
  using rows = matrix<real>;
  const auto exact = [](const matrix<double>& x) { return enclosed<attention_limbs>(x); };
  const auto add = [&](const law<checked_attention>& caught, const attention_traits& traits,
                       const attention_rule& rule) {
    to.add("attention", attention_laws::all, caught, attention_cases(), [=](const attention_case&) {
      return checked_attention{rule, traits};
    });
  };
  /// Attention with bias(positions, query, key) added to its scores.
  const auto biased = [=](auto bias) {
    return [=](const attention_example& example) {
      const int n = example.queries.rows();
      const rows biases =
          matrix_of(n, n, [&](int i, int j) { return real::of(bias(example.positions, i, j)); });
      return attention_of_scores(attention_scores(exact(example.queries), exact(example.keys)) + biases,
                                 exact(example.values), attention_mask{});
    };
  };
  using positions = std::vector<double>;
  const auto at = [](const positions& places, int i) { return places[static_cast<std::size_t>(i)]; };
  constexpr attention_traits relative{.has_positions = true, .is_relative = true};
  add(attention_laws::equivariant, {},
      biased([=](const positions& places, int i, int j) { return (at(places, i) - at(places, j)) / 2; }));
  add(attention_laws::carried, relative,
      biased([](const positions&, int i, int j) { return (i - j) / 2.0; }));
  add(attention_laws::distance_only, relative,
      biased([=](const positions& places, int, int j) { return at(places, j) / 2; }));
  add(attention_laws::toeplitz, relative, biased([=](const positions& places, int, int j) {
        return (at(places, j) - *std::min_element(places.begin(), places.end())) / 2;
      }));
  add(attention_laws::distribution, {}, [=](const attention_example& example) {
    const rows scores = attention_scores(exact(example.queries), exact(example.keys));
    const rows weights =
        matrix_of(scores.rows(), scores.columns(), [&](int i, int j) { return exp(scores.at(i, j)); });
    return attention_result<attention_limbs>{scores, weights, weights * exact(example.values)};
  });
  add(attention_laws::softmax, {}, [=](const attention_example& example) {
    const rows scores = attention_scores(exact(example.queries), exact(example.keys));
    const rows bits = matrix_of(scores.rows(), scores.columns(),
                                [&](int i, int j) { return scores.at(i, j) * ln_2<attention_limbs>(); });
    auto result = attention_of_scores(bits, exact(example.values), attention_mask{});
    result.scores = scores;
    return result;
  });
  add(attention_laws::causal, {.is_causal = true}, [=](const attention_example& example) {
    return attention(exact(example.queries), exact(example.keys), exact(example.values),
                     attention_mask{.keys = visible_keys::causal, .memory_length = 1});
  });
}

}  // namespace ropewalk::example
