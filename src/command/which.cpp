#include "command/which.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <cstring>
#include <iostream>
#include <optional>
#include <thread>

#include "model/bad_input.hpp"
#include "reader/npy.hpp"
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

bool is_by_hand(const which_options& options) { return !options.base.empty() || !options.head_dim.empty(); }

void refuse_numbers_without_base(const which_options& options) {
  if (!options.rotary_dim.empty())
    throw bad_input("rotary-dim", options.rotary_dim, "only with --base and --head-dim");
  if (!options.scaling.empty())
    throw bad_input("scaling", options.scaling, "only with --base and --head-dim");
}

model::model by_hand(const which_options& options) {
  if (options.base.empty()) throw bad_input("base", "missing", "a finite number above 1 beside --head-dim");
  if (options.head_dim.empty())
    throw bad_input("head-dim", "missing", "a number from 1 to 65536 beside --base");
  const auto base = number_from<double>(options.base);
  if (!base || !(*base > 1 && *base <= largest_number))
    throw bad_input("base", options.base, "a finite number above 1");
  const std::int64_t head_dim = whole_number("head-dim", options.head_dim, 1, largest_head_dim);
  const std::int64_t rotary_dim =
      options.rotary_dim.empty() ? head_dim : whole_number("rotary-dim", options.rotary_dim, 2, head_dim);
  return model::model_by_hand(*base, head_dim, rotary_dim,
                              chosen_pairing(options).value_or(pairing::half_split), options.scaling);
}

std::string told(const model::model& model, bool verbose) {
  std::string text = printable(model.name) + ": " + summary(model) + "\n";
  for (const std::string& line : model.warnings)
    text += writer::coloured("warning: ", writer::colour::yellow, writer::stream::error) + line + "\n";
  if (verbose)
    for (const std::string& line : model.notes) text += "  " + line + "\n";
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
  add("--base", options.base, "B", "by hand: the base, above 1; together with --head-dim");
  add("--head-dim", options.head_dim, "N", "by hand: channels of a head");
  add("--rotary-dim", options.rotary_dim, "N", "by hand: channels that rotate (default: all)");
  add("--pairing", options.pairing, "KIND",
      "interleaved or half-split; over a config's model type, or by hand (default there: half-split)");
  add("--scaling", options.scaling, "JSON", "by hand: a rule as in rope_scaling");
  add("--positions", options.positions, "N|A:B|FILE.npy",
      "0 .. N-1, A .. B-1, or a list (default: the config's max_position_embeddings, else 2048)");
}

std::vector<model::model> chosen_models(const which_options& options, session& session) {
  const given<pairing> layout = chosen_pairing(options);
  std::vector<model::model> models;
  for (const std::string& path : options.configs) models.push_back(model::read_model(path, layout));
  for (const std::string& name : options.models) {
    if (layout) throw bad_input("pairing", options.pairing, "only with --config or --base, not with --model");
    models.push_back(model::catalogue_model(name));
  }
  if (is_by_hand(options))
    models.push_back(by_hand(options));
  else
    refuse_numbers_without_base(options);
  for (const model::model& model : models) session.understood += told(model, session.verbose);
  return models;
}

model::model chosen_model(const which_options& options, session& session) {
  const std::size_t named = options.configs.size() + options.models.size() + (is_by_hand(options) ? 1 : 0);
  if (named != 1)
    throw bad_input("which encoding", named == 0 ? "missing" : std::to_string(named) + " encodings",
                    "exactly one of --config, --model, --base with --head-dim");
  return std::move(chosen_models(options, session).front());
}

std::string position_list::text() const {
  if (is_listed) return std::to_string(listed.size()) + " listed";
  return std::to_string(range.begin) + ":" + std::to_string(range.end);
}

position_list chosen_positions(const which_options& options, const model::model& model) {
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
