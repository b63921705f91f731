// A whole unit of every certificate, chosen by the commit, has the checksum that was recorded.

#include "sweep/certificate.hpp"

#include <gtest/gtest.h>

#include "sweep/audit.hpp"
#include "sweep/certificates.hpp"

namespace ropewalk::sweep {
namespace {

TEST(CertificateAudit, AUnitOfEveryCertificateHasItsChecksum) {
  for (const swept_table& table : catalogue_tables()) {
    const certificate* const certificate = certificate_for(table.identity);
    if (certificate == nullptr) continue;  // certificate_test.cpp lists them
    for (const certified_part& part : certificate->parts)
      EXPECT_EQ(audit_unit(*certificate, part, table, chosen(certificate->table, unit_count(part))),
                std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace ropewalk::sweep
