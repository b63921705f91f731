#pragma once
// How often a kernel's process may die or be silent before the kernel is no longer asked.

#include <string>
#include <string_view>

#include "transport/child.hpp"

namespace ropewalk::transport {

/// How the text of a no_answer ends where the kernel was not even asked.
inline constexpr std::string_view not_asked_again = " times on this kernel, which is not asked again";

class patience {
 public:
  /// Refuses to ask a kernel whose process has died or been silent too often.
  ///
  /// throws  no_answer
  void require_left() const {
    if (silences_ >= most_silences)
      throw no_answer("was silent " + std::to_string(silences_) + std::string(not_asked_again));
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
