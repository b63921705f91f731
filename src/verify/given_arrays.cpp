#include "verify/given_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "array/array_laws.hpp"
#include "array/table_promises.hpp"
#include "input/bad_input.hpp"
#include "input/kernel_words.hpp"
#include "ropewalk/table/in_order.hpp"
#include "verify/array_causes.hpp"

namespace ropewalk::verify {
namespace {

constexpr law_text rounded_once{
    "rounded-once", "every entry is the exact number, rounded once", {}, "equal values", {}, {}};

/// The law of a promise with bounds relative to a quantity.
constexpr law_text accuracy_relative_to(std::string_view norm) {
  return {"accuracy",
          "every entry is within the promise's bound of the exact number",
          norm,
          {},
          "proofs/kernel/rotation_bound.md, theorems 11 to 13",
          {}};
}
constexpr law_text entry_accuracy = accuracy_relative_to("a"), frequency_accuracy = accuracy_relative_to("f");

constexpr law_text right_shape{"shape", "the array has the shape of its table", {}, "equal numbers", {}, {}};

/// The law on the errors of the entries.
const law_text& error_law(const given_array& array) {
  if (promises_bits(array.promised)) return rounded_once;
  return array.content->about().name == "inv-freq" ? frequency_accuracy : entry_accuracy;
}

bool is_float(tables::table_dtype dtype) {
  return dtype != tables::table_dtype::u32 && dtype != tables::table_dtype::i32;
}

/// A number of an array as evidence. Integers become binary64; fractions of a turn are not shown.
std::uint64_t shown_bits(tables::table_dtype dtype, const std::byte* row, std::int64_t column) {
  return tables::visit_element(dtype, [&]<class Element>() -> std::uint64_t {
    if constexpr (floating_format<Element>) {
      return array::bits_at<bits_of<Element>>(row, column);
    } else {
      return to_bits(static_cast<double>(static_cast<Element>(array::bits_at<Element>(row, column))));
    }
  });
}

class array_judge {
 public:
  array_judge(const given_array& array, const array_plan& plan, const std::atomic<bool>& stopped)
      : array_(array), plan_(plan), stopped_(stopped) {}

  void judge(judged_arrays& to, array_causes& causes) {
    input::array_file file("table", array_.place);
    header_ = file.header();
    const std::vector<std::int64_t>& right = array_.content->about().shape;
    const std::vector<std::int64_t> shape = without_ones(file.header().shape, right.size());
    if (shape != right) {
      to.lines.push_back(line_of_shape(shape));
      explain(to, causes, shape, std::nullopt);
      return;
    }
    array::comparison comparison =
        array::compare({array_.dtype, plan_.threads, plan_.is_quiet, array_.promised, true,
                        [this] { return is_out_of_time(); }},
                       *array_.content, file);
    const std::vector<array::array_law> laws =
        array::array_laws(*array_.content, array_.dtype, array_.promised);
    const bool keeps = comparison.keeps(array_.promised);
    if (!keeps || (!laws.empty() && !is_out_of_time())) read();
    for (const array::array_law& law : laws)
      if (plan_.asks_for(law.text.name)) add(to, line_of(law));
    if (plan_.asks_for(error_law(array_).name)) add(to, line_of_errors(comparison));
    if (!keeps) explain(to, causes, shape, comparison.first_different.order);
    // Findings are about whole arrays only.
    if (comparison.rows_left_out > 0) return;
    to.findings.push_back({label_of(array_), array_.subject, array_.content, std::move(comparison)});
  }

 private:
  /// Reads the whole array again.
  void read() {
    input::whole_array again = input::read_array("table", array_.place);
    if (again.header.shape != header_.shape || again.header.dtype != header_.dtype)
      throw bad_input("table", array_.place.text() + " (changed while it was read)",
                      "a file that does not change while it is read");
    bytes_ = std::move(again.bytes);
  }

  void explain(judged_arrays& to, array_causes& causes, const std::vector<std::int64_t>& shape,
               std::optional<std::int64_t> wrong_place) {
    const tables::table_content& content = array_.content->content();
    if (std::holds_alternative<std::monostate>(content) ||
        std::holds_alternative<tables::index_code_content>(content))
      return;  // no mistakes of these are known
    if (bytes_.empty()) read();
    auto cause = causes.of({&array_, shape, &bytes_, wrong_place});
    if (cause) to.causes.push_back(*std::move(cause));
  }

  /// Drops results of laws that do not concern this array.
  static void add(judged_arrays& to, result line) {
    const search::outcome& outcome = line.outcome;
    if (outcome.failure || outcome.compared > 0 || outcome.vacuous > 0 || outcome.is_short() ||
        !line.no_bound.empty())
      to.lines.push_back(std::move(line));
  }

