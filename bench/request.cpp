#include "bench/request.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "bench/ceilings.hpp"
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
constexpr std::int64_t most_table_positions = 1 << 18;  // largest number of positions that plans expect
constexpr pace quick_pace{.most_rounds = 7, .repetition = 0.03};

/// Whether an option chooses a model, a kernel or a shape.
bool chooses(const command::bench_options& options) {
  return command::first_given(options, {"--device", "--quick", "--out", "--benchmark_filter",
                                        "--benchmark_list_tests", "--compare", "--threshold", "--markdown"})
      .is_given();
}

std::vector<std::int64_t> chosen_tokens(const command::bench_options& options) {
  if (options.tokens.empty())
    return {std::begin(usual_tokens), options.quick ? std::begin(usual_tokens) + 1 : std::end(usual_tokens)};
  const command::whole_range allowed = command::option_named("--tokens").domain.range.value();
  std::vector<std::int64_t> tokens;
  std::istringstream words(options.tokens + ",");
  for (std::string word; std::getline(words, word, ',');) {
    const auto count = input::number_from<std::int64_t>(word);
    if (!count || *count < allowed.smallest || *count > allowed.largest)
      throw command::refusal("--tokens", options.tokens);
    if (std::find(tokens.begin(), tokens.end(), *count) == tokens.end()) tokens.push_back(*count);
  }
  return tokens;
}

std::vector<ropewalk_dtype> chosen_dtypes(const command::bench_options& options) {
  command::refuse_comma_lists("dtype", options.dtypes);
  std::vector<ropewalk_dtype> dtypes;
  for (const std::string& name : options.dtypes) {
    const auto dtype = dtype_named(name);
    if (!dtype) throw command::refusal("--dtype", name);
    if (std::find(dtypes.begin(), dtypes.end(), *dtype) == dtypes.end()) dtypes.push_back(*dtype);
  }
  if (dtypes.empty() && options.quick) return {ROPEWALK_F32, ROPEWALK_BF16};
  return dtypes.empty() ? std::vector(narrow_dtypes.begin(), narrow_dtypes.end()) : dtypes;
}

/// The number that was typed for an option, else `otherwise`.
int count_of(std::string_view option, const std::string& text, int otherwise) {
  return text.empty() ? otherwise : static_cast<int>(command::whole_number_of(option, text, "bench"));
}

/// The canonical kernels, the Vulkan device's kernels if there is one, and the recipes.
std::vector<verify::chosen_kernel> compared_kernels() {
  std::vector<verify::chosen_kernel> kernels = canonical_kernels();
  const bool has_device = vulkan::why_no_device().empty();
  const std::vector<verify::chosen_kernel> nameable = verify::nameable_kernel_list();
  for (const bool recipes : {false, true})
    for (const verify::chosen_kernel& kernel : nameable) {
      const bool on_device = verify::needs_device(kernel);
      if (kernel.entry->operation == ROPEWALK_ROTATE && kernel.is_recipe == recipes &&
          (recipes || on_device) && (has_device || !on_device))
        kernels.push_back(kernel);
    }
  return kernels;
}

void require_rotation(const verify::chosen_kernel& kernel) {
  if (kernel.entry->operation != ROPEWALK_ROTATE)
    throw bad_input("kernel", kernel.label(), "a rotation; a run without --kernel times additions");
}

/// The kernels given by --kernel, without repetition.
std::vector<verify::chosen_kernel> named_kernels(const command::bench_options& options) {
  std::vector<verify::chosen_kernel> kernels;
  for (const std::string& name : options.kernels) {
    if (name.starts_with(verify::files_prefix))
      throw bad_input("kernel", name, "a kernel that answers at once: built in, library: or program:");
    if (!name.starts_with(verify::library_prefix) && !name.starts_with(verify::program_prefix))
      command::refuse_comma_lists("kernel", {name});
    for (const verify::chosen_kernel& kernel : verify::chosen_kernels(name)) {
      require_rotation(kernel);
      if (verify::needs_device(kernel))
        if (const std::string why = vulkan::why_no_device(); !why.empty()) throw missing_requirement(why);
      const bool is_listed = std::any_of(kernels.begin(), kernels.end(), [&](const auto& listed) {
        return listed.option() == kernel.option();
      });
      if (!is_listed) kernels.push_back(kernel);
    }
  }
  return kernels;
}

std::vector<verify::chosen_kernel> chosen_kernels(const command::bench_options& options) {
  // Otherwise the kernel's time would include a transport's.
  verify::transport_settings_in_force().in_process = true;
  if (!options.device.empty()) vulkan::wish_for({.device = options.device});
  if (options.kernels.empty()) return compared_kernels();
  const std::vector<verify::chosen_kernel> kernels = named_kernels(options);
  if (!options.device.empty() && std::none_of(kernels.begin(), kernels.end(), verify::needs_device))
    throw bad_input("device", options.device, "only with a Vulkan kernel, and --kernel names none");
  return kernels;
}

