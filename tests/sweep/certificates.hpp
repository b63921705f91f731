#pragma once
// What the tests of certificates share.

#include <cstdint>
#include <cstdio>
#include <string>

#include "sweep/digest.hpp"

namespace ropewalk::sweep {

/// HEAD of the tree that is tested, so that every commit audits other units; a fixed text outside git.
inline std::string commit() {
  std::string text;
  if (FILE* const git = popen("git -C '" ROPEWALK_SOURCE "' rev-parse HEAD 2>/dev/null", "r")) {
    char line[128];
    while (std::fgets(line, sizeof line, git) != nullptr) text += line;
    pclose(git);
  }
  return text.empty() ? "outside git" : text;
}

/// A number from 0 to limit - 1 that the commit and a name decide.
inline std::int64_t chosen(const std::string& name, std::int64_t limit) {
  return std::stoll(digest_of(commit() + name).substr(0, 15), nullptr, 16) % limit;
}

}  // namespace ropewalk::sweep
