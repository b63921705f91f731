// Arrays whose entries were never computed.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "diagnosis/array_contents.hpp"

namespace ropewalk::diagnosis {
namespace {

enum class content { zeros, not_numbers, one_number };

class constant_entries : public suspected_table {
 public:
  explicit constant_entries(content content) : content_(content) {}

  bool allows(array_reader& array, std::int64_t place, const promise& /*promised*/) const override {
    const double first = content_ == content::one_number ? array.at(0).front() : 0;
    const std::vector<double>& numbers = array.at(place);
    return std::all_of(numbers.begin(), numbers.end(), [&](double number) {
      if (content_ == content::zeros) return number == 0;
      return content_ == content::not_numbers ? !std::isfinite(number) : number == first && number != 0;
    });
  }

 private:
  content content_;
};

/// Frequencies from uninitialised memory.
class stale_frequencies : public suspected_table {
 public:
  bool allows(array_reader& array, std::int64_t /*place*/, const promise& /*promised*/) const override {
    if (array.array().layout.kind != tables::table_kind::inv_freq) return false;
    bool has_negative = false, has_positive = false, is_stale = false;
    for (std::int64_t pair = 0; pair < array.places(); ++pair) {
      const double number = array.at(pair).front();
      has_negative = has_negative || number < 0;
      has_positive = has_positive || number > 0;
      const bool is_subnormal = number != 0 && std::abs(number) < std::numeric_limits<float>::min();
      is_stale = is_stale || !std::isfinite(number) || is_subnormal;
    }
    return is_stale || (has_negative && has_positive);
  }
};

}  // namespace

std::vector<table_hypothesis> content_hypotheses() {
  const auto made = [](const char* name, const char* sentence, content content) {
    return table_hypothesis{name, sentence, std::make_shared<const constant_entries>(content)};
  };
  return {made("entries-zero", "the table was not initialised: every entry is 0", content::zeros),
          made("entries-not-numbers", "the table was not initialised: no entry is a finite number",
               content::not_numbers),
          made("entries-equal", "the table was not initialised: all entries are the same number",
               content::one_number),
          {"frequencies-stale",
           "the frequencies were not initialised: some are subnormal, not finite, or of the other sign",
           std::make_shared<const stale_frequencies>()}};
}

}  // namespace ropewalk::diagnosis
