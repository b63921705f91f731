// Reads the number of channels of a head that rotate.

#include <cmath>
#include <nlohmann/json.hpp>

#include "input/bad_input.hpp"
#include "model/config_reader.hpp"

namespace ropewalk::model {

using namespace input;

int config_reader::rotary_dim_of_code(int head_dim) const {
  given<double> part = number_in(block_, "partial_rotary_factor", prefix_);
  if (!part) part = number_in(body_, "partial_rotary_factor");
  return part && part.value > 0 && part.value <= 1 ? static_cast<int>(std::floor(head_dim * part.value))
                                                   : head_dim;
}

std::int64_t config_reader::chosen_rotary_dim(std::int64_t head_dim) {
  const std::int64_t count = find_rotary_dim(head_dim);
  const bool is_of_others =
      is_second_ && (type_->missing_sliding_part > 0 || !type_->sliding_head_dim.empty());
  const given<std::int64_t> beside = beside_of_this_kind("rotary-dim", how_.beside.rotary_dim, is_of_others);
  if (!is_rotary_dim_open_) require_alike("rotary-dim", beside, count, sources_.facts.back().origin);
  if (!beside || beside.value == count) return count;
  sources_.facts.back() = {"rotary_dim", number_text(beside.value), "--rotary-dim, as the file has none"};
  rotary_origin_.clear();
  return beside.value;
}

std::int64_t config_reader::find_rotary_dim(std::int64_t head_dim) {
  const bool has_own_key = !type_->rotary_dim.empty();
  const auto has_part = [&] {
    return type_->part_wins && (!value_of(block_, "partial_rotary_factor").is_null() ||
                                !value_of(body_, type_->rotary_part).is_null());
  };
  if (has_own_key && !has_part() &&
      (type_->default_rotary_dim > 0 || !value_of(body_, type_->rotary_dim).is_null()))
    return given_rotary_dim();
  const bool is_proportional = !block_.empty() && rule_of(block_, prefix_).is<proportional>();
  const given<double> part = rotary_part(is_proportional);
  if (is_proportional) {
    lengths_.partial_rotary_factor = part;
    sources_.add("rotary_dim", number_text(head_dim),
                 "the whole head: rule proportional leaves pairs out itself");
    return head_dim;
  }
  return part ? part_of(head_dim, part.value) : rotary_dim_of_type(head_dim);
}

std::int64_t config_reader::given_rotary_dim() {
  const std::string key(type_->rotary_dim);
  const given<std::int64_t> value = integer_in(body_, key, 1);
  is_rotary_dim_open_ = !value;
  sources_.add("rotary_dim", number_text(value.value_or(type_->default_rotary_dim)),
               value ? key : "no " + key + " is given: model_type " + result_.model_type + "'s own");
  return value.value_or(type_->default_rotary_dim);
}

given<double> config_reader::rotary_part(bool is_of_rule) {
  const bool is_plain = block_.empty() || rule_of(block_, prefix_).is<unscaled>();
  if (type_->rotary_part.empty()) return is_plain ? part_of_plain_block() : given<double>{};
  const std::string key(type_->rotary_part);
  const given<double> part =
      either(key, "partial_rotary_factor", is_plain ? winner::block : winner::top_level);
  is_block_part_read_ = true;
  if (part && !(part.value > 0 && part.value <= 1))
    throw bad_input(key, shown(part.value), "a number above 0, at most 1");
  if (part && !is_plain && has_own_part_at_top(key)) return part_of_class(part.value);
  if (!part || part.value == 1 || is_of_rule || type_->turns_a_part()) return part;
  const auto reason = how_.ignored.find(key);
  if (reason == how_.ignored.end())
    throw bad_input(origin_, shown(part.value),
                    "1: the code of model_type " + result_.model_type +
                        " turns the whole head; --ignore-key " + key +
                        "=REASON leaves it out, and --rotary-dim beside it gives the channels that another "
                        "engine turns");
  sources_.warn(origin_ + " is " + shown(part.value) + ": left out by --ignore-key, \"" +
                printable(reason->second) + "\"");
  return {};
}

bool config_reader::has_own_part_at_top(const std::string& key) const {
  const bool is_of_tables =
      is_nested_ || type_->tables_turn_all || type_->blocks_turn_all || type_->part_wins;
  return type_->missing_part != 1 && !is_of_tables && key == "partial_rotary_factor" &&
         value_of(body_, key).is_null();
}

given<double> config_reader::part_of_class(double of_block) {
  if (of_block != type_->missing_part)
    sources_.warn(prefix_ + "partial_rotary_factor is " + shown(of_block) +
                  ": with a scaling rule, the code of model_type " + result_.model_type + " takes its own " +
                  shown(type_->missing_part));
  return {type_->missing_part};
}

given<double> config_reader::part_of_plain_block() {
  if (!type_->has_part_of_plain_block) return {};
  is_block_part_read_ = true;
  const given<double> part = number_in(block_, "partial_rotary_factor", prefix_);
  if (part && !(part.value > 0 && part.value <= 1))
    throw bad_input(prefix_ + "partial_rotary_factor", shown(part.value), "a number above 0, at most 1");
  return part;
}

std::int64_t config_reader::part_of(std::int64_t head_dim, double part) {
  // Rounded to binary64 on purpose: tensor shapes follow that product (0.3 x 80 is 24 in binary64).
  const double product = static_cast<double>(head_dim) * part;
  const auto rotary_dim = static_cast<std::int64_t>(std::floor(product));
  const std::string formula = "floor(head_dim " + number_text(head_dim) + " x " + shown(part) + ")";
  rotary_origin_ = " = " + formula;
  sources_.add("rotary_dim", number_text(rotary_dim), formula);
  return rotary_dim;
}

std::int64_t config_reader::rotary_dim_of_type(std::int64_t head_dim) {
  is_rotary_dim_open_ = true;
  const bool has_other = is_second_ && type_->missing_sliding_part > 0;
  const bool has_rule = !block_.empty() && !rule_of(block_, prefix_).is<unscaled>();
  const bool is_whole = (is_nested_ && (type_->tables_turn_all || (has_rule && type_->rules_turn_all))) ||
                        (!block_.empty() && type_->blocks_turn_all);
  const double own = has_other ? type_->missing_sliding_part : type_->missing_part;
  if (const double part = is_whole ? 1 : own; part != 1) {
    const std::int64_t rotary_dim = part_of(head_dim, part);
    sources_.facts.back().origin += ", the part of model_type " + result_.model_type;
    return rotary_dim;
  }
  sources_.add("rotary_dim", number_text(head_dim), "the whole head");
  return head_dim;
}

}  // namespace ropewalk::model
