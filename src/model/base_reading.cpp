// The base of the frequencies.

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "model/config_reader.hpp"
#include "model/layers.hpp"

namespace ropewalk::model {

using namespace input;

given<double> config_reader::either(const std::string& key, const std::string& block_key, winner who) {
  const given<double> inner = number_in(block_, block_key, prefix_);
  const given<double> outer = key.empty() ? given<double>{} : top_base(key);
  const bool takes_block = who == winner::block ? inner.is_given : !outer.is_given;
  if (outer && inner && outer.value != inner.value)
    sources_.warn(
        key + " is " + shown(outer.value) + " and " + prefix_ + block_key + " is " + shown(inner.value) +
        (!takes_block          ? ": the top level's is taken"
         : key == "rope_theta" ? ": the block's is taken, as transformers 5 does; version 4 took the top "
                                 "level's"
                               : ": the block's is taken"));
  if (outer || inner) origin_ = takes_block ? prefix_ + block_key : key;
  return takes_block ? inner : outer;
}

void config_reader::find_base() {
  if (const given<double> own = base_of_kind(result_.layer_type)) {
    require_alike("base", how_.beside.base, own.value, std::string(type_->layers.bases_key));
    if (!(own.value > 1 && own.value <= largest_number))
      throw bad_input(std::string(type_->layers.bases_key), shown(own.value),
                      "0, or a finite number above 1");
    sources_.add("base", shown(own.value), std::string(type_->layers.bases_key));
    result_.encoding.base = own.value;
    is_block_base_read_ = true;
    return;
  }
  const std::string key(is_second_ ? type_->sliding_base : type_->base);
  for (const auto& [object, path] :
       {std::pair(&body_, std::string()), std::pair<const json*, std::string>(&block_, prefix_)})
    if (const auto match = object->find("rope_theta");
        type_->null_base_stands_still && match != object->end() && match->is_null())
      throw bad_input(path + "rope_theta", "null",
                      "a number: without one, no layer of model_type " + result_.model_type + " rotates");
  if (key.empty() && !is_second_ && !type_->reads_block_base) return fixed_base();
  is_block_base_read_ = type_->reads_block_base || is_nested_;
  const given<double> base = is_block_base_read_ ? either(key, "rope_theta", winner::block) : top_base(key);
  if (base && !(base.value > 1 && base.value <= largest_number))
    throw bad_input(origin_, shown(base.value), "a finite number above 1");
  const given<double> beside = beside_of_this_kind("base", how_.beside.base, is_second_);
  if (base) require_alike("base", beside, base.value, origin_);
  if (!base && beside) return base_beside();
  const bool is_bare = type_->bare_block_base > 0 && !block_.empty();
  const double otherwise = is_second_ ? type_->default_sliding_base
                           : is_bare  ? type_->bare_block_base
                                      : type_->default_base;
  if (!base && otherwise == 0) throw bad_input(key, "missing", "a finite number above 1");
  sources_.add("base", shown(base.value_or(otherwise)),
               base ? origin_
                    : "no " + (key.empty() ? prefix_ + "rope_theta" : key) + " is given, and model_type " +
                          result_.model_type + " defaults to it");
  result_.encoding.base = base.value_or(otherwise);
  result_.base_is_default = !base;
}

void config_reader::base_beside() {
  const double base = how_.beside.base.value;
  if (!(base > 1 && base <= largest_number)) throw bad_input("base", shown(base), "a finite number above 1");
  sources_.add("base", shown(base), "--base, as the file has none");
  result_.encoding.base = base;
}

given<double> config_reader::top_base(const std::string& key) {
  origin_ = key;
  const std::size_t point = key.find('.');
  if (point == key.npos) return number_in(body_, key);
  const json& inner = value_of(body_, key.substr(0, point));
  return inner.is_object() ? number_in(inner, key.substr(point + 1), key.substr(0, point + 1))
                           : given<double>{};
}

void config_reader::fixed_base() {
  result_.encoding.base = default_base;
  const std::string key(type_->base_ratio);
  const given<double> ratio = key.empty() ? given<double>{} : number_in(body_, key);
  require_alike("base", how_.beside.base, default_base * ratio.value_or(1),
                ratio ? key : "model_type " + result_.model_type);
  if (!ratio) {
    sources_.add("base", shown(default_base), "model_type " + result_.model_type + " has no other");
    return;
  }
  const double base = default_base * ratio.value;
  if (!(base > 1 && base <= largest_number))
    throw bad_input(key, shown(ratio.value), "a finite number above 1 / 10000");
  if (std::fma(default_base, ratio.value, -base) != 0)
    sources_.warn(key + " is " + shown(ratio.value) + ": 10000 x it is rounded to " + shown(base));
  sources_.add("base", shown(base), shown(default_base) + " x " + key + " " + shown(ratio.value));
  result_.encoding.base = base;
}

}  // namespace ropewalk::model
