#pragma once
// Faults that are searched for and then diagnosed: how often the right cause is named, and how often another.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/diagnosis.hpp"
#include "model/model.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/schedule.hpp"
#include "search/search.hpp"

namespace ropewalk::diagnosed {

inline const std::atomic<bool> never{false};

/// Models small enough to try many. They cover attention factors of 1 and others, every scaling rule that has
/// a fault of its own, both pairings, whole and partial rotation, and one or three positions per token.
inline const std::vector<model::model>& models() {
  static const std::vector<model::model> all = [] {
    const auto from = [](std::string name, const std::string& keys, std::int64_t seq_len = 0) {
      model::model result = model::parse_model("{" + keys + "}", std::move(name));
      return seq_len > 0 ? model::at_length(std::move(result), {seq_len, "the test"}) : result;
    };
    const std::string head = R"("model_type": "llama", "head_dim": 24, "rope_theta": 500000.0, )";
    const std::string lists =
        R"("short_factor": [1, 1, 1, 1, 1, 2, 2, 2], "long_factor": [1, 2, 3, 4, 5, 6, 7, 8], )";
    return std::vector<model::model>{
        from("unscaled", head + R"("max_position_embeddings": 5000)"),
        from("interleaved",
             R"("model_type": "gptj", "n_embd": 96, "n_head": 4, "rotary_dim": 16, "n_positions": 2048)"),
        from("yarn",
             head + R"("max_position_embeddings": 131072, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
                               "original_max_position_embeddings": 32768})"),
        from("yarn, long ramp", R"("model_type": "llama", "head_dim": 24, "rope_theta": 10000.0,
                                   "max_position_embeddings": 524288, "rope_scaling": {"rope_type": "yarn",
                                   "factor": 4.0, "original_max_position_embeddings": 131072,
                                   "truncate": false})"),
        from("three axes", R"("model_type": "qwen2_vl", "head_dim": 32, "rope_theta": 1000000.0,
                              "max_position_embeddings": 32768,
                              "rope_scaling": {"type": "mrope", "mrope_section": [4, 6, 6]})"),
        from("llama3", head + R"("max_position_embeddings": 131072, "rope_scaling": {"rope_type": "llama3",
                                 "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                                 "original_max_position_embeddings": 8192})"),
        from(
            "longrope",
            R"("model_type": "phi3", "head_dim": 16, "rope_theta": 10000.0, "max_position_embeddings": 131072,
                "original_max_position_embeddings": 4096, "rope_scaling": {"rope_type": "longrope", )" +
                lists + R"("original_max_position_embeddings": 4096})",
            4096),
        from(
            "dynamic",
            head +
                R"("max_position_embeddings": 2048, "rope_scaling": {"rope_type": "dynamic", "factor": 2.0})",
            8192)};
  }();
  return all;
}

inline std::unique_ptr<checked_rotation> checked_on(const model::model& model, const ropewalk_kernel& kernel,
                                                    promise promised) {
  return std::make_unique<checked_rotation>(
      kernel, promised, model.encoding, model.layout,
      rotated_model{model.config, model.axes, model.query_heads, model.key_heads});
}

inline diagnosis::known_causes<checked_rotation> causes_on(const model::model& model) {
  return {ROPEWALK_ROTATE, [&model](const ropewalk_kernel& kernel, promise promised) {
            return checked_on(model, kernel, promised);
          }};
}

inline const auto& laws_of(const checked_rotation&) { return rotation_laws::all; }
inline const auto& laws_of(const checked_addition&) { return addition_laws::all; }

/// Searches by each law and dtype: the first failure of each as it was drawn, and one of them also shrunk.
template <class Kernel>
std::vector<diagnosis::failed_case<Kernel>> failures_of(const Kernel& held,
                                                        const std::vector<ropewalk_dtype>& dtypes,
                                                        std::uint64_t seed, std::int64_t cases) {
  std::vector<diagnosis::failed_case<Kernel>> result;
  for (const law<Kernel>& law : laws_of(held))
    for (const ropewalk_dtype dtype : dtypes) {
      if (!law.applies(held) || ((law.needs.one_range || law.needs.sizes) && !result.empty())) continue;
      const std::uint64_t own =
          search::job_seed(seed, "", dtype, law.name);  // other cases than those of other laws
      search::outcome outcome = search::search(law, held, dtype, own, {cases, cases}, never);
      if (!outcome.failure) continue;
      const bool is_first = result.empty();
      result.push_back({&law, outcome.failure->original, outcome.failure->is_reproducible});
      if (!is_first) continue;
      search::shrink(law, held, own, *outcome.failure, never);
      result.push_back({&law, outcome.failure->smallest, outcome.failure->is_reproducible});
    }
  return result;
}

