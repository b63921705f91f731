// Certificates: what they say has the shape that it must have, belongs to the catalogue, and is what MPFR and
// the witness find. Each check is shown to fail.

#include "sweep/certificate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "ropewalk/kernel/dtype.hpp"
#include "sweep/audit.hpp"
#include "sweep/certificates.hpp"
#include "sweep/unit_check.hpp"

namespace ropewalk::sweep {
namespace {

const std::vector<swept_table>& tables() {
  static const std::vector<swept_table> all = catalogue_tables();
  return all;
}

const swept_table& table_of(const certificate& certificate) {
  for (const swept_table& table : tables())
    if (table.identity == certificate.table) return table;
  throw std::runtime_error("no table of " + path_of(certificate));
}

/// A certificate of few positions, made here.
struct small_sweep {
  swept_table table = [] {
    swept_table result = tables().front();
    result.positions = {0, 65536};
    return result;
  }();
  work_range range{"table", "", {table}, {ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16}, 1 << 30};
  std::vector<unit_result> results;

  small_sweep() {
    const units_of_range units(range);
    unit_check check(table, *own_tables());
    for (std::int64_t i = 0; i < units.count(); ++i)
      results.push_back(*read_line(line_of(name_of(units.at(i), range), check.check(units.at(i)))));
  }
  certificate made() const { return certificate_of(table, results); }
};

const small_sweep& small() {
  static const small_sweep sweep;
  return sweep;
}

/// The message of the exception that reading a changed text throws.
std::string refusal(const certificate& certificate, const std::function<void(nlohmann::json&)>& change) {
  nlohmann::json json = nlohmann::json::parse(text_of(certificate));
  change(json);
  try {
    certificate_from_text(json.dump());
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// The first model of each table that nobody has swept yet. Another model that loses its certificate, or
/// never had one, is a failure; `ropewalk guarantees --certified` prints the commands that make it.
const std::vector<std::string> unswept = {
    "apertus", "arcee", "cosmos3_edge_text",  "cwm",        "devstral-2-123b", "devstral-small-2-24b",
    "dots1",   "hy_v3", "jina_embeddings_v3", "nomic_bert", "olmo-3.1-32b",    "pe_audio_encoder"};

std::vector<std::string> first_models(const std::vector<swept_table>& tables) {
  std::vector<std::string> models;
  for (const swept_table& table : tables) models.push_back(table.models.front());
  std::sort(models.begin(), models.end());
  return models;
}

TEST(Certificate, EveryTableOfTheCatalogueButTheseHasOneAndNoOtherHas) {
  EXPECT_EQ(first_models(uncertified(tables(), certificates())), unswept);
  EXPECT_EQ(misnamed(tables(), certificates()), std::vector<std::string>{});
}

TEST(Certificate, AModelWhoseTableChangesLosesIts) {
  std::vector<swept_table> changed(tables().begin(), tables().end());
  model::model other = changed.front().model;
  other.encoding.base *= 1 + 0x1p-52;
  changed.front() =
      tables_of({other}, [](const model::model&) { return tables().front().positions; }).front();
  EXPECT_EQ(uncertified(changed, certificates()).size(), unswept.size() + 1);
  EXPECT_EQ(uncertified(changed, certificates()).front().identity, changed.front().identity);
  const auto complaints = misnamed(changed, certificates());
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_NE(complaints[0].find("no model has this table"), std::string::npos) << complaints[0];
}

TEST(Certificate, AModelThatTakesAnothersTableIsNamed) {
  std::vector<swept_table> changed(tables().begin(), tables().end());
  changed.front().models.push_back("zzz");
  EXPECT_EQ(uncertified(changed, certificates()).size(), unswept.size());
  EXPECT_EQ(misnamed(changed, certificates()).size(), 1U);
}

TEST(Certificate, FilesHaveTheNamesOfTheirFirstModels) {
  EXPECT_EQ(file_name_of("llama-3.1-8b"), "llama-3.1-8b");
  EXPECT_EQ(file_name_of("gemma-3-12b (sliding)"), "gemma-3-12b-sliding");
  EXPECT_EQ(file_name_of("../a/config.json"), "a-config");
  EXPECT_EQ(file_name_of("base 10000, rule none"), "base-10000-rule-none");
  EXPECT_EQ(file_name_of(std::string(200, 'a')), std::string(100, 'a'));
  EXPECT_EQ(file_name_of("..."), "table");
  certificate other = certificates().front();
  other.file += "-2";
  const auto complaints = misnamed(tables(), std::vector<certificate>{other});
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_NE(complaints[0].find("its file is not"), std::string::npos) << complaints[0];
}

TEST(Certificate, ASecondTableOfOneNameHasAFileOfItsOwn) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "certificates_of_one_name";
  std::filesystem::remove_all(folder);
  swept_table other = small().table;
  other.identity = std::string(other.identity.size(), '0');
  std::vector<unit_result> results = small().results;
  for (unit_result& result : results) result.unit.replace(0, other.identity.size(), other.identity);
  for (int i = 0; i < 2; ++i) {  // the second time, each is completed
    certify(small().table, small().results, folder.string());
    certify(other, results, folder.string());
  }
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    files.push_back(file.path().stem().string());
  std::sort(files.begin(), files.end());
  const std::string name = file_name_of(other.models.front());
  EXPECT_EQ(files, (std::vector<std::string>{name, name + "-2"}));
  std::filesystem::remove_all(folder);
}

TEST(Certificate, ThatIsMadeIsOneTableLessWithout) {
  std::vector<certificate> held(certificates().begin() + 1, certificates().end());
  const std::vector<swept_table> without = uncertified(tables(), held);
  EXPECT_EQ(without.size(), unswept.size() + 1);
  held.push_back(certificates().front());
  EXPECT_EQ(uncertified(tables(), held).size(), unswept.size());
  for (const swept_table& table : without) {
    const std::vector<std::string> commands = commands_for(table);
    ASSERT_EQ(commands.size(), 2U);
    EXPECT_TRUE(commands[0].ends_with("--dtype f32 f16 bf16 --positions 0:2147483648 --output results-" +
                                      table.identity.substr(0, 8) + " --certificates proofs/certificate"))
        << commands[0];
    EXPECT_TRUE(commands[1].ends_with("--dtype f64 --positions 0:1048576 --output results-" +
                                      table.identity.substr(0, 8) + "-f64 --certificates proofs/certificate"))
        << commands[1];
  }
}

TEST(Certificate, AllCertifyEveryPositionTwiceInThreeFormatsAndSomeInBinary64) {
  for (const certificate& certificate : certificates()) {
    bool is_whole = false;
    for (const certified_part& part : certificate.parts)
      is_whole =
          is_whole ||
          (part.positions == position_range{0, largest_position + 1} && part.computations == 2 &&
           unit_at(part, 0).dtypes == std::vector<ropewalk_dtype>{ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16});
    EXPECT_TRUE(is_whole) << path_of(certificate);
    EXPECT_TRUE(std::any_of(certificate.parts.begin(), certificate.parts.end(),
                            [](const certified_part& part) {
                              return part.positions.end >= fewest_wide_positions &&
                                     unit_at(part, 0).dtypes.front() == ROPEWALK_F64;
                            }))
        << path_of(certificate);
  }
}

TEST(Certificate, FilesAreSmallAndWhatTheProgramHolds) {
  constexpr std::uintmax_t most_bytes = std::uintmax_t{2} << 20;
  std::uintmax_t bytes = 0;
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(ROPEWALK_SOURCE "/proofs/certificate")) {
    bytes += file.file_size();
    ++files;
  }
  EXPECT_EQ(files, certificates().size());
  EXPECT_LT(bytes, most_bytes);
  for (const certificate& certificate : certificates())
    EXPECT_EQ(std::filesystem::file_size(ROPEWALK_SOURCE "/" + path_of(certificate)),
              text_of(certificate).size());
}

TEST(Certificate, TextGivesTheSameCertificate) {
  const std::string text = text_of(small().made());
  EXPECT_EQ(text_of(certificate_from_text(text)), text);
}

TEST(Certificate, AnyOrderOfUnitsGivesTheSame) {
  std::vector<unit_result> reversed(small().results.rbegin(), small().results.rend());
  EXPECT_EQ(text_of(certificate_of(small().table, reversed)), text_of(small().made()));
}

TEST(Certificate, NeedsEveryUnitOnce) {
  std::vector<unit_result> results = small().results;
  results.erase(results.begin() + 3);
  EXPECT_THROW(certificate_of(small().table, results), std::invalid_argument);
  results.insert(results.begin(), 2, small().results[3]);
  EXPECT_THROW(certificate_of(small().table, results), std::invalid_argument);
}

TEST(Certificate, NeedsUnitsOfItsTableWithoutWrongOrUndecidedEntries) {
  std::vector<unit_result> results = small().results;
  EXPECT_THROW(certificate_of(tables()[1], results), std::invalid_argument);
  EXPECT_THROW(certificate_of(small().table, {}), std::invalid_argument);
  results[0].counts[0].undecided = 1;
  EXPECT_THROW(certificate_of(small().table, results), std::invalid_argument);
  results = small().results;
  results[0].counts[0].wrong = 1;
  EXPECT_THROW(certificate_of(small().table, results), std::invalid_argument);
}

TEST(Certificate, ReadingRefusesWhatDoesNotFit) {
  const certificate certificate = small().made();
  EXPECT_EQ(refusal(certificate, [](auto&) {}), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["schema"] = 2; }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["table"] = "no identity"; }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json.erase("models"); }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["parts"][0]["formats"][0]["entries"] = 7; }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["parts"][0]["formats"][0]["exactly"] = 1; }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["parts"][0]["formats"][0]["undecided"] = 1; }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["parts"][0]["formats"][0]["hardest"].erase(3); }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["parts"][0]["unit_checksums"] = "0123abcd"; }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["parts"][0]["positions"][1] = 32768; }), "");
}

