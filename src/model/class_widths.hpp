#pragma once
// Default widths in a model type's class, for configurations that leave them out.

#include <string_view>

namespace ropewalk::model {

struct class_widths {
  int hidden_size = 0;  // 0: unknown
  int heads = 0;
};

/// source  the configuration classes of Hugging Face transformers 5, at decba1d2
class_widths widths_of_class(std::string_view model_type);

}  // namespace ropewalk::model
