#pragma once
// Caps how often a kernel's process may end or not answer before the kernel is not called again.

#include <string>
#include <string_view>

#include "transport/child.hpp"

namespace ropewalk::transport {

/// End of a no_answer text if the kernel was not called at all.
inline constexpr std::string_view not_asked_again = " times on this kernel, which is not called again";

class patience {
 public:
  /// Refuses a kernel whose process ended, or did not answer, too often.
  ///
  /// throws  no_answer
  void require_left() const {
    if (silences_ >= most_silences)
      throw no_answer("did not answer " + std::to_string(silences_) + std::string(not_asked_again));
    if (deaths_ >= most_deaths)
      throw no_answer("ended " + std::to_string(deaths_) + std::string(not_asked_again));
  }
  /// Counts a request without an answer.
  void count(bool is_silent) { ++(is_silent ? silences_ : deaths_); }

 private:
  static constexpr int most_deaths = 30;
  static constexpr int most_silences = 3;

  int deaths_ = 0;
  int silences_ = 0;
};

}  // namespace ropewalk::transport
