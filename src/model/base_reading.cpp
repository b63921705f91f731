#include "model/base_reading.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "model/layers.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

class base_reader {
 public:
  explicit base_reader(open_config& config) : config_(config) {}

  void find_base();

 private:
  void base_beside();
  /// The base of a type without a key for it: 10000, times the ratio if the type has a key for one.
  void fixed_base();

  open_config& config_;
};

void base_reader::find_base() {
  if (const given<double> own = base_of_kind(config_.result.layer_type)) {
    config_.require_alike("base", config_.how.beside.base, own.value,
                          std::string(config_.type->layers.bases_key));
    if (!(own.value > 1 && own.value <= largest_number))
      throw bad_input(std::string(config_.type->layers.bases_key), shown(own.value),
                      "0, or a finite number above 1");
    config_.sources.add("base", shown(own.value), std::string(config_.type->layers.bases_key));
    config_.result.encoding.base = own.value;
    config_.is_block_base_read = true;
    return;
  }
  const std::string key(config_.is_second ? config_.type->sliding_base : config_.type->base);
  for (const auto& [object, path] : {std::pair(&config_.body, std::string()),
                                     std::pair<const json*, std::string>(&config_.block, config_.prefix)})
    if (const auto match = object->find("rope_theta");
        config_.type->null_base_stands_still && match != object->end() && match->is_null())
      throw bad_input(
          path + "rope_theta", "null",
          "a number: without one, no layer of model_type " + config_.result.model_type + " rotates");
  if (key.empty() && !config_.is_second && !config_.type->reads_block_base) return fixed_base();
  config_.is_block_base_read = config_.type->reads_block_base || config_.is_nested;
  const auto [base, origin] = config_.is_block_base_read ? either(config_, key, "rope_theta", winner::block)
                                                         : found_number{top_number(config_, key), key};
  if (base && !(base.value > 1 && base.value <= largest_number))
    throw bad_input(origin, shown(base.value), "a finite number above 1");
  const given<double> beside =
      config_.beside_of_this_kind("base", config_.how.beside.base, config_.is_second);
  if (base) config_.require_alike("base", beside, base.value, origin);
  if (!base && beside) return base_beside();
  const bool is_bare = config_.type->bare_block_base > 0 && !config_.block.empty();
  const double otherwise = config_.is_second ? config_.type->default_sliding_base
                           : is_bare         ? config_.type->bare_block_base
                                             : config_.type->default_base;
  if (!base && otherwise == 0) throw bad_input(key, "missing", "a finite number above 1");
  config_.sources.add("base", shown(base.value_or(otherwise)),
                      base
                          ? origin
                          : "no " + (key.empty() ? config_.prefix + "rope_theta" : key) +
                                " is given, and model_type " + config_.result.model_type + " defaults to it");
  config_.result.encoding.base = base.value_or(otherwise);
  config_.result.base_is_default = !base;
}

void base_reader::base_beside() {
  const double base = config_.how.beside.base.value;
  if (!(base > 1 && base <= largest_number)) throw bad_input("base", shown(base), "a finite number above 1");
  config_.sources.add("base", shown(base), "--base, as the file has none");
  config_.result.encoding.base = base;
}

void base_reader::fixed_base() {
  config_.result.encoding.base = default_base;
  const std::string key(config_.type->base_ratio);
  const given<double> ratio = key.empty() ? given<double>{} : number_in(config_.body, key);
  config_.require_alike("base", config_.how.beside.base, default_base * ratio.value_or(1),
                        ratio ? key : "model_type " + config_.result.model_type);
  if (!ratio) {
    config_.sources.add("base", shown(default_base),
                        "model_type " + config_.result.model_type + " has no other");
    return;
  }
  const double base = default_base * ratio.value;
  if (!(base > 1 && base <= largest_number))
    throw bad_input(key, shown(ratio.value), "a finite number above 1 / 10000");
  if (std::fma(default_base, ratio.value, -base) != 0)
    config_.sources.warn(key + " is " + shown(ratio.value) + ": 10000 x it is rounded to " + shown(base));
  config_.sources.add("base", shown(base), shown(default_base) + " x " + key + " " + shown(ratio.value));
  config_.result.encoding.base = base;
}

}  // namespace

void read_base(open_config& config) { base_reader(config).find_base(); }

}  // namespace ropewalk::model