TEST(Certificate, NumbersBeyondTheirBoundsAreRefused) {
  const certificate certificate = small().made();
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  EXPECT_NE(refusal(certificate, [](auto& json) { json["pairs"] = 0; }), "");
  const std::uint64_t wrapped = (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(certificate.pairs);
  EXPECT_NE(refusal(certificate, [&](auto& json) { json["pairs"] = wrapped; }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["pairs"] = 64.5; }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["parts"][0]["computations"] = 3; }), "");
  EXPECT_NE(refusal(certificate,
                    [](auto& json) { json["parts"][0]["computations"] = (std::uint64_t{1} << 32) + 2; }),
            "");
  EXPECT_NE(refusal(certificate, [&](auto& json) { json["parts"][0]["positions"][1] = far; }), "");
  EXPECT_NE(refusal(certificate, [&](auto& json) { json["parts"][0]["positions"][0] = -far; }), "");
  EXPECT_NE(refusal(certificate, [&](auto& json) { json["parts"][0]["positions_of_unit"] = far; }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["parts"][0]["positions_of_unit"] = 0; }), "");
  EXPECT_NE(refusal(certificate, [](auto& json) { json["parts"][0]["positions_of_unit"] = 1e300; }), "");
}

TEST(CertificateAudit, MpfrRoundsEveryHardCaseAlike) {
  for (const certificate& certificate : certificates())
    for (const certified_part& part : certificate.parts)
      for (const format_tally& tally : part.counts)
        EXPECT_EQ(audit_hard_cases(table_of(certificate), tally), std::vector<std::string>{})
            << path_of(certificate);
}

