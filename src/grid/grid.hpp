#pragma once
// Places the tokens of a picture, a video or a signal on their axes, with one rule per family of models.

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

/// Consecutive frames whose tokens each cover `side` frames, rows and columns.
struct frame_run {
  int side = 1;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// A user's request beside the model.
struct request {
  sizes picture{};
  given<std::int64_t> text{};  // tokens
  given<ratio> fps{};
  given<sizes> crop{};  // rows and columns of the base grid
  std::vector<sizes> references{};
  std::vector<frame_run> frames{};  // in the order of their tokens; empty: as in the model's pipeline
};

/// End of the tables of a class that computes them before it knows its tokens.
struct table_end {
  std::array<std::int64_t, 4> positions{};  // number on each axis, from 0 on; 0: no limit
  bool is_below_zero = false;               // the tables extend as far below 0
  std::string why{};                        // "rope_max_seq_len 1024"
};

/// Numbers of a model's configuration that its coordinates need. Each family reads its own.
struct numbers {
  sizes base{1, 0, 0};  // crop: the base grid; cogview4: rows and columns of the table; v-jepa-2: of a frame
  std::int64_t merge = 1;     // rows and columns of a block of tokens
  std::int64_t patch = 1;     // latent cells per side of a token; ltx-2-connector: registers
  std::int64_t skip = 0;      // chrono-edit: rope_temporal_skip_len
  std::int64_t unturned = 0;  // tokens at the end, at position 0: registers, a class token
  std::array<std::int64_t, 3> cells{8, 32, 32};  // ltx: frames, rows and columns of pixels per latent cell
  std::array<std::int64_t, 3> span{20, 2048, 2048};  // ltx: seconds and pixels that span -1 to 1
  std::int64_t causal_offset = 1;                    // ltx-2
  ratio scale{1, 1};                                 // sam-3: scale of both indices
  bool is_layered = false;                           // qwen-image: frames are layers
  bool turns_text = false;                           // joy-image
  std::array<std::int64_t, 3> offset{};  // wan-animate-2: of a reference; -1: its own size on the axis
  std::int64_t stride = 1;               // wan-animate-2: stride of a reference's frames
  std::int64_t margin = 15000;           // cosmos-3: gap in time between text and picture
  std::int64_t rate = 24;                // cosmos-3: frame rate with a time step of 1; 0: any
  bool moves_rows = false;               // cosmos-3: rows and columns begin where time begins
  table_end end{};                       // all families
  std::vector<sizes> own{};  // pictures that the class has tables for, the usual one first; empty: any
  std::string own_why{};     // "image_size / patch_size"
};

/// Consecutive tokens placed by one rule.
struct token_run {
  std::string what;  // "the text", "the picture", "reference 1", "the registers"
  std::int64_t tokens = 0;
};

/// Tokens placed on the axes of their model.
struct placed {
  input::axis_positions positions{};  // indices, or real coordinates
  axis_coordinates coordinates{};     // coordinate of an index on each axis
  std::array<double, 4> divisor{1, 1, 1,
                                1};    // divisor of each axis's coordinates, a binary64 in the engine's code
  std::vector<axis_window> windows{};  // [tokens, axes]: cells that a token averages, from its index on
  std::vector<token_run> runs{};       // all tokens, in order
};

/// Options that a family accepts beside --grid.
enum takes : unsigned {
  takes_text = 1,
  takes_fps = 2,
  takes_crop = 4,
  takes_one_reference = 8,
  takes_references = 16,
  takes_frames = 32,
  takes_runs = 64
};

/// A family's rule for placing tokens.
struct family {
  std::string_view name;
  unsigned takes;
  std::string_view sentence;  // the places and the order of tokens
  placed (*place)(const request&, const numbers&);
};

/// Null if there is no such family.
const family* family_named(std::string_view name);

/// The largest number of tokens of one grid.
inline constexpr std::int64_t most_tokens = std::int64_t{1} << 24;

/// Places tokens by a family's rule.
///
/// throws  bad_input naming grid, text, fps, crop or reference; also if an index exceeds a table's end
placed place(const family& by, const request& request, const numbers& numbers);

/// The sizes in a text such as "16x30x52" or "30x52".
///
/// throws  bad_input naming `option`
sizes sizes_from(const std::string& option, const std::string& text);

/// The runs of frames in a text such as "4:1-16,2:17-18,1:0,1:19-28": SIDE:FIRST-LAST or SIDE:FRAME.
///
/// throws  bad_input naming frames
std::vector<frame_run> runs_from(const std::string& text);

/// The exact frame rate in a text such as "24", "29.97" or "30000/1001".
///
/// throws  bad_input naming fps
ratio fps_from(const std::string& text);

}  // namespace ropewalk::grid
