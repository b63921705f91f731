// The families. Each function places the tokens of one family, in the order of its attention. Fractional
// coordinates are indices with an exact scale and offset.
//
// source  the transformers and pipelines of Hugging Face diffusers, and the vision encoders of transformers;
//         src/model/image_types.cpp names the class of each

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "grid/grid.hpp"
#include "input/bad_input.hpp"
#include "ropewalk/config/position_range.hpp"

namespace ropewalk::grid {
namespace {

constexpr const char* text_run = "the text";
constexpr const char* picture_run = "the picture";
constexpr const char* registers_run = "the registers";

/// Collects the indices of tokens on each axis.
class token_rows {
 public:
  explicit token_rows(int axes) : rows_(static_cast<std::size_t>(axes)) {}

  /// Begins a run of tokens placed by one rule. If no run begins, all tokens belong to the picture.
  void begin(std::string what) { runs_.push_back({std::move(what), 0}); }
  void begin_reference() { begin("reference " + std::to_string(++references_)); }

  void add(std::initializer_list<std::int64_t> token) {
    std::size_t axis = 0;
    if (runs_.empty()) begin(picture_run);
    ++runs_.back().tokens;
    for (const std::int64_t index : token) {
      if (index < smallest_position || index > largest_position)
        throw bad_input("grid", "an index of " + std::to_string(index), "indices of 32 bits");
      rows_[axis++].push_back(static_cast<std::int32_t>(index));
    }
  }

  placed done(const axis_coordinates& coordinates = {}) const {
    placed result;
    result.positions.axes = static_cast<int>(rows_.size());
    for (const auto& row : rows_)
      result.positions.numbers.insert(result.positions.numbers.end(), row.begin(), row.end());
    result.coordinates = coordinates;
    std::copy_if(runs_.begin(), runs_.end(), std::back_inserter(result.runs),
                 [](const token_run& run) { return run.tokens > 0; });
    return result;
  }

 private:
  std::vector<std::vector<std::int32_t>> rows_;
  std::vector<token_run> runs_;
  int references_ = 0;
};

/// Calls see(frame, row, column) in the order of tokens.
template <class See>
void for_each_cell(const sizes& sizes, See see) {
  for (std::int64_t t = 0; t < sizes.time; ++t)
    for (std::int64_t count = 0; count < sizes.height; ++count)
      for (std::int64_t c = 0; c < sizes.width; ++c) see(t, count, c);
}

std::int64_t text_of(const request& request) { return request.text.value_or(0); }

/// A fraction in lowest terms with a denominator above 0.
ratio fraction(std::int64_t numerator, std::int64_t denominator) {
  if (denominator < 0) numerator = -numerator, denominator = -denominator;
  const std::int64_t common = std::gcd(numerator, denominator);
  return {numerator / common, denominator / common};
}

/// scale (index + offset).
coordinate affine(const ratio& scale, const ratio& offset) { return {scale, offset}; }
coordinate scaled(const ratio& scale) { return {scale, {0, 1}}; }

placed frames_rows_columns(const request& request, const numbers&) {
  token_rows rows(3);
  for_each_cell(request.picture, [&](auto t, auto row, auto column) { rows.add({t, row, column}); });
  return rows.done();
}

/// The picture comes first; in time, it stands at the text's length.
placed ernie_image(const request& request, const numbers&) {
  token_rows rows(3);
  const std::int64_t text = text_of(request);
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto, auto row, auto column) { rows.add({text, row, column}); });
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text; ++i) rows.add({i, 0, 0});
  return rows.done();
}

/// Tokens are counted, and the count is split by the side of the square crop, whatever the picture's sides.
placed v_jepa_2(const request& request, const numbers& numbers) {
  token_rows rows(3);
  const std::int64_t side = numbers.base.width, frame = side * side;
  for (std::int64_t i = 0; i < request.picture.tokens(); ++i)
    rows.add({i / frame, i % frame / side, i % side});
  return rows.done();
}

