#include "bench/request.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "command/verify_kernels.hpp"
#include "command/which.hpp"
#include "gpu/kernel_device.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "ropewalk/kernel/operation.hpp"

namespace ropewalk::bench {
namespace {

constexpr int usual_heads = 32;
constexpr std::int64_t usual_tokens[] = {512, 4096};
constexpr std::int64_t most_tokens = std::int64_t{1} << 31;
constexpr std::int64_t most_heads = 1 << 16, most_batch = 1 << 20;
constexpr std::int64_t most_table_positions = 1 << 18;  // that plans are told to expect
constexpr pace quick_pace{.most_rounds = 7, .repetition = 0.03};

/// Whether an option chooses a model, a kernel or a shape.
bool chooses(const command::bench_options& options) {
  return !command::first_named(options.which).name.empty() || !options.positions.empty() ||
         !options.kernels.empty() || !options.dtypes.empty() || !options.heads.empty() ||
         !options.kv_heads.empty() || !options.tokens.empty() || !options.batch.empty();
}

std::vector<std::int64_t> chosen_tokens(const command::bench_options& options) {
  if (options.tokens.empty())
    return {std::begin(usual_tokens), options.quick ? std::begin(usual_tokens) + 1 : std::end(usual_tokens)};
  std::vector<std::int64_t> r;
  std::istringstream words(options.tokens + ",");
  for (std::string word; std::getline(words, word, ',');) {
    const auto count = input::number_from<std::int64_t>(word);
    if (!count || *count < 1 || *count > most_tokens)
      throw bad_input("tokens", options.tokens,
                      "whole numbers from 1 to " + std::to_string(most_tokens) + ", joined by commas");
    if (std::find(r.begin(), r.end(), *count) == r.end()) r.push_back(*count);
  }
  return r;
}

std::vector<ropewalk_dtype> chosen_dtypes(const command::bench_options& options) {
  command::refuse_comma_lists("dtype", options.dtypes);
  std::vector<ropewalk_dtype> r;
  for (const std::string& name : options.dtypes) {
    const auto dtype = dtype_named(name);
    if (!dtype) throw bad_input("dtype", name, dtype_names());
    if (std::find(r.begin(), r.end(), *dtype) == r.end()) r.push_back(*dtype);
  }
  if (r.empty() && options.quick) return {ROPEWALK_F32, ROPEWALK_BF16};
  return r.empty() ? std::vector(narrow_dtypes.begin(), narrow_dtypes.end()) : r;
}

int count_of(const char* name, const std::string& text, std::int64_t least, std::int64_t most,
             int otherwise) {
  return text.empty() ? otherwise : static_cast<int>(input::whole_number(name, text, least, most));
}

/// The canonical kernels, those of the Vulkan device if there is one, and the recipes.
std::vector<verify::chosen_kernel> compared_kernels() {
  std::vector<verify::chosen_kernel> r = canonical_kernels();
  const bool has_device = vulkan::why_no_device().empty();
  const std::vector<verify::chosen_kernel> nameable = verify::nameable_kernel_list();
  for (const bool recipes : {false, true})
    for (const verify::chosen_kernel& one : nameable) {
      const bool on_device = verify::needs_device(one);
      if (one.kernel->operation == ROPEWALK_ROTATE && one.is_recipe == recipes && (recipes || on_device) &&
          (has_device || !on_device))
        r.push_back(one);
    }
  return r;
}

void require_rotation(const verify::chosen_kernel& one) {
  if (one.kernel->operation != ROPEWALK_ROTATE)
    throw bad_input("kernel", one.label(), "a rotation; a run without --kernel times additions");
}

/// The kernels that --kernel names, each once.
std::vector<verify::chosen_kernel> named_kernels(const command::bench_options& options) {
  std::vector<verify::chosen_kernel> r;
  for (const std::string& name : options.kernels) {
    if (name.starts_with(verify::files_prefix))
      throw bad_input("kernel", name, "a kernel that answers at once: built in, library: or program:");
    if (!name.starts_with(verify::library_prefix) && !name.starts_with(verify::program_prefix))
      command::refuse_comma_lists("kernel", {name});
    for (const verify::chosen_kernel& one : verify::chosen_kernels(name)) {
      require_rotation(one);
      if (verify::needs_device(one))
        if (const std::string why = vulkan::why_no_device(); !why.empty()) throw missing_requirement(why);
      const bool is_known =
          std::any_of(r.begin(), r.end(), [&](const auto& known) { return known.option() == one.option(); });
      if (!is_known) r.push_back(one);
    }
  }
  return r;
}

std::vector<verify::chosen_kernel> chosen_kernels(const command::bench_options& options) {
  verify::transport_settings_in_force().in_process = true;  // a transport would be timed with the kernel
  if (!options.device.empty()) vulkan::wish_for({.device = options.device});
  if (options.kernels.empty()) return compared_kernels();
  const std::vector<verify::chosen_kernel> r = named_kernels(options);
  if (!options.device.empty() && std::none_of(r.begin(), r.end(), verify::needs_device))
    throw bad_input("device", options.device, "only with a Vulkan kernel, and --kernel names none");
  return r;
}

/// The model that the options name; by default base 10000, head_dim 128.
model::model chosen_model(const command::bench_options& options) {
  command::which_options which = options.which;
  const bool has_numbers = std::any_of(which.numbers.begin(), which.numbers.end(),
                                       [](const auto& number) { return !number.second.empty(); });
  if (which.configs.empty() && which.models.empty() && which.axes.empty() && !has_numbers) {
    which.numbers["--base"] = "10000";
    which.numbers["--head-dim"] = "128";
  }
  return command::chosen_model(which);
}

/// Where tokens stand on the model's axes; nothing where they are counted.
std::optional<tokens_on_axes> chosen_tokens_on_axes(const command::bench_options& options,
                                                    const model::model& of) {
  std::string text;
  for (const std::string& word : command::grid_words(options.which)) text += (text.empty() ? "" : " ") + word;
  if (of.placed_tokens && !options.positions.empty())
    throw bad_input("positions", options.positions, "none with --grid, which says them");
  if (of.placed_tokens) return tokens_on_axes{positions_of_kernels(of, *of.placed_tokens), text};
  if (options.positions.empty()) {
    if (!options.which.axes.empty() || !keeps_frequencies(of.axes))
      throw bad_input("positions", "missing",
                      of.grid == nullptr ? "FILE.npy, which says where tokens stand on the axes"
                                         : "FILE.npy, or --grid with the size of a picture or a video");
    return std::nullopt;
  }
  input::axis_positions at = input::axis_positions_from(options.positions, of.axes.count);
  text = "--positions " + options.positions;
  return tokens_on_axes{positions_of_kernels(of, std::move(at)), text};
}

/// Refuses tensors that do not fit into memory: input and output, and as much again for kernels that copy
/// them to a device or to another process.
void require_memory(const request& of) {
  double widest = 0, longest = 0;
  for (const ropewalk_dtype dtype : of.dtypes) widest = std::max(widest, static_cast<double>(size_of(dtype)));
  for (const std::int64_t tokens : of.tokens) longest = std::max(longest, static_cast<double>(tokens));
  double elements = 0;
  for (const auto& rotation : of.rotations)
    elements = std::max(elements, static_cast<double>(rotation->heads + rotation->kv_heads) *
                                      rotation->layout.head_dim * rotation->batch * longest);
  const double needed = 4 * elements * widest;
  const auto available = static_cast<double>(free_memory());  // 0: the system does not say
  const auto text = [](double bytes) {
    constexpr double most = 9e18;
    return size_text(static_cast<std::uint64_t>(std::min(bytes, most)));
  };
  if (available > 0 && needed > available)
    throw missing_requirement("the tensors need " + text(needed) + " of memory, of which " + text(available) +
                              " are available; allowed: fewer --tokens, --heads or --batch");
}

/// Sets `tokens` where they stand on axes.
std::shared_ptr<const measured_rotation> chosen_rotation(const command::bench_options& options,
                                                         std::vector<std::int64_t>& tokens,
                                                         command::session& session) {
  model::model model = chosen_model(options);
  require_paired_channels(model);
  std::optional<tokens_on_axes> on_axes = chosen_tokens_on_axes(options, model);
  if (on_axes) {
    if (!options.tokens.empty())
      throw bad_input("tokens", options.tokens, "none with --grid or --positions, which say them");
    tokens = {on_axes->positions.tokens()};
  }
  const std::int64_t longest = *std::max_element(tokens.begin(), tokens.end());
  model = at_seq_len(
      std::move(model), options.which.seq_len,
      on_axes ? model::sequence_length{on_axes->positions.smallest_seq_len(), "the largest position + 1"}
              : model::sequence_length{longest, "the most tokens of a call"});
  command::report_reading(model, session);
  const bool has_heads = model.query_heads > 0;
  const int heads =
      count_of("heads", options.heads, 1, most_heads, has_heads ? model.query_heads : usual_heads);
  const int kv_heads = count_of("kv-heads", options.kv_heads, 0, most_heads, has_heads ? model.key_heads : 0);
  const int batch = count_of("batch", options.batch, 1, most_batch, 1);
  return std::make_shared<measured_rotation>(
      std::move(model), heads, kv_heads, batch,
      position_range{0, std::min(std::max(longest, usual_positions), most_table_positions)},
      std::move(on_axes));
}

}  // namespace

std::vector<verify::chosen_kernel> canonical_kernels() {
  std::vector<verify::chosen_kernel> r;
  for (const char* name : {"cpu-turns", "cpu-table"}) r.push_back(verify::only_kernel(name));
  return r;
}

request asked_for(const command::bench_options& options, command::session& session) {
  request r;
  r.is_fixed = !chooses(options);
  r.is_quick = options.quick;
  if (options.quick) r.how = quick_pace;
  r.tokens = chosen_tokens(options);
  r.dtypes = chosen_dtypes(options);
  r.kernels = chosen_kernels(options);
  if (r.is_fixed)
    for (const pairing pairs : pairings) {
      r.rotations.push_back(fixed_rotation(pairs));
      if (r.is_quick) break;
    }
  else
    r.rotations = {chosen_rotation(options, r.tokens, session)};
  require_memory(r);
  return r;
}

}  // namespace ropewalk::bench
