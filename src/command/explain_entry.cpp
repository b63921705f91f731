#include "command/explain_entry.hpp"

#include <algorithm>
#include <utility>

#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "report/entry.hpp"
#include "ropewalk/config/position_range.hpp"

namespace ropewalk::command {

exit_code explain_entry(const which_options& which, const std::string& position, const std::string& pair,
                        bool as_json) {
  model::model read = chosen_model_of_sequences(which);
  const std::int64_t at = input::whole_number("position", position.empty() ? "missing" : position,
                                              smallest_position, largest_position);
  const std::int64_t of =
      input::whole_number("pair", pair.empty() ? "missing" : pair, 0, pair_count(read.encoding) - 1);
  const model::model model =
      at_seq_len(std::move(read), which.seq_len, {std::max<std::int64_t>(at + 1, 1), "the position + 1"});
  report::print_entry(model, at, static_cast<int>(of), as_json);
  return exit_code::holds;
}

}  // namespace ropewalk::command
