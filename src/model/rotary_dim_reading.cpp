#include "model/rotary_dim_reading.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "input/bad_input.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

class rotary_dim_reader {
 public:
  explicit rotary_dim_reader(open_config& config) : config_(config) {}

  std::int64_t chosen_rotary_dim(std::int64_t head_dim);
  /// " = formula" where rotary_dim is a product.
  const std::string& formula() const { return formula_; }

 private:
  std::int64_t find_rotary_dim(std::int64_t head_dim);
  std::int64_t given_rotary_dim();
  /// The share of a head that rotates. For types whose code in transformers turns the whole head whatever the
  /// file says, engines disagree: another share is refused unless the user leaves it out.
  given<double> rotary_part(bool is_of_rule);
  /// Whether the default share of the type's class stands at the top level and overrides the block's.
  /// source  setdefault("partial_rotary_factor") in the configuration classes of Hugging Face transformers 5
  bool has_own_part_at_top(const std::string& key) const;
  /// The share of the type's class, which overrides the block's with any rule.
  given<double> part_of_class(double of_block);
  given<double> part_of_plain_block();
  std::int64_t part_of(std::int64_t head_dim, double part);
  /// rotary_dim if no share is given: the default in the model type's own code.
  std::int64_t rotary_dim_of_type(std::int64_t head_dim);

  open_config& config_;
  std::string formula_;
  bool is_rotary_dim_open_ = false;  // no key has it
};

std::int64_t rotary_dim_reader::chosen_rotary_dim(std::int64_t head_dim) {
  const std::int64_t count = find_rotary_dim(head_dim);
  const bool is_of_others = config_.is_second && (config_.type->missing_sliding_part > 0 ||
                                                  !config_.type->sliding_head_dim.empty());
  const given<std::int64_t> beside =
      config_.beside_of_this_kind("rotary-dim", config_.how.beside.rotary_dim, is_of_others);
  if (!is_rotary_dim_open_)
    config_.require_alike("rotary-dim", beside, count, config_.sources.facts.back().origin);
  if (!beside || beside.value == count) return count;
  config_.sources.facts.back() = {"rotary_dim", number_text(beside.value),
                                  "--rotary-dim, as the file has none"};
  formula_.clear();
  return beside.value;
}

std::int64_t rotary_dim_reader::find_rotary_dim(std::int64_t head_dim) {
  const bool has_own_key = !config_.type->rotary_dim.empty();
  const auto has_part = [&] {
    return config_.type->part_wins && (!value_of(config_.block, "partial_rotary_factor").is_null() ||
                                       !value_of(config_.body, config_.type->rotary_part).is_null());
  };
  if (has_own_key && !has_part() &&
      (config_.type->default_rotary_dim > 0 || !value_of(config_.body, config_.type->rotary_dim).is_null()))
    return given_rotary_dim();
  const bool is_proportional =
      !config_.block.empty() && rule_of(config_.block, config_.prefix).is<proportional>();
  const given<double> part = rotary_part(is_proportional);
  if (is_proportional) {
    config_.lengths.partial_rotary_factor = part;
    config_.sources.add("rotary_dim", number_text(head_dim),
                        "the whole head: rule proportional leaves pairs out itself");
    return head_dim;
  }
  return part ? part_of(head_dim, part.value) : rotary_dim_of_type(head_dim);
}

std::int64_t rotary_dim_reader::given_rotary_dim() {
  const std::string key(config_.type->rotary_dim);
  const given<std::int64_t> value = integer_in(config_.body, key, 1);
  is_rotary_dim_open_ = !value;
  config_.sources.add(
      "rotary_dim", number_text(value.value_or(config_.type->default_rotary_dim)),
      value ? key : "no " + key + " is given: model_type " + config_.result.model_type + "'s own");
  return value.value_or(config_.type->default_rotary_dim);
}

