// Every model of the catalogue that a kernel can tell from the others, at each length where its table changes
// and for each kind of its layers, is verified with the kernels that keep its table, every dtype and all laws
// but two that take long and ask little of a model's table: `verify` alone draws more cases, for every kernel
// and law. One of three is tried here, all by `./dev prove`.

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "command/program.hpp"
#include "model/catalogue_tables.hpp"
#include "oracle/in_full.hpp"

namespace ropewalk::command {
namespace {

std::vector<std::string> every_table() {
  std::vector<std::string> options;
  for (const model::model& read_model : model::distinct_models())
    options.push_back("--model " + read_model.name +
                      (read_model.layer_type.empty() ? "" : " --layer '" + read_model.layer_type + "'"));
  if (is_in_full()) return options;
  std::vector<std::string> sample;
  for (std::size_t i = 0; i < options.size(); i += 3) sample.push_back(options[i]);
  return sample;
}

class Catalogue : public testing::TestWithParam<std::string> {};

TEST_P(Catalogue, KeepsEveryLaw) {
  const outcome outcome =
      run("verify --quiet --threads 1 --cases 1 --seed 1 --allow-cut --kernel cpu-table "
          "--kernel vulkan-table "
          "--skip-law 'sizes=of the kernel alone' --skip-law 'extrapolation=a range at a time' " +
          GetParam());
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find(" 0 fail, "), std::string::npos) << outcome.out;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    const bool is_of_binary64_in_vulkan = line.starts_with("not served: vulkan-table: f64 ");
    EXPECT_EQ(line.starts_with("not served: "), is_of_binary64_in_vulkan) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Catalogue, testing::ValuesIn(every_table()));

}  // namespace
}  // namespace ropewalk::command
