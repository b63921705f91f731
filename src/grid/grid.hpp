#pragma once
// Coordinates of the tokens of a picture, a video or a signal, as each family of models places them.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input/axis_positions.hpp"
#include "ropewalk/config/coordinate.hpp"
#include "ropewalk/config/given.hpp"
#include "ropewalk/config/pooled_axes.hpp"

namespace ropewalk::grid {

/// Sizes in tokens, after patching.
struct sizes {
  std::int64_t time = 1;
  std::int64_t height = 1;
  std::int64_t width = 1;

  std::int64_t tokens() const { return time * height * width; }
};

/// Consecutive frames whose tokens each stand for `side` frames, rows and columns.
struct frame_run {
  int side = 1;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// What a user asks for beside the model.
struct request {
  sizes picture{};
  given<std::int64_t> text{};  // tokens
  given<ratio> fps{};
  given<sizes> crop{};  // rows and columns of the base grid
  std::vector<sizes> references{};
  std::vector<frame_run> frames{};  // in the order of their tokens; empty: as the model's pipeline has them
};

/// Where the tables of a class end that are made before its tokens are known.
struct table_end {
  std::array<std::int64_t, 4> positions{};  // of each axis, from 0 on; 0: as many as are asked for
  bool is_below_zero = false;               // as many below 0, too
  std::string why{};                        // "rope_max_seq_len 1024"
};

/// Numbers of a model's configuration that its coordinates need. Families read those that they name.
struct numbers {
  sizes base{1, 0, 0};  // crop: the base grid; cogview4: rows and columns of the table; v-jepa-2: of a frame
  std::int64_t merge = 1;     // rows and columns of a block of tokens
  std::int64_t patch = 1;     // latent cells in a token's side; ltx-2-connector: registers
  std::int64_t skip = 0;      // chrono-edit: rope_temporal_skip_len
  std::int64_t unturned = 0;  // tokens at the end that stand at 0: registers and a class token
  std::array<std::int64_t, 3> cells{8, 32, 32};  // ltx: frames, rows and columns of pixels in a latent cell
  std::array<std::int64_t, 3> span{20, 2048, 2048};  // ltx: seconds and pixels from -1 to 1
  std::int64_t causal_offset = 1;                    // ltx-2
  ratio scale{1, 1};                                 // of both indices: sam-3
  bool is_layered = false;                           // qwen-image: frames are layers
  bool turns_text = false;                           // joy-image
  std::array<std::int64_t, 3> offset{};  // wan-animate-2: of a reference; -1: its own size on that axis
  std::int64_t stride = 1;               // wan-animate-2: frames of a reference
  std::int64_t margin = 15000;           // cosmos-3: between the text and the picture, in time
  std::int64_t rate = 24;                // cosmos-3: frames a second that count as they are; 0: all do
  bool moves_rows = false;               // cosmos-3: rows and columns begin where time does
  table_end end{};                       // of every family
  std::vector<sizes> own{};  // pictures that the class has tables of, the usual one first; empty: any
  std::string own_why{};     // "image_size / patch_size"
};

/// Consecutive tokens that one rule places.
struct token_run {
  std::string what;  // "the text", "the picture", "reference 1", "the registers"
  std::int64_t tokens = 0;
};

/// Tokens on the axes of their model.
struct placed {
  input::axis_positions positions{};          // indices, or real coordinates
  axis_coordinates coordinates{};             // of an index on each axis
  std::array<double, 4> divisor{1, 1, 1, 1};  // of each axis's coordinates, a binary64 of the engine's code
  std::vector<axis_window> windows{};  // [tokens, axes]: cells that each token averages, from its index on
  std::vector<token_run> runs{};       // of all tokens, in their order
};

/// Options that a family takes beside --grid.
enum takes : unsigned {
  takes_text = 1,
  takes_fps = 2,
  takes_crop = 4,
  takes_one_reference = 8,
  takes_references = 16,
  takes_frames = 32,
  takes_runs = 64
};

/// How a family places tokens.
struct family {
  std::string_view name;
  unsigned takes;
  std::string_view sentence;  // where tokens stand, and in which order they come
  placed (*place)(const request&, const numbers&);
};

/// Null where there is none.
const family* family_named(std::string_view name);

/// The largest number of tokens of one grid.
inline constexpr std::int64_t most_tokens = std::int64_t{1} << 24;

/// Places tokens by a family.
///
/// throws  bad_input naming grid, text, fps, crop or reference, also where an index lies beyond a table's end
placed place(const family& by, const request& request, const numbers& numbers);

/// The sizes that a text such as "16x30x52" or "30x52" names.
///
/// throws  bad_input naming `option`
sizes sizes_from(const std::string& option, const std::string& text);

/// The runs of frames that a text such as "4:1-16,2:17-18,1:0,1:19-28" names: SIDE:FIRST-LAST or SIDE:FRAME.
///
/// throws  bad_input naming frames
std::vector<frame_run> runs_from(const std::string& text);

/// The frames in a second that a text such as "24", "29.97" or "30000/1001" names, exactly.
///
/// throws  bad_input naming fps
ratio fps_from(const std::string& text);

}  // namespace ropewalk::grid
