#include "command/explain_entry.hpp"

#include <algorithm>

#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "report/entry.hpp"
#include "ropewalk/config/position_range.hpp"

namespace ropewalk::command {

exit_code explain_entry(const which_options& which, const std::string& position, const std::string& pair,
                        bool as_json) {
  const model::model named = chosen_model_of_sequences(which);
  const std::int64_t row = input::whole_number("position", position.empty() ? "missing" : position,
                                               smallest_position, largest_position);
  const std::int64_t channels =
      input::whole_number("pair", pair.empty() ? "missing" : pair, 0, pair_count(named.encoding) - 1);
  const model::model model =
      at_seq_len(named, which.seq_len, {std::max<std::int64_t>(row + 1, 1), "the position + 1"});
  report::print_entry(model, row, static_cast<int>(channels), as_json);
  return exit_code::holds;
}

}  // namespace ropewalk::command
