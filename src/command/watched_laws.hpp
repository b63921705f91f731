#pragma once
// The laws as `ropewalk verify` runs them: while one asks a kernel, a crash says whose it is, and a case
// beyond the promise's bounds is declined and does not end the search.

#include "ropewalk/law/laws.hpp"

namespace ropewalk::command {

/// The law of that name, watched. Same name, same cases, same verdicts.
const law& watched(const law& of);

/// From here on a crash of a kernel under a watched law writes one line to stderr before the signal takes its
/// course. A handler that stands already is left alone.
void name_kernel_on_crash();

}  // namespace ropewalk::command
