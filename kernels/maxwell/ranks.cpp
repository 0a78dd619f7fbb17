#include "kernels/maxwell/ranks.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "kernels/maxwell/cpu.hpp"
#include "kernels/maxwell/gpu.hpp"

namespace gridmark::maxwell {
namespace {

/// Of component c in the box the part of a row that a half step updates; `first`: first_e or first_h.
template <class T>
struct Updated {
    int begin, end;
    Updated(const BoxStep<T>& s, int (*first)(int, int), int c)
        : begin(std::max(s.box.low[0], first(c, 2))), end(std::min(s.box.high[0], s.n[2])) {}
    int count() const { return end - begin; }
};

/// Component c of E in row (x, y) of the box.
template <class T>
Row<T> e_row(const BoxStep<T>& s, int c, int x, int y) {
    const int p = next(c), q = before(c);
    const Updated<T> z(s, first_e, c);
    const int at[3] = {x, y, z.begin};
    const std::ptrdiff_t i = s.offset(at);
    return {s.e[c] + i,
            s.h[q] + i,
            s.h[q] + i + s.stride(p),
            s.h[p] + i,
            s.h[p] + i + s.stride(q),
            s.eps[c] + i,
            s.sigma[c] + i,
            s.half[2] + z.begin,
            p == 2 ? T(0) : s.half[p][at[p]],
            q == 2 ? T(0) : s.half[q][at[q]],
            s.dct,
            z.count()};
}

/// Component c of H.
template <class T>
Row<T> h_row(const BoxStep<T>& s, int c, int x, int y) {
    const int p = next(c), q = before(c);
    const Updated<T> z(s, first_h, c);
    const int at[3] = {x, y, z.begin};
    const std::ptrdiff_t i = s.offset(at);
    return {s.h[c] + i,
            s.e[q] + i - s.stride(p),
            s.e[q] + i,
            s.e[p] + i - s.stride(q),
            s.e[p] + i,
            s.mu[c] + i,
            nullptr,
            s.node[2] + z.begin,
            p == 2 ? T(0) : s.node[p][at[p]],
            q == 2 ? T(0) : s.node[q][at[q]],
            s.dct,
            z.count()};
}

/// Whether it updates any of row (x, y) of the box.
template <class T>
bool is_updated(const BoxStep<T>& s, int (*first)(int, int), int c, int x, int y) {
    return x >= first(c, 0) && x < s.n[0] && y >= first(c, 1) && y < s.n[1] &&
           Updated<T>(s, first, c).count() > 0;
}

/// Sets the ghosts of component c of H in row (x, y) of the box. Between a row's ends all values are of one
/// kind.
template <class T>
void set_ghosts(const BoxStep<T>& s, int c, int x, int y) {
    const auto of_one_kind = [&](int from, int to) {
        from = std::max(from, s.box.low[0]);
        to = std::min(to, s.box.high[0]);
        if (from >= to) return;
        const int axis = ghost_axis(s.n, c, {x, y, from});
        if (axis < 0) return;
        T* const row = s.h[c] + s.offset({x, y, from});
        for (int z = from; z < to; ++z)
            row[z - from] = ghost_at(s, c, axis, {x, y, z});
    };
    of_one_kind(0, 1);
    of_one_kind(1, s.n[2]);
    of_one_kind(s.n[2], s.n[2] + 1);
}

template <class T>
void advance_e_rows(const BoxStep<T>& s, int threads) {
    const auto row = widest_e_row<T>();
    const T added[3] = {static_cast<T>(current(*s.drive, 0)), static_cast<T>(current(*s.drive, 1)), 0};
#pragma omp parallel for num_threads(threads) schedule(static) collapse(2)
    for (int x = s.box.low[2]; x < s.box.high[2]; ++x)
        for (int y = s.box.low[1]; y < s.box.high[1]; ++y)
            for (int c = 0; c < 3; ++c) {
                if (!is_updated(s, first_e, c, x, y)) continue;
                const Row<T> r = e_row(s, c, x, y);
                // The current flows at z_min.
                if (c != 2 && s.box.low[0] == 0) *r.field += added[c];
                row(r, along(c));
            }
}

template <class T>
void advance_h_rows(const BoxStep<T>& s, int threads) {
    const auto row = widest_h_row<T>();
#pragma omp parallel for num_threads(threads) schedule(static) collapse(2)
    for (int x = s.box.low[2]; x < s.box.high[2]; ++x)
        for (int y = s.box.low[1]; y < s.box.high[1]; ++y)
            for (int c = 0; c < 3; ++c) {
                if (is_updated(s, first_h, c, x, y)) row(h_row(s, c, x, y), along(c));
                set_ghosts(s, c, x, y);
            }
}

/// Values where a part computes: the host's own, or a copy on its device.
template <class T>
class Placed {
  public:
    Placed(launch::Device* device, Storage<T> values) {
        if (device == nullptr)
            host_ = std::move(values);
        else
            on_device_ = launch::Buffer<T>(*device, std::span<const T>(values));
    }
    const T* data() const { return host_.empty() ? on_device_.data() : host_.data(); }

  private:
    Storage<T> host_;
    launch::Buffer<T> on_device_;
};

template <class T>
class MaxwellPart final : public ranks::Part<T> {
  public:
    MaxwellPart(launch::Device* device, const Problem& problem, const Body& body, const ranks::Box& stored,
                int threads, const StartValue& start)
        : device_(device), problem_(problem), threads_(threads), start_(start), incident_(problem) {
        step_.stored = stored;
        step_.dct = static_cast<T>(problem.dct);
        for (int c = 0; c < components; ++c)
            fields_.emplace_back(device, stored);
        for (int c = 0; c < 3; ++c) {
            step_.e[c] = fields_[c].field().values;
            step_.h[c] = fields_[3 + c].field().values;
        }
        place_coefficients(body);
        if (device == nullptr) return;
        wave_ = launch::Buffer<T>(*device, wave_values());
        drive_ = launch::Buffer<Drive>(*device, 1);
    }

