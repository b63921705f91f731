// ropewalk verify: holds kernels to the laws.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "command/record.hpp"
#include "command/shell_words.hpp"
#include "command/verified_models.hpp"
#include "command/verify_run.hpp"
#include "command/watched_laws.hpp"
#include "command/which.hpp"
#include "gpu/kernel_device.hpp"
#include "kernel/kernels.hpp"
#include "kernel/simd/simd.hpp"
#include "model/bad_input.hpp"
#include "writer/output_file.hpp"

namespace ropewalk::command {
namespace {

constexpr std::int64_t default_budget = 40;  // seconds: with plans, shrinking and printing, below a minute
constexpr std::int64_t most_cases = 1'000'000'000;
constexpr ropewalk_dtype all_dtypes[] = {ROPEWALK_F64, ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16};
constexpr ropewalk_promise claims[] = {ROPEWALK_EXACT, ROPEWALK_CANONICAL, ROPEWALK_ROUNDED_TABLE,
                                       ROPEWALK_DTYPE_TABLE, ROPEWALK_ANGLE_F32};

struct verify_options {
  which_options which;
  std::vector<std::string> kernels;
  std::vector<std::string> laws;
  std::vector<std::string> dtypes;
  std::vector<std::string> reports;
  std::string target;
  std::string promise;
  std::string cases;
  std::string seed;
  std::string threads;
  std::string budget;
  std::string device;
  bool requires_vulkan = false;
  bool list = false;
  bool json = false;
};

constexpr ropewalk_operation operations[] = {ROPEWALK_ROTATE, ROPEWALK_ADD_ROW};  // each with laws of its own

std::string law_names() {
  std::string names;
  for (const law& one : ropewalk::laws) names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;  // those of additions are among them
}

std::vector<const law*> chosen_laws(const std::vector<std::string>& names) {
  std::vector<const law*> r;
  for (const ropewalk_operation operation : operations)
    for (const law& one : laws_of(operation))
      if (names.empty() || std::find(names.begin(), names.end(), one.name) != names.end()) r.push_back(&one);
  const std::vector<verified_table> tables = verified_tables();
  for (const std::string& name : names) {
    const bool is_of_tables = std::any_of(
        tables.begin(), tables.end(), [&](const verified_table& one) { return one.judged_by->name == name; });
    if (!is_of_tables && std::none_of(r.begin(), r.end(), [&](const law* one) { return one->name == name; }))
      throw bad_input("law", name, law_names() + ", or one of tables: see --list");
  }
  return r;
}

/// The library's own tables, where nothing else is named.
std::vector<verified_table> chosen_tables(const verify_options& options) {
  std::vector<verified_table> r;
  const which_options& which = options.which;
  const bool names_a_model = !which.configs.empty() || !which.models.empty() ||
                             std::any_of(which.numbers.begin(), which.numbers.end(),
                                         [](const auto& number) { return !number.second.empty(); });
  if (!options.kernels.empty() || !options.target.empty() || names_a_model) return r;
  for (verified_table& one : verified_tables())
    if ((options.laws.empty() ||
         std::find(options.laws.begin(), options.laws.end(), one.judged_by->name) != options.laws.end()) &&
        (options.dtypes.empty() ||
         std::find(options.dtypes.begin(), options.dtypes.end(), name_of(one.dtype)) != options.dtypes.end()))
      r.push_back(std::move(one));
  return r;
}

std::vector<ropewalk_dtype> chosen_dtypes(const std::vector<std::string>& names) {
  std::vector<ropewalk_dtype> r;
  for (const ropewalk_dtype dtype : all_dtypes)
    if (names.empty() || std::find(names.begin(), names.end(), name_of(dtype)) != names.end())
      r.push_back(dtype);
  for (const std::string& name : names)
    if (std::none_of(r.begin(), r.end(), [&](ropewalk_dtype dtype) { return name == name_of(dtype); }))
      throw bad_input("dtype", name, "f64, f32, f16, bf16");
  return r;
}

std::optional<ropewalk_promise> chosen_promise(const std::string& name) {
  if (name.empty()) return std::nullopt;
  for (const ropewalk_promise promise : claims)
    if (name == report::name_of(promise)) return promise;
  throw bad_input("promise", name, "exact, canonical, rounded-table, dtype-table, angle-f32");
}

/// The built-in kernels that --target can choose an instruction set for: all but those with one form alone.
std::vector<std::string> targeted_kernels() {
  const std::string target = std::string("-") + simd::targets().front()->name;
  const std::vector<chosen_kernel> nameable = nameable_kernel_list();
  std::vector<std::string> r;
  for (const ropewalk_kernel& kernel : exported_kernels())
    if (std::any_of(nameable.begin(), nameable.end(),
                    [&](const chosen_kernel& one) { return one.kernel->name == kernel.name + target; }))
      r.emplace_back(kernel.name);
  return r;
}

std::vector<verified_kernel> chosen(const verify_options& options) {
  const std::optional<ropewalk_promise> claim = chosen_promise(options.promise);
  std::vector<std::string> names = options.kernels;
  if (names.empty() && !options.target.empty()) names = targeted_kernels();
  std::vector<verified_kernel> r;
  const auto add_one = [&](const chosen_kernel& kernel) {
    const bool foreign = !kernel.library.empty();
    const std::string option =
        foreign ? "library:" + kernel.library + "#" + kernel.kernel->name : std::string(kernel.kernel->name);
    const auto own = static_cast<ropewalk_promise>(kernel.kernel->promise);
    r.push_back({kernel, shell_quoted(option), kernel.may_claim() && claim ? *claim : own});
  };
  const auto add = [&](const chosen_kernel& kernel) {
    if (options.target.empty()) return add_one(kernel);
    for (const chosen_kernel& one : on_target(kernel, options.target)) add_one(one);
  };
  if (names.empty())
    for (const chosen_kernel& kernel : built_in_kernel_list()) add(kernel);
  for (const std::string& name : names) {
    if (name.find('#') != std::string::npos)
      add(only_kernel(name));
    else
      for (const chosen_kernel& kernel : chosen_kernels(name)) add(kernel);
  }
  if (claim && std::none_of(r.begin(), r.end(), [](const auto& kernel) { return kernel.chosen.may_claim(); }))
    throw bad_input("promise", report::name_of(*claim),
                    "only with --kernel library:PATH or a recipe: a built-in kernel has its own");
  return r;
}

/// A report file: opened before the work, so that a place that cannot be written is refused at once.
struct report_file {
  std::string (*text)(const report::report&);
  std::unique_ptr<writer::output_file> file;
};

std::vector<report_file> open_reports(const std::vector<std::string>& names) {
  std::vector<report_file> r;
  bool is_taken = false;
  for (const std::string& name : names) {
    const std::size_t mark = name.find('=');
    const std::string kind = name.substr(0, mark);
    if (mark == std::string::npos || mark + 1 == name.size() || (kind != "json" && kind != "junit"))
      throw bad_input("report", name, "json=FILE, junit=FILE");
    if (name.ends_with("=-") && std::exchange(is_taken, true))
      throw bad_input("report", name, "one report to standard output");
    r.push_back({kind == "json" ? report::as_json : report::as_junit,
                 std::make_unique<writer::output_file>(name.substr(mark + 1))});
  }
  return r;
}

void list() {
  std::cout << "kernels\n";
  for (const chosen_kernel& kernel : nameable_kernel_list())
    std::cout << fmt::format("  {:<25} promises {}\n", kernel.kernel->name,
                             report::name_of(static_cast<ropewalk_promise>(kernel.kernel->promise)));
  std::cout << "  library:PATH              every kernel of a shared library that exports kernel.h's "
               "interface\ntargets\n";
  for (const simd::target* one : simd::targets()) std::cout << fmt::format("  {}\n", one->name);
  std::cout << "laws\n";
  for (const law& one : ropewalk::laws) std::cout << fmt::format("  {:<18} {}\n", one.name, one.statement);
  std::cout << "laws of kernels that add\n";
  for (const law& one : addition_laws) std::cout << fmt::format("  {:<18} {}\n", one.name, one.statement);
  std::cout << "laws of tables\n";
  std::set<std::string_view> printed;
  for (const verified_table& one : verified_tables())
    if (printed.insert(one.judged_by->name).second)
      std::cout << fmt::format("  {:<18} {}\n", one.judged_by->name, one.judged_by->statement);
  std::cout << "promises\n";
  for (const ropewalk_promise promise : claims) std::cout << fmt::format("  {}\n", report::name_of(promise));
  std::cout << "models\n";
  for (const std::string& name : model::catalogue_names()) std::cout << fmt::format("  {}\n", name);
}

void list_as_json() {
  model::json r;
  for (const chosen_kernel& kernel : nameable_kernel_list())
    r["kernels"].push_back(
        {{"name", kernel.kernel->name},
         {"promise", report::name_of(static_cast<ropewalk_promise>(kernel.kernel->promise))}});
  for (const simd::target* one : simd::targets()) r["targets"].push_back(one->name);
  for (const law& one : ropewalk::laws)
    r["laws"].push_back({{"name", std::string(one.name)}, {"statement", std::string(one.statement)}});
  for (const law& one : addition_laws)
    r["addition_laws"].push_back(
        {{"name", std::string(one.name)}, {"statement", std::string(one.statement)}});
  for (const ropewalk_promise promise : claims) r["promises"].push_back(report::name_of(promise));
  for (const std::string& name : model::catalogue_names()) r["models"].push_back(name);
  std::cout << pretty(r);
}

void tell_github(const report::report& found, std::ostream& to) {
  if (std::getenv("GITHUB_ACTIONS") == nullptr) return;
  to << report::as_annotations(found);
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary == nullptr || *summary == '\0') return;
  std::ofstream file(summary, std::ios::app);
  file << report::as_summary(found);
}

std::atomic<bool> interrupted{false};

/// While it lives, Ctrl-C ends the search and not the program: what is known is printed, and then the signal
/// is raised again for whoever waits, with the handler that stood before. Where interrupts are ignored, as a
/// shell has it for what runs in the background, they stay ignored.
class interruption {
 public:
  interruption() : before_(std::signal(SIGINT, [](int) { interrupted = true; })) {
    if (before_ == SIG_IGN) restore();
  }
  ~interruption() { restore(); }
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;

