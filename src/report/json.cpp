// The report as JSON.

#include <nlohmann/json.hpp>

#include <cmath>

#include "export/table.hpp"
#include "report/comparison.hpp"
#include "report/report.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::report {

using namespace verify;

namespace {

using json = nlohmann::ordered_json;

/// JSON has no infinity.
json number(double value) { return std::isfinite(value) ? json(value) : json("infinity"); }

/// Text, or null if it is empty.
json text_or_null(const std::string& text) { return text.empty() ? json() : json(text); }

json ranges_of(const search::outcome& found) {
  json r = json::array();
  for (std::size_t k = 0; k < found.ranges.size(); ++k)
    r.push_back({{"from_power", k},
                 {"rotations", found.ranges[k].rotations},
                 {"worst_ratio", number(found.ranges[k].worst)},
                 {"largest_error", number(found.ranges[k].error)}});
  return r;
}

json record(const results& of, const result& one) {
  json r = {{"kernel", one.kernel},
            {"model", one.model},
            {"file", text_or_null(file_of(of, one))},
            {"dtype", element_name(one)},
            {"law", one.law.name},
            {"statement", one.law.statement},
            {"promise", name_of(one.promised, one.operation)},
            {"cases", one.found.cases},
            {"wanted", one.found.wanted},
            {"declined", one.found.declined},
            {"undecided", one.found.undecided_cases},
            {"compared", one.found.compared},
            {"worst_observed", observed_of(one)},
            {"bound", bound_of(one)},
            {"worst_ratio", number(one.found.worst.worst)},
            {"relative_bound", number(one.found.worst.bound)},
            {"verdict", verdict_of(one)}};
  if (one.needs.one_range) r["ranges"] = ranges_of(one.found);
  if (!one.no_bound.empty()) r["no_bound"] = one.no_bound;
  if (!one.found.declined_because.empty()) r["declined_because"] = one.found.declined_because;
  if (one.found.unanswered > 0) r["unanswered"] = one.found.unanswered;
  if (one.found.other_bits > 0) r["other_bits"] = one.found.other_bits;
  if (one.found.vacuous > 0) r["vacuous"] = one.found.vacuous;
  if (one.some_vacuous_from) r["some_vacuous_from"] = *one.some_vacuous_from;
  if (one.every_vacuous_from) r["every_vacuous_from"] = *one.every_vacuous_from;
  if (!one.beyond.empty()) r["beyond_limits"] = one.beyond;
  if (const std::string why = why_not_judged(one); !why.empty()) r["not_judged_because"] = why;
  if (!one.found.holds()) {
    r["counterexample"] = counterexample_of(one);
    if (!one.found.failure->measured.trouble.empty()) r["trouble"] = one.found.failure->measured.trouble;
    r["reproduce"] = one.reproduce;
  }
  return r;
}

json record(const diagnosed& one) {
  json faults = json::array();
  for (const diagnosis::named_fault& fault : one.cause.faults) faults.push_back(fault.name);
  json r = {{"kernel", one.kernel},
            {"models", one.models},
            {"found", diagnosis::name_of(one.cause.found)},
            {"causes", faults},
            {"sentence", one.cause.sentence},
            {"to_the_bit", one.cause.to_the_bit},
            {"failing", one.cause.failing},
            {"passing", one.cause.passing}};
  if (!one.cause.within.empty()) r["within"] = one.cause.within;
  if (one.cause.common.empty()) return r;
  r["common"] = one.cause.common;
  r["common_of"] = one.cause.failing_of_common > 0 ? one.cause.failing_of_common : one.cause.failing;
  r["some_untried"] = one.cause.is_cut;
  return r;
}

json record(const totals& sum) {
  return {{"verdicts", sum.lines},
          {"hold", sum.held},
          {"fail", sum.failed},
          {"not_served", sum.not_served},
          {"vacuous", sum.vacuous},
          {"measured", sum.measured},
          {"not_judged", sum.not_judged},
          {"nothing_compared", sum.nothing_compared},
          {"no_bound", sum.no_bound},
          {"not_run", sum.not_run},
          {"cases", sum.cases}};
}

json record(const array_finding& one) {
  json r = {{"array", one.array}, {"model", one.subject}, {"kind", one.content->about().name}};
  r.update(comparison_record(one.found, *one.content));
  return r;
}

json record(const promise_result& one) {
  json kept = json::array();
  for (const dtype_promise& in : one.in_dtypes) {
    kept.push_back(
        {{"dtype", ropewalk::name_of(in.dtype)},
         {"promise", in.kept ? json(name_of(*in.kept, one.operation)) : json()},
         {"parts", in.kept && !promises_bits(*in.kept) ? json(parts_text(*in.kept, one.operation)) : json()},
         {"cases", in.cases},
         {"missing", text_or_null(in.missing)}});
    if (in.stricter)
      kept.back()["stricter"] = {{"promise", name_of(in.stricter->of, one.operation)},
                                 {"law", in.stricter->law},
                                 {"times_the_bound", in.stricter->times_the_bound}};
  }
  return {{"kernel", one.kernel}, {"claimed", name_of(one.claimed, one.operation)},
          {"judged", one.judged}, {"as_good_as", kept},
          {"laws", one.laws},     {"untried", text_or_null(one.untried)}};
}

}  // namespace

std::string as_json(const results& of) {
  json r = {{"schema", report_schema},
            {"written_by", std::string("ropewalk ") + version},
            {"command", of.command_line},
            {"compiler", compiler()},
            {"cpu", processor()},
            {"vulkan_device", text_or_null(of.device)},
            {"seed", of.seed},
            {"threads", of.threads},
            {"seconds", of.seconds},
            {"processor_seconds", of.processor_seconds},
            {"interrupted", of.interrupted},
            {"exit_code", all_hold(of) ? 0 : 1},
            {"totals", record(totals_of(of))}};
  for (const char* list : {"verdicts", "arrays", "diagnoses", "promises"}) r[list] = json::array();
  for (const result& one : of.lines) r["verdicts"].push_back(record(of, one));
  for (const array_finding& one : of.arrays) r["arrays"].push_back(record(one));
  for (const diagnosed& one : of.diagnoses) r["diagnoses"].push_back(record(one));
  for (const promise_result& one : of.promises) r["promises"].push_back(record(one));
  r["left_out"] = text_or_null(of.left_out);
  r["limits"] = of.limits;
  r["failed_on"] = of.failed_on;
  r["cut"] = text_or_null(of.cut);
  r["accepted"] = accepted(of);
  r["not_judged"] = of.not_judged;
  r["ended"] = of.ended;
  r["printed"] = of.printed;
  r["awaits"] = of.awaits;
  return r.dump(1, ' ', true, json::error_handler_t::replace) + "\n";
}

}  // namespace ropewalk::report
