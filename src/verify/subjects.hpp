#pragma once
// What kernels are verified on: models, each at the lengths that tell its tables apart, and the conventions of kernels
// that add.

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
};

/// What a kernel that adds should add.
struct addition_subject {
  std::string name;
  std::shared_ptr<const addition_truth> truth;
};

/// What reports call it.
inline const std::string& name_of_subject(const rotation_subject& on) { return on.model.name; }
inline const std::string& name_of_subject(const addition_subject& on) { return on.name; }

struct named_sinusoidal {
  const char* name;
  sinusoidal config;
};

struct named_alibi {
  const char* name;
  alibi config;
};

/// One of each convention in use.
std::span<const named_sinusoidal> sinusoidal_conventions();
std::span<const named_alibi> alibi_conventions();

/// A model whose table depends on the length, once on each side of where it changes, or at the length that was typed;
/// any other model as it is. The name tells the length: cases are drawn by it, and the command that shows a failure again
/// names it.
///
/// throws  bad_input naming seq-len
std::vector<rotation_subject> at_telling_lengths(const model::model& model, const std::string& options,
                                                 const std::string& typed_seq_len);

/// A spread of the catalogue, for when no model is named.
std::vector<rotation_subject> spread_of_models();

/// Every convention of kernels that add.
std::vector<addition_subject> every_addition();

}  // namespace ropewalk::verify
