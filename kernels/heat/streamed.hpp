#pragma once

#include <cstddef>
#include <deque>
#include <span>

#include "kernels/heat/gpu.hpp"
#include "kernels/launch/streams.hpp"

/// A grid larger than the device. It lies in pinned host memory, and goes through the device in slabs along
/// z. A pass makes h steps, the height: each slab is sent once, stepped h times there, and fetched. A step
/// looks two layers ahead on either side, so h steps ask for 2 h layers more than they yield.
namespace gridmark::heat {

/// Where those layers come from.
enum class Schedule {
    /// The explicit pyramid: a slab takes 2 h layers of both neighbours along, and shrinks by two a side in
    /// each step. So neighbours compute 4 h layers twice, and send them twice. Source: the earlier work that
    /// Kochurov's paper on the implicit method cites as [4].
    pyramid,
    /// Time skewing: a slab's window lies two layers lower after each step. What the next slab needs of this
    /// one stays on the device, four layers of each step. Nothing is computed twice.
    skewed,
};

/// Layers begin ... end - 1 of the grid; -2, -1, nz and nz + 1 are its halo.
struct Layers {
    int begin, end;

    std::size_t count() const { return end > begin ? static_cast<std::size_t>(end - begin) : 0; }
};

/// How passes of at most `height` steps cut nz layers. `steps_per_launch` is the kernel's.
struct Slabs {
    Schedule schedule;
    int nz, depth, height, steps_per_launch;

    int count() const { return (nz + depth - 1) / depth; }
    bool is_last(int k) const { return k == count() - 1; }
    /// Slab k's layers after t of a pass's `steps` steps.
    Layers at(int k, int t, int steps) const;
    /// The layers of which slab k's arrays on the device have room, halo included.
    Layers stored(int k) const;
    /// The same without the halo: of beta.
    Layers inside(int k) const;
    /// What no slab's arrays exceed.
    std::size_t most_stored() const;

  private:
    int below() const;
    int above() const;
};

/// Values on the device that the slabs take: four arrays of the temperature, two of beta, the seams.
template <class T>
std::size_t device_values(const Problem& problem, const Slabs& slabs);

/// The deepest slabs that `values` on the device hold; skewed ones are at most a sixteenth of the grid.
/// Throws std::invalid_argument where not even one layer fits.
template <class T>
Slabs slabs_for(const Problem& problem, Schedule schedule, int height, int steps_per_launch,
                std::size_t values);

/// Passes over a grid. One slab is sent while another is stepped and a third one fetched.
template <class T>
class Streamed {
  public:
    /// `variant` stores the temperature in line_layout; `beta` is pinned, nx * ny * nz values; `memory` on
    /// the device holds device_values. All must outlive it.
    Streamed(launch::Device& device, const GpuVariant<T>& variant, const Problem& problem, const Slabs& slabs,
             std::span<const T> beta, T* memory);

    /// `next` is `steps` steps behind `now`: at most the slabs' height. Both are pinned and in line_layout.
    /// A skewed pass may work in place, a pyramid's may not.
    void pass(std::span<const T> now, std::span<T> next, int steps);
    /// What all passes moved over the link.
    launch::Moved moved() const { return {up_.moved().up, down_.moved().down}; }

  private:
    /// An array on the device, and the event behind which it may be overwritten.
    struct Array {
        Array(launch::Device& device, T* values) : values(values), is_free(device) {}
        T* values;
        launch::Event is_free;
    };

    void send(int k, int steps, std::span<const T> now, const Array& to);
    /// Returns the array with the result, behind which `computed_` is set.
    Array& step(int k, int steps, Array& sent);
    void fetch(int k, int steps, Array& from, std::span<T> next);

    void set_halo(int k, const Array& array);
    void carry_beta(int k);
    /// Completes slab k by what the one before it left there, and leaves the next one what it needs.
    void exchange_seam(int k, int t, int made, const Array& array);
    void launch_steps(int k, Layers out, int made, const Array& now, const Array& next);

    /// The next free array, for work that `stream` holds.
    Array& take(launch::OwnedStream& stream);
    void give_back(Array& array, launch::OwnedStream& stream);
    T* layer_of(const Array& array, int k, int layer) const;
    T* beta_layer(int k, int layer);
    Array& beta_of(int k) { return beta_arrays_[static_cast<std::size_t>(k) % beta_arrays_.size()]; }

    Problem problem_;
    Slabs slabs_;
    const GpuVariant<T>& variant_;
    std::size_t plane_, beta_plane_;
    std::span<const T> beta_;
    std::deque<Array> arrays_, beta_arrays_;
    std::deque<Array*> free_;
    T *seams_, *halo_;
    launch::OwnedStream up_, compute_, down_;
    launch::Event sent_, computed_;
};

}  // namespace gridmark::heat
