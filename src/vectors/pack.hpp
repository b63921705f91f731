#pragma once
// Test vectors: configurations and dtypes with the correct bits, grouped by topic, for users who install
// nothing. README.md describes the files.

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "export/table.hpp"
#include "input/json_text.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/kernel/law_case.hpp"
#include "verify/subjects.hpp"

namespace ropewalk::vectors {

/// The fault that a case detects, and the meaning of a wrong answer.
struct flag {
  std::string_view name;
  std::string_view hunts;
  std::string_view wrong_means;
  std::string_view text{};  // public threads with such a fault, separated by spaces; may be empty
};

/// Every flag, in the order of the pack.
std::span<const flag> every_flag();

/// A call of a kernel, and the canonical output.
struct call_case {
  law_case call;
  std::vector<std::uint64_t> expected{};  // in the layout of call.query; NaN stands for any NaN
  std::vector<std::string_view> flags{};
};

/// An addition, and its encoding as written in records.
struct recorded_addition {
  verify::addition_subject subject;
  input::json record;
};

/// Calls of one encoding in one dtype.
struct call_group {
  std::string id;
  std::variant<verify::rotation_subject, recorded_addition> encoding;
  ropewalk_dtype dtype = ROPEWALK_F32;
  std::vector<call_case> cases{};
};

/// Some rows of a table, or some columns of them.
struct entry_case {
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> columns{};  // empty: all
  std::vector<std::string_view> flags{};
};

/// Entries of one table in one dtype, each a whole number or the exact value rounded once.
struct entry_group {
  std::string id;
  std::unique_ptr<tables::table> table;
  tables::table_dtype dtype{};
  std::vector<entry_case> cases{};
  std::vector<std::string> models{};  // models of the catalogue with this table
};

struct topic {
  std::string_view name;  // name of its file, without ".json"
  std::string_view title;
  std::string_view sources;  // separated by spaces
  std::vector<call_group> calls{};
  std::vector<entry_group> entries{};
};

/// The names of all topics, in the order of the pack.
std::vector<std::string_view> topic_names();

/// Makes a topic. The same program makes the same topic.
///
/// domain  a name of topic_names()
topic make_topic(std::string_view name);

// Each function has its own file.
topic rope_topic();
topic axes_topic();
topic sinusoidal_topic();
topic alibi_topic();
topic t5_topic();
topic inverse_frequencies_topic();
topic rows_topic();
topic hard_entries_topic();
topic scaling_topic();
topic query_scale_topic();

}  // namespace ropewalk::vectors
