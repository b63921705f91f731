#include "grid/grid.hpp"

#include <algorithm>
#include <optional>

#include "input/bad_input.hpp"
#include "input/number.hpp"

namespace ropewalk::grid {
namespace {

constexpr std::int64_t most_of_a_side = 1 << 16;

void require_taken(const family& by, unsigned option, const char* name, const std::string& value) {
  if ((by.takes & option) == 0)
    throw bad_input(name, value, "none for this model, whose tokens stand at " + std::string(by.sentence));
}

std::string text_of(const sizes& sizes) {
  const std::string frames = sizes.time == 1 ? "" : std::to_string(sizes.time) + "x";
  return frames + std::to_string(sizes.height) + "x" + std::to_string(sizes.width);
}

std::string text_of(const ratio& ratio) {
  return std::to_string(ratio.numerator) +
         (ratio.denominator == 1 ? "" : "/" + std::to_string(ratio.denominator));
}

/// An index beyond the class's table.
struct beyond {
  int axis = 0;
  std::int64_t index = 0;
};

std::optional<beyond> index_beyond(const table_end& end, const placed& at) {
  const auto axes = static_cast<std::size_t>(at.positions.axes);
  for (std::size_t i = 0; i < at.positions.numbers.size(); ++i) {
    const std::size_t axis = i * axes / at.positions.numbers.size();
    const std::int64_t index = at.positions.numbers[i], count = end.positions[axis];
    const std::int64_t least = end.is_below_zero ? -count : 0;
    if (count > 0 && (index < least || index >= count)) return beyond{static_cast<int>(axis), index};
  }
  return std::nullopt;
}

/// Refuses tokens for which the class's own code has no rows. If the text causes it, the message names the
/// text.
void require_rows(const family& by, const request& wanted_grid, const numbers& numbers, const placed& at) {
  const std::optional<beyond> answer = index_beyond(numbers.end, at);
  if (!answer) return;
  const std::int64_t count = numbers.end.positions[static_cast<std::size_t>(answer->axis)];
  std::string field = "grid", value = text_of(wanted_grid.picture);
  if (wanted_grid.text) {
    request without = wanted_grid;
    without.text = {};
    if (!index_beyond(numbers.end, by.place(without, numbers)))
      field = "text", value = std::to_string(wanted_grid.text.value);
  }
  throw bad_input(field,
                  value + ", which needs index " + std::to_string(answer->index) + " of axis " +
                      std::to_string(answer->axis),
                  std::to_string(numbers.end.is_below_zero ? -count : 0) + " to " +
                      std::to_string(count - 1) + ": there the class's table ends (" + numbers.end.why + ")");
}

}  // namespace

placed place(const family& by, const request& request, const numbers& numbers) {
  if (request.picture.time > 1) require_taken(by, takes_frames, "grid", text_of(request.picture));
  if (request.text) require_taken(by, takes_text, "text", std::to_string(request.text.value));
  if (request.fps) require_taken(by, takes_fps, "fps", text_of(request.fps.value));
  if (request.crop) require_taken(by, takes_crop, "crop", text_of(request.crop.value));
  if (!request.frames.empty()) {
    require_taken(by, takes_runs, "frames", "given");
    if (request.picture.time > 1)
      throw bad_input("grid", text_of(request.picture), "HEIGHTxWIDTH with --frames");
  }
  std::int64_t tokens = request.picture.tokens() + request.text.value_or(0);
  for (const sizes& reference : request.references) {
    require_taken(by, takes_one_reference | takes_references, "reference", text_of(reference));
    tokens += reference.tokens();
  }
  if (request.references.size() > 1) require_taken(by, takes_references, "reference", "given more than once");
  if (tokens > most_tokens)
    throw bad_input("grid", std::to_string(tokens) + " tokens", "at most " + std::to_string(most_tokens));
  placed place = by.place(request, numbers);
  require_rows(by, request, numbers, place);
  return place;
}

sizes sizes_from(const std::string& option, const std::string& text) {
  const std::string allowed = "HEIGHTxWIDTH or FRAMESxHEIGHTxWIDTH in tokens, each from 1 to " +
                              std::to_string(most_of_a_side) + ", such as 16x30x52";
  std::vector<std::int64_t> numbers;
  std::size_t at = 0;
  do {
    const std::size_t end = std::min(text.find('x', at), text.size());
    const auto number = input::number_from<std::int64_t>(text.substr(at, end - at));
    if (!number || *number < 1 || *number > most_of_a_side) throw bad_input(option, text, allowed);
    numbers.push_back(*number);
    at = end + 1;
  } while (at <= text.size());
  if (numbers.size() < 2 || numbers.size() > 3) throw bad_input(option, text, allowed);
  if (numbers.size() == 2) numbers.insert(numbers.begin(), 1);
  return {numbers[0], numbers[1], numbers[2]};
}

std::vector<frame_run> runs_from(const std::string& text) {
  std::vector<frame_run> runs;
  const auto refuse = [&] {
    throw bad_input("frames", text,
                    "SIDE:FIRST-LAST or SIDE:FRAME, one after another with commas, such as "
                    "4:1-16,2:17-18,1:0,1:19-28: SIDE 1, 2, 4 or 8, frames from 0 to " +
                        std::to_string(most_of_a_side));
  };
  const auto number = [&](const std::string& part) {
    const auto value = input::number_from<std::int64_t>(part);
    if (!value || *value < 0 || *value > most_of_a_side) refuse();
    return *value;
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string run = text.substr(at, end - at);
    const std::size_t colon = run.find(':'), dash = run.find('-');
    if (colon == run.npos || (dash != run.npos && dash < colon)) refuse();
    const std::int64_t side = number(run.substr(0, colon));
    const std::int64_t first = number(run.substr(colon + 1, dash == run.npos ? dash : dash - colon - 1));
    const std::int64_t last = dash == run.npos ? first : number(run.substr(dash + 1));
    if ((side != 1 && side != 2 && side != 4 && side != 8) || last < first) refuse();
    runs.push_back({static_cast<int>(side), first, last});
    at = end + 1;
  }
  return runs;
}

ratio fps_from(const std::string& text) {
  constexpr std::int64_t most = 1'000'000;
  constexpr std::size_t most_decimals = 4;
  const auto refuse = [&] {
    throw bad_input("fps", text,
                    "frames in a second: a number with up to 4 decimals or a fraction, of numbers from 1 to "
                    "1000000, such as 24, 29.97 or 30000/1001");
  };
  ratio fps{0, 1};
  const std::size_t slash = text.find('/'), point = text.find('.');
  if (slash == text.npos && point != text.npos) {
    const std::string part = text.substr(point + 1);
    for (std::size_t i = 0; i < std::min(part.size(), most_decimals); ++i) fps.denominator *= 10;
    const auto whole = input::number_from<std::int64_t>(text.substr(0, point) + part);
    if (!whole || part.empty() || part.size() > most_decimals) refuse();
    fps.numerator = whole.value_or(0);
  } else {
    const auto above = input::number_from<std::int64_t>(text.substr(0, slash));
    const auto below = slash == text.npos ? std::optional<std::int64_t>(1)
                                          : input::number_from<std::int64_t>(text.substr(slash + 1));
    if (!above || !below) refuse();
    fps = {above.value_or(0), below.value_or(1)};
  }
  if (fps.numerator < 1 || fps.denominator < 1 || fps.numerator > most || fps.denominator > most) refuse();
  return fps;
}

}  // namespace ropewalk::grid