/// Each token averages side x side x side cells of the full grid of its run's frames.
placed pooled_runs(const sizes& picture, const std::vector<frame_run>& runs) {
  token_rows rows(3);
  placed windows;
  std::int64_t cells = 0;
  for (const frame_run& run : runs) {
    const sizes full{run.last - run.first + 1, picture.height, picture.width};
    if (cells += full.tokens(); cells > most_tokens)
      throw bad_input("grid", std::to_string(cells) + " cells", "at most " + std::to_string(most_tokens));
    const auto whole = [&](std::int64_t size) { return (size + run.side - 1) / run.side; };
    const auto window = [&](std::int64_t first, std::int64_t last) {
      return axis_window{static_cast<std::int32_t>(first), static_cast<std::int32_t>(last), run.side};
    };
    for_each_cell({whole(full.time), whole(full.height), whole(full.width)},
                  [&](auto t, auto row, auto column) {
                    const std::int64_t frame = run.first + t * run.side;
                    rows.add({frame, row * run.side, column * run.side});
                    windows.windows.push_back(window(frame, run.last));
                    windows.windows.push_back(window(row * run.side, full.height - 1));
                    windows.windows.push_back(window(column * run.side, full.width - 1));
                  });
  }
  windows.positions = rows.done().positions;
  return windows;
}

/// Long, middle and short history, then the chunk, after a permanent first frame: 0 | 16 | 2 | 1 | chunk.
placed helios(const request& request, const numbers&) {
  const std::int64_t chunk = 20;
  if (!request.frames.empty()) return pooled_runs(request.picture, request.frames);
  return pooled_runs(
      request.picture,
      {{4, 1, 16}, {2, 17, 18}, {1, 0, 0}, {1, 19, 19}, {1, chunk, chunk + request.picture.time - 1}});
}

/// The last section of a video generated from its end: 0 | window | 1 | 2 | 16.
placed framepack(const request& request, const numbers&) {
  const std::int64_t window = request.picture.time, after = window + 1;
  if (!request.frames.empty()) return pooled_runs(request.picture, request.frames);
  return pooled_runs(
      request.picture,
      {{4, after + 3, after + 18}, {2, after + 1, after + 2}, {1, 0, 0}, {1, after, after}, {1, 1, window}});
}

placed rows_columns(const request& request, const numbers& numbers) {
  token_rows rows(2);
  for_each_cell(request.picture, [&](auto, auto row, auto column) { rows.add({row, column}); });
  return rows.done({scaled(numbers.scale), scaled(numbers.scale)});
}

placed columns_rows(const request& request, const numbers& numbers) {
  token_rows rows(2);
  for_each_cell(request.picture, [&](auto, auto row, auto column) { rows.add({column, row}); });
  return rows.done({scaled(numbers.scale), scaled(numbers.scale)});
}

placed rows_columns_from_one(const request& request, const numbers&) {
  token_rows rows(2);
  for_each_cell(request.picture, [&](auto, auto row, auto column) { rows.add({row + 1, column + 1}); });
  return rows.done();
}

placed columns_rows_from_one(const request& request, const numbers& numbers) {
  token_rows rows(2);
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto, auto row, auto column) { rows.add({column + 1, row + 1}); });
  rows.begin(registers_run);
  for (std::int64_t i = 0; i < numbers.unturned; ++i) rows.add({0, 0});
  return rows.done();
}

/// Calls see(frame, row, column) for blocks of merge x merge tokens.
template <class See>
void for_each_cell_of_blocks(const sizes& sizes, std::int64_t merge, See see) {
  for (const auto& [name, size] : {std::pair("rows", sizes.height), std::pair("columns", sizes.width)})
    if (size % merge != 0)
      throw bad_input("grid", std::to_string(size) + " " + name,
                      "a multiple of " + std::to_string(merge) + ", the tokens that are merged");
  for_each_cell({sizes.time, sizes.height / merge, sizes.width / merge}, [&](auto t, auto row, auto column) {
    for_each_cell({1, merge, merge}, [&](auto, auto below, auto beside) {
      see(t, row * merge + below, column * merge + beside);
    });
  });
}

placed rows_columns_in_blocks(const request& request, const numbers& numbers) {
  token_rows rows(2);
  for_each_cell_of_blocks(request.picture, numbers.merge, [&](auto, auto row, auto column) {
    rows.add({row, column});
  });
  return rows.done();
}

placed frames_in_blocks(const request& request, const numbers& numbers) {
  token_rows rows(3);
  for_each_cell_of_blocks(request.picture, numbers.merge, [&](auto t, auto row, auto column) {
    rows.add({t, row, column});
  });
  return rows.done();
}

/// Text at 0, the picture, and each reference on its own plane.
placed flux(const request& request, const numbers&) {
  token_rows rows(3);
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text_of(request); ++i) rows.add({0, 0, 0});
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto, auto row, auto column) { rows.add({0, row, column}); });
  for (const sizes& reference : request.references) {
    rows.begin_reference();
    for_each_cell(reference, [&](auto, auto row, auto column) { rows.add({1, row, column}); });
  }
  return rows.done();
}

