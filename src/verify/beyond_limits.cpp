#include "verify/beyond_limits.hpp"

#include <fmt/format.h>

namespace ropewalk::verify {

std::string beyond_limits(const checked_rotation& kernel) {
  const served_calls& served = kernel.served();
  const head_layout& layout = kernel.layout();
  if (!served.serves_head_dim(layout.head_dim)) return fmt::format("head_dim {}", layout.head_dim);
  if (!served.lists(layout.head_dim)) return fmt::format("shapes: none of head_dim {}", layout.head_dim);
  if (!served.serves(layout.pairing_in, layout.pairing_out))
    return fmt::format("pairing {} in, {} out", ropewalk::name_of(layout.pairing_in),
                       ropewalk::name_of(layout.pairing_out));
  if (axis_count(kernel.model().axes) > served.axes())
    return fmt::format("{} axes", axis_count(kernel.model().axes));
  if (served.lacks(ROPEWALK_NO_PARTIAL) && layout.head_dim > kernel.encoding().rotary_dim)
    return fmt::format("rotary_dim {} of head_dim {}", kernel.encoding().rotary_dim, layout.head_dim);
  if (served.lacks(ROPEWALK_NO_BEGIN) && layout.rotary_begin > 0)
    return fmt::format("rotary_begin {}", layout.rotary_begin);
  return {};
}

std::string beyond_limits(const checked_addition& kernel) {
  if (const auto form = kernel.truth().form();
      form && kernel.served().names_forms() && !kernel.served().serves(*form))
    return fmt::format("form {}", ropewalk::name_of(*form));
  const int width = kernel.truth().width();
  if (!kernel.served().serves_head_dim(width)) return fmt::format("head_dim {}", width);
  return kernel.served().lists(width) ? "" : fmt::format("shapes: none of head_dim {}", width);
}

namespace {

int head_dim_of(const checked_rotation& kernel) { return kernel.layout().head_dim; }
int head_dim_of(const checked_addition& kernel) { return kernel.truth().width(); }

template <class Kernel>
std::string why_beyond(const law<Kernel>& law, const Kernel& kernel, ropewalk_dtype dtype) {
  const position_range positions = kernel.served().positions();
  if (positions.begin == positions.end) return "all requested positions";
  if (!kernel.served().serves(dtype)) return std::string(ropewalk::name_of(dtype));
  if (const std::string subject = beyond_limits(kernel); !subject.empty()) return subject;
  if (!law.needs.sizes && !kernel.served().has_drawn_shape(head_dim_of(kernel)))
    return fmt::format("shapes: all have more than {} elements, so only sizes judges them",
                       served_calls::most_drawn_elements);
  const std::string_view why = law.beyond_limits(kernel);
  return why.empty() ? "" : fmt::format("{}: {}", law.name, why);
}

}  // namespace

std::string beyond_limits(const law<checked_rotation>& law, const checked_rotation& kernel,
                          ropewalk_dtype dtype) {
  return why_beyond(law, kernel, dtype);
}

std::string beyond_limits(const law<checked_addition>& law, const checked_addition& kernel,
                          ropewalk_dtype dtype) {
  return why_beyond(law, kernel, dtype);
}

}  // namespace ropewalk::verify
