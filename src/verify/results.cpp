#include "verify/results.hpp"

namespace ropewalk::verify {

finding finding_of(const result& one) {
  if (!one.found.undecided.empty()) return finding::undecided;
  if (one.found.failure)
    return one.found.failure->is_reproducible ? finding::fails : finding::not_reproducible;
  if (!one.no_bound.empty()) return finding::no_bound;
  if (one.found.cases == 0) return one.found.declined > 0 ? finding::not_served : finding::not_run;
  return one.found.says_nothing() || one.found.compared == 0 ? finding::nothing_compared : finding::holds;
}

bool is_judged(const result& one) {
  const finding found = finding_of(one);
  return found == finding::holds || found == finding::fails || found == finding::not_reproducible ||
         found == finding::undecided;
}

totals totals_of(const results& of) {
  totals r;
  for (const result& one : of.lines) {
    ++r.lines;
    r.cases += one.found.cases;
    switch (finding_of(one)) {
      case finding::holds: ++r.held; break;
      case finding::fails:
      case finding::not_reproducible:
      case finding::undecided: ++r.failed; break;
      case finding::not_served: ++r.not_served; break;
      case finding::nothing_compared: ++r.nothing_compared; break;
      case finding::no_bound: ++r.no_bound; break;
      case finding::not_run: ++r.not_run; break;
    }
  }
  return r;
}

}  // namespace ropewalk::verify