placed flux_2(const request& request, const numbers&) {
  token_rows rows(4);
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text_of(request); ++i) rows.add({0, 0, 0, i});
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto, auto row, auto column) { rows.add({0, row, column, 0}); });
  std::int64_t plane = 0;
  for (const sizes& reference : request.references) {
    plane += 10;
    rows.begin_reference();
    for_each_cell(reference, [&](auto, auto row, auto column) { rows.add({plane, row, column, 0}); });
  }
  return rows.done();
}

placed ovis_image(const request& request, const numbers&) {
  token_rows rows(3);
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text_of(request); ++i) rows.add({0, i, i});
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto, auto row, auto column) { rows.add({0, row, column}); });
  return rows.done();
}

/// With a reference, pictures begin at the length of the prompt, else at tokenizer_max_length.
placed longcat_image(const request& request, const numbers&) {
  constexpr std::int64_t tokenizer_max_length = 512;
  token_rows rows(3);
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text_of(request); ++i) rows.add({0, i, i});
  const std::int64_t from = request.references.empty() ? tokenizer_max_length : text_of(request);
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto, auto row, auto column) {
    rows.add({1, from + row, from + column});
  });
  for (const sizes& reference : request.references) {
    rows.begin_reference();
    for_each_cell(reference, [&](auto, auto row, auto column) { rows.add({2, from + row, from + column}); });
  }
  return rows.done();
}

placed hidream(const request& request, const numbers&) {
  token_rows rows(3);
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto, auto row, auto column) { rows.add({0, row, column}); });
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text_of(request); ++i) rows.add({0, 0, 0});
  return rows.done();
}

std::int64_t half_of(const sizes& sizes) { return std::max(sizes.height / 2, sizes.width / 2); }

void add_centred(token_rows& to, const sizes& sizes, std::int64_t first_frame) {
  for_each_cell(sizes, [&](auto t, auto row, auto column) {
    to.add(
        {first_frame + t, row - (sizes.height - sizes.height / 2), column - (sizes.width - sizes.width / 2)});
  });
}

/// Pictures are centred, one after another in time; text is on the diagonal after the largest half. In a
/// layered picture, the condition is at -1.
placed qwen_image(const request& request, const numbers& numbers) {
  token_rows rows(3);
  std::int64_t text = half_of(request.picture);
  for (const sizes& reference : request.references) text = std::max(text, half_of(reference));
  if (numbers.is_layered) text = std::max(text, request.picture.time);
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text_of(request); ++i) rows.add({text + i, text + i, text + i});
  rows.begin(picture_run);
  add_centred(rows, request.picture, 0);
  std::int64_t frame = 1;
  for (const sizes& reference : request.references) {
    rows.begin_reference();
    add_centred(rows, reference, numbers.is_layered ? -1 : frame++);
  }
  return rows.done();
}

placed nucleus_image(const request& request, const numbers&) {
  token_rows rows(3);
  rows.begin(picture_run);
  add_centred(rows, request.picture, 0);
  const std::int64_t text = half_of(request.picture);
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text_of(request); ++i) rows.add({text + i, text + i, text + i});
  return rows.done();
}

placed joy_image(const request& request, const numbers& numbers) {
  if (request.text && !numbers.turns_text)
    throw bad_input("text", std::to_string(request.text.value),
                    "none: text does not turn where rope_type is rope");
  token_rows rows(3);
  std::int64_t frame = 0, last = 0;
  const auto add = [&](const sizes& sizes) {
    for_each_cell(sizes, [&](auto t, auto row, auto column) { rows.add({frame + t, row, column}); });
    frame += sizes.time;
    last = std::max({last, frame - 1, sizes.height - 1, sizes.width - 1});
  };
  rows.begin(picture_run);
  add(request.picture);
  for (const sizes& reference : request.references) {
    rows.begin_reference();
    add(reference);
  }
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text_of(request); ++i) rows.add({last + 1 + i, last + 1 + i, last + 1 + i});
  return rows.done();
}

placed lumina_2(const request& request, const numbers&) {
  token_rows rows(3);
  const std::int64_t text = text_of(request);
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text; ++i) rows.add({i, 0, 0});
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto, auto row, auto column) { rows.add({text, row, column}); });
  return rows.done();
}

