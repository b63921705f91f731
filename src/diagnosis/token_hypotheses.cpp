#include "diagnosis/token_hypotheses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "diagnosis/rotary_suspect.hpp"

namespace ropewalk::diagnosis {
namespace {

/// Tokens of a run that form a product: every combination of some numbers per axis.
struct product_of_axes {
  std::vector<std::vector<double>> numbers;  // per axis, increasing
  std::vector<int> varying;                  // axes with more than one number

  /// The number of a token if the last axis of `nest` varies fastest.
  double at(std::int64_t token, int axis, const std::vector<int>& nest) const {
    const auto& own = numbers[static_cast<std::size_t>(axis)];
    if (own.size() == 1) return own.front();
    for (auto inner = nest.rbegin(); *inner != axis; ++inner)
      token /= static_cast<std::int64_t>(numbers[static_cast<std::size_t>(*inner)].size());
    return own[static_cast<std::size_t>(token) % own.size()];
  }

  /// The number mirrored at the middle of its axis.
  double mirrored(double number, int axis) const {
    const auto& own = numbers[static_cast<std::size_t>(axis)];
    const auto place = std::lower_bound(own.begin(), own.end(), number);
    return *(own.rbegin() + (place - own.begin()));
  }
};

/// Empty if the run's tokens form no product.
product_of_axes product_in(const run_of_rows& run, const tables::row_positions& positions) {
  product_of_axes product;
  std::int64_t tokens = 1;
  for (int axis = 0; axis < positions.axes(); ++axis) {
    std::vector<double> numbers;
    for (std::int64_t row = run.begin; row < run.end; ++row)
      numbers.push_back(place_of(positions, row, axis));
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    tokens *= static_cast<std::int64_t>(numbers.size());
    if (tokens > run.end - run.begin) return {};
    if (numbers.size() > 1) product.varying.push_back(axis);
    product.numbers.push_back(std::move(numbers));
  }
  return tokens == run.end - run.begin ? product : product_of_axes{};
}

/// "30x52" or "21x30x52".
std::string text_of(const grid::sizes& sizes) {
  return (sizes.time == 1 ? "" : fmt::format("{}x", sizes.time)) +
         fmt::format("{}x{}", sizes.height, sizes.width);
}

class token_hypotheses_of {
 public:
  token_hypotheses_of(const model::model& model, const tables::row_positions& positions)
      : model_(model),
        positions_(positions),
        right_(suspect_of(model::placed(model))),
        runs_(runs_of(model, positions)) {}

  std::vector<table_hypothesis> all() {
    if (!runs_.front().what.empty()) add_other_grids();
    add_orders_of_runs();
    add_orders_of_all();
    for (const run_of_rows& run : runs_) add_directions(run);
    return std::move(made_);
  }

 private:
  void add(std::string name, std::string sentence, rotary_suspect suspect) {
    made_.push_back({std::move(name), std::move(sentence), table_of(std::move(suspect), model_.encoding)});
  }

  template <class Place>
  void add_moved(std::string name, std::string sentence, Place place) {
    rotary_suspect suspect = right_;
    suspect.place = std::move(place);
    add(std::move(name), std::move(sentence), std::move(suspect));
  }

  // ---- what was asked for ----

  /// The table of another grid with the same number of tokens.
  void add_other_model(std::string name, std::string sentence, model::model changed,
                       const grid::request& request) {
    try {
      changed = model::with_other_grid(std::move(changed), request);
      const auto tokens = std::make_shared<const tables::row_positions>(std::move(*changed.placed_tokens),
                                                                        model::placed(changed));
      if (tokens->rows() != positions_.rows() || tokens->is_real() != positions_.is_real()) return;
      rotary_suspect suspect = suspect_of(model::placed(changed));
      suspect.place = [tokens](std::int64_t row, int axis) { return place_of(*tokens, row, axis); };
      add(std::move(name), std::move(sentence), std::move(suspect));
    } catch (const std::invalid_argument&) {  // the family has no such grid
    }
  }

  void add_other_grids() {
    grid::request request = model_.asked_grid;
    std::swap(request.picture.height, request.picture.width);
    const std::string sentence =
        "rows and columns of the picture are exchanged: " + text_of(model_.asked_grid.picture) +
        " is taken for " + text_of(request.picture);
    add_other_model("sides-exchanged", sentence, model_, request);
    for (grid::sizes& reference : request.references) std::swap(reference.height, reference.width);
    if (!request.references.empty())
      add_other_model("all-sides-exchanged", sentence + ", and so are those of the references", model_,
                      request);
    request.picture = model_.asked_grid.picture;
    if (!request.references.empty())
      add_other_model("reference-sides-exchanged", "rows and columns of the references are exchanged", model_,
                      request);
    if (model_.asked_grid.fps) {
      request = model_.asked_grid;
      request.fps = {};
      add_other_model("fps-dropped", "the frame rate is not read: time is counted as without one", model_,
                      request);
    }
    if (model_.asked_grid.crop) {
      request = model_.asked_grid;
      request.crop = {};
      add_other_model("crop-dropped", "the size of the base grid is not read: it is the configuration's own",
                      model_, request);
    }
    if (model_.asked_grid.references.size() > 1) {
      request = model_.asked_grid;
      std::reverse(request.references.begin(), request.references.end());
      add_other_model("references-reversed", "the references come in the opposite order", model_, request);
    }
    if (model_.grid_numbers.causal_offset != 0) {
      model::model changed = model_;
      changed.grid_numbers.causal_offset = 0;
      add_other_model("frames-not-causal", "the first latent frame stands for as many frames as the others",
                      std::move(changed), model_.asked_grid);
    }
  }

