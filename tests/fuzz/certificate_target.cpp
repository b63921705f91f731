// Certificates of tables.

#include "sweep/certificate.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "fuzz/target.hpp"
#include "input/json_text.hpp"

namespace ropewalk::fuzz {

void certificate(input_bytes input) {
  try {
    const sweep::certificate read = sweep::certificate_from_text(text_in(input));
    const std::string text = sweep::text_of(read);
    need(sweep::text_of(sweep::certificate_from_text(text)) == text,
         "a certificate changes when it is written");
    for (const sweep::certified_part& part : read.parts) {
      const sweep::unit first = sweep::unit_at(part, 0);
      const sweep::unit last = sweep::unit_at(part, sweep::unit_count(part) - 1);
      need(first.positions.begin == part.positions.begin && last.positions.end == part.positions.end,
           "units do not cover the positions");
    }
  } catch (const finding&) {
    throw;
  } catch (const std::invalid_argument&) {
  } catch (const nlohmann::json::exception&) {
  } catch (const input::bad_json&) {
  }
}

}  // namespace ropewalk::fuzz

ROPEWALK_FUZZ_TARGET(certificate);