  void restore() {
    if (before_ != SIG_ERR) std::signal(SIGINT, before_);
    before_ = SIG_ERR;
  }

 private:
  void (*before_)(int);
};

/// Every law that was named is one of a kernel, or of a table, that is there to be judged.
void require_subjects(const verification& asked, const std::vector<std::string>& laws) {
  const auto has_encoding = [&](const verified_kernel& kernel) {
    return std::any_of(asked.models.begin(), asked.models.end(), [&](const verified_model& model) {
      return model.operation() == kernel.chosen.kernel->operation;
    });
  };
  for (const std::string& name : laws) {
    const auto is_named = [&](const law& of) { return of.name == name; };
    const bool is_of_kernel =
        std::any_of(asked.kernels.begin(), asked.kernels.end(), [&](const verified_kernel& kernel) {
          const auto own = laws_of(static_cast<ropewalk_operation>(kernel.chosen.kernel->operation));
          return has_encoding(kernel) && std::any_of(own.begin(), own.end(), is_named);
        });
    const bool is_of_table = std::any_of(asked.tables.begin(), asked.tables.end(),
                                         [&](const verified_table& one) { return is_named(*one.judged_by); });
    if (!is_of_kernel && !is_of_table)
      throw bad_input("law", name,
                      "a law of what is to be judged: of a kernel named or, where no kernel, model "
                      "or target is named, of tables; see --list");
  }
}

/// Chooses where Vulkan kernels run. Why they are left out; empty where they are not.
std::string choose_device(const verify_options& options, session& session) {
  if (!options.device.empty())
    vulkan::wish_for({.device = options.device, .validated = nullptr, .options = {}});
  const bool runs_by_itself = options.kernels.empty() && options.target.empty();
  const bool is_asked_for =
      options.requires_vulkan || !options.device.empty() || (runs_by_itself && vulkan::is_device_named());
  if (!is_asked_for && !runs_by_itself) return {};
  const std::string why = vulkan::why_no_device();
  if (why.empty()) return {};
  if (is_asked_for) throw missing_requirement(why);
  session.understood += "Vulkan kernels are not verified: " + why + "\n";
  return "Vulkan kernels are not verified: " + why;
}

verification asked_for(const verify_options& options, session& session) {
  verification r;
  r.left_out = choose_device(options, session);
  r.laws = chosen_laws(options.laws);
  r.laws_are_named = !options.laws.empty();
  r.kernels_are_named = !options.kernels.empty();
  r.dtypes = chosen_dtypes(options.dtypes);
  r.kernels = chosen(options);
  if (std::any_of(r.kernels.begin(), r.kernels.end(),
                  [](const verified_kernel& kernel) { return needs_device(kernel.chosen); })) {
    r.device = vulkan::device_text();  // says what is missing before anything is announced
    if (!options.device.empty()) r.device_option = " --device " + shell_quoted(options.device);
  }
  r.tables = chosen_tables(options);
  const named_option of_model = first_named(options.which);
  if (!of_model.name.empty() &&
      std::all_of(r.kernels.begin(), r.kernels.end(), [](const verified_kernel& kernel) {
        return kernel.chosen.kernel->operation != ROPEWALK_ROTATE;
      }))
    throw bad_input(of_model.name, of_model.value, "none: kernels that add have encodings of their own");
  r.models = chosen_subjects(options.which, session);
  require_subjects(r, options.laws);
  r.threads = thread_count(options.threads);
  r.quiet = session.quiet;
  if (!options.cases.empty()) r.cases = whole_number("cases", options.cases, 1, most_cases);
  if (!options.seed.empty())
    r.seed = static_cast<std::uint64_t>(
        whole_number("seed", options.seed, 0, std::numeric_limits<std::int64_t>::max()));
  if (!options.budget.empty())
    r.budget = static_cast<double>(whole_number("budget", options.budget, 1, 1'000'000));
  else if (r.cases == 0)
    r.budget = static_cast<double>(default_budget);
  return r;
}

/// The table for people: on stderr where a report takes standard output.
void print_text(const report::report& found, const verify_options& options, const session& session,
                writer::stream to) {
  if (to == writer::stream::error && session.quiet) return;
  const bool every_dtype = session.verbose || !options.dtypes.empty();
  (to == writer::stream::out ? std::cout : std::cerr)
      << report::as_text(found, every_dtype ? report::rows::of_dtypes : report::rows::of_laws, to)
      << std::flush;
}

exit_code run_verify(const verify_options& options, session& session) {
  if (options.list) {
    options.json ? list_as_json() : list();
    return exit_code::holds;
  }
  std::vector<std::string> reports = options.reports;
  if (options.json) reports.push_back("json=-");
  const verification asked = asked_for(options, session);
  std::vector<report_file> files = open_reports(reports);
  const bool is_out_taken = std::any_of(reports.begin(), reports.end(),
                                        [](const std::string& name) { return name.ends_with("=-"); });
  announce(session);
  name_kernel_on_crash();
  interruption until_reported;
  report::report found = verify(asked, interrupted);
  found.command_line = session.command_line;
  print_text(found, options, session, is_out_taken ? writer::stream::error : writer::stream::out);
  until_reported.restore();
  if (interrupted) {  // what is known was printed; a report would pass for a whole one
    std::raise(SIGINT);
    return exit_code::fails;
  }
  for (report_file& one : files) {
    one.file->write(one.text(found));
    one.file->finish();
    one.file->commit();
  }
  tell_github(found, is_out_taken ? std::cerr : std::cout);
  return report::totals_of(found).failed == 0 && found.not_judged.empty() ? exit_code::holds
                                                                          : exit_code::fails;
}

}  // namespace