given<double> rotary_dim_reader::rotary_part(bool is_of_rule) {
  const bool is_plain = config_.block.empty() || rule_of(config_.block, config_.prefix).is<unscaled>();
  if (config_.type->rotary_part.empty()) return is_plain ? part_of_plain_block() : given<double>{};
  const std::string key(config_.type->rotary_part);
  const auto [part, origin] =
      either(config_, key, "partial_rotary_factor", is_plain ? winner::block : winner::top_level);
  config_.is_block_part_read = true;
  if (part && !(part.value > 0 && part.value <= 1))
    throw bad_input(key, shown(part.value), "a number above 0, at most 1");
  if (part && !is_plain && has_own_part_at_top(key)) return part_of_class(part.value);
  if (!part || part.value == 1 || is_of_rule || config_.type->turns_a_part()) return part;
  const auto reason = config_.how.ignored.find(key);
  if (reason == config_.how.ignored.end())
    throw bad_input(origin, shown(part.value),
                    "1: the code of model_type " + config_.result.model_type +
                        " turns the whole head; --ignore-key " + key +
                        "=REASON leaves it out, and --rotary-dim beside it gives the channels that another "
                        "engine turns");
  config_.sources.warn(origin + " is " + shown(part.value) + ": left out by --ignore-key, \"" +
                       printable(reason->second) + "\"");
  return {};
}

bool rotary_dim_reader::has_own_part_at_top(const std::string& key) const {
  const bool is_of_tables = config_.is_nested || config_.type->tables_turn_all ||
                            config_.type->blocks_turn_all || config_.type->part_wins;
  return config_.type->missing_part != 1 && !is_of_tables && key == "partial_rotary_factor" &&
         value_of(config_.body, key).is_null();
}

given<double> rotary_dim_reader::part_of_class(double of_block) {
  if (of_block != config_.type->missing_part)
    config_.sources.warn(config_.prefix + "partial_rotary_factor is " + shown(of_block) +
                         ": with a scaling rule, the code of model_type " + config_.result.model_type +
                         " takes its own " + shown(config_.type->missing_part));
  return {config_.type->missing_part};
}

given<double> rotary_dim_reader::part_of_plain_block() {
  if (!config_.type->has_part_of_plain_block) return {};
  config_.is_block_part_read = true;
  const given<double> part = number_in(config_.block, "partial_rotary_factor", config_.prefix);
  if (part && !(part.value > 0 && part.value <= 1))
    throw bad_input(config_.prefix + "partial_rotary_factor", shown(part.value),
                    "a number above 0, at most 1");
  return part;
}

std::int64_t rotary_dim_reader::part_of(std::int64_t head_dim, double part) {
  // Rounded to binary64 on purpose: tensor shapes follow that product (0.3 x 80 is 24 in binary64).
  const double product = static_cast<double>(head_dim) * part;
  const auto rotary_dim = static_cast<std::int64_t>(std::floor(product));
  const std::string formula = "floor(head_dim " + number_text(head_dim) + " x " + shown(part) + ")";
  formula_ = " = " + formula;
  config_.sources.add("rotary_dim", number_text(rotary_dim), formula);
  return rotary_dim;
}

std::int64_t rotary_dim_reader::rotary_dim_of_type(std::int64_t head_dim) {
  is_rotary_dim_open_ = true;
  const bool has_other = config_.is_second && config_.type->missing_sliding_part > 0;
  const bool has_rule = !config_.block.empty() && !rule_of(config_.block, config_.prefix).is<unscaled>();
  const bool is_whole =
      (config_.is_nested && (config_.type->tables_turn_all || (has_rule && config_.type->rules_turn_all))) ||
      (!config_.block.empty() && config_.type->blocks_turn_all);
  const double own = has_other ? config_.type->missing_sliding_part : config_.type->missing_part;
  if (const double part = is_whole ? 1 : own; part != 1) {
    const std::int64_t rotary_dim = part_of(head_dim, part);
    config_.sources.facts.back().origin += ", the part of model_type " + config_.result.model_type;
    return rotary_dim;
  }
  config_.sources.add("rotary_dim", number_text(head_dim), "the whole head");
  return head_dim;
}

}  // namespace

read_rotary_dim rotary_dim_in(open_config& config, std::int64_t head_dim) {
  rotary_dim_reader reader(config);
  const std::int64_t count = reader.chosen_rotary_dim(head_dim);
  return {count, reader.formula()};
}

int rotary_dim_of_code(const open_config& config, int head_dim) {
  given<double> part = number_in(config.block, "partial_rotary_factor", config.prefix);
  if (!part) part = number_in(config.body, "partial_rotary_factor");
  return part && part.value > 0 && part.value <= 1 ? static_cast<int>(std::floor(head_dim * part.value))
                                                   : head_dim;
}

}  // namespace ropewalk::model
