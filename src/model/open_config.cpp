#include "model/open_config.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>

namespace ropewalk::model {

using namespace input;

found_number either(open_config& config, const std::string& key, const std::string& block_key, winner who) {
  const given<double> inner = number_in(config.block, block_key, config.prefix);
  const given<double> outer = key.empty() ? given<double>{} : top_number(config, key);
  const bool takes_block = who == winner::block ? inner.is_given : !outer.is_given;
  if (outer && inner && outer.value != inner.value)
    config.sources.warn(key + " is " + shown(outer.value) + " and " + config.prefix + block_key + " is " +
                        shown(inner.value) +
                        (!takes_block ? ": the top level's is taken"
                         : key == "rope_theta"
                             ? ": the block's is taken, as transformers 5 does; version 4 took the top "
                               "level's"
                             : ": the block's is taken"));
  return {takes_block ? inner : outer, (outer || inner) && takes_block ? config.prefix + block_key : key};
}

given<double> top_number(const open_config& config, const std::string& key) {
  const std::size_t point = key.find('.');
  if (point == key.npos) return number_in(config.body, key);
  const json& inner = value_of(config.body, key.substr(0, point));
  return inner.is_object() ? number_in(inner, key.substr(point + 1), key.substr(0, point + 1))
                           : given<double>{};
}

}  // namespace ropewalk::model