/// Picture and caption are each padded to a multiple of 32 tokens; padding attends.
placed z_image(const request& request, const numbers&) {
  constexpr std::int64_t group = 32;
  const auto padded = [](std::int64_t tokens) { return (tokens + group - 1) / group * group; };
  const std::int64_t caption = padded(text_of(request)), picture = request.picture.tokens();
  token_rows rows(3);
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto t, auto row, auto column) {
    rows.add({caption + 1 + t, row, column});
  });
  rows.begin("the padding");
  for (std::int64_t i = picture; i < padded(picture); ++i) rows.add({0, 0, 0});
  rows.begin(text_run);
  for (std::int64_t i = 1; i <= caption; ++i) rows.add({i, 0, 0});
  return rows.done();
}

placed ideogram_4(const request& request, const numbers&) {
  constexpr std::int64_t from = 65536;
  token_rows rows(3);
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text_of(request); ++i) rows.add({i, i, i});
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto, auto row, auto column) {
    rows.add({from, from + row, from + column});
  });
  return rows.done();
}

/// Two frames, separated by the edit's skip.
placed chrono_edit(const request& request, const numbers& numbers) {
  token_rows rows(3);
  for_each_cell(request.picture, [&](auto t, auto row, auto column) {
    rows.add({request.picture.time == 2 ? t * (numbers.skip - 1) : t, row, column});
  });
  return rows.done();
}

/// Time in frames at 24 per second if a frame rate is given.
placed cosmos(const request& request, const numbers&) {
  placed cosmos = frames_rows_columns(request, {});
  if (request.fps)
    cosmos.coordinates[0] = scaled(fraction(24 * request.fps.value.denominator, request.fps.value.numerator));
  return cosmos;
}

/// Indices divided by the pipeline's scale for the size in pixels; a token is 16 pixels.
placed kandinsky_5(const request& request, const numbers&) {
  constexpr std::int64_t pixels = 16, least = 480, most = 854;
  placed result = frames_rows_columns(request, {});
  if (request.picture.time == 1) return result;
  const auto is_usual = [](std::int64_t tokens) {
    return tokens * pixels >= least && tokens * pixels <= most;
  };
  const bool both = is_usual(request.picture.height) && is_usual(request.picture.width);
  result.divisor[1] = result.divisor[2] = both ? 2 : 3.16;
  return result;
}

/// The given frame rate, or the class's default.
ratio fps_of(const request& request, std::int64_t usual) { return request.fps.value_or(ratio{usual, 1}); }

/// 2 (seconds or pixels) / span - 1, with so many of them per index.
coordinate from_minus_one(const ratio& of_index, std::int64_t span) {
  const ratio scale = fraction(2 * of_index.numerator, of_index.denominator * span);
  return affine(scale, fraction(-scale.denominator, scale.numerator));
}

/// The first frame, row and column of each latent cell.
placed ltx_video(const request& request, const numbers& numbers) {
  const ratio fps = fps_of(request, 25);
  placed video = frames_rows_columns(request, numbers);
  video.coordinates[0] =
      from_minus_one(fraction(numbers.cells[0] * fps.denominator, fps.numerator), numbers.span[0]);
  video.coordinates[1] = from_minus_one({numbers.cells[1], 1}, numbers.span[1]);
  video.coordinates[2] = from_minus_one({numbers.cells[2], 1}, numbers.span[2]);
  return video;
}

/// The middle of each latent cell; the first one in time is causal. Indices are twice the middles.
placed ltx_2(const request& request, const numbers& numbers) {
  const ratio fps = fps_of(request, 24);
  const auto end_of = [&](std::int64_t frame) {
    return std::max<std::int64_t>(0, numbers.cells[0] * frame + numbers.causal_offset - numbers.cells[0]);
  };
  token_rows rows(3);
  for_each_cell(request.picture, [&](auto t, auto row, auto column) {
    rows.add({end_of(t) + end_of(t + 1), 2 * row + 1, 2 * column + 1});
  });
  return rows.done({from_minus_one(fraction(fps.denominator, 2 * fps.numerator), numbers.span[0]),
                    from_minus_one(fraction(numbers.cells[1], 2), numbers.span[1]),
                    from_minus_one(fraction(numbers.cells[2], 2), numbers.span[2])});
}

/// 2 (index + 1/2) / size - 1 = (2 index + 1 - size) / size.
std::int64_t from_centre(std::int64_t index, std::int64_t size) { return 2 * index + 1 - size; }
coordinate over(std::int64_t size) { return scaled({1, size}); }