  result blank(const law_text& law) const {
    result blank;
    blank.kernel = label_of(array_);
    blank.model = array_.subject;
    blank.law = law;
    blank.promised = array_.promised;
    blank.is_array = true;
    if (is_float(array_.dtype))
      blank.dtype = static_cast<ropewalk_dtype>(array_.dtype);
    else
      blank.elements = tables::text_of(array_.dtype).name;
    return blank;
  }

  std::string command(const law_text& law) const {
    std::string text = fmt::format("ropewalk verify {} --law {}", array_.options, law.name);
    if (!promises_bits(array_.promised))
      text += " --promise " + array::name_of_promise(*array_.content, array_.promised);
    return text;
  }

  bool is_out_of_time() const {
    return stopped_ || (plan_.end != search::clock::time_point{} && search::clock::now() >= plan_.end);
  }

  result line_of(const array::array_law& law) {
    result line = blank(law.text);
    const std::int64_t runs = (law.rows + law.rows_per_run - 1) / law.rows_per_run;
    std::vector<std::optional<measurement>> measured(static_cast<std::size_t>(runs));
    std::atomic<std::int64_t> next = 0, first_failing = runs;
    on_threads(plan_.threads, [&](int) {
      for (std::int64_t run = next++; run < first_failing && !is_out_of_time(); run = next++) {
        const std::int64_t first = run * law.rows_per_run;
        auto& slot = measured[static_cast<std::size_t>(run)];
        slot = law.measure(bytes_.data(), {first, std::min(law.rows_per_run, law.rows - first)});
        std::int64_t so_far = first_failing;
        while (!slot->holds && run < so_far && !first_failing.compare_exchange_weak(so_far, run)) {
        }
      }
    });
    // Runs after the first failing one do not count: which of them were judged depends on timing.
    std::int64_t missing = 0;
    for (std::int64_t run = 0; run < runs && line.outcome.worst.holds; ++run) {
      const auto& type = measured[static_cast<std::size_t>(run)];
      const std::int64_t rows = std::min(law.rows_per_run, law.rows - run * law.rows_per_run);
      if (!type) missing += rows;
      if (!type) continue;
      if (type->compared + type->vacuous > 0) line.outcome.drawn += rows, line.outcome.cases += rows;
      if (type->compared > 0) line.outcome.decided += rows;
      line.outcome.compared += type->compared;
      line.outcome.vacuous += type->vacuous;
      merge(line.outcome.worst, *type);
    }
    line.outcome.count = line.outcome.cases + missing;
    if (!line.outcome.worst.holds) {
      line.outcome.failure.emplace();
      line.outcome.failure->measured = line.outcome.worst;
      line.outcome.failure->table = place_text(line.outcome.worst.where, law.compares_rows);
      line.reproduce = command(law.text);
    }
    return line;
  }

  /// A wrong shape fails, and no other law is judged.
  result line_of_shape(const std::vector<std::int64_t>& shape) const {
    result line = blank(right_shape);
    line.outcome.count = line.outcome.drawn = line.outcome.cases = line.outcome.decided =
        line.outcome.compared = 1;
    line.outcome.worst.holds = false;
    line.outcome.failure.emplace();
    line.outcome.failure->measured = line.outcome.worst;
    line.outcome.failure->table = fmt::format("shape {}, where the table has {}{}", shape_text(shape),
                                              shape_text(array_.content->about().shape), shape_hint(shape));
    line.reproduce = "ropewalk verify " + array_.options;  // no --law: the shape is always judged
    return line;
  }

  /// A hint on what went wrong, for some shapes.
  std::string shape_hint(std::vector<std::int64_t> shape) const {
    const std::vector<std::int64_t>& right = array_.content->about().shape;
    if (shape.size() == right.size() && std::equal(shape.rbegin(), shape.rend(), right.begin()))
      return "; its axes are in the opposite order";
    const std::string& kind = array_.content->about().name;
    const bool is_one_part = kind == "cos" || kind == "sin";
    if (is_one_part && shape.size() == 2 && shape[0] == right[0] && shape[1] == 2 * right[1])
      return "; with --layout hf each entry stands at both channels of its pair";
    return "";
  }

