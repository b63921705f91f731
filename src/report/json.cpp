// Writes the report as JSON.

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

/// A number as JSON, which has no infinity.
json number(double value) { return std::isfinite(value) ? json(value) : json("infinity"); }

/// Text, or null if it is empty.
json text_or_null(const std::string& text) { return text.empty() ? json() : json(text); }

json ranges_of(const search::outcome& outcome) {
  json ranges = json::array();
  for (std::size_t k = 0; k < outcome.ranges.size(); ++k)
    ranges.push_back({{"from_power", k},
                      {"rotations", outcome.ranges[k].rotations},
                      {"worst_ratio", number(outcome.ranges[k].worst)},
                      {"largest_error", number(outcome.ranges[k].error)}});
  return ranges;
}

json record(const results& results, const result& result) {
  json record = {{"kernel", result.kernel},
                 {"model", result.model},
                 {"file", text_or_null(file_of(results, result))},
                 {"dtype", element_name(result)},
                 {"law", result.law.name},
                 {"statement", result.law.statement},
                 {"promise", name_of(result.promised, result.operation)},
                 {"cases", result.outcome.cases},
                 {"wanted", result.outcome.count},
                 {"declined", result.outcome.declined},
                 {"undecided", result.outcome.undecided_cases},
                 {"compared", result.outcome.compared},
                 {"worst_observed", observed_of(result)},
                 {"bound", bound_of(result)},
                 {"worst_ratio", number(result.outcome.worst.worst)},
                 {"relative_bound", number(result.outcome.worst.bound)},
                 {"verdict", verdict_of(result)}};
  if (result.needs.one_range) record["ranges"] = ranges_of(result.outcome);
  if (!result.no_bound.empty()) record["no_bound"] = result.no_bound;
  if (!result.outcome.declined_because.empty()) record["declined_because"] = result.outcome.declined_because;
  if (result.outcome.unanswered > 0) record["unanswered"] = result.outcome.unanswered;
  if (result.outcome.other_bits > 0) record["other_bits"] = result.outcome.other_bits;
  if (result.outcome.vacuous > 0) record["vacuous"] = result.outcome.vacuous;
  if (result.some_vacuous_from) record["some_vacuous_from"] = *result.some_vacuous_from;
  if (result.every_vacuous_from) record["every_vacuous_from"] = *result.every_vacuous_from;
  if (!result.beyond.empty()) record["beyond_limits"] = result.beyond;
  if (const std::string why = why_not_judged(result); !why.empty()) record["not_judged_because"] = why;
  if (!result.outcome.holds()) {
    record["counterexample"] = counterexample_of(result);
    if (!result.outcome.failure->measured.trouble.empty())
      record["trouble"] = result.outcome.failure->measured.trouble;
    record["reproduce"] = result.reproduce;
  }
  return record;
}

json record(const diagnosed& diagnosed) {
  json faults = json::array();
  for (const diagnosis::named_fault& fault : diagnosed.cause.faults) faults.push_back(fault.name);
  json record = {{"kernel", diagnosed.kernel},
                 {"models", diagnosed.models},
                 {"found", diagnosis::name_of(diagnosed.cause.verdict)},
                 {"causes", faults},
                 {"sentence", diagnosed.cause.sentence},
                 {"to_the_bit", diagnosed.cause.to_the_bit},
                 {"failing", diagnosed.cause.failing},
                 {"passing", diagnosed.cause.passing}};
  if (!diagnosed.cause.within.empty()) record["within"] = diagnosed.cause.within;
  if (diagnosed.cause.common.empty()) return record;
  record["common"] = diagnosed.cause.common;
  record["common_of"] =
      diagnosed.cause.failing_of_common > 0 ? diagnosed.cause.failing_of_common : diagnosed.cause.failing;
  record["some_untried"] = diagnosed.cause.is_cut;
  return record;
}

json record(const totals& sum) {
  return {{"verdicts", sum.lines},
          {"hold", sum.count},
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

json record(const array_finding& finding) {
  json record = {
      {"array", finding.array}, {"model", finding.subject}, {"kind", finding.content->about().name}};
  record.update(comparison_record(finding.compared, *finding.content));
  return record;
}

json record(const promise_result& result) {
  json kept = json::array();
  for (const dtype_promise& in : result.in_dtypes) {
    kept.push_back(
        {{"dtype", ropewalk::name_of(in.dtype)},
         {"promise", in.kept ? json(name_of(*in.kept, result.operation)) : json()},
         {"parts",
          in.kept && !promises_bits(*in.kept) ? json(parts_text(*in.kept, result.operation)) : json()},
         {"cases", in.cases},
         {"missing", text_or_null(in.missing)}});
    if (in.stricter)
      kept.back()["stricter"] = {{"promise", name_of(in.stricter->promised, result.operation)},
                                 {"law", in.stricter->law},
                                 {"times_the_bound", in.stricter->times_the_bound}};
  }
  return {{"kernel", result.kernel}, {"claimed", name_of(result.claimed, result.operation)},
          {"judged", result.judged}, {"as_good_as", kept},
          {"laws", result.laws},     {"untried", text_or_null(result.untried)}};
}

}  // namespace

std::string as_json(const results& results) {
  json object = {{"schema", report_schema},
                 {"written_by", std::string("ropewalk ") + version},
                 {"command", results.command_line},
                 {"compiler", compiler()},
                 {"cpu", processor()},
                 {"vulkan_device", text_or_null(results.device)},
                 {"seed", results.seed},
                 {"threads", results.threads},
                 {"seconds", results.seconds},
                 {"processor_seconds", results.processor_seconds},
                 {"interrupted", results.interrupted},
                 {"exit_code", all_hold(results) ? 0 : 1},
                 {"totals", record(totals_of(results))}};
  for (const char* list : {"verdicts", "arrays", "diagnoses", "promises"}) object[list] = json::array();
  for (const result& line : results.lines) object["verdicts"].push_back(record(results, line));
  for (const array_finding& finding : results.arrays) object["arrays"].push_back(record(finding));
  for (const diagnosed& diagnose : results.diagnoses) object["diagnoses"].push_back(record(diagnose));
  for (const promise_result& promise : results.promises) object["promises"].push_back(record(promise));
  object["left_out"] = text_or_null(results.left_out);
  object["limits"] = results.limits;
  object["failed_on"] = results.failed_on;
  object["cut"] = text_or_null(results.cut);
  object["accepted"] = accepted(results);
  object["not_judged"] = results.not_judged;
  object["ended"] = results.ended;
  object["printed"] = results.printed;
  object["awaits"] = results.awaits;
  return object.dump(1, ' ', true, json::error_handler_t::replace) + "\n";
}

}  // namespace ropewalk::report
