#include "command/which.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iostream>
#include <optional>
#include <thread>
#include <tuple>

#include "catalogue.hpp"
#include "model/bad_input.hpp"
#include "reader/npy.hpp"
#include "writer/decimal.hpp"
#include "writer/terminal.hpp"

namespace ropewalk::command {
namespace {

constexpr std::int64_t default_positions = 2048;
constexpr const char* positions_allowed =
    "N, A:B with -2147483648 <= A < B <= 2147483648, or a .npy file of int32 or int64 positions";

template <class Number>
std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

given<pairing> chosen_pairing(const which_options& options) {
  if (options.pairing.empty()) return {};
  for (const pairing layout : {pairing::interleaved, pairing::half_split})
    if (options.pairing == name_of(layout)) return layout;
  throw bad_input("pairing", options.pairing, "interleaved, half-split");
}

/// The fields of the only encoding that is given by hand so far.
constexpr auto rope_fields = std::get<0>(catalogue).fields;
constexpr auto base_field = std::get<0>(rope_fields);
constexpr auto rotary_dim_field = std::get<1>(rope_fields);
constexpr auto head_dim_field = std::get<2>(rope_fields);

template <class Field>
std::string text_of(const which_options& options, const Field& field) {
  const auto found = options.numbers.find(field.option);
  return found == options.numbers.end() ? std::string() : found->second;
}

bool is_by_hand(const which_options& options) {
  return !text_of(options, base_field).empty() || !text_of(options, head_dim_field).empty();
}

/// The number of one field, as its type; what is allowed beyond that, `validate` decides.
template <class Config, class Number>
Number number_of(const which_options& options, const field<Config, Number>& field) {
  const std::string name(field.option.substr(2)), text = text_of(options, field);
  if (text.empty()) throw bad_input(name, "missing", std::string(field.allowed));
  const auto value = number_from<Number>(text);
  if (!value) throw bad_input(name, text, std::string(field.allowed));
  return *value;
}

void refuse_numbers_without_base(const which_options& options) {
  if (const std::string text = text_of(options, rotary_dim_field); !text.empty())
    throw bad_input("rotary-dim", text, "only with --base and --head-dim");
  if (!options.scaling.empty())
    throw bad_input("scaling", options.scaling, "only with --base and --head-dim");
}

/// What `make` returns; a refusal that begins with a field begins with the option that was typed instead:
/// rotary-dim for rotary_dim.
template <class Make>
auto in_words_of_options(const Make& make) {
  try {
    return make();
  } catch (const std::invalid_argument& error) {
    std::string text = error.what();
    const std::string_view field = std::string_view(text).substr(0, text.find(' '));
    if (field == "rotary_dim" || field == "head_dim") text[text.find('_')] = '-';
    throw std::invalid_argument(text);
  }
}

model::model by_hand(const which_options& options) {
  const double base = number_of(options, base_field);
  const int head_dim = number_of(options, head_dim_field);
  const int rotary_dim =
      text_of(options, rotary_dim_field).empty() ? head_dim : number_of(options, rotary_dim_field);
  return in_words_of_options([&] {
    return model::model_by_hand(base, head_dim, rotary_dim,
                                chosen_pairing(options).value_or(pairing::half_split), options.scaling);
  });
}

void choose_seq_len(const which_options& options, model::model& model) {
  const bool depends = depends_on_seq_len(model.encoding.scaling.rule);
  if (!options.seq_len.empty()) {
    const std::int64_t length = whole_number("seq-len", options.seq_len, 1, largest_seq_len);
    if (!depends)
      model.warnings.push_back("seq-len is " + options.seq_len + ": rule " +
                               name_of(model.encoding.scaling.rule) + " does not look at it");
    set_seq_len(model, length, "--seq-len");
  } else if (depends) {
    const bool is_given = model.max_position_embeddings > 0;
    set_seq_len(model, is_given ? model.max_position_embeddings : default_positions,
                is_given ? "max_position_embeddings, as no other is asked for" : "the default");
  }
}

std::string told(const model::model& model, bool verbose) {
  std::string text = printable(model.name) + ": " + summary(model) + "\n";
  for (const std::string& line : model.warnings)
    text += writer::coloured("warning: ", writer::colour::yellow, writer::stream::error) + line + "\n";
  if (verbose)
    for (const model::fact& one : model.facts) text += "  " + text_of(one) + "\n";
  return text;
}

std::int64_t position_from(const std::byte* element, npy_dtype dtype) {
  if (dtype == npy_dtype::i32) {
    std::int32_t narrow = 0;
    std::memcpy(&narrow, element, sizeof narrow);
    return narrow;
  }
  std::int64_t wide = 0;
  std::memcpy(&wide, element, sizeof wide);
  return wide;
}

position_list listed_positions(const std::string& path) {
  const reader::npy_array array = reader::read_npy("positions", path);
  const npy_dtype dtype = array.header.dtype;
  if (dtype != npy_dtype::i32 && dtype != npy_dtype::i64)
    throw bad_input("positions", path + " (" + std::string(descr_of(dtype)) + ")", positions_allowed);
  if (array.header.shape.size() != 1 || array.bytes.empty())
    throw bad_input("positions", path + " (not a list)", "a one-dimensional array of at least one position");
  position_list positions;
  positions.is_listed = true;
  for (std::size_t at = 0; at < array.bytes.size(); at += size_of(dtype)) {
    const std::int64_t position = position_from(array.bytes.data() + at, dtype);
    if (position < smallest_position || position > largest_position)
      throw bad_input(
          "positions",
          path + " (entry " + std::to_string(at / size_of(dtype)) + " is " + std::to_string(position) + ")",
          "positions from -2147483648 to 2147483647");
    positions.listed.push_back(static_cast<std::int32_t>(position));
  }
  return positions;
}

position_list listed_real_positions(const which_options& options) {
  const std::string& path = options.real_positions;
  if (!options.positions.empty())
    throw bad_input("positions-f64", path, "none with --positions " + options.positions);
  const reader::npy_array array = reader::read_npy("positions-f64", path);
  if (array.header.dtype != npy_dtype::f64)
    throw bad_input("positions-f64", path + " (" + std::string(descr_of(array.header.dtype)) + ")",
                    "a .npy file of float64 positions, descr <f8");
  if (array.header.shape.size() != 1 || array.bytes.empty())
    throw bad_input("positions-f64", path + " (not a list)",
                    "a one-dimensional array of at least one position");
  position_list positions;
  positions.real.resize(array.bytes.size() / sizeof(double));
  std::memcpy(positions.real.data(), array.bytes.data(), array.bytes.size());
  for (std::size_t at = 0; at < positions.real.size(); ++at) {
    double& position = positions.real[at];
    if (!std::isfinite(position))
      throw bad_input("positions-f64",
                      path + " (entry " + std::to_string(at) + " is " +
                          (std::isnan(position) ? "not a number" : "infinite") + ")",
                      "finite positions");
    if (position == 0) position = 0;  // -0 is the position 0
  }
  return positions;
}

bool looks_like_numbers(std::string_view text) {
  return text.find_first_not_of("+-0123456789:") == std::string_view::npos && text != "-";
}

position_list ranged_positions(const std::string& text) {
  const auto colon = text.find(':');
  const auto begin = colon == std::string::npos
                         ? std::optional<std::int64_t>(0)
                         : number_from<std::int64_t>(std::string_view(text).substr(0, colon));
  const auto end = number_from<std::int64_t>(
      colon == std::string::npos ? std::string_view(text) : std::string_view(text).substr(colon + 1));
  if (!begin || !end || *begin < smallest_position || *end > largest_position + 1 || *end <= *begin)
    throw bad_input("positions", text, positions_allowed);
  position_list positions;
  positions.range = {*begin, *end};
  return positions;
}

}  // namespace

void tell(const model::model& model, session& session) { session.understood += told(model, session.verbose); }

void announce(session& session) {
  if (!session.quiet) std::cerr << session.understood;
  session.understood.clear();
}

void add_which_options(CLI::App& app, which_options& options, how_many count) {
  const std::string group = count == how_many::one ? "Which encoding" : "Which encodings (repeatable)";
  const auto add = [&](const char* name, auto& place, const char* value, const char* text) {
    return app.add_option(name, place, text)->type_name(value)->group(group);
  };
  auto* config = add("--config", options.configs, "FILE",
                     "a Hugging Face config.json, a directory that holds one, or -");
  auto* model = add("--model", options.models, "NAME", "one of `ropewalk models`");
  for (auto* option : {config, model})
    option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  std::apply(
      [&](const auto&... field) {
        (add(field.option.data(), options.numbers[field.option], "N",
             ("by hand: " + std::string(field.allowed)).c_str()),
         ...);
      },
      rope_fields);
  add("--pairing", options.pairing, "KIND",
      "interleaved or half-split; over a config's model type, or by hand (default there: half-split)");
  add("--scaling", options.scaling, "JSON",
      "by hand: a rule as in rope_scaling, with max_position_embeddings in it where the rule asks for that");
  add("--seq-len", options.seq_len, "N",
      "length that the table of rules dynamic and longrope is for (default: the largest position + 1; verify "
      "tries "
      "lengths on both sides of a change, explain takes max_position_embeddings)");
  add("--layer-type", options.layer_type, "TYPE",
      "sliding_attention or full_attention, for models with two tables (default: full_attention)");
  add("--positions", options.positions, "N|A:B|FILE.npy",
      "0 .. N-1, A .. B-1, or a list (default: the config's max_position_embeddings, else 2048)");
}

void add_real_positions_option(CLI::App& app, which_options& options) {
  app.add_option("--positions-f64", options.real_positions,
                 "real positions instead, any finite binary64: a list of float64")
      ->type_name("FILE.npy")
      ->group("Which encoding");
}

named_option first_named(const which_options& options) {
  if (!options.configs.empty()) return {"config", options.configs.front()};
  if (!options.models.empty()) return {"model", options.models.front()};
  for (const auto& [name, value] : options.numbers)
    if (!value.empty()) return {std::string(name.substr(name.starts_with("--") ? 2 : 0)), value};
  const named_option others[] = {{"pairing", options.pairing},
                                 {"scaling", options.scaling},
                                 {"seq-len", options.seq_len},
                                 {"layer-type", options.layer_type},
                                 {"positions", options.positions}};
  for (const named_option& one : others)
    if (!one.value.empty()) return one;
  return {};
}

std::vector<model::model> chosen_models(const which_options& options) {
  const model::reading how{chosen_pairing(options), options.layer_type};
  std::vector<model::model> models;
  for (const std::string& path : options.configs) models.push_back(model::read_model(path, how));
  for (const std::string& name : options.models) {
    if (how.layout)
      throw bad_input("pairing", options.pairing, "only with --config or --base, not with --model");
    models.push_back(model::catalogue_model(name, how));
  }
  if (is_by_hand(options))
    models.push_back(by_hand(options));
  else
    refuse_numbers_without_base(options);
  for (model::model& model : models) choose_seq_len(options, model);
  return models;
}

model::model chosen_model(const which_options& options) {
  const std::size_t named = options.configs.size() + options.models.size() + (is_by_hand(options) ? 1 : 0);
  if (named != 1)
    throw bad_input("which encoding", named == 0 ? "missing" : std::to_string(named) + " encodings",
                    "exactly one of --config, --model, --base with --head-dim");
  return std::move(chosen_models(options).front());
}

std::int64_t position_list::smallest_seq_len() const {
  const auto within = [](double length) {
    return static_cast<std::int64_t>(std::clamp(length, 1.0, static_cast<double>(largest_seq_len)));
  };
  if (is_real()) return within(std::ceil(*std::max_element(real.begin(), real.end())) + 1);
  const std::int64_t last = is_listed ? *std::max_element(listed.begin(), listed.end()) : range.end - 1;
  return within(static_cast<double>(last + 1));
}

void settle_seq_len(const which_options& options, model::model& model, const position_list& positions,
                    session& session) {
  if (options.seq_len.empty()) set_seq_len(model, positions.smallest_seq_len(), "the largest position + 1");
  tell(model, session);
}

std::string position_list::text_at(std::int64_t row) const {
  return is_real() ? writer::shortest_decimal<double>(to_bits(real_at(row))) : std::to_string(at(row));
}

std::string position_list::text() const {
  if (is_real()) return std::to_string(real.size()) + " listed in binary64";
  if (is_listed) return std::to_string(listed.size()) + " listed";
  return std::to_string(range.begin) + ":" + std::to_string(range.end);
}

position_list chosen_positions(const which_options& options, const model::model& model) {
  if (!options.real_positions.empty()) return listed_real_positions(options);
  if (options.positions.empty()) {
    position_list positions;
    positions.range = {0,
                       model.max_position_embeddings > 0 ? model.max_position_embeddings : default_positions};
    return positions;
  }
  return looks_like_numbers(options.positions) ? ranged_positions(options.positions)
                                               : listed_positions(options.positions);
}

std::int64_t whole_number(const std::string& field, const std::string& text, std::int64_t smallest,
                          std::int64_t largest) {
  const auto value = number_from<std::int64_t>(text);
  if (!value || *value < smallest || *value > largest)
    throw bad_input(field, text,
                    "a whole number from " + std::to_string(smallest) + " to " + std::to_string(largest));
  return *value;
}

int thread_count(const std::string& text) {
  constexpr int most = 1024;
  if (!text.empty()) return static_cast<int>(whole_number("threads", text, 1, most));
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most);
}

}  // namespace ropewalk::command
