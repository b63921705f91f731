#pragma once
// A file before it has its name: nothing is left of it when its program ends, SIGKILL included.

#include <string>

namespace ropewalk::output {

/// A new file beside its target. Where the file system can (O_TMPFILE), it has no name until give_name();
/// else it is locked under a name of its own, ".NAME.ropewalk-XXXXXX". Whoever next writes the same target
/// removes such files that no program has locked any more.
class unfinished_file {
 public:
  unfinished_file() = default;
  ~unfinished_file();  // the file is gone, unless it has its name
  unfinished_file(const unfinished_file&) = delete;
  unfinished_file& operator=(const unfinished_file&) = delete;

  /// Creates the file, with the target's mode or that of new files. Returns an errno, 0 for success.
  int create(const std::string& target);
  /// Gives the file its name, in place of one that has it, in one step. Returns an errno, 0 for success.
  int give_name();
  /// Writes to this go to the file; -1 before create() and after give_name().
  int descriptor() const { return descriptor_; }

 private:
  int create_named();
  int link_to(const std::string& name) const;
  int link_to_new_name();

  std::string target_;
  std::string name_;  // its temporary name; empty if it has none
  int descriptor_ = -1;
  int slot_ = -1;  // index in the list of files that a signal handler removes; -1: none
};

/// Removes the named files of this program that are unfinished. Called by a signal handler.
void remove_unfinished_files();

}  // namespace ropewalk::output