placed centres_of_patches(const request& request, const numbers&) {
  const sizes& sizes = request.picture;
  token_rows rows(2);
  for_each_cell(sizes, [&](auto, auto row, auto column) {
    rows.add({from_centre(row, sizes.height), from_centre(column, sizes.width)});
  });
  return rows.done({over(sizes.height), over(sizes.width)});
}

placed centres_of_cells(const request& request, const numbers& numbers) {
  const sizes& sizes = request.picture;
  token_rows rows(3);
  for_each_cell(sizes, [&](auto t, auto row, auto column) {
    rows.add({from_centre(t, sizes.time), from_centre(row, sizes.height), from_centre(column, sizes.width)});
  });
  rows.begin(registers_run);
  for (std::int64_t i = 0; i < numbers.unturned; ++i) rows.add({0, 0, 0});
  return rows.done({over(sizes.time), over(sizes.height), over(sizes.width)});
}

/// One side of the part of the base grid covered by a picture: `size` points from `begin` to just below
/// `begin` + `length`.
struct covered {
  std::int64_t size;
  std::int64_t begin;
  std::int64_t length;

  /// from begin to (begin + length) (size - 1) / size in size points, both included, as linspace.
  coordinate at() const {
    // Of the step, times size (size - 1).
    const std::int64_t last = (begin + length) * (size - 1) - begin * size;
    if (size == 1 || last == 0) return {};
    return affine(fraction(last, size * (size - 1)), fraction(begin * size * (size - 1), last));
  }
  /// The index of a point; if all points coincide, that point.
  std::int64_t index(std::int64_t i) const { return at() == coordinate{} && begin != 0 ? begin : i; }
};

struct covered_part {
  covered rows, columns;
};

/// The largest part of the base grid with the picture's shape, centred. Halves are rounded to even, quotients
/// in binary64.
covered_part part_of_base(const sizes& picture, const sizes& base) {
  const auto height = static_cast<double>(picture.height), width = static_cast<double>(picture.width);
  const auto base_height = static_cast<double>(base.height), base_width = static_cast<double>(base.width);
  double rows = base_height, columns = base_width;
  if (height / width > base_height / base_width)
    columns = std::nearbyint(base_height / height * width);
  else
    rows = std::nearbyint(base_width / width * height);
  const auto whole = [](double x) { return static_cast<std::int64_t>(x); };
  return {{picture.height, whole(std::nearbyint((base_height - rows) / 2)), whole(rows)},
          {picture.width, whole(std::nearbyint((base_width - columns) / 2)), whole(columns)}};
}

sizes base_of(const request& request, const numbers& numbers) { return request.crop.value_or(numbers.base); }

placed crop(const request& request, const numbers& numbers) {
  const covered_part part = part_of_base(request.picture, base_of(request, numbers));
  token_rows rows(3);
  for_each_cell(request.picture, [&](auto t, auto row, auto column) {
    rows.add({t, part.rows.index(row), part.columns.index(column)});
  });
  return rows.done({coordinate{}, part.rows.at(), part.columns.at()});
}

placed crop_columns_rows(const request& request, const numbers& numbers) {
  const covered_part part = part_of_base(request.picture, base_of(request, numbers));
  token_rows rows(2);
  for_each_cell(request.picture, [&](auto, auto row, auto column) {
    rows.add({part.columns.index(column), part.rows.index(row)});
  });
  return rows.done({part.columns.at(), part.rows.at()});
}

placed cogview_4(const request& request, const numbers& numbers) {
  const sizes& picture = request.picture;
  token_rows rows(2);
  for_each_cell(picture, [&](auto, auto row, auto column) {
    rows.add({row * numbers.base.height / picture.height, column * numbers.base.width / picture.width});
  });
  return rows.done();
}