  // ---- the order of tokens ----

  void add_orders_of_runs() {
    constexpr std::size_t most_runs = 4;
    if (runs_.size() < 2 || runs_.size() > most_runs) return;
    std::vector<std::size_t> order(runs_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::string own = names_of(order);
    while (std::next_permutation(order.begin(), order.end())) {
      std::vector<run_of_rows> arranged;
      for (const std::size_t run : order) arranged.push_back(runs_[run]);
      add_moved("runs-in-order-" + fmt::format("{}", fmt::join(order, "-")),
                "the tokens come in the order " + names_of(order) + ", where " + own + " is right",
                [this_positions = &positions_, arranged](std::int64_t row, int axis) {
                  std::int64_t before = 0;  // rows of the preceding runs
                  for (const run_of_rows& run : arranged) {
                    if (row - before < run.end - run.begin)
                      return place_of(*this_positions, run.begin + row - before, axis);
                    before += run.end - run.begin;
                  }
                  return 0.0;
                });
    }
  }

  /// All tokens in reverse, or shifted by one row.
  void add_orders_of_all() {
    const tables::row_positions* own = &positions_;
    const std::int64_t last = positions_.rows() - 1;
    add_moved("tokens-reversed", "the tokens come in the opposite order, the last one first",
              [own, last](std::int64_t row, int axis) { return place_of(*own, last - row, axis); });
    add_moved(
        "tokens-a-row-late", "every row has the token of the row before, and the first row the last token",
        [own, last](std::int64_t row, int axis) { return place_of(*own, row == 0 ? last : row - 1, axis); });
    add_moved(
        "tokens-a-row-early", "every row has the token of the row after, and the last row the first token",
        [own, last](std::int64_t row, int axis) { return place_of(*own, row == last ? 0 : row + 1, axis); });
  }

  std::string names_of(const std::vector<std::size_t>& order) const {
    std::vector<std::string> names;
    for (const std::size_t run : order) names.push_back(runs_[run].what);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  /// Tokens of a picture column by column, with frames innermost, or with an axis reversed.
  void add_directions(const run_of_rows& run) {
    const auto product = std::make_shared<const product_of_axes>(product_in(run, positions_));
    const tables::row_positions* own = &positions_;
    for (const int mirrored : product->varying)
      add_moved("axis-mirrored-" + std::to_string(mirrored) + "-" + std::to_string(run.begin),
                run.tokens() + " are counted from the other end of axis " + std::to_string(mirrored),
                [product, own, run, mirrored](std::int64_t row, int axis) {
                  const double right = place_of(*own, row, axis);
                  const bool is_other = axis == mirrored && row >= run.begin && row < run.end;
                  return is_other ? product->mirrored(right, axis) : right;
                });
    if (product->varying.size() < 2) return;
    std::vector<int> nest = product->varying;
    do {
      std::string along;
      for (auto axis = nest.rbegin(); axis != nest.rend(); ++axis)
        along += fmt::format("{} axis {}", axis == nest.rbegin() ? "first along" : ", then along", *axis);
      add_moved(fmt::format("order-{}-{}", fmt::join(nest, "-"), run.begin),
                run.tokens() + " come " + along + ": in another order",
                [product, own, run, nest](std::int64_t row, int axis) {
                  if (row < run.begin || row >= run.end) return place_of(*own, row, axis);
                  return product->at(row - run.begin, axis, nest);
                });
    } while (std::next_permutation(nest.begin(), nest.end()));
  }

  const model::model& model_;
  const tables::row_positions& positions_;
  rotary_suspect right_;
  std::vector<run_of_rows> runs_;
  std::vector<table_hypothesis> made_;
};

}  // namespace

std::vector<run_of_rows> runs_of(const model::model& model, const tables::row_positions& positions) {
  std::vector<run_of_rows> runs;
  std::int64_t begin = 0;
  for (const grid::token_run& run : model.token_runs) {
    runs.push_back({run.what, begin, begin + run.tokens});
    begin += run.tokens;
  }
  if (begin != positions.rows()) return {{"", 0, positions.rows()}};
  return runs;
}

double place_of(const tables::row_positions& positions, std::int64_t row, int axis) {
  return positions.is_real() ? positions.at(row, axis) : static_cast<double>(positions.index_at(row, axis));
}

std::vector<table_hypothesis> token_hypotheses(const model::model& model,
                                               const tables::row_positions& positions) {
  if (positions.rows() == 0) return {};
  return token_hypotheses_of(model, positions).all();
}

}  // namespace ropewalk::diagnosis
