#include "export/table_name.hpp"

#include <string_view>

#include "export/npz.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::tables {
namespace {

constexpr std::size_t longest_name = 63;  // the significant characters that C11 guarantees

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view digits = "0123456789";

/// Keywords of C11 and C++20, types of <stdint.h>, functions that compilers know as built-in, and system
/// names that they predefine as 1, among others.
constexpr std::string_view c_words =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t"
    " char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr"
    " constinit continue cos cosh decltype default delete do double dynamic_cast else enum exit exp"
    " explicit export extern fabs false float floor for free friend goto i386 if inline int linux log"
    " long main malloc memcpy memset mutable namespace new noexcept not not_eq nullptr operator or"
    " or_eq pow printf private protected public register reinterpret_cast requires restrict return"
    " round short signed sin sinh sizeof sqrt static static_assert static_cast std struct switch tan"
    " tanh template this thread_local throw true try typedef typeid typename typeof uint16_t uint32_t"
    " union unix unsigned using virtual void volatile wchar_t while xor xor_eq ";

/// Keywords and reserved words of GLSL 4.60 that are not in c_words.
constexpr std::string_view glsl_words =
    " active atomic_uint attribute buffer bvec2 bvec3 bvec4 cast centroid coherent common discard dmat2"
    " dmat3 dmat4 dvec2 dvec3 dvec4 external filter fixed flat fvec2 fvec3 fvec4 half highp hvec2 hvec3"
    " hvec4 in inout input interface invariant ivec2 ivec3 ivec4 layout lowp mat2 mat3 mat4 mediump"
    " noinline noperspective out output packed partition patch precise precision readonly resource"
    " sample sampler1D sampler2D sampler3D samplerCube shared smooth subroutine superp uint uniform"
    " uvec2 uvec3 uvec4 varying vec2 vec3 vec4 writeonly ";

/// Keywords of Python and of Rust, reserved ones among them, that are in neither list.
constexpr std::string_view script_words =
    " False None Self True abstract as assert async await become box crate def del dyn elif except final fn"
    " from global impl import is lambda let loop macro match mod move mut nonlocal override pass priv pub"
    " raise ref self super trait type unsafe unsized use where with yield ";

bool is_one_of(std::string_view name, std::string_view words) {
  return words.find(" " + std::string(name) + " ") != std::string_view::npos;
}

bool consists_of(std::string_view name, const std::string& allowed) {
  return name.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_identifier(std::string_view name) {
  return consists_of(name, std::string(letters) + std::string(digits) + "_") &&
         letters.find(name[0]) != std::string_view::npos && name.find("__") == std::string_view::npos &&
         !name.ends_with('_') && !name.starts_with("gl_") && !is_one_of(name, c_words) &&
         !is_one_of(name, glsl_words) && !is_one_of(name, script_words);
}

/// Whether a name can be a key of an archive or of a tensor: rope_freqs.weight.
bool is_key(std::string_view name) {
  return consists_of(name, std::string(letters) + std::string(digits) + "_.-") &&
         (letters.find(name[0]) != std::string_view::npos || digits.find(name[0]) != std::string_view::npos);
}

}  // namespace

std::string array_name(const std::string& chosen, const std::string& of_kind, const file_format& format) {
  if (!is_named(format)) {
    if (chosen.empty()) return {};
    throw bad_input("name", chosen, "none: only " + format_names([]<class File>() {
                                      return File::is_named;
                                    }) + " name the array");
  }
  if (chosen.empty()) return is_source(format) ? "ropewalk_" + of_kind : of_kind;
  const std::string length = "at most " + std::to_string(longest_name) + " ";
  if (is_source(format)) {
    if (chosen.size() > longest_name || !is_identifier(chosen))
      throw bad_input("name", chosen,
                      length +
                          "letters, digits and single underscores between them, a letter first, no word of "
                          "C, C++, GLSL, Python or Rust");
    return chosen;
  }
  const bool is_taken = format.is<npz_file>() && chosen == npz_record_name;
  if (chosen.size() > longest_name || !is_key(chosen) || is_taken)
    throw bad_input("name", chosen,
                    length + "letters, digits, underscores, dots and hyphens, a letter or digit first" +
                        (is_taken ? "; npz reserves the name record for its metadata" : ""));
  return chosen;
}

}  // namespace ropewalk::tables