/// Text in time, then frames at 5/3 of the number of latent frames before each. Rows and columns are centred
/// on 16 and divided by the root of the picture's shape. Roots are irrational: the coordinates are those of
/// binary64.
placed minimax_h3(const request& request, const numbers& numbers) {
  constexpr double half_span = 16, frames = 5.0 / 3;
  constexpr std::array<std::int64_t, 5> latent_frames{1, 4, 4, 4, 4};
  const std::int64_t text = text_of(request);
  const sizes& picture = request.picture;
  const double area =
      std::sqrt(static_cast<double>(picture.height * numbers.patch * picture.width * numbers.patch));
  const auto place = [&](std::int64_t index, std::int64_t size) {
    const double share = static_cast<double>(size * numbers.patch) / area;
    return 2 * half_span * ((1 - share) / 2 + share * static_cast<double>(index) / static_cast<double>(size));
  };
  std::vector<double> rows[3];
  const auto add = [&](double t, double row, double column) {
    rows[0].push_back(t), rows[1].push_back(row), rows[2].push_back(column);
  };
  for (std::int64_t i = 0; i < text; ++i) add(static_cast<double>(i), 0, 0);
  std::vector<std::int64_t> before{0};
  for (std::int64_t t = 0; t < picture.time; ++t)
    before.push_back(before.back() + latent_frames[static_cast<std::size_t>(t) % latent_frames.size()]);
  for_each_cell(picture, [&](auto t, auto row, auto column) {
    add(static_cast<double>(text) + frames * static_cast<double>(before[static_cast<std::size_t>(t)]),
        place(row, picture.height), place(column, picture.width));
  });
  placed result;
  result.positions.axes = 3;
  for (const auto& row : rows)
    result.positions.real.insert(result.positions.real.end(), row.begin(), row.end());
  for (double& position : result.positions.real) position += 0.0;  // no -0
  if (text > 0) result.runs.push_back({text_run, text});
  result.runs.push_back({picture_run, picture.tokens()});
  return result;
}

/// Text, one token for time, and the picture, on one line.
placed one_line(const request& request, const numbers&) {
  token_rows rows(1);
  std::int64_t token = 0;
  rows.begin(text_run);
  while (token < text_of(request)) rows.add({token++});
  rows.begin("the time");
  rows.add({token++});
  rows.begin(picture_run);
  for (std::int64_t i = 0; i < request.picture.tokens(); ++i) rows.add({token++});
  return rows.done();
}

/// The middles of a signal's frames in seconds; the first one is causal. Indices are twice the middles.
placed ltx_2_audio(const request& request, const numbers& numbers) {
  if (request.picture.height * request.picture.width != 1)
    throw bad_input("grid",
                    std::to_string(request.picture.height) + " rows, " +
                        std::to_string(request.picture.width) + " columns",
                    "FRAMESx1x1: a signal has one of each");
  const auto end_of = [&](std::int64_t frame) {
    return std::max<std::int64_t>(0, numbers.cells[0] * frame + numbers.causal_offset - numbers.cells[0]);
  };
  token_rows rows(1);
  for (std::int64_t t = 0; t < request.picture.time; ++t) rows.add({end_of(t) + end_of(t + 1)});
  return rows.done({from_minus_one(fraction(numbers.cells[1], 2 * numbers.cells[2]), numbers.span[0])});
}

/// Tokens of text, padded by registers to a multiple of the number of registers.
placed ltx_2_connector(const request& request, const numbers& numbers) {
  const std::int64_t tokens = request.picture.tokens();
  if (tokens % numbers.patch != 0)
    throw bad_input(
        "grid", std::to_string(tokens) + " tokens",
        "a multiple of " + std::to_string(numbers.patch) + ", the registers that fill the text up");
  token_rows rows(1);
  for (std::int64_t i = 0; i < tokens; ++i) rows.add({i});
  return rows.done({from_minus_one({1, 1}, numbers.span[0])});
}

/// Text on the diagonal, then, after a margin, frames at the given rate.
placed cosmos_3(const request& request, const numbers& numbers) {
  if (request.fps && numbers.rate == 0)
    throw bad_input("fps", "given", "none: by enable_fps_modulation, frames are counted");
  const bool is_rated = request.fps && request.picture.time > 1;
  const ratio step = is_rated
                         ? fraction(numbers.rate * request.fps.value.denominator, request.fps.value.numerator)
                         : ratio{1, 1};
  const std::int64_t text = text_of(request), from = text + numbers.margin,
                     first = numbers.moves_rows ? from : 0;
  token_rows rows(3);
  rows.begin(text_run);
  for (std::int64_t i = 0; i < text; ++i) rows.add({i * step.denominator, i, i});
  rows.begin(picture_run);
  for_each_cell(request.picture, [&](auto t, auto row, auto column) {
    rows.add({from * step.denominator + t * step.numerator, first + row, first + column});
  });
  return rows.done({scaled({1, step.denominator}), coordinate{}, coordinate{}});
}