TEST(CertificateAudit, AFlippedBitAndAnotherDistanceAreFound) {
  const certificate made = small().made();
  for (format_tally tally : made.parts[0].counts) {
    EXPECT_EQ(audit_hard_cases(small().table, tally).size(), 0U);
    tally.hardest[1].bits ^= 1;
    EXPECT_GE(audit_hard_cases(small().table, tally).size(), 1U);
    tally.hardest[1].bits ^= 1;
    tally.hardest[2].distance *= 1 + 0x1p-40;
    EXPECT_EQ(audit_hard_cases(small().table, tally).size(), 1U);
  }
}

// One part in 128 of a unit of every certificate, which each commit chooses anew.
TEST(CertificateAudit, ThePartsThatACommitChoosesHaveNoWrongEntry) {
  constexpr std::int64_t pieces = 128;
  for (const certificate& certificate : certificates())
    for (const certified_part& part : certificate.parts) {
      position_range some = unit_at(part, chosen(certificate.table, unit_count(part))).positions;
      const std::int64_t step = size(some) / pieces;
      some.begin += step * chosen(certificate.table + "piece", pieces);
      some.end = some.begin + step;
      EXPECT_EQ(audit_positions(part, table_of(certificate), some), std::vector<std::string>{})
          << path_of(certificate);
    }
}