/// The model that the options select; by default base 10000, head_dim 128.
model::model chosen_model(const command::bench_options& options) {
  command::which_options choice = options.which;
  const bool has_numbers = std::any_of(choice.numbers.begin(), choice.numbers.end(),
                                       [](const auto& number) { return !number.second.empty(); });
  if (choice.configs.empty() && choice.models.empty() && choice.axes.empty() && !has_numbers) {
    choice.numbers["--base"] = "10000";
    choice.numbers["--head-dim"] = "128";
  }
  return command::chosen_model(choice);
}

/// Positions of tokens on the model's axes; nullopt if the options give only a number of tokens.
std::optional<tokens_on_axes> chosen_tokens_on_axes(const command::bench_options& options,
                                                    const model::model& model) {
  std::string text;
  for (const std::string& word : command::grid_words(options.which)) text += (text.empty() ? "" : " ") + word;
  if (model.placed_tokens && !options.positions.empty())
    throw bad_input("positions", options.positions, "none with --grid, which places the tokens");
  if (model.placed_tokens) return tokens_on_axes{positions_of_kernels(model, *model.placed_tokens), text};
  if (options.positions.empty()) {
    if (!options.which.axes.empty() || !keeps_frequencies(model.axes))
      throw bad_input("positions", "missing",
                      model.grid == nullptr ? "FILE.npy with the positions of tokens on the axes"
                                            : "FILE.npy, or --grid with the size of a picture or a video");
    return std::nullopt;
  }
  input::axis_positions positions = input::axis_positions_from(options.positions, model.axes.count);
  text = "--positions " + options.positions;
  return tokens_on_axes{positions_of_kernels(model, std::move(positions)), text};
}

/// Refuses tensors that do not fit in memory: input and output, and the same again for kernels that copy them
/// to a device or to another process.
void require_memory(const request& request) {
  double widest = 0, longest = 0;
  for (const ropewalk_dtype dtype : request.dtypes)
    widest = std::max(widest, static_cast<double>(size_of(dtype)));
  for (const std::int64_t tokens : request.tokens) longest = std::max(longest, static_cast<double>(tokens));
  double elements = 0;
  for (const auto& rotation : request.rotations)
    elements = std::max(elements, static_cast<double>(rotation->heads + rotation->kv_heads) *
                                      rotation->layout.head_dim * rotation->batch * longest);
  const double needed = 4 * elements * widest;
  const auto available = static_cast<double>(free_memory());  // 0: unknown
  const auto bytes_text = [](double bytes) {
    constexpr double most = 9e18;
    return size_text(static_cast<std::uint64_t>(std::min(bytes, most)));
  };
  if (available > 0 && needed > available)
    throw missing_requirement("the tensors need " + bytes_text(needed) + " of memory, of which " +
                              bytes_text(available) +
                              " are available; allowed: fewer --tokens, --heads or --batch");
}

/// The chosen model's rotation. If its tokens have positions on axes, sets `tokens` to their number.
std::shared_ptr<const measured_rotation> chosen_rotation(const command::bench_options& options,
                                                         std::vector<std::int64_t>& tokens,
                                                         command::session& session) {
  model::model model = chosen_model(options);
  require_paired_channels(model);
  std::optional<tokens_on_axes> on_axes = chosen_tokens_on_axes(options, model);
  if (on_axes) {
    if (!options.tokens.empty())
      throw bad_input("tokens", options.tokens, "none with --grid or --positions, which place the tokens");
    tokens = {on_axes->positions.tokens()};
  }
  const std::int64_t longest = *std::max_element(tokens.begin(), tokens.end());
  model = at_seq_len(
      std::move(model), options.which.seq_len,
      on_axes ? model::sequence_length{on_axes->positions.smallest_seq_len(), "the largest position + 1"}
              : model::sequence_length{longest, "the most tokens of a call"});
  command::report_reading(model, session);
  const bool has_heads = model.query_heads > 0;
  const int heads = count_of("--heads", options.heads, has_heads ? model.query_heads : usual_heads);
  const int kv_heads = count_of("--kv-heads", options.kv_heads, has_heads ? model.key_heads : 0);
  const int batch = count_of("--batch", options.batch, 1);
  return std::make_shared<measured_rotation>(
      std::move(model), heads, kv_heads, batch,
      position_range{0, std::min(std::max(longest, usual_positions), most_table_positions)},
      std::move(on_axes));
}

}  // namespace

std::vector<verify::chosen_kernel> canonical_kernels() {
  std::vector<verify::chosen_kernel> kernels;
  for (const char* name : {"cpu-turns", "cpu-table"}) kernels.push_back(verify::only_kernel(name));
  return kernels;
}

request asked_for(const command::bench_options& options, command::session& session) {
  request result;
  result.is_fixed = !chooses(options);
  result.is_quick = options.quick;
  if (options.quick) result.how = quick_pace;
  result.tokens = chosen_tokens(options);
  result.dtypes = chosen_dtypes(options);
  result.kernels = chosen_kernels(options);
  if (result.is_fixed)
    for (const pairing pairs : pairings) {
      result.rotations.push_back(fixed_rotation(pairs));
      if (result.is_quick) break;
    }
  else
    result.rotations = {chosen_rotation(options, result.tokens, session)};
  require_memory(result);
  return result;
}

}  // namespace ropewalk::bench
