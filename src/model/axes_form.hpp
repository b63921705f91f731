#pragma once
// Axes as JSON, which users write and records hold:
//
//   {"axes": [{"pairs": 22}, {"pairs": 21}, {"pairs": 21}], "order": "runs", "frequencies": "own"}
//
// An axis may have "first" and "last" or "list", with "spacing", "shift" and "unit", or "scaling", a rule as
// in rope_scaling, and "scale" and "offset" of an index: numbers or fractions such as "24/25". "order",
// "frequencies", "rest", "still_pairs" and the rotation's "base" and "pairing" may stand beside "axes".

#include <string>
#include <string_view>
#include <vector>

#include "input/json_text.hpp"
#include "model/model.hpp"
#include "ropewalk/config/coordinate.hpp"
#include "ropewalk/config/given.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::model {

/// Axes, and the numbers of a rotation given with them.
struct axes_choice {
  std::string name;     // the family's name, or "by hand"
  std::string summary;  // of a family: its axes, in the order of the rows of positions
  rope_axes axes{};
  axis_coordinates coordinates{};
  given<double> base{};
  std::string scaling_json{};  // a rule as in rope_scaling; empty: none
  given<int> head_dim{};
  int rotary_dim = 0;
  given<pairing> layout{};
};

/// The axes that a text names: a family, a JSON object, or a file with one. A family has `rotary_dim`
/// channels; if that is 0, as many as its model.
///
/// throws  bad_input, or another std::invalid_argument, naming the field, its value and what is allowed
axes_choice axes_named(const std::string& text, int rotary_dim);

/// Whether at least one axis takes its frequencies from the base.
bool uses_base(const axes_choice& choice);

/// Names of all families.
std::vector<std::string> axes_family_names();

/// The model with other axes than its one.
///
/// throws  bad_input naming axes if the model has several axes, or another number of channels
model with_axes(model model, const axes_choice& chosen);

/// A model's axes as a JSON object in this form.
input::json axes_form(const model& model);

}  // namespace ropewalk::model