// A whole unit of a few certificates, whose result must have the checksum that was recorded.
TEST(CertificateAudit, TheUnitsThatACommitChoosesHaveTheirChecksums) {
  constexpr std::int64_t one_of = 84;
  const std::int64_t turn = chosen("turn", one_of);
  for (std::size_t i = 0; i < certificates().size(); ++i) {
    const certificate& certificate = certificates()[i];
    if (static_cast<std::int64_t>(i) % one_of != turn) continue;
    for (const certified_part& part : certificate.parts) {
      const std::int64_t index = chosen(certificate.table, unit_count(part));
      EXPECT_EQ(audit_unit(certificate, part, table_of(certificate), index), std::vector<std::string>{})
          << path_of(certificate);
    }
  }
}

TEST(CertificateAudit, AChangedCountAChangedCaseAndAForeignTableAreFound) {
  const certificate made = small().made();
  const certified_part& part = made.parts[0];
  EXPECT_EQ(audit_unit(made, part, small().table, 5).size(), 0U);
  EXPECT_EQ(audit_positions(part, small().table, {8192, 16384}).size(), 0U);

  certified_part counted = part;  // another count would have had another checksum
  counted.unit_checksums[5 * checksum_digits] ^= 1;
  EXPECT_EQ(audit_unit(made, counted, small().table, 5).size(), 1U);
  EXPECT_EQ(audit_unit(made, counted, small().table, 6).size(), 0U);
  EXPECT_EQ(audit_unit(made, part, tables()[1], 5).size(), 1U);

  certified_part changed = part;
  hard_case& entry = changed.counts[0].hardest.front();
  entry.bits ^= 1;
  const position_range around{entry.place.position & -4096, (entry.place.position & -4096) + 4096};
  EXPECT_GE(audit_positions(changed, small().table, around).size(), 1U);
}

TEST(Audit, OfASweepFindsNothing) {
  const audit_result result = audit(small().range, small().results, 3, [](const std::string&) {});
  EXPECT_EQ(result.differences, std::vector<std::string>{});
  EXPECT_EQ(result.units, 3);
  EXPECT_GT(result.hard_cases, 0);
  EXPECT_GT(result.entries, 0);
}

TEST(Audit, FindsChangedResults) {
  const auto differences = [](const std::vector<unit_result>& results) {
    return audit(small().range, results, static_cast<int>(results.size()), [](const std::string&) {})
        .differences;
  };
  std::vector<unit_result> results = small().results;
  results[2].counts[1].exactly += 1;
  EXPECT_EQ(differences(results).size(), 1U);
  results = small().results;
  results[2].counts[1].hardest[0].bits ^= 1;
  EXPECT_GE(differences(results).size(), 2U);
  results = small().results;
  results[2].unit[0] ^= 1;
  EXPECT_EQ(differences(results).size(), 1U);
}

}  // namespace
}  // namespace ropewalk::sweep
