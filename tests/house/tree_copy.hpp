#pragma once
// A copy of the tree's sources that a test may change.

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace house {

/// Copies of the folders include and src in a temporary folder, which the destructor removes.
class tree_copy {
 public:
  tree_copy() {
    std::string name = (std::filesystem::temp_directory_path() / "ropewalk-house-XXXXXX").string();
    root_ = mkdtemp(name.data());
    for (const char* folder : {"include", "src"})
      std::filesystem::copy(std::filesystem::path(ROPEWALK_SOURCE) / folder, root_ / folder,
                            std::filesystem::copy_options::recursive);
  }
  ~tree_copy() { std::filesystem::remove_all(root_); }
  tree_copy(const tree_copy&) = delete;
  tree_copy& operator=(const tree_copy&) = delete;

  /// Adds a line to a file, which need not exist.
  void plant(const std::string& file, const std::string& line) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file, std::ios::app) << line << '\n';
  }
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

}  // namespace house
