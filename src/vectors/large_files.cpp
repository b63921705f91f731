#include "vectors/large_files.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "array/checked_array.hpp"
#include "export/safetensors.hpp"
#include "export/table_files.hpp"
#include "export/tables.hpp"
#include "model/record.hpp"
#include "ropewalk/version.hpp"
#include "vectors/answers.hpp"
#include "vectors/drawn_cases.hpp"
#include "vectors/record.hpp"
#include "vectors/tables.hpp"

namespace ropewalk::vectors {
namespace {

constexpr const char* models_of_tables[] = {"llama-2-7b",  "llama-3.1-8b", "qwen2.5-7b-yarn4",
                                            "gpt-oss-20b", "deepseek-v3",  "gpt-neox-20b"};

/// Positions over a whole context: the first ones, then equally spaced ones up to the last.
std::vector<std::int32_t> positions_over(std::int64_t context) {
  constexpr std::int64_t near = 128, far = 256;
  std::vector<std::int32_t> positions;
  for (std::int64_t position = 0; position < std::min(near, context); ++position)
    positions.push_back(static_cast<std::int32_t>(position));
  for (std::int64_t i = 1; i <= far && context > near; ++i)
    positions.push_back(static_cast<std::int32_t>(near - 1 + i * (context - near) / far));
  return positions;
}

void write_tables(const std::filesystem::path& folder, const std::string& command) {
  std::vector<tables::table_job> jobs;
  const auto add = [&](std::string name, std::unique_ptr<tables::table> table, tables::table_dtype dtype) {
    tables::table_job job;
    job.content = std::move(table);
    job.dtype = dtype;
    job.format = *tables::format_named("npz");
    job.name = std::move(name);
    job.command_line = command;
    job.is_quiet = true;
    jobs.push_back(std::move(job));
  };
  for (const std::string name : models_of_tables) {
    const model::model model = subject_of(name).model;
    const input::position_list positions = listed_positions(positions_over(model.max_position_embeddings));
    add(name, tables::rope_table_of({.kind = tables::table_kind::cos_sin}, model, positions),
        tables::table_dtype::f32);
    add(name + ".positions", tables::index_codes_of(tables::table_kind::integer, {}, positions),
        tables::table_dtype::f64);
  }
  tables::write_tables(jobs, (folder / "tables.npz").string());
}

/// Elements as stored in a file, low byte first.
std::vector<std::uint8_t> bytes_of(ropewalk_dtype dtype, const std::vector<std::uint64_t>& elements) {
  const auto size = static_cast<std::size_t>(size_of(dtype));
  std::vector<std::uint8_t> bytes;
  for (const std::uint64_t element : elements)
    for (std::size_t byte = 0; byte < size; ++byte)
      bytes.push_back(static_cast<std::uint8_t>(element >> (8 * byte)));
  return bytes;
}

/// Tensors of a file, with their bytes in the same order.
struct tensors {
  std::vector<tables::tensor_header> headers;
  std::vector<std::vector<std::uint8_t>> bytes;

  void add(std::string name, std::string dtype, std::vector<std::int64_t> shape,
           std::vector<std::uint8_t> items) {
    headers.push_back({std::move(name), std::move(dtype), std::move(shape), items.size()});
    bytes.push_back(std::move(items));
  }
};

void add_call(tensors& to, input::json& groups, const char* name, ropewalk_dtype dtype) {
  constexpr std::int64_t batch = 2, tokens = 96, heads = 4;
  call_group group{std::string(name) + "-" + std::string(name_of(dtype)), subject_of(name), dtype, {}};
  const model::model& model = std::get<verify::rotation_subject>(group.encoding).model;
  drawn_call call{.batch = batch, .tokens = tokens, .heads = heads};
  const std::vector<std::int32_t> all = positions_over(model.max_position_embeddings);
  for (std::int64_t i = 0; i < batch * tokens; ++i)
    call.positions.push_back(all[static_cast<std::size_t>(i) * (all.size() - 1) / (batch * tokens - 1)]);
  group.cases.push_back(drawn(group, call, {"BatchRows"}));
  answer_canonically(group);
  const call_case& made = group.cases.front();
  std::vector<std::uint64_t> positions;
  for (const double position : call.positions)
    positions.push_back(static_cast<std::uint32_t>(static_cast<std::int32_t>(position)));
  const std::vector<std::int64_t> shape = {batch, tokens, heads, model.layout.head_dim};
  const std::string type(tables::text_of(array::table_dtype_of(dtype)).in_safetensors);
  to.add(group.id + ".positions", "I32", {batch, tokens}, bytes_of(ROPEWALK_F32, positions));
  to.add(group.id + ".x", type, shape, bytes_of(dtype, made.call.query));
  to.add(group.id + ".expected", type, shape, bytes_of(dtype, made.expected));
  groups.push_back(input::any_value_of(header_text(group)));
}

void write_calls(const std::filesystem::path& folder, const std::string& command) {
  tensors all;
  input::json groups = input::json::array();
  for (const char* name : {"llama-3.1-8b", "qwen2.5-7b-yarn4", "deepseek-v3", "gpt-neox-20b"})
    add_call(all, groups, name, ROPEWALK_BF16);
  add_call(all, groups, "llama-3.1-8b", ROPEWALK_F32);
  add_call(all, groups, "llama-3.1-8b", ROPEWALK_F16);
  tables::safetensors_output file((folder / "calls.safetensors").string(), all.headers,
                                  {{"schema", pack_schema},
                                   {"written_by", std::string("ropewalk ") + version},
                                   {"command", command},
                                   {"license", "BSL-1.0"},
                                   {"groups", groups}});
  for (const std::vector<std::uint8_t>& byte : all.bytes) file.write(byte.data(), byte.size());
  file.commit();
}

}  // namespace

void write_large_files(const std::filesystem::path& folder, const std::string& command) {
  write_tables(folder, command);
  write_calls(folder, command);
}

}  // namespace ropewalk::vectors
