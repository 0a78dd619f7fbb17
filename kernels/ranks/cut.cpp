#include "kernels/ranks/cut.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace gridmark::ranks {

Box common(const Box& a, const Box& b) {
    Box both;
    for (int axis = 0; axis < axes; ++axis) {
        both.low[axis] = std::max(a.low[axis], b.low[axis]);
        both.high[axis] = std::min(a.high[axis], b.high[axis]);
    }
    return both;
}

Reach& Reach::operator+=(const Reach& other) {
    for (int axis = 0; axis < axes; ++axis) {
        below[axis] += other.below[axis];
        above[axis] += other.above[axis];
    }
    return *this;
}

Box grown(const Box& box, const Reach& reach) {
    Box larger = box;
    for (int axis = 0; axis < axes; ++axis) {
        larger.low[axis] -= reach.below[axis];
        larger.high[axis] += reach.above[axis];
    }
    return larger;
}

std::vector<Box> without(const Box& outer, const Box& inner) {
    if (outer.empty()) return {};
    if (inner.empty()) return {outer};
    std::vector<Box> boxes;
    Box left = outer;
    for (int axis = axes - 1; axis >= 0; --axis) {
        Box low = left, high = left;
        low.high[axis] = left.low[axis] = inner.low[axis];
        high.low[axis] = left.high[axis] = inner.high[axis];
        if (!low.empty()) boxes.push_back(low);
        if (!high.empty()) boxes.push_back(high);
    }
    return boxes;
}

std::vector<Box> slices(const Box& box, int count) {
    if (box.empty()) return {};
    int axis = axes - 1;
    while (axis > 0 && box.size(axis) == 1)
        --axis;
    const int n = box.size(axis), parts = std::min(count, n);
    std::vector<Box> boxes;
    for (int k = 0; k < parts; ++k) {
        boxes.push_back(box);
        boxes.back().low[axis] = box.low[axis] + static_cast<int>(static_cast<long long>(n) * k / parts);
        boxes.back().high[axis] =
            box.low[axis] + static_cast<int>(static_cast<long long>(n) * (k + 1) / parts);
    }
    return boxes;
}

Cut::Cut(const Box& grid, const Triple& parts) : grid_(grid), parts_(parts) {
    for (int axis = 0; axis < axes; ++axis)
        if (parts[axis] < 1 || parts[axis] > grid.size(axis))
            throw std::invalid_argument(std::to_string(grid.size(axis)) + " points cannot be cut into " +
                                        std::to_string(parts[axis]) + " parts");
}

Box Cut::own(int rank) const {
    Box box;
    for (int axis = 0; axis < axes; ++axis) {
        const long long n = grid_.size(axis), parts = parts_[axis], at = rank % parts_[axis];
        box.low[axis] = grid_.low[axis] + static_cast<int>(n * at / parts);
        box.high[axis] = grid_.low[axis] + static_cast<int>(n * (at + 1) / parts);
        rank /= parts_[axis];
    }
    return box;
}

Triple parts_for(const Box& grid, int ranks) {
    Triple best{};
    double least = 0;
    for (int x = 1; x <= ranks; ++x)
        for (int y = 1; x * y <= ranks; ++y) {
            const Triple parts{x, y, ranks / (x * y)};
            if (x * y * parts[2] != ranks || x > grid.size(0) || y > grid.size(1) || parts[2] > grid.size(2))
                continue;
            // Points on all seams.
            double seams = 0;
            for (int axis = 0; axis < axes; ++axis)
                seams += (parts[axis] - 1.0) * static_cast<double>(grid.points()) / grid.size(axis);
            if (best[0] == 0 || seams < least) {
                best = parts;
                least = seams;
            }
        }
    if (best[0] == 0)
        throw std::invalid_argument("a grid of " + std::to_string(grid.size(0)) + " x " +
                                    std::to_string(grid.size(1)) + " x " + std::to_string(grid.size(2)) +
                                    " points cannot be cut among " + std::to_string(ranks) + " ranks");
    return best;
}

namespace {

/// What of `owner`'s points `reader` needs; empty if nothing.
Box needed(const Box& owner, const Box& reader, const Reach& reach, Ghosts ghosts) {
    if (ghosts == Ghosts::all_around) return common(owner, grown(reader, reach));
    for (int axis = 0; axis < axes; ++axis) {
        Reach along;
        along.below[axis] = reach.below[axis];
        along.above[axis] = reach.above[axis];
        if (const Box box = common(owner, grown(reader, along)); !box.empty()) return box;
    }
    return {};
}

}  // namespace

std::vector<Piece> received(const Cut& cut, int rank, const Reach& reach, Ghosts ghosts) {
    std::vector<Piece> pieces;
    for (int other = 0; other < cut.ranks(); ++other)
        if (other != rank)
            if (const Box box = needed(cut.own(other), cut.own(rank), reach, ghosts); !box.empty())
                pieces.push_back({other, box});
    return pieces;
}

std::vector<Piece> sent(const Cut& cut, int rank, const Reach& reach, Ghosts ghosts) {
    std::vector<Piece> pieces;
    for (int other = 0; other < cut.ranks(); ++other)
        if (other != rank)
            if (const Box box = needed(cut.own(rank), cut.own(other), reach, ghosts); !box.empty())
                pieces.push_back({other, box});
    return pieces;
}

}  // namespace gridmark::ranks
