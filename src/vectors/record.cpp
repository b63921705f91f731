#include "vectors/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "export/tables.hpp"
#include "model/axes_form.hpp"
#include "model/record.hpp"
#include "output/decimal.hpp"
#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/law/addition/addition_truth.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/version.hpp"
#include "vectors/answers.hpp"
#include "vectors/tables.hpp"

namespace ropewalk::vectors {
namespace {

using input::json;

/// The words of a text.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// Bits as concatenated hexadecimal digits, and the shortest decimals that convert back to them: numbers, or
/// the words "nan", "inf" and "-inf".
struct written_numbers {
  std::string bits;
  json decimals = json::array();
};

template <floating_format Float>
json decimal_of(bits_of<Float> bits) {
  if (is_nan<Float>(bits)) return "nan";
  if (is_infinite<Float>(bits)) return is_negative<Float>(bits) ? "-inf" : "inf";
  const std::string text = output::shortest_decimal<Float>(bits);
  return std::strtod(text.c_str(), nullptr);
}

template <floating_format Float>
written_numbers written_in(const std::vector<std::uint64_t>& numbers) {
  written_numbers result;
  for (const std::uint64_t number : numbers) {
    result.bits += output::hexadecimal<Float>(static_cast<bits_of<Float>>(number));
    result.decimals.push_back(decimal_of<Float>(static_cast<bits_of<Float>>(number)));
  }
  return result;
}

written_numbers written(ropewalk_dtype dtype, const std::vector<std::uint64_t>& numbers) {
  return with_format(dtype, [&]<class Float>() { return written_in<Float>(numbers); });
}

written_numbers written(tables::table_dtype dtype, const std::vector<std::uint64_t>& numbers) {
  if (dtype != tables::table_dtype::i32)
    return tables::in_format(dtype, [&]<class Float>() { return written_in<Float>(numbers); });
  written_numbers result;
  for (const std::uint64_t number : numbers) {
    result.bits += output::hexadecimal<float>(static_cast<std::uint32_t>(number));  // also 32 bits
    result.decimals.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(number)));
  }
  return result;
}

/// A model without the provenance of its numbers.
json model_in_pack(json record) {
  record.erase("taken");
  record.erase("warnings");
  return record;
}

/// A number minus its nearest binary64; 0 if the difference is below the enclosure's width.
std::uint64_t rest_of(std::uint64_t nearest, const enclosure<4>& bounds) {
  const enclosure<4> rest = bounds - enclosure<4>::of(from_bits<double>(nearest));
  if (may_be_zero(rest)) return 0;
  return round<double>(enclosure<4>{rest.midpoint, {}}).bits;
}

void put_frequencies(json& to, const model::model& read_model) {
  const placed_rope placed = model::placed(read_model);
  const auto shared = share<4>(placed);
  std::vector<std::uint64_t> bits, rest;
  for (int pair = 0; pair < pair_count(read_model.encoding); ++pair) {
    bits.push_back(round_with_enough_limbs<double>(
        "inv_freq", [&]<int N>() { return inv_freq_of_index<N>(pair, placed, share<N>(placed)); }));
    rest.push_back(rest_of(bits.back(), inv_freq_of_index(pair, placed, shared)));
  }
  const written_numbers text = written(ROPEWALK_F64, bits);
  to["inv_freq"] = text.bits;
  to["inv_freq_decimal"] = text.decimals;
  to["inv_freq_rest"] = written(ROPEWALK_F64, rest).bits;
  const std::uint64_t factor = round_with_enough_limbs<double>(
      "attention_factor", [&]<int N>() { return rope_attention_factor<N>(read_model.encoding); });
  to["attention_factor"] = output::hexadecimal<double>(factor);
  to["attention_factor_decimal"] = from_bits<double>(factor);
}

void put_pairs(json& to, const model::model& model, pairing layout, const char* key) {
  json pairs = json::array();
  for (int pair = 0; pair < pair_count(model.encoding); ++pair) {
    const channel_pair at = channels_of(pair, model.axes, model.encoding, layout);
    pairs.push_back({model.layout.rotary_begin + at.first, model.layout.rotary_begin + at.second});
  }
  to[key] = std::move(pairs);
}

