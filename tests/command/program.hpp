#pragma once
// Runs the program as a shell would, and keeps what it said.

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace ropewalk::command {

struct outcome {
  int code = 0;
  std::string out;
  std::string err;
};

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder that is gone when the test is.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = "/tmp/ropewalk-command-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~scratch_folder() { std::filesystem::remove_all(path_); }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
  }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

/// The program with these arguments, which a shell reads; `before` stands in front, and stdout goes to `out`.
inline outcome run(const std::string& arguments, const std::string& before = "",
                   const std::string& out = "") {
  const scratch_folder folder;
  const std::string line = before + " '" + std::string(ROPEWALK_COMMAND) + "' " + arguments + " >" +
                           (out.empty() ? folder / "out" : out) + " 2>" + folder / "err";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder / "out"), text_of(folder / "err")};
}

inline std::ptrdiff_t lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace ropewalk::command
