#include "kernels/heat/streamed.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/fitting.hpp"

namespace gridmark::heat {
namespace {

/// Arrays of the temperature: one is sent, two are stepped between, one is fetched. Of beta: one is sent.
constexpr std::size_t temperatures = 4, betas = 2;
/// Slabs of a skewed pass, at least where the grid has so many layers.
constexpr int many = 16;
/// Layers that a step needs of the slab before: two below the window, which itself moves down by two.
constexpr int seam = 2 * halo;

template <class T>
std::size_t plane_of(const Problem& p) {
    return static_cast<std::size_t>(line_layout(p, sizeof(T)).plane());
}

std::size_t beta_plane_of(const Problem& p) {
    return static_cast<std::size_t>(p.nx) * p.ny;
}

/// Values of an array of beta: the next one starts on a line, too.
template <class T>
std::size_t beta_values(const Problem& p, const Slabs& slabs) {
    constexpr std::size_t line = 128 / sizeof(T);
    return (slabs.most_stored() * beta_plane_of(p) + line - 1) / line * line;
}

std::size_t seam_layers(const Slabs& slabs) {
    return slabs.schedule == Schedule::skewed ? static_cast<std::size_t>(seam) * slabs.height : 0;
}

}  // namespace

Layers Slabs::at(int k, int t, int steps) const {
    const int wider = schedule == Schedule::pyramid ? halo * (steps - t) : 0,
              lower = schedule == Schedule::skewed ? halo * t : 0;
    const int begin = k == 0 ? 0 : k * depth - lower - wider,
              end = is_last(k) ? nz : (k + 1) * depth - lower + wider;
    return {std::clamp(begin, 0, nz), std::clamp(end, 0, nz)};
}

int Slabs::below() const {
    return halo * (height + steps_per_launch);
}

int Slabs::above() const {
    return schedule == Schedule::pyramid ? halo * (height + 1) : halo;
}

Layers Slabs::stored(int k) const {
    return {std::max(k * depth - below(), -halo), std::min((k + 1) * depth + above(), nz + halo)};
}

Layers Slabs::inside(int k) const {
    const Layers all = stored(k);
    return {std::max(all.begin, 0), std::min(all.end, nz)};
}

std::size_t Slabs::most_stored() const {
    return static_cast<std::size_t>(std::min(below() + depth + above(), nz + 2 * halo));
}

template <class T>
std::size_t device_values(const Problem& problem, const Slabs& slabs) {
    return (temperatures * slabs.most_stored() + seam_layers(slabs) + halo) * plane_of<T>(problem) +
           betas * beta_values<T>(problem, slabs);
}

template <class T>
Slabs slabs_for(const Problem& problem, Schedule schedule, int height, int steps_per_launch,
                std::size_t values) {
    const auto of_depth = [&](int depth) {
        return Slabs{schedule, problem.nz, depth, height, steps_per_launch};
    };
    if (const std::size_t least = device_values<T>(problem, of_depth(1)); least > values)
        throw std::invalid_argument("device_values " + std::to_string(values) + " hold no slab: passes of " +
                                    std::to_string(height) + " steps need at least " + std::to_string(least));
    // Two pyramids share 4 h layers, so the fewer the better. Of many skewed slabs the first one's way up and
    // the last one's way down, which nothing hides, are a small part.
    const int deepest = schedule == Schedule::pyramid ? problem.nz : (problem.nz + many - 1) / many;
    return of_depth(largest_that_fits(
        1, deepest, [&](int depth) { return device_values<T>(problem, of_depth(depth)) <= values; }));
}

template <class T>
Streamed<T>::Streamed(launch::Device& device, const GpuVariant<T>& variant, const Problem& problem,
                      const Slabs& slabs, std::span<const T> beta, T* memory)
    : problem_(problem),
      slabs_(slabs),
      variant_(variant),
      plane_(plane_of<T>(problem)),
      beta_plane_(beta_plane_of(problem)),
      beta_(beta),
      up_(device),
      compute_(device),
      down_(device),
      sent_(device),
      computed_(device) {
    const auto next = [&](std::size_t values) { return std::exchange(memory, memory + values); };
    const std::vector<T> outside(plane_, static_cast<T>(problem.boundary));
    // Kernels write the interior alone: what lies left, right, before and behind it stays for ever.
    const auto fill = [&](T* layers, std::size_t count) {
        for (std::size_t l = 0; l < count; ++l)
            device.upload(layers + l * plane_, outside.data(), plane_ * sizeof(T));
        return layers;
    };
    halo_ = fill(next(halo * plane_), halo);
    for (std::size_t i = 0; i < temperatures; ++i) {
        arrays_.emplace_back(device, fill(next(slabs.most_stored() * plane_), slabs.most_stored()));
        free_.push_back(&arrays_.back());
    }
    seams_ = next(seam_layers(slabs) * plane_);
    for (std::size_t i = 0; i < betas; ++i)
        beta_arrays_.emplace_back(device, next(beta_values<T>(problem, slabs)));
}

template <class T>
void Streamed<T>::pass(std::span<const T> now, std::span<T> next, int steps) {
    for (int k = 0; k < slabs_.count(); ++k) {
        Array& sent = take(up_);
        send(k, steps, now, sent);
        fetch(k, steps, step(k, steps, sent), next);
    }
    // Behind the last slab lie all others.
    computed_.set(down_.stream());
    computed_.wait();
}

template <class T>
void Streamed<T>::send(int k, int steps, std::span<const T> now, const Array& to) {
    const Layers own = slabs_.at(k, 0, steps);
    up_.upload(layer_of(to, k, own.begin),
               now.subspan(static_cast<std::size_t>(own.begin + halo) * plane_, own.count() * plane_));
    beta_of(k).is_free.hold(up_.stream());
    up_.upload(beta_layer(k, own.begin),
               beta_.subspan(static_cast<std::size_t>(own.begin) * beta_plane_, own.count() * beta_plane_));
    sent_.set(up_.stream());
}

template <class T>
typename Streamed<T>::Array& Streamed<T>::step(int k, int steps, Array& sent) {
    Array *now = &sent, *next = &take(compute_);
    sent_.hold(compute_.stream());
    set_halo(k, *now);
    set_halo(k, *next);
    if (slabs_.schedule == Schedule::skewed) carry_beta(k);
    for (int t = 0, made = 0; t < steps; t += made) {
        made = variant_.steps_per_launch.next(steps - t);
        if (slabs_.schedule == Schedule::skewed) exchange_seam(k, t, made, *now);
        if (const Layers out = slabs_.at(k, t + made, steps); out.count() > 0)
            launch_steps(k, out, made, *now, *next);
        std::swap(now, next);
    }
    if (slabs_.schedule == Schedule::pyramid || slabs_.is_last(k)) beta_of(k).is_free.set(compute_.stream());
    computed_.set(compute_.stream());
    give_back(*next, compute_);
    return *now;
}

template <class T>
void Streamed<T>::fetch(int k, int steps, Array& from, std::span<T> next) {
    const Layers own = slabs_.at(k, steps, steps);
    computed_.hold(down_.stream());
    down_.download(next.subspan(static_cast<std::size_t>(own.begin + halo) * plane_, own.count() * plane_),
                   static_cast<const T*>(layer_of(from, k, own.begin)));
    give_back(from, down_);
}

template <class T>
void Streamed<T>::set_halo(int k, const Array& array) {
    const Layers all = slabs_.stored(k);
    const Layers low{all.begin, 0}, high{slabs_.nz, all.end};
    compute_.copy(layer_of(array, k, low.begin), static_cast<const T*>(halo_), low.count() * plane_);
    compute_.copy(layer_of(array, k, high.begin), static_cast<const T*>(halo_), high.count() * plane_);
}

template <class T>
void Streamed<T>::carry_beta(int k) {
    if (k == 0) return;
    const Layers below{slabs_.inside(k).begin, slabs_.at(k, 0, 0).begin};
    compute_.copy(beta_layer(k, below.begin), static_cast<const T*>(beta_layer(k - 1, below.begin)),
                  below.count() * beta_plane_);
    beta_of(k - 1).is_free.set(compute_.stream());
}

template <class T>
void Streamed<T>::exchange_seam(int k, int t, int made, const Array& array) {
    T* const kept = seams_ + static_cast<std::size_t>(seam) * t * plane_;
    // The layers below a slab's window that its next launch reads; above the grid's own halo.
    const auto below = [&](int slab) {
        const int end = slab * slabs_.depth - halo * t;
        return Layers{std::max(end - seam * made, -halo), end};
    };
    if (const Layers own = below(k); k > 0 && own.end > 0)
        compute_.copy(layer_of(array, k, own.begin), static_cast<const T*>(kept), own.count() * plane_);
    if (const Layers other = below(k + 1); !slabs_.is_last(k) && other.end > 0)
        compute_.copy(kept, static_cast<const T*>(layer_of(array, k, other.begin)), other.count() * plane_);
}

template <class T>
void Streamed<T>::launch_steps(int k, Layers out, int made, const Array& now, const Array& next) {
    // Between two steps of a launch the kernel takes what lies outside its layers for fixed. So it gets as
    // many more as that spoils.
    const int more = halo * (made - 1);
    const Layers all{std::max(out.begin - more, 0), std::min(out.end + more, slabs_.nz)};
    Problem part = problem_;
    part.nz = static_cast<int>(all.count());
    variant_.step(compute_.stream(), part, BetaPath::load, {.array = beta_layer(k, all.begin)}, made,
                  layer_of(now, k, all.begin - halo), layer_of(next, k, all.begin - halo));
}

template <class T>
typename Streamed<T>::Array& Streamed<T>::take(launch::OwnedStream& stream) {
    Array& array = *free_.front();
    free_.pop_front();
    array.is_free.hold(stream.stream());
    return array;
}

template <class T>
void Streamed<T>::give_back(Array& array, launch::OwnedStream& stream) {
    array.is_free.set(stream.stream());
    free_.push_back(&array);
}

template <class T>
T* Streamed<T>::layer_of(const Array& array, int k, int layer) const {
    return array.values + static_cast<std::size_t>(layer - slabs_.stored(k).begin) * plane_;
}

template <class T>
T* Streamed<T>::beta_layer(int k, int layer) {
    return beta_of(k).values + static_cast<std::size_t>(layer - slabs_.inside(k).begin) * beta_plane_;
}

#define GRIDMARK_INSTANTIATE(T)                                                   \
    template std::size_t device_values<T>(const Problem&, const Slabs&);          \
    template Slabs slabs_for<T>(const Problem&, Schedule, int, int, std::size_t); \
    template class Streamed<T>;
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::heat