void put_encoding(json& to, const verify::rotation_subject& subject) {
  const model::model& read_model = subject.model;
  to["operation"] = "rotate";
  to["model"] = model_in_pack(model::model_record(read_model));
  if (axis_count(read_model.axes) > 1) to["model"]["axes"] = model::axes_form(read_model);
  to["head_dim"] = read_model.layout.head_dim;
  put_pairs(to, read_model, read_model.layout.pairing_in, "pairs");
  if (read_model.layout.pairing_out != read_model.layout.pairing_in)
    put_pairs(to, read_model, read_model.layout.pairing_out, "pairs_out");
  to["axes"] = axis_count(read_model.axes);
  if (axis_count(read_model.axes) > 1) {
    to["axis"] = json::array();
    for (int pair = 0; pair < pair_count(read_model.encoding); ++pair)
      to["axis"].push_back(axis_of(pair, read_model.axes, read_model.encoding).axis);
  }
  put_frequencies(to, read_model);
}

void put_encoding(json& to, const recorded_addition& addition) {
  to["operation"] = addition.subject.truth->operation() == ROPEWALK_ADD_ROW ? "add-row" : "add-bias";
  to["encoding"] = addition.record;
  to["width"] = addition.subject.truth->width();
}

/// A bound rounded up to nine digits: with all digits, thousands of bounds would make the file too large.
double in_nine_digits_above(double bound) {
  const auto shortened = [](double x) { return std::strtod(fmt::format("{:.8e}", x).c_str(), nullptr); };
  const double nearest = shortened(bound);
  return nearest >= bound ? nearest
                          : shortened(bound * (1 + 1e-8));  // more than half a unit of the ninth digit
}

json rule_of(const allowed_error& allowed) {
  json rule = {{"promise", name_of(allowed.value, ROPEWALK_ROTATE)},
               {"rule", "distance"},
               {"relative", allowed.relative}};
  for (const double value : allowed.per_position) rule["per_position"].push_back(in_nine_digits_above(value));
  rule["absolute"] = allowed.absolute;
  return rule;
}

/// The rules for accepting an output: equal bits, or a distance allowed by a promise.
json acceptances(const call_group& group) {
  json acceptances = json::array({{{"promise", "canonical"}, {"rule", "bits"}}});
  for (const allowed_error& error : allowed_errors(group)) acceptances.push_back(rule_of(error));
  return acceptances;
}

json positions_record(const law_case& call) {
  json record = json::array();
  const std::size_t tokens = static_cast<std::size_t>(call.batch * call.tokens);
  for (int axis = 0; axis < call.axes; ++axis) {
    json row = json::array();
    for (std::size_t token = 0; token < tokens; ++token) {
      const double position = call.positions[static_cast<std::size_t>(axis) * tokens + token];
      if (call.has_real_positions)
        row.push_back(position);
      else
        row.push_back(static_cast<std::int64_t>(position));
    }
    record.push_back(std::move(row));
  }
  return record;
}

/// The numbers that an addition adds, in the format of its sum.
template <floating_format Float>
written_numbers added_numbers(const addition_truth& truth, const law_case& call) {
  using wide = rotation_format<Float>;
  std::vector<bits_of<wide>> row(static_cast<std::size_t>(truth.width()));
  std::vector<std::uint64_t> all;
  for_each_head(call, [&](const place& at) {
    truth.entries<wide>(at.position, static_cast<int>(at.head), row.data());
    all.insert(all.end(), row.begin(), row.end());
  });
  return written_in<wide>(all);
}

json record_of(const call_group& group, const call_case& test_case, const std::string& id) {
  const law_case& call = test_case.call;
  json record = {{"id", id}, {"shape", {call.batch, call.tokens, call.query_heads, call.head_dim}}};
  record["positions"] = positions_record(call);
  if ((call.flags & ROPEWALK_BACKWARD) != 0) record["backward"] = true;
  if ((call.flags & ROPEWALK_UNIT) != 0) record["unit"] = true;
  const written_numbers x = written(group.dtype, call.query), y = written(group.dtype, test_case.expected);
  record["x"] = x.bits;
  record["expected"] = y.bits;
  if (const auto* added = std::get_if<recorded_addition>(&group.encoding)) {
    const written_numbers numbers = with_format(
        group.dtype, [&]<class Float>() { return added_numbers<Float>(*added->subject.truth, call); });
    record["added"] = numbers.bits;
  }
  record["x_decimal"] = x.decimals;
  record["expected_decimal"] = y.decimals;
  record["flags"] = test_case.flags;
  return record;
}

