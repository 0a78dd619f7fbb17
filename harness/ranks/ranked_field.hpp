#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/os/write_all.hpp"
#include "harness/ranks/ranked.hpp"
#include "kernels/random.hpp"

namespace gridmark::harness {

/// What a study's rank works on and is checked by.
template <class T>
struct RankedCase {
    std::unique_ptr<ranks::Part<T>> part;
    int components = 1;
    int steps;  ///< of a check: odd, and more than one exchange
    double tolerance;
    std::string against = "reference in double";  ///< what `reference` is
    /// After so many steps: each component at a window, axis 0 fastest.
    std::function<std::vector<std::vector<double>>(const ranks::Box& window)> reference;
};

/// Steps of a check: two whole exchanges and a part of one.
inline int checked_steps(int steps_per_exchange) {
    return 2 * steps_per_exchange + 1;
}

/// Where a rank's points are checked: all if they are few, else at the corners, which lie at every kind of
/// seam, and at a random place inside.
inline std::vector<ranks::Box> check_windows(const ranks::Box& own, std::uint64_t seed) {
    constexpr std::size_t few = 1 << 13;
    constexpr int side = 10;
    if (own.points() <= few) return {own};
    std::vector<ranks::Box> windows;
    for (int corner = 0; corner <= 8; ++corner) {
        ranks::Box window = own;
        for (int axis = 0; axis < ranks::axes; ++axis) {
            const int n = own.size(axis), width = std::min(side, n);
            const int random = static_cast<int>(unit_random(seed, axis) * (n - width + 1));
            const int from = corner == 8 ? random : (corner >> axis & 1) != 0 ? n - width : 0;
            window.low[axis] = own.low[axis] + from;
            window.high[axis] = window.low[axis] + width;
        }
        if (std::ranges::find(windows, window) == windows.end()) windows.push_back(window);
    }
    return windows;
}

/// A study's part and its steps, as the harness drives them.
template <class T>
class RankedField final : public Ranked {
  public:
    RankedField(const RankRequest& request, const ranks::Cut& cut, RankedCase<T> ranked_case)
        : transport_(request.transport),
          seed_(request.seed),
          steps_per_exchange_(request.steps_per_exchange),
          cut_(cut),
          case_(std::move(ranked_case)),
          stepping_(transport_, cut_, *case_.part, steps_per_exchange_) {}

    void start() override { case_.part->start(); }
    void steps(int count, ranks::Omit omit) override {
        stepping_.steps(count, omit);
        if (case_.part->device() != nullptr) case_.part->device()->synchronize();
    }
    Verification verify() override {
        start();
        steps(case_.steps, ranks::Omit::nothing);
        double error = 0, scale = 0;
        for (const ranks::Box& window : check_windows(own(), seed_)) {
            const auto wanted = case_.reference(window);
            std::vector<T> values(window.points());
            for (int c = 0; c < case_.components; ++c) {
                case_.part->read(c, window, values.data());
                for (std::size_t k = 0; k < values.size(); ++k) {
                    const double distance = std::abs(static_cast<double>(values[k]) - wanted[c][k]);
                    error = std::isfinite(distance) ? std::max(error, distance)
                                                    : std::numeric_limits<double>::max();
                    scale = std::max(scale, std::abs(wanted[c][k]));
                }
            }
        }
        return {case_.against + ", windows of every rank", transport_.most(error), case_.tolerance,
                case_.steps, transport_.most(scale)};
    }
    void write(const std::string& file) override {
        const int out = transport_.rank() == 0 ? ::open(file.c_str(), O_WRONLY | O_CLOEXEC) : -1;
        if (transport_.rank() == 0 && out < 0) throw std::system_error(errno, std::generic_category(), file);
        for (int c = 0; c < case_.components; ++c)
            for (int rank = 0; rank < cut_.ranks(); ++rank) {
                const ranks::Box box = cut_.own(rank);
                std::vector<T> values(rank == transport_.rank() || out >= 0 ? box.points() : 0);
                if (rank == transport_.rank()) case_.part->read(c, box, values.data());
                if (rank != 0 && out >= 0)
                    transport_.receive(rank, std::as_writable_bytes(std::span(values)));
                if (rank != 0 && rank == transport_.rank())
                    transport_.send(0, std::as_bytes(std::span(values)));
                transport_.finish();
                if (out >= 0) put_box(out, c, box, values);
            }
        if (out >= 0 && ::close(out) != 0) throw std::system_error(errno, std::generic_category(), file);
        transport_.most(0);
    }
    RankTraffic traffic() override {
        return {static_cast<double>(stepping_.bytes_sent()) / steps_per_exchange_,
                static_cast<double>(stepping_.messages_sent()) / steps_per_exchange_};
    }

  private:
    ranks::Box own() const { return cut_.own(transport_.rank()); }

    /// Writes a box's values to their places in the file, row by row.
    void put_box(int out, int component, const ranks::Box& box, const std::vector<T>& values) const {
        const ranks::Box& grid = cut_.grid();
        const std::size_t count = box.size(0);
        const T* row = values.data();
        for (int z = box.low[2]; z < box.high[2]; ++z)
            for (int y = box.low[1]; y < box.high[1]; ++y, row += count) {
                const std::size_t line =
                    (static_cast<std::size_t>(component) * grid.size(2) + (z - grid.low[2])) * grid.size(1) +
                    (y - grid.low[1]);
                const std::size_t at = line * grid.size(0) + (box.low[0] - grid.low[0]);
                const int error = write_all(out, row, count * sizeof(T), static_cast<off_t>(at * sizeof(T)));
                if (error != 0)
                    throw std::system_error(error, std::generic_category(), "cannot write the field");
            }
    }

    ranks::Transport& transport_;
    std::uint64_t seed_;
    int steps_per_exchange_;
    ranks::Cut cut_;
    RankedCase<T> case_;
    ranks::Stepping<T> stepping_;
};

}  // namespace gridmark::harness