void add_verify(CLI::App& app, session& session) {
  auto* command = app.add_subcommand("verify", "hold kernels to the laws");
  const auto options = std::make_shared<verify_options>();
  add_which_options(*command, options->which, how_many::any);
  const auto add = [&](const char* name, auto& place, const char* value, const char* text) {
    return command->add_option(name, place, text)->type_name(value)->group("Verify");
  };
  add("--kernel", options->kernels, "NAME",
      "a kernel of --list, or library:PATH (default: every built-in kernel)");
  add("--target", options->target, "NAME",
      "the instruction set of the CPU's kernels, or all (default: the best); --list names them");
  add("--law", options->laws, "NAME", "one law (default: all); --list names them");
  add("--dtype", options->dtypes, "DTYPE",
      "f64, f32, f16, bf16 (default: all, in one row where all hold; --verbose: a row each)");
  add("--promise", options->promise, "NAME",
      "what a foreign kernel or a recipe claims: exact, canonical, rounded-table, dtype-table, angle-f32 "
      "(default: "
      "what "
      "it says itself)");
  add("--cases", options->cases, "N", "cases of each verdict (default: what the budget allows)");
  add("--seed", options->seed, "N", "the same seed draws the same cases (default: 1)");
  add("--threads", options->threads, "N", "worker threads (default: what the machine has)");
  add("--budget", options->budget, "SECONDS", "time to divide among the verdicts (default: 40)");
  add("--report", options->reports, "KIND=FILE", "json=FILE or junit=FILE; - is standard output");
  add("--device", options->device, "N|NAME",
      "the Vulkan device of `ropewalk devices` that Vulkan kernels run on (default: the environment's "
      "ROPEWALK_VULKAN_DEVICE, else the best)");
  command->add_flag("--require-vulkan", options->requires_vulkan, "exit 3 where no Vulkan device can serve")
      ->group("Verify");
  command->add_flag("--list", options->list, "print kernels, targets, laws, promises and models")
      ->group("Verify");
  command
      ->add_flag("--json", options->json,
                 "the report, or the list, as JSON on standard output; the table goes to stderr")
      ->group("Verify");
  command->footer(
      "Examples:\n"
      "  ropewalk verify\n"
      "  ropewalk verify --config config.json --report junit=verify.xml\n"
      "  ropewalk verify --model llama-3.1-8b --kernel library:./libmine.so --promise rounded-table\n"
      "  ropewalk verify --kernel cpu-table --law accuracy --cases 10000\n"
      "  ropewalk verify --target all --law canonical");
  command->callback(
      [options, &session] { session.run = [options, &session] { return run_verify(*options, session); }; });
}

}  // namespace ropewalk::command
