// Tables of the catalogue: inverse frequencies, rows of cosines and sines, and the entries that are hardest
// to round. Also frequencies below and beyond the lengths of every scaling rule.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "array/checked_array.hpp"
#include "export/tables.hpp"
#include "sweep/certificate.hpp"
#include "vectors/drawn_cases.hpp"
#include "vectors/tables.hpp"

namespace ropewalk::vectors {
namespace {

constexpr tables::array_layout frequencies{.kind = tables::table_kind::inv_freq};
constexpr tables::array_layout cosines_and_sines{.kind = tables::table_kind::cos_sin};

const std::vector<sweep::swept_table>& tables() {
  static const std::vector<sweep::swept_table> made = sweep::catalogue_tables();
  return made;
}

/// "llama-3.1-8b", plus the kind of layers if the model has several.
std::string name_of_table(const model::model& model) {
  std::string name = model.name;
  if (!model.layer_type.empty()) name += "-" + model.layer_type;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

entry_group frequencies_of(std::string id, const model::model& model, tables::table_dtype dtype) {
  id += "-" + std::string(text_of(dtype).name);
  return {.id = std::move(id), .table = tables::rope_table_of(frequencies, model, {}), .dtype = dtype};
}

entry_group rows_at(std::string id, const model::model& model, tables::table_dtype dtype,
                    std::vector<std::int32_t> positions) {
  id += "-" + std::string(text_of(dtype).name);
  return {.id = std::move(id),
          .table = tables::rope_table_of(cosines_and_sines, model, listed_positions(std::move(positions))),
          .dtype = dtype};
}

/// The hardest entries of a certified table in one format: one row each, of which one entry is checked.
entry_group hard_entries_of(const sweep::swept_table& table, const sweep::format_tally& tally,
                            std::size_t most) {
  std::vector<std::int32_t> positions;
  std::vector<std::int64_t> columns;
  for (const sweep::hard_case& entry : tally.hardest) {
    if (positions.size() == most) break;
    positions.push_back(static_cast<std::int32_t>(entry.place.position));
    columns.push_back(entry.place.pair + (entry.place.is_sin ? table.pairs : 0));
  }
  entry_group entries = rows_at("hard-" + name_of_table(table.model), table.model,
                                array::table_dtype_of(tally.dtype), positions);
  for (std::size_t row = 0; row < columns.size(); ++row)
    entries.cases.push_back({{static_cast<std::int64_t>(row)}, {columns[row]}, {"HardToRound", "Row"}});
  entries.models = table.models;
  return entries;
}

/// One scaling rule at one length.
struct ruled {
  std::string_view id;
  std::string_view scaling;
  std::int64_t seq_len;
  std::string_view flag;
};

constexpr ruled rules[] = {
    {"none", R"({"rope_type": "default"})", 0, "Frequency"},
    {"linear", R"({"rope_type": "linear", "factor": 4.0})", 0, "Frequency"},
    {"linear-of-3", R"({"rope_type": "linear", "factor": 3.0})", 0, "Frequency"},
    {"ntk", R"({"rope_type": "ntk", "factor": 4.0})", 0, "Frequency"},
    {"dynamic-below", R"({"rope_type": "dynamic", "factor": 2.0, "max_position_embeddings": 2048})", 2048,
     "BelowLength"},
    {"dynamic-beyond", R"({"rope_type": "dynamic", "factor": 2.0, "max_position_embeddings": 2048})", 2049,
     "BeyondLength"},
    {"dynamic-far-beyond", R"({"rope_type": "dynamic", "factor": 2.0, "max_position_embeddings": 2048})",
     8192, "BeyondLength"},
    {"yarn", R"({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096})", 0,
     "AttentionFactor"},
    {"yarn-untruncated",
     R"({"rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096, "truncate": false})",
     0, "AttentionFactor"},
    {"yarn-mscale",
     R"({"rope_type": "yarn", "factor": 40.0, "original_max_position_embeddings": 4096,)"
     R"( "mscale": 1.0, "mscale_all_dim": 0.707})",
     0, "AttentionFactor"},
    {"llama3",
     R"({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,)"
     R"( "original_max_position_embeddings": 8192})",
     0, "Frequency"},
    {"proportional", R"({"rope_type": "proportional", "partial_rotary_factor": 0.25})", 0, "Frequency"},
};

}  // namespace