  std::string place_text(const place& where, bool is_of_two_rows) const {
    std::string text;
    const auto add = [&](const char* name, auto number) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, number);
    };
    const tables::coordinates names = array_.content->entry_at(0, 0);
    const auto has = [&](std::string_view name) {
      return std::any_of(names.begin(), names.end(),
                         [&](const tables::coordinate& coordinate) { return coordinate.name == name; });
    };
    if (has("pair") && !has("position")) {  // a token's coordinates on its axes, if any
      for (const tables::coordinate& coordinate : array_.content->entry_at(where.token, 0))
        if (coordinate.name != "pair" && coordinate.name != "of")
          add(coordinate.name.c_str(), coordinate.value);
      if (!text.empty() && is_of_two_rows) text += " and the next token";
    }
    if (has("head")) add("head", where.head);
    if (has("query")) add("query", where.token);
    if (has("position")) add("position", where.position);
    if (has("position") && is_of_two_rows) text += " and the next";
    if (has("relative_position")) add("relative position", where.position);
    if (has("pair") && where.pair >= 0) add("pair", where.pair);
    if (where.channel >= 0) add(has("key") ? "key" : "channel", where.channel);
    return text;
  }

  /// The verdict on the entries' errors.
  result line_of_errors(const array::comparison& comparison) const {
    const law_text& law = error_law(array_);
    result line = blank(law);
    search::outcome& to = line.outcome;
    to.count = array_.content->about().rows;
    to.drawn = to.cases = to.decided = to.count - comparison.rows_left_out;
    to.vacuous = comparison.vacuous.count;
    to.compared = comparison.entries - to.vacuous;
    line.some_vacuous_from = comparison.vacuous.some_from;
    line.every_vacuous_from = comparison.vacuous.every_from;
    array::entry_place broken_at = comparison.first_different;
    if (!promises_bits(array_.promised)) {
      const array::tried_promise* tried = comparison.tried(array_.promised);
      if (tried == nullptr) {
        line.no_bound =
            "the promise has no bound for this attention factor, or for a frequency that is formed in "
            "binary32";
        return line;
      }
      to.worst.bound = tried->worst_bound;
      to.worst.worst = tried->worst;
      broken_at = tried->broken_at;
    }
    to.worst.holds = !is_somewhere(broken_at);
    if (to.worst.holds) return line;
    if (promises_bits(array_.promised)) to.worst.worst = std::numeric_limits<double>::infinity();
    to.failure.emplace();
    to.failure->measured = to.worst;
    to.failure->measured.numbers = shown_at(broken_at);
    to.failure->table = tables::text_of(array_.content->entry_at(broken_at.row, broken_at.column));
    line.reproduce = command(law);
    return line;
  }

  evidence shown_at(const array::entry_place& where) const {
    if (array_.dtype == tables::table_dtype::u32) return {};
    const auto rows = array_.content->make_rows(array_.dtype);
    std::vector<std::byte> ours(rows->row_bytes());
    rows->fill(where.row, 1, ours.data());
    const std::byte* theirs = bytes_.data() + static_cast<std::size_t>(where.row) * rows->row_bytes();
    evidence result{is_float(array_.dtype) ? static_cast<ropewalk_dtype>(array_.dtype) : ROPEWALK_F64, 1};
    result.expected[0] = shown_bits(array_.dtype, ours.data(), where.column);
    result.bits[0] = shown_bits(array_.dtype, theirs, where.column);
    return result;
  }

  const given_array& array_;
  const array_plan& plan_;
  const std::atomic<bool>& stopped_;
  npy_header header_;
  std::vector<std::byte> bytes_;
};

/// Marks the failures to show: the first of those alike.
void mark_shown(std::vector<result>& lines) {
  std::set<std::string> seen;
  for (result& line : lines) {
    if (line.outcome.holds()) continue;
    const search::counterexample& failure = *line.outcome.failure;
    line.is_shown =
        seen.insert(fmt::format("{} {} {} {} {}", line.model, line.law.name, failure.table,
                                failure.measured.numbers.bits[0], failure.measured.numbers.bits[1]))
            .second;
  }
}

}  // namespace

std::string label_of(const given_array& array) { return input::visible(array.place.text()); }

std::vector<std::string_view> laws_of(const given_array& array) {
  std::vector<std::string_view> laws;
  for (const array::array_law& law : array::array_laws(*array.content, array.dtype, array.promised))
    laws.push_back(law.text.name);
  laws.push_back(error_law(array).name);
  return laws;
}

judged_arrays judge(const std::vector<given_array>& arrays, const array_plan& plan,
                    const std::atomic<bool>& stopped) {
  judged_arrays result;
  array_causes causes;
  for (const given_array& array : arrays)
    if (!stopped) array_judge(array, plan, stopped).judge(result, causes);
  mark_shown(result.lines);
  return result;
}

}  // namespace ropewalk::verify
