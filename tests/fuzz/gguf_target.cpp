// GGUF files, as arrays and as configurations.

#include <stdexcept>
#include <string>

#include "fuzz/arrays_read.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/target.hpp"
#include "model/layers.hpp"
#include "model/model.hpp"
#include "model/own_encoding.hpp"

namespace ropewalk::fuzz {
namespace {

void read_plan(const std::string& path, const model::reading& how) {
  const model::model read = model::read_model(path, how);
  validate(read.layout, read.encoding);
  const model::model again = model::parse_model(read.config, path, how);
  need(model::summary(again) == model::summary(read), "a configuration that is kept reads differently");
  const model::layer_plan plan = model::plan_of(read);
  for (const model::layer& layer : plan.layers)
    need(layer.table < static_cast<int>(plan.tables.size()), "a layer has no table");
}

}  // namespace

void gguf(input_bytes input) {
  constexpr std::size_t longest = std::size_t{1} << 20;
  if (input.size() > longest) return;
  read_arrays(input);
  static memory_file file;
  file.hold(input);
  const std::string path = file.path();
  for (const bool is_interleaved : {false, true}) try {
      model::reading how;
      if (is_interleaved) how.layout = pairing::interleaved;
      read_plan(path, how);
    } catch (const std::invalid_argument&) {
    }
  try {
    model::read_own_encoding(path);
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace ropewalk::fuzz

ROPEWALK_FUZZ_TARGET(gguf);
