#include "ropewalk/law/addition/addition_truth.hpp"

namespace ropewalk {

addition_truth::row_truth::row_truth(const sinusoidal& config) : rows(config), resolved(config) {}

addition_truth::bias_truth::bias_truth(const alibi& config) : biases(config), resolved(config) {}

addition_truth::addition_truth(const sinusoidal& config) : truth_(row_truth(config)) {}

addition_truth::addition_truth(const alibi& config, int keys) : truth_(bias_truth(config)), keys_(keys) {}

void addition_truth::with_encoding(position_range often,
                                   const std::function<void(const ropewalk_head&)>& use) const {
  std::visit(
      [&](const auto& truth) {
        auto encoding = truth.resolved.view();
        if constexpr (requires { encoding.table_begin; }) {
          encoding.table_begin = often.begin;
          encoding.table_end = often.end;
        }
        use(encoding.head);
      },
      truth_);
}

}  // namespace ropewalk
