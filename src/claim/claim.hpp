#pragma once
// Claims of documents about positional encodings, with a verdict on each and a witness that can be run.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::claim {

/// The documents with the claims: five texts, and the code of engines.
enum class document {
  study_notes,
  roformer_notes,
  lecture,
  attn_tensors,
  blog_post,
  bloom,
  mpt,
  t5,
  transformer_xl,
  xlnet,
  llama_4,
  ministral_3,
  ernie_image,
  v_jepa_2,
  helios,
  framepack
};

/// Citation of a document.
struct citation {
  document source;
  std::string_view name;   // short name, for the ledger's column
  std::string_view title;  // the document's title; a description if it has none
};

/// The citation of every document, in the order of the enumeration.
inline constexpr citation documents[] = {
    {document::study_notes, "study notes", "\"Positional Encoding\""},
    {document::roformer_notes, "RoFormer notes", "untitled notes on the RoFormer paper"},
    {document::lecture, "lecture", "\"Sinusoidal Positional Encoding (SinPE)\", notes and a transcript"},
    {document::attn_tensors, "attn_tensors", "\"Positional Encodings\", a chapter that uses attn_tensors"},
    {document::blog_post, "blog post", "\"Sinusoidal and Rotary Positional Encodings\""},
    {document::bloom, "BLOOM", "the code of BLOOM in Hugging Face transformers"},
    {document::mpt, "MPT", "the code of MPT in Hugging Face transformers"},
    {document::t5, "T5", "the code of T5"},
    {document::transformer_xl, "Transformer-XL", "the code of Transformer-XL"},
    {document::xlnet, "XLNet", "the code of XLNet"},
    {document::llama_4, "Llama 4", "the code of Llama 4 in Hugging Face transformers"},
    {document::ministral_3, "Ministral 3", "the code of Ministral 3 in Hugging Face transformers"},
    {document::ernie_image, "ErnieImage", "the code of ErnieImage in Hugging Face diffusers"},
    {document::v_jepa_2, "V-JEPA 2", "the code of V-JEPA 2 in Hugging Face transformers"},
    {document::helios, "Helios", "the code of Helios in Hugging Face diffusers"},
    {document::framepack, "FramePack", "the code of HunyuanVideo with FramePack in Hugging Face diffusers"},
};

consteval bool every_document_is_cited_in_order() {
  std::size_t place = 0;
  for (const citation& citation : documents)
    if (static_cast<std::size_t>(citation.source) != place++) return false;
  return place == static_cast<std::size_t>(document::framepack) + 1;
}
static_assert(every_document_is_cited_in_order());

constexpr const citation& citation_of(document source) { return documents[static_cast<std::size_t>(source)]; }

/// corrected: the statement holds in the form of `correction`. undecidable: no computation decides it,
/// because it names no quantity, or is about the result of training.
enum class verdict { holds, corrected, refuted, undecidable };

/// The result of running a witness.
struct evidence {
  bool shown = false;  // computed: the numbers support the verdict
  std::string text;    // the numbers behind it, in one or several lines
};

/// One row of the ledger.
struct claim {
  int number = 0;
  std::vector<document> documents;  // the documents with this claim
  std::string_view statement;       // paraphrased
  verdict decided = verdict::holds;
  std::string_view correction;  // the true statement, or why it is undecidable; empty if it holds
  std::string_view witness;     // the theorem, law, test or counterexample
  evidence (*run)() = nullptr;
};

/// All claims, ordered by number.
std::vector<claim> all_claims();

}  // namespace ropewalk::claim