topic inverse_frequencies_topic() {
  topic result{"inverse-frequencies", "Inverse frequencies of every model of sequences in the catalogue",
               "https://github.com/huggingface/transformers"};
  for (const sweep::swept_table& table : tables())
    for (const tables::table_dtype dtype : {tables::table_dtype::f64, tables::table_dtype::f32}) {
      entry_group group = frequencies_of("inv-freq-" + name_of_table(table.model), table.model, dtype);
      group.cases.push_back(rows_of(*group.table, {"Frequency"}));
      group.models = table.models;
      result.entries.push_back(std::move(group));
    }
  return result;
}

topic rows_topic() {
  topic result{
      "rows",
      "Rows of cosines and sines of every model of sequences in the catalogue, at the end of its context "
      "and below 0",
      "https://arxiv.org/abs/2104.09864"};
  for (const sweep::swept_table& table : tables()) {
    const std::int64_t end = std::max<std::int64_t>(table.model.max_position_embeddings, 2048) - 1;
    entry_group group = rows_at("row-" + name_of_table(table.model), table.model, tables::table_dtype::f32,
                                {static_cast<std::int32_t>(end), -3});
    group.cases.push_back({{0}, {}, {"Row", "FarPosition"}});
    group.cases.push_back({{1}, {}, {"Row", "Negative"}});
    group.models = table.models;
    result.entries.push_back(std::move(group));
  }
  return result;
}

topic hard_entries_topic() {
  topic result{"hard-entries", "Cosines and sines that are hardest to round, of every certified table",
               "https://arxiv.org/abs/2104.09864 https://core-math.gitlabpages.inria.fr"};
  constexpr std::size_t most_of_format = 4;
  for (const sweep::swept_table& table : tables()) {
    const sweep::certificate* certificate = sweep::certificate_for(table.identity);
    if (certificate == nullptr) continue;
    for (const sweep::certified_part& part : certificate->parts)
      for (const sweep::format_tally& tally : part.counts)
        result.entries.push_back(hard_entries_of(table, tally, most_of_format));
  }
  return result;
}

topic scaling_topic() {
  topic result{
      "scaling-rules",
      "Inverse frequencies and attention factors of every scaling rule, on both sides of its lengths",
      "https://arxiv.org/abs/2309.00071 https://arxiv.org/abs/2402.13753 "
      "https://github.com/huggingface/transformers"};
  const auto add = [&](std::string id, const model::model& model, std::string_view flag) {
    for (const tables::table_dtype dtype : {tables::table_dtype::f64, tables::table_dtype::f32}) {
      entry_group group = frequencies_of(id, model, dtype);
      std::vector<std::string_view> flags = {"Frequency"};
      if (flag != flags.front()) flags.push_back(flag);
      group.cases.push_back(rows_of(*group.table, std::move(flags)));
      result.entries.push_back(std::move(group));
      // Position 0: every cosine is the attention factor.
      entry_group at_zero = rows_at(id + "-factor", model, dtype, {0});
      at_zero.cases.push_back({{0}, {0}, {"AttentionFactor", "Identity"}});
      result.entries.push_back(std::move(at_zero));
    }
  };
  for (const ruled& rule : rules) {
    verify::rotation_subject subject = subject_by_hand(10000, 64, 64, pairing::half_split, rule.scaling);
    if (rule.seq_len != 0) subject.model = at_length(std::move(subject.model), {rule.seq_len, "--seq-len"});
    add("scaling-" + std::string(rule.id), subject.model, rule.flag);
  }
  for (const std::int64_t length : {4096, 4097})
    add("scaling-longrope-at-" + std::to_string(length), subject_of("phi-3.5-mini", length).model,
        length == 4096 ? "BelowLength" : "BeyondLength");
  for (const std::int64_t length : {32768, 131072})
    add("scaling-dynamic-internlm2.5-at-" + std::to_string(length),
        subject_of("internlm2.5-7b-chat", length).model, length == 32768 ? "BelowLength" : "BeyondLength");
  return result;
}

}  // namespace ropewalk::vectors
