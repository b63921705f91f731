#include "input/number.hpp"

#include <algorithm>
#include <thread>

#include "input/bad_input.hpp"

namespace ropewalk::input {

std::int64_t whole_number(const std::string& field, const std::string& text, std::int64_t smallest,
                          std::int64_t largest) {
  const auto value = number_from<std::int64_t>(text);
  if (!value || *value < smallest || *value > largest)
    throw bad_input(field, text,
                    "a whole number from " + std::to_string(smallest) + " to " + std::to_string(largest));
  return *value;
}

int usual_thread_count() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_threads);
}

}  // namespace ropewalk::input
