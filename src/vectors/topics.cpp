#include <algorithm>
#include <array>
#include <stdexcept>

#include "vectors/pack.hpp"

namespace ropewalk::vectors {
namespace {

struct named_topic {
  std::string_view name;
  topic (*make)();
};

constexpr named_topic topics[] = {{"rope", rope_topic},
                                  {"axes", axes_topic},
                                  {"sinusoidal", sinusoidal_topic},
                                  {"alibi", alibi_topic},
                                  {"t5", t5_topic},
                                  {"inverse-frequencies", inverse_frequencies_topic},
                                  {"rows", rows_topic},
                                  {"hard-entries", hard_entries_topic},
                                  {"scaling-rules", scaling_topic},
                                  {"query-scale", query_scale_topic}};

}  // namespace

std::vector<std::string_view> topic_names() {
  std::vector<std::string_view> names;
  for (const named_topic& topic : topics) names.push_back(topic.name);
  return names;
}

topic make_topic(std::string_view name) {
  for (const named_topic& topic : topics)
    if (topic.name == name) return topic.make();
  throw std::logic_error("a topic that does not exist");
}

}  // namespace ropewalk::vectors
