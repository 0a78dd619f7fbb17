#pragma once

#include <array>
#include <cstddef>
#include <vector>

/// A grid cut among ranks: which points each one owns, and which of its neighbours' it needs.
namespace gridmark::ranks {

/// Axes of a grid. A study of fewer has one point along the others.
inline constexpr int axes = 3;
using Triple = std::array<int, axes>;

/// The points low[a] <= i < high[a] along every axis a.
struct Box {
    Triple low{}, high{};

    int size(int axis) const { return high[axis] - low[axis]; }
    bool empty() const { return size(0) <= 0 || size(1) <= 0 || size(2) <= 0; }
    std::size_t points() const { return empty() ? 0 : static_cast<std::size_t>(size(0)) * size(1) * size(2); }
    bool operator==(const Box&) const = default;
};

/// What both hold; may be empty.
Box common(const Box& a, const Box& b);

/// How many points a step looks down and up along each axis.
struct Reach {
    Triple below{}, above{};

    Reach& operator+=(const Reach& other);
    bool operator==(const Reach&) const = default;
};

/// The box and all points that it reaches.
Box grown(const Box& box, const Reach& reach);

/// The points of `outer` that are not in `inner`, as at most six boxes; `outer` holds `inner`.
std::vector<Box> without(const Box& outer, const Box& inner);

/// A box cut into at most `count` slices along its last axis that has several points.
std::vector<Box> slices(const Box& box, int count);

/// A grid in parts[0] x parts[1] x parts[2] boxes, one a rank, whose sizes along an axis differ by one at
/// most. Ranks follow each other along axis 0 first.
class Cut {
  public:
    /// Throws std::invalid_argument where an axis has fewer points than parts.
    Cut(const Box& grid, const Triple& parts);

    const Box& grid() const { return grid_; }
    const Triple& parts() const { return parts_; }
    int ranks() const { return parts_[0] * parts_[1] * parts_[2]; }
    Box own(int rank) const;

  private:
    Box grid_;
    Triple parts_;
};

/// The parts for so many ranks whose boxes have the least surface, of equal ones those along later axes.
/// Throws std::invalid_argument where none fits the grid.
Triple parts_for(const Box& grid, int ranks);

/// Which ghosts an exchange fills. A star's single step needs no more than those across the faces of a box.
enum class Ghosts { across_faces, all_around };

/// A box that one message carries, and the other rank.
struct Piece {
    int rank;
    Box box;
};

/// What a rank gets before it computes on all of its points with this reach: of every other rank at most one
/// piece. They may come from beyond its neighbours where those have fewer points than the reach.
std::vector<Piece> received(const Cut& cut, int rank, const Reach& reach, Ghosts ghosts);
/// What it sends, so that the others get theirs.
std::vector<Piece> sent(const Cut& cut, int rank, const Reach& reach, Ghosts ghosts);

}  // namespace gridmark::ranks
