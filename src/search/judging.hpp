#pragma once
// Which kernel a thread is judging, so that a crash can name it.

#include <string_view>

namespace ropewalk::search {

/// While it lives, a crash of this thread is the kernel's, under that law.
class judging {
 public:
  judging(const char* kernel, std::string_view law);
  ~judging();
  judging(const judging&) = delete;
  judging& operator=(const judging&) = delete;
};

/// From here on a crash while a kernel is judged writes one line to stderr before the signal takes its course. A handler
/// that stands already is left alone.
void name_kernel_on_crash();

}  // namespace ropewalk::search