/// The video, followed by the reference on a separate grid. Both have tables of limited length.
placed wan_animate_2(const request& request, const numbers& numbers) {
  constexpr std::int64_t rows = 512;
  token_rows result(3);
  const auto require_rows = [&](const char* field, const sizes& sizes, std::int64_t stride) {
    if (const std::int64_t most = std::max({(sizes.time - 1) * stride + 1, sizes.height, sizes.width});
        most > rows)
      throw bad_input(field, std::to_string(most) + " positions of an axis",
                      "at most " + std::to_string(rows) + ": there the class's table ends");
  };
  require_rows("grid", request.picture, 1);
  result.begin(picture_run);
  for_each_cell(request.picture, [&](auto t, auto row, auto column) { result.add({t, row, column}); });
  for (const sizes& reference : request.references) {
    require_rows("reference", reference, numbers.stride);
    const auto from = [&](std::size_t axis, std::int64_t size) {
      return numbers.offset[axis] < 0 ? size : numbers.offset[axis];
    };
    result.begin_reference();
    const std::int64_t t0 = from(0, reference.time), row0 = from(1, reference.height),
                       column0 = from(2, reference.width);
    for_each_cell(reference, [&](auto t, auto row, auto column) {
      result.add({t0 + t * numbers.stride, row0 + row, column0 + column});
    });
  }
  return result.done();
}

/// Compressed frames come first; their tokens stand in the middle of their cells. Indices are twice the
/// coordinates.
placed anyflow_far(const request& request, const numbers& numbers) {
  std::vector<frame_run> runs = request.frames;
  if (runs.empty()) runs.push_back({1, 0, request.picture.time - 1});
  token_rows rows(3);
  for (const frame_run& run : runs) {
    if (run.side != 1 && run.side != numbers.cells[1])
      throw bad_input("frames", "side " + std::to_string(run.side),
                      "1, or " + std::to_string(numbers.cells[1]) + " for compressed frames");
    const bool is_full = run.side == 1;
    const auto cells = [&](std::size_t axis) { return is_full ? 1 : numbers.cells[axis]; };
    const auto place = [&](std::size_t axis, std::int64_t index) {
      return 2 * cells(axis) * index + cells(axis) - 1;
    };
    const sizes of_run{run.last - run.first + 1, request.picture.height / cells(1),
                       request.picture.width / cells(2)};
    if (of_run.tokens() == 0)
      throw bad_input("grid",
                      std::to_string(request.picture.height) + "x" + std::to_string(request.picture.width),
                      "at least " + std::to_string(numbers.cells[1]) + " rows and " +
                          std::to_string(numbers.cells[2]) + " columns where frames are compressed");
    const std::int64_t most =
        std::max({cells(0) * (run.last + 1), request.picture.height, request.picture.width});
    if (most > numbers.span[0])
      throw bad_input("grid", std::to_string(most) + " positions of an axis",
                      "at most " + std::to_string(numbers.span[0]) + ": there the class's table ends");
    rows.begin(is_full ? picture_run : "the compressed frames");
    for_each_cell(of_run, [&](auto t, auto row, auto column) {
      rows.add({place(0, run.first + t), place(1, row), place(2, column)});
    });
  }
  const coordinate half = scaled({1, 2});
  return rows.done({half, half, half});
}

constexpr unsigned video = takes_frames;

