#pragma once
// Subjects of a verification: models, each at lengths on both sides of a change in its table, and conventions
// of additions.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "ropewalk/law/addition/addition_truth.hpp"

namespace ropewalk::verify {

/// A model, and the options that name it on a command line.
struct rotation_subject {
  model::model model;
  std::string options{};
  // The config.json of the model; empty if it comes from the catalogue or from options.
  std::string file{};
};

/// An addition, and the exact values that a kernel should add.
struct addition_subject {
  std::string name;
  std::shared_ptr<const addition_truth> truth;
};

/// The name of a subject in reports.
inline const std::string& name_of_subject(const rotation_subject& subject) { return subject.model.name; }
inline const std::string& name_of_subject(const addition_subject& subject) { return subject.name; }

struct named_sinusoidal {
  const char* name;
  sinusoidal config;
};

struct named_alibi {
  const char* name;
  alibi config;
};

/// One configuration of each convention in use.
std::span<const named_sinusoidal> sinusoidal_conventions();
std::span<const named_alibi> alibi_conventions();

/// The subjects of one model. If its table depends on seq_len: one on each side of the length at which the
/// table changes, or one at the typed length. Otherwise the model as it is. The length becomes part of the
/// name, which seeds the cases, and of the options, so that the command for a failure repeats it.
///
/// throws  bad_input naming seq-len
std::vector<rotation_subject> at_decisive_lengths(const model::model& model, const std::string& options,
                                                  const std::string& typed_seq_len);

/// A selection from the catalogue, used when no model is named.
std::vector<rotation_subject> spread_of_models();

/// Every convention of additions.
std::vector<addition_subject> every_addition();

}  // namespace ropewalk::verify
