#pragma once
// A kernel under test, called through the C interface only. The derived classes checked_rotation and
// checked_addition add the exact values of its encoding.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/kernel/call_record.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "ropewalk/law/kernel/served_calls.hpp"

namespace ropewalk {

/// Properties that a law of kernels may require of its cases.
struct case_needs {
  bool every_bit_pattern = false;  // otherwise finite values
  bool key = false;
  bool as_many_key_heads = false;
  bool position_zero = false;
  bool one_range = false;
  bool pass_through_channels = false;
  bool several_tokens = false;
  bool attention_factor = false;    // never a unit rotation
  bool environments = false;        // the law itself calls in each environment
  bool second_rotation = false;     // the law rotates again, by the case's shift
  bool scaling = false;             // the law scales the input by 2^power
  bool few_elements = false;        // no axis is long
  bool opposite_positions = false;  // for a kernel without backward: -p is served where p is
  bool whole_positions = false;     // the law itself repeats them in binary64
  // Differences of positions on one axis, and sums with a shift, are exact in binary64.
  bool distances = false;
  bool sizes = false;         // cases run through a list of sizes
  bool of_every_law = false;  // cases of all other laws in turn, except sizes
};

/// Restrictions of and additions to the calls that a kernel receives, within its limits.
struct asked_calls {
  position_range positions{};      // equal ends: all
  bool every_environment = false;  // even of a kernel that promises no bits
  // The law of sizes requests each position from 0 up to this, once, or as many of them as fit into one call;
  // 0: none.
  std::int64_t context = 0;
  // Another kernel, canonical, that the law of sizes compares with; NULL: none.
  const ropewalk_kernel* reference = nullptr;
  // The other kernel of the law same-as; NULL: none. It must outlive the checked kernel.
  const ropewalk_kernel* same_as = nullptr;

  /// The same calls with another kernel as the reference, which must outlive the result.
  asked_calls beside(const ropewalk_kernel& other) const {
    asked_calls beside = *this;
    beside.reference = &other;
    return beside;
  }
};

/// Copies share the plans and the state of the kernel, for any number of threads. Each copy has its own
/// place for the record of its calls.
class checked_kernel {
 public:
  using case_type = law_case;
  using needs_type = case_needs;
  /// Callback with the error in a call, the status returned, and whether anything was written.
  using judge_invalid = std::function<void(std::string_view, std::int32_t, bool)>;

  /// Copies the kernel's struct; its library must outlive this. `promised` may differ from its own promise.
  ///
  /// throws  std::invalid_argument naming a field of its limits
  checked_kernel(const ropewalk_kernel& kernel, promise promised, const asked_calls& calls = {});

  /// The kernel's name, as its library spells it.
  const char* name() const { return kernel().name; }
  /// The promise that it is judged by.
  promise promised() const { return state_->promised; }
  /// Calls that the kernel serves and that were requested.
  const served_calls& served() const { return state_->served; }
  /// Whether the kernel must give the same bits in every floating-point environment of its caller: it
  /// promises bits, or asked_calls requires it.
  bool is_asked_everywhere() const { return state_->is_asked_everywhere; }
  /// Whether it receives dense tensors in messages.
  bool is_gathered() const { return ropewalk::is_gathered(kernel()); }
  /// The memory that its calls must use; NULL where it runs in this process.
  call_memory* memory() const { return state_->memory; }

 protected:
  /// Another kernel, with the promise, limits and calls of `like`.
  checked_kernel(const checked_kernel& like, const ropewalk_kernel& kernel);

  const ropewalk_kernel& kernel() const { return state_->kernel; }

  /// Writes the facts of all calls from now on to `record`, which must outlive them, and the calls if it
  /// keeps them.
  void record_calls(call_record& record) {
    facts_ = &record;
    calls_ = record.keeps_calls ? &record.calls : nullptr;
  }
  /// Writes the facts of its calls where another kernel's are written.
  void record_facts_of(const checked_kernel& other) { facts_ = other.facts_; }
  /// Keeps a call, where calls are kept.
  void keep(const law_case& test_case, const call_form& form, const rotated& done) const {
    if (calls_ != nullptr) calls_->push_back({test_case, form, done});
  }

