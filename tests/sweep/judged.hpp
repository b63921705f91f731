#pragma once
// Small ranges of work, judged whole.

#include <string>
#include <utility>

#include "model/model.hpp"
#include "sweep/subject.hpp"
#include "sweep/tally.hpp"
#include "sweep/unit_check.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// 8 pairs, half-split.
inline model::model small_model() { return model::model_by_hand(10000, 16, 16, pairing::half_split, ""); }

inline work_range work_range_of(const model::model& read_model, std::vector<ropewalk_dtype> dtypes,
                                position_range positions) {
  return {"", "", tables_of({read_model}, [&](const model::model&) { return positions; }), std::move(dtypes),
          1 << 20};
}

/// What a subject gives for every entry of a range of work of one table.
inline tally judged(const work_range& range, const subject_maker& maker) {
  maker.require_serves(range);
  unit_check check(range.tables.front(), maker);
  const units_of_range units(range);
  tally result;
  for (const ropewalk_dtype dtype : range.dtypes) result.push_back({.dtype = dtype});
  for (std::int64_t i = 0; i < units.count(); ++i)
    for (const format_tally& counts : check.check(units.at(i)))
      for (format_tally& sum : result)
        if (sum.dtype == counts.dtype) sum += counts;
  return result;
}

inline tally judged(const model::model& model, ropewalk_dtype dtype, position_range positions,
                    const subject_maker& maker) {
  return judged(work_range_of(model, {dtype}, positions), maker);
}

/// The message of the exception that ask() throws; empty if it throws none of that type.
template <class Exception, class Ask>
std::string refusal_of(Ask ask) {
  try {
    ask();
  } catch (const Exception& refused) {
    return refused.what();
  }
  return "";
}

}  // namespace ropewalk::sweep
