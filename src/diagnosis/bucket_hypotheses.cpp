// Mistakes of engines in T5's buckets.

#include <functional>
#include <string>
#include <utility>

#include "diagnosis/addition_tables.hpp"
#include "diagnosis/listed_numbers.hpp"
#include "ropewalk/encoding/t5_bias.hpp"

namespace ropewalk::diagnosis {
namespace {

using bucket_of = std::function<int(std::int64_t relative)>;

class bucket_hypotheses {
 public:
  bucket_hypotheses(const t5_bias& config, std::int64_t max_relative)
      : config_(config),
        max_relative_(max_relative),
        right_(buckets([&](std::int64_t relative) { return t5_bucket(relative, config_); })) {}

  table_suspects all() {
    t5_bias other = config_;
    other.bidirectional = !config_.bidirectional;
    add_config("direction-flag",
               other.bidirectional ? "the buckets are those of both directions"
                                   : "the buckets are those of one direction: causal",
               other);
    for (const int step : {-1, 1}) {
      other = config_;
      other.max_distance += step;
      add_config(step < 0 ? "max-distance-less" : "max-distance-more", "max_distance is off by one", other);
      add(step < 0 ? "relative-before" : "relative-after", "every relative position is off by one",
          [&, step](std::int64_t relative) { return t5_bucket(relative + step, config_); });
    }
    other = config_;
    other.max_distance = t5_bias{}.max_distance;
    add_config("max-distance-128", "max_distance is 128, whatever the configuration's is", other);
    other = config_;
    other.buckets = t5_bias{}.buckets;
    add_config("buckets-32", "there are 32 buckets, whatever the configuration has", other);
    add("relative-negated", "the relative position is query - key in place of key - query",
        [&](std::int64_t relative) { return t5_bucket(-relative, config_); });
    add("bucket-from-one", "buckets are counted from 1",
        [&](std::int64_t relative) { return t5_bucket(relative, config_) + 1; });
    return {table_of(right_), as_known(std::move(made_))};
  }

 private:
  std::vector<int> buckets(const bucket_of& each) const {
    std::vector<int> buckets;
    for (std::int64_t relative = -max_relative_; relative <= max_relative_; ++relative)
      buckets.push_back(each(relative));
    return buckets;
  }

  static std::shared_ptr<const suspected_table> table_of(const std::vector<int>& numbers) {
    std::vector<fault::own_number> exact;
    for (const int index : numbers) exact.push_back(fault::own_number::of(index));
    return table_of_numbers(std::move(exact), 0);
  }

  void add(std::string name, std::string sentence, const bucket_of& each) {
    const std::vector<int> other = buckets(each);
    if (other != right_) made_.push_back({std::move(name), std::move(sentence), table_of(other)});
  }

  void add_config(std::string name, std::string sentence, const t5_bias& config) {
    try {
      validate(config);
    } catch (const std::invalid_argument&) {
      return;
    }
    add(std::move(name), std::move(sentence),
        [&](std::int64_t relative) { return t5_bucket(relative, config); });
  }

  t5_bias config_;
  std::int64_t max_relative_;
  std::vector<int> right_;
  std::vector<table_hypothesis> made_;
};

}  // namespace

table_suspects bucket_suspects(const t5_bias& config, std::int64_t max_relative) {
  return bucket_hypotheses(config, max_relative).all();
}

}  // namespace ropewalk::diagnosis