/// Numbers of diagnoses by result.
struct counts {
  std::int64_t silent = 0;  // nothing failed
  std::int64_t rightly = 0;
  std::int64_t together = 0;  // named with other causes that give the same answers on the model
  std::int64_t unexplained = 0;
  std::int64_t wrongly = 0;
  double seconds = 0;  // of diagnoses
  std::vector<std::string> not_right{};

  std::int64_t failing() const { return rightly + unexplained + wrongly; }
  void add(const counts& other) {
    silent += other.silent, rightly += other.rightly, together += other.together;
    unexplained += other.unexplained, wrongly += other.wrongly, seconds += other.seconds;
    not_right.insert(not_right.end(), other.not_right.begin(), other.not_right.end());
  }
  std::string text() const {
    std::string text = "rightly " + std::to_string(rightly) + ", unexplained " + std::to_string(unexplained) +
                       ", with others that do the same " + std::to_string(together) + ", wrongly " +
                       std::to_string(wrongly) + ", silent " + std::to_string(silent) + ", " +
                       std::to_string(seconds) + " s\n";
    for (const std::string& name : not_right) text += name + "\n";
    return text;
  }
};

/// Diagnoses one fault. With `left_out`, its own sentence is not tried: every named cause is then wrong,
/// unless a complete diagnosis names it, too, because it does the same on this model.
template <class Kernel>
counts diagnosed_fault(const fault::known_fault& fault, diagnosis::known_causes<Kernel>& causes,
                       promise promised, const std::vector<ropewalk_dtype>& dtypes, std::uint64_t seed,
                       const std::string& where, bool left_out = false) {
  counts result;
  const std::unique_ptr<Kernel> held = causes.hold(fault.kernel, promised);
  const auto failed = failures_of(*held, dtypes, seed, 12);
  if (failed.empty()) {
    ++result.silent;
    return result;
  }
  diagnosis::effort how{.seed = seed, .dtypes = dtypes};
  if (left_out) how.skipped_faults.insert(fault.sentence);
  const auto begin = std::chrono::steady_clock::now();
  const diagnosis::cause first = diagnosis::diagnose(fault.kernel, promised, causes, failed, how, never);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  bool is_named = first.verdict == diagnosis::verdict::explained;
  // Of a compound with a part that changes nothing on this model, the other part is all that can be named.
  const bool is_same =
      is_named && (first.sentence.find(fault.sentence) != std::string::npos ||
                   std::any_of(fault.parts.begin(), fault.parts.end(), [&](const auto& part) {
                     return first.sentence.find(fault::sentence_of(part)) != std::string::npos;
                   }));
  if (left_out && is_named && !is_same) {  // is the named cause the same fault on this model?
    how.skipped_faults.clear();
    const diagnosis::cause all = diagnosis::diagnose(fault.kernel, promised, causes, failed, how, never);
    is_named = !std::all_of(first.faults.begin(), first.faults.end(), [&](const auto& item) {
      return std::find(all.faults.begin(), all.faults.end(), item) != all.faults.end();
    });
    if (!is_named) ++result.together;
  }
  const bool is_right = is_same && !left_out;  // one that was left out must not be named
  ++(is_right ? result.rightly : is_named ? result.wrongly : result.unexplained);
  if (is_right && fault.parts.empty() && first.sentence != fault.sentence) {
    ++result.together;
    result.not_right.push_back(std::string(fault.kernel.name) + " on " + where +
                               ", together: " + first.sentence);
  }
  if (!is_right && !(left_out && !is_named))
    result.not_right.push_back(std::string(fault.kernel.name) + " on " + where + ", seed " +
                               std::to_string(seed) + ": " + diagnosis::text_of(first));
  return result;
}

}  // namespace ropewalk::diagnosed