constexpr family families[] = {
    {"video", video, "(frame, row, column); text does not turn", frames_rows_columns},
    {"picture", 0, "(row, column); text does not turn", rows_columns},
    {"picture-of-frames", video, "(row, column), the same in each frame", rows_columns},
    {"columns-first", 0, "(column, row)", columns_rows},
    {"columns-first-of-frames", video, "(column, row), the same in each frame", columns_rows},
    {"from-one", 0, "(row + 1, column + 1)", rows_columns_from_one},
    {"columns-first-from-one", 0, "(column + 1, row + 1); a class token last, at 0", columns_rows_from_one},
    {"blocks", video, "(row, column), block by block of merged tokens; each frame alike",
     rows_columns_in_blocks},
    {"blocks-of-video", video, "(frame, row, column), block by block of merged tokens", frames_in_blocks},
    {"flux", takes_text | takes_one_reference,
     "text (0, 0, 0), picture (0, row, column), reference (1, row, column)", flux},
    {"flux-2", takes_text | takes_references,
     "text (0, 0, 0, index), picture (0, row, column, 0), reference k (10 k, row, column, 0)", flux_2},
    {"ovis-image", takes_text, "text (0, index, index), picture (0, row, column)", ovis_image},
    {"longcat-image", takes_text | takes_one_reference,
     "text (0, index, index), picture (1, 512 + row, 512 + column); with a reference (2, ...), both from the "
     "text's length on",
     longcat_image},
    {"ernie-image", takes_text, "picture (text, row, column), text (index, 0, 0) after it", ernie_image},
    {"v-jepa-2", video, "(frame, row, column) of a token's number, by the sides of the crop", v_jepa_2},
    {"helios", video | takes_runs,
     "long history, frames 1 to 16, pooled by 4; middle, 17 and 18, by 2; frames 0 and 19; the chunk from 20 "
     "on",
     helios},
    {"framepack", video | takes_runs,
     "history after the window, pooled by 4 and by 2; frame 0 and the one after the window; the window from "
     "1 on",
     framepack},
    {"hidream", takes_text, "picture (0, row, column), text (0, 0, 0)", hidream},
    {"qwen-image", video | takes_text | takes_references,
     "text on the diagonal from the larger half of a side on; pictures (number, row, column) around their "
     "middle",
     qwen_image},
    {"nucleus-image", takes_text,
     "picture (0, row, column) around its middle; text on the diagonal from the larger half on",
     nucleus_image},
    {"joy-image", video | takes_text | takes_references,
     "pictures (frame, row, column) one after another in time; text, if it turns, on the diagonal after all "
     "of them",
     joy_image},
    {"lumina-2", takes_text, "text (index, 0, 0), picture (text, row, column)", lumina_2},
    {"z-image", video | takes_text,
     "picture (text + 1 + frame, row, column), padded to 32 by (0, 0, 0); text (1 + index, 0, 0), padded to "
     "32",
     z_image},
    {"ideogram-4", takes_text, "text on the diagonal, picture (65536, 65536 + row, 65536 + column)",
     ideogram_4},
    {"chrono-edit", video, "(frame, row, column); two frames at 0 and rope_temporal_skip_len - 1",
     chrono_edit},
    {"cosmos", video | takes_fps, "(frame, row, column); with a frame rate, (24 frame / fps, row, column)",
     cosmos},
    {"kandinsky-5", video, "(frame, row, column); of videos row and column / 2 or 3.16, by their size",
     kandinsky_5},
    {"ltx-video", video | takes_fps,
     "2 (seconds, row, column) / (20 s, 2048, 2048) - 1 of a cell's first corner", ltx_video},
    {"ltx-2", video | takes_fps, "2 (seconds, row, column) / (20 s, 2048, 2048) - 1 of a cell's middle",
     ltx_2},
    {"centres", 0, "2 (row + 1/2) / rows - 1, 2 (column + 1/2) / columns - 1", centres_of_patches},
    {"centres-of-video", video, "2 (index + 1/2) / size - 1 on each axis; registers at 0, last",
     centres_of_cells},
    {"crop", video | takes_crop, "frame; row and column in the middle of a base grid", crop},
    {"crop-columns-first", takes_crop, "column, then row, in the middle of a base grid", crop_columns_rows},
    {"cogview-4", 0, "floor(row R / rows), floor(column R / columns)", cogview_4},
    {"minimax-h3", video | takes_text, "text (index, 0, 0); frames after it, rows and columns around 16",
     minimax_h3},
    {"one-line", takes_text, "text, one token of time, and the picture, counted", one_line},
    {"ltx-2-audio", video, "2 seconds / 20 - 1 of a frame's middle; --grid FRAMESx1x1", ltx_2_audio},
    {"ltx-2-connector", 0, "2 index / 4096 - 1 of a token of text; --grid 1xTOKENS", ltx_2_connector},
    {"cosmos-3", video | takes_text | takes_fps,
     "text on the diagonal, picture (text + 15000 + frame, row, column); with a frame rate, 24 frame / fps",
     cosmos_3},
    {"wan-animate-2", video | takes_one_reference,
     "(frame, row, column), then the reference (1 + frame, row, columns + column)", wan_animate_2},
    {"anyflow-far", video | takes_runs,
     "(frame, row, column); compressed ones, before them, in the middle of their cells", anyflow_far},
};

}  // namespace

const family* family_named(std::string_view name) {
  const auto match = std::find_if(std::begin(families), std::end(families),
                                  [&](const family& family) { return family.name == name; });
  return match == std::end(families) ? nullptr : match;
}

}  // namespace ropewalk::grid
