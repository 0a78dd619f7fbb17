#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "kernels/launch/device.hpp"
#include "kernels/ranks/cut.hpp"
#include "kernels/storage.hpp"

namespace gridmark::ranks {

/// Values of a box of points, in the host's memory or on a device.
template <class T>
struct Field {
    T* values;   ///< of point stored.low
    Box stored;  ///< points that it has
    std::ptrdiff_t stride[axes];

    constexpr T* at(int x, int y, int z) const {
        return values + (x - stored.low[0]) * stride[0] + (y - stored.low[1]) * stride[1] +
               (z - stored.low[2]) * stride[2];
    }
};

/// The memory of a field: its points in C order, axis 0 fastest, in the host's memory or on a device.
template <class T>
class Array {
  public:
    /// Uninitialised. `device` null: in the host's memory. Throws launch::OutOfMemory.
    Array(launch::Device* device, const Box& stored) : device_(device), stored_(stored) {
        if (device == nullptr)
            host_.resize(stored.points());
        else
            on_device_ = launch::Buffer<T>(*device, stored.points());
    }

    Field<T> field() {
        const std::ptrdiff_t row = stored_.size(0);
        return {
            device_ == nullptr ? host_.data() : on_device_.data(), stored_, {1, row, row * stored_.size(1)}};
    }
    /// Sets every value to value(x, y, z), each plane by the thread that will work on it.
    template <class Value>
    void fill(const Value& value, [[maybe_unused]] int threads) {
        Storage<T> staged;
        if (device_ != nullptr) staged.resize(stored_.points());
        T* const values = device_ == nullptr ? host_.data() : staged.data();
        const std::ptrdiff_t row = stored_.size(0), rows = row == 0 ? 0 : stored_.points() / row;
#if defined(_OPENMP)  // nvcc compiles this header, too, and without
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
        for (std::ptrdiff_t r = 0; r < rows; ++r)
            for (std::ptrdiff_t i = 0; i < row; ++i)
                values[r * row + i] = value(stored_.low[0] + static_cast<int>(i),
                                            stored_.low[1] + static_cast<int>(r % stored_.size(1)),
                                            stored_.low[2] + static_cast<int>(r / stored_.size(1)));
        if (device_ != nullptr) on_device_.upload(staged);
    }
    /// Copies a box, which it must hold, into `values` in C order; waits for the device.
    void read(const Box& box, T* values) {
        const Field<T> stored = field();
        const std::size_t row = box.size(0);
        for (int z = box.low[2]; z < box.high[2]; ++z)
            for (int y = box.low[1]; y < box.high[1]; ++y, values += row) {
                const T* const from = stored.at(box.low[0], y, z);
                if (device_ == nullptr)
                    std::copy_n(from, row, values);
                else
                    device_->download(values, from, row * sizeof(T));
            }
    }
    void swap(Array& other) noexcept {
        std::swap(stored_, other.stored_);
        host_.swap(other.host_);
        on_device_.swap(other.on_device_);
    }

  private:
    launch::Device* device_;
    Box stored_;
    Storage<T> host_;
    launch::Buffer<T> on_device_;
};

/// What one rank computes: a study's time step on boxes of the grid. A step has one stage or several, each of
/// which updates some fields from others; a stage reads no other points than those along the axes.
template <class T>
class Part {
  public:
    virtual ~Part() = default;
    virtual int stages() const { return 1; }
    /// How far a stage looks in the fields that it reads.
    virtual Reach reach(int stage) const = 0;
    /// Those fields, as they lie now.
    virtual std::vector<Field<T>> reads(int stage) = 0;
    /// All fields that a step needs of the one before, as they lie now.
    virtual std::vector<Field<T>> state() = 0;
    /// Does a stage on a box, or puts it into the device's stream. The boxes of one stage do not overlap.
    virtual void update(int stage, const Box& box) = 0;
    /// A stage is done on all boxes: what it wrote is what the next one reads.
    virtual void done(int stage) = 0;
    /// Where the fields lie, and whose stream holds the updates; null: in the host's memory.
    virtual launch::Device* device() { return nullptr; }

    /// Sets the start on all stored points, ghosts included.
    virtual void start() = 0;
    /// Copies a component of the state at a box of stored points into `values`, axis 0 fastest.
    virtual void read(int component, const Box& box, T* values) = 0;
};

/// A part whose step has one stage, from one buffer of its only field into another.
template <class T>
class TwoBuffers : public Part<T> {
  public:
    TwoBuffers(launch::Device* device, const Box& stored, const Reach& reach)
        : device_(device), reach_(reach), now_(device, stored), next_(device, stored) {}

    Reach reach(int) const override { return reach_; }
    std::vector<Field<T>> reads(int) override { return state(); }
    std::vector<Field<T>> state() override { return {now_.field()}; }
    void done(int) override { now_.swap(next_); }
    launch::Device* device() override { return device_; }
    void read(int, const Box& box, T* values) override { now_.read(box, values); }

  protected:
    launch::Device* device_;
    Reach reach_;
    Array<T> now_, next_;
};

/// A step's reach: that of all its stages together.
template <class T>
Reach step_reach(const Part<T>& part) {
    Reach all;
    for (int stage = 0; stage < part.stages(); ++stage)
        all += part.reach(stage);
    return all;
}

}  // namespace gridmark::ranks