  /// Key of the cached plans of one encoding. Plans made for a case's own table or axes are evicted first.
  struct plan_key {
    head_layout layout{};
    position_range table{};
    int axes = 1;
    std::vector<int> axis{};

    /// Whether the plan has neither a table hint nor a list of axes.
    bool is_usual() const { return table.begin == table.end && axis.empty(); }
    auto members() const {
      return std::tie(layout.head_dim, layout.pairing_in, layout.pairing_out, table.begin, table.end, axes,
                      axis);
    }
    friend bool operator<(const plan_key& a, const plan_key& b) { return a.members() < b.members(); }
  };

  using shared_plan = std::shared_ptr<const ropewalk_plan>;

  /// Calls use(head of the encoding) with an encoding that lives as long as that call.
  using use_encoding = std::function<void(const ropewalk_head&)>;

  /// The plan for a key, made at its first use: with_encoding(use) calls use(head of the encoding).
  ///
  /// throws  kernel_trouble
  shared_plan plan_for(const plan_key& key,
                       const std::function<void(const use_encoding&)>& with_encoding) const;

  /// Result of the case from the kernel. If the kernel declines rank 4 and there is one batch row, it is
  /// called again with rank 3: its limits cannot state that it serves only rank 3.
  ///
  /// throws  kernel_trouble, also if the kernel serves some calls of rank 4 but declined one; answer_awaited
  ///         if calls are not recorded
  template <class Operation>
  rotated ask(const shared_plan& plan, const law_case& test_case, const call_form& form) const {
    const auto asked = [&](bool rank_3) {
      call_form of_rank = form;
      of_rank.rank_3 = rank_3;
      return apply_kernel<Operation>(kernel(), plan.get(), test_case, of_rank, memory(), facts_);
    };
    if (form.rank_3) return asked(true);
    try {
      rotated result = asked(false);
      keep_rank_4_served();
      return result;
    } catch (const kernel_trouble& trouble) {
      if (test_case.batch != 1 || !may_serve_rank_3_alone(trouble)) throw;
      return asked(true);
    }
  }

  /// Makes one call in the environment of the case's caller; rank 3 as for ask().
  ///
  /// throws  kernel_trouble
  void hand_over(const shared_plan& plan, const law_case& test_case, ropewalk_rotation_call& call) const;

  /// Makes every invalid call that can be derived from the case, once with a ropewalk_error and once with
  /// NULL.
  ///
  /// throws  kernel_trouble where the kernel changes its caller's floating environment
  template <class Operation>
  void ask_invalid(const shared_plan& plan, const law_case& test_case, const judge_invalid& judge) const;

 private:
  static constexpr std::size_t most_plans = 32;

  /// throws  kernel_trouble if an earlier call of rank 4 was declined
  void keep_rank_4_served() const;
  /// Whether the trouble is a declined call of rank 4, from a kernel that has served none.
  bool may_serve_rank_3_alone(const kernel_trouble& trouble) const;

  /// State that all copies share.
  struct shared_state {
    ropewalk_kernel kernel;
    promise promised;
    served_calls served;
    bool is_asked_everywhere;
    call_memory* memory;
    std::mutex plans_mutex{};
    std::map<plan_key, shared_plan> plans{};
    std::mutex ranks_mutex{};
    bool serves_rank_4 = false;
    std::optional<kernel_trouble> declined_rank_4{};  // until it is reported
  };

  std::shared_ptr<shared_state> state_;
  call_facts* facts_ = nullptr;                     // NULL: not recorded
  std::vector<transcribed_call>* calls_ = nullptr;  // NULL: not kept
};

namespace detail {

/// Whether the call that gave `done` gives other bits at other addresses. Kernels that promise bits are
/// skipped, because other laws check these; so are kernels that receive tensors in messages and never see an
/// address.
template <class Ask>
bool depends_on_address(const checked_kernel& kernel, const rotated& done, Ask ask) {
  if (promises_bits(kernel.promised()) || kernel.is_gathered()) return false;
  const rotated moved = ask(call_form{.moved = true});
  return moved.query != done.query || moved.key != done.key;
}

}  // namespace detail

}  // namespace ropewalk
