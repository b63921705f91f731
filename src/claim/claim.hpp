#pragma once
// A statement that documents make about positional encodings, what became of it, and a witness that runs.

#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::claim {

enum class verdict { holds, corrected, refuted };  // corrected: holds as `correction` states it

/// What a witness saw when it ran.
struct evidence {
  bool shown = false;  // that the verdict is right
  std::string text;    // the numbers that decide it, one line or several
};

/// One row of the ledger.
struct claim {
  int number = 0;
  std::string_view source;     // the documents that make it
  std::string_view statement;  // in our words
  verdict decided = verdict::holds;
  std::string_view correction;  // what is true instead; empty where the statement holds as it stands
  std::string_view witness;     // the theorem, law, test or counterexample
  evidence (*run)() = nullptr;
};

/// Every claim, by number.
std::vector<claim> all_claims();

}  // namespace ropewalk::claim