    int stages() const override { return 2; }
    ranks::Reach reach(int stage) const override { return stage_reach(stage); }
    std::vector<ranks::Field<T>> reads(int stage) override { return fields(stage == 0 ? 3 : 0, 3); }
    std::vector<ranks::Field<T>> state() override { return fields(0, components); }
    launch::Device* device() override { return device_; }

    void start() override {
        for (int c = 0; c < components; ++c)
            fields_[c].fill(
                [&](int z, int y, int x) { return start_ ? static_cast<T>(start_(c, x, y, z)) : T(0); },
                threads_);
        start_wave();
    }

    void update(int stage, const ranks::Box& box) override {
        BoxStep<T> step = step_;
        step.box = box;
        if (box.empty()) return;
        if (device_ == nullptr)
            (stage == 0 ? advance_e_rows<T> : advance_h_rows<T>)(step, threads_);
        else if (const launch::Stream stream = device_->stream(); stage == 0)
            GRIDMARK_SELECT(stream, advance_e_box<T>)(stream, step);
        else
            GRIDMARK_SELECT(stream, advance_h_box<T>)(stream, step);
    }

    /// The current of a step is that before the wave's; the ghosts take the wave behind it.
    void done(int stage) override {
        if (stage != 0) return;
        if (device_ == nullptr) {
            incident_.advance();
            return;
        }
        const launch::Stream stream = device_->stream();
        GRIDMARK_SELECT(stream, advance_wave_gpu<T>)
        (stream, step_.wave, drive_.data(), step_.half[2], step_.node[2], step_.dct);
    }

    void read(int component, const ranks::Box& box, T* values) override {
        fields_[component].read(box, values);
    }

  private:
    std::vector<ranks::Field<T>> fields(int first, int count) {
        std::vector<ranks::Field<T>> all;
        for (int c = first; c < first + count; ++c)
            all.push_back(fields_[c].field());
        return all;
    }

    const T* place(Storage<T> values) {
        placed_.emplace_back(device_, std::move(values));
        return placed_.back().data();
    }
    void place_coefficients(const Body& body) {
        const ranks::Box& box = step_.stored;
        Averages<T> k = average<T>(
            problem_.grid, body,
            {{box.low[2], box.low[1], box.low[0]}, {box.high[2], box.high[1], box.high[0]}}, threads_);
        const auto stored = [](const std::vector<T>& v) { return Storage<T>(v.begin(), v.end()); };
        for (int c = 0; c < 3; ++c) {
            const auto inverse = inverse_spacings<T>(problem_.grid.nodes[c]);
            step_.n[c] = problem_.grid.n(c);
            step_.half[c] = place(stored(inverse.half));
            step_.node[c] = place(stored(inverse.node));
            step_.eps[c] = place(std::move(k.eps[c]));
            step_.sigma[c] = place(std::move(k.sigma[c]));
            step_.mu[c] = place(std::move(k.mu[c]));
        }
    }

    std::size_t wave_values() const { return 4 * static_cast<std::size_t>(step_.n[2] + 1); }
    void start_wave() {
        incident_ = Incident<T>(problem_);
        step_.wave = incident_.wave();
        step_.drive = &incident_.drive();
        if (device_ == nullptr) return;
        wave_.upload({step_.wave.e[0], wave_values()});
        drive_.upload({step_.drive, 1});
        T* const w = wave_.data();
        const std::ptrdiff_t slots = step_.n[2] + 1;
        step_.wave = {{w, w + slots}, {w + 2 * slots, w + 3 * slots}, step_.n[2]};
        step_.drive = drive_.data();
    }

    launch::Device* device_;
    Problem problem_;
    int threads_;
    StartValue start_;
    BoxStep<T> step_{};
    std::vector<ranks::Array<T>> fields_;
    std::vector<Placed<T>> placed_;
    Incident<T> incident_;    ///< on a device it stands at the start
    launch::Buffer<T> wave_;  ///< on a device
    launch::Buffer<Drive> drive_;
};

}  // namespace

ranks::Box grid_box(const Grid& grid) {
    return {{0, 0, 0}, {grid.n(2) + 1, grid.n(1) + 1, grid.n(0) + 1}};
}

ranks::Reach stage_reach(int stage) {
    return stage == 0 ? ranks::Reach{{0, 0, 0}, {1, 1, 1}} : ranks::Reach{{1, 1, 1}, {0, 0, 0}};
}

ranks::Reach step_reach() {
    return stage_reach(0) += stage_reach(1);
}

template <class T>
std::unique_ptr<ranks::Part<T>> cpu_part(const Problem& problem, const Body& body, const ranks::Box& stored,
                                         int threads, const StartValue& start) {
    return std::make_unique<MaxwellPart<T>>(nullptr, problem, body, stored, threads, start);
}

template <class T>
std::unique_ptr<ranks::Part<T>> gpu_part(launch::Device& device, const Problem& problem, const Body& body,
                                         const ranks::Box& stored, const StartValue& start) {
    return std::make_unique<MaxwellPart<T>>(&device, problem, body, stored, 1, start);
}

#define GRIDMARK_INSTANTIATE(T)                                                                            \
    template std::unique_ptr<ranks::Part<T>> cpu_part(const Problem&, const Body&, const ranks::Box&, int, \
                                                      const StartValue&);                                  \
    template std::unique_ptr<ranks::Part<T>> gpu_part(launch::Device&, const Problem&, const Body&,        \
                                                      const ranks::Box&, const StartValue&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::maxwell