json header_of(const call_group& group) {
  json header = {{"id", group.id}, {"dtype", name_of(group.dtype)}};
  std::visit([&](const auto& encoding) { put_encoding(header, encoding); }, group.encoding);
  header["accept"] = acceptances(group);
  return header;
}

json header_of(const entry_group& group) {
  const tables::table_description& about = group.table->about();
  json record;
  group.table->put(record);
  json header = {
      {"id", group.id}, {"operation", "table"}, {"dtype", text_of(group.dtype).name}, {"table", about.name}};
  for (const char* key : {"layout", "model", "encoding"})
    if (record.contains(key))
      header[key] = key == std::string_view("model") ? model_in_pack(record[key]) : record[key];
  if (!group.models.empty()) header["models"] = group.models;
  header["row"] = names_of(group.table->row_at(0));
  header["columns"] = about.columns;
  header["units"] = about.units;
  header["convention"] = about.convention;
  header["accept"] = json::array({{{"promise", "rounded-once"}, {"rule", "bits"}}});
  const allowed_entries allowed = allowed_errors(group);
  if (!allowed.columns.empty()) header["pairs"] = allowed.columns;
  for (const allowed_error& error : allowed.errors) header["accept"].push_back(rule_of(error));
  return header;
}

json record_of(const entry_group& group, const entry_case& test_case, const std::string& id) {
  json record = {{"id", id}};
  json rows = json::array();
  for (const std::int64_t row : test_case.rows) {
    json at = json::array();
    for (const tables::coordinate& coordinate : group.table->row_at(row))
      at.push_back(coordinate.is_word ? json(coordinate.value) : input::any_value_of(coordinate.value));
    rows.push_back(at.size() == 1 ? at[0] : std::move(at));
  }
  record["rows"] = std::move(rows);
  if (!test_case.columns.empty()) record["columns"] = test_case.columns;
  const written_numbers entries = written(group.dtype, entries_of(group, test_case));
  record["expected"] = entries.bits;
  record["expected_decimal"] = entries.decimals;
  record["flags"] = test_case.flags;
  return record;
}

/// A group's text: its header's keys, then one line per case.
template <class Group>
std::string group_text(const Group& group) {
  std::string text = header_of(group).dump();
  text.pop_back();
  text += ",\"cases\":[\n";
  for (std::size_t i = 0; i < group.cases.size(); ++i)
    text += (i == 0 ? "" : ",\n") + record_of(group, group.cases[i], case_id(group.id, i + 1)).dump();
  return text + "\n]}";
}

/// The flags of a topic's cases.
json flags_of(const topic& topic) {
  std::set<std::string_view> used;
  for (const call_group& group : topic.calls)
    for (const call_case& test_case : group.cases)
      used.insert(test_case.flags.begin(), test_case.flags.end());
  for (const entry_group& group : topic.entries)
    for (const entry_case& test_case : group.cases)
      used.insert(test_case.flags.begin(), test_case.flags.end());
  json flags = json::object();
  for (const flag& flag : every_flag()) {
    if (!used.contains(flag.name)) continue;
    flags[std::string(flag.name)] = {
        {"hunts", flag.hunts}, {"wrong_means", flag.wrong_means}, {"seen", words_of(flag.text)}};
  }
  return flags;
}

}  // namespace

std::string header_text(const call_group& group) { return header_of(group).dump(); }

std::string case_id(const std::string& group, std::size_t number) {
  return group + "-" + std::to_string(number);
}

std::string text_of(const topic& topic, const std::string& command) {
  json head = {{"schema", pack_schema},
               {"topic", topic.name},
               {"title", topic.title},
               {"written_by", std::string("ropewalk ") + version},
               {"command", command},
               {"license", "BSL-1.0"},
               {"sources", words_of(topic.sources)},
               {"flags", flags_of(topic)}};
  std::string text = head.dump(1);
  text.resize(text.size() - 2);  // "\n}"
  text += ",\n \"groups\": [\n";
  bool is_first = true;
  const auto add = [&](const auto& group) {
    text += (std::exchange(is_first, false) ? "" : ",\n") + group_text(group);
  };
  for (const call_group& call : topic.calls) add(call);
  for (const entry_group& entry : topic.entries) add(entry);
  return text + "\n]}\n";
}

}  // namespace ropewalk::vectors
