#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "harness/stepper.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/storage.hpp"

/// Steppers of versions that step from one field into another.
namespace gridmark::harness {

/// How a version stores the field that start() takes and read() gives; null: as it is.
template <class T>
struct Storing {
    std::function<void(std::span<const T> field, T* stored)> put = {};
    std::function<void(const T* stored, std::span<T> field)> get = {};
};

/// A version on a device.
template <class T>
struct DeviceVersion {
    launch::Device& device;
    std::size_t values;  ///< of a stored field
    launch::StepsPerLaunch steps_per_launch = {};
    /// Launches so many steps.
    std::function<void(int steps, const T* now, T* next, unsigned char* scratch)> launch;
    std::size_t scratch_bytes = 0;  ///< which are zero at the start
    Storing<T> storing = {};
    std::function<void()> select = {};  ///< Stepper::select
    std::function<std::optional<launch::KernelInfo>()> info = {};
};

/// A version on the host.
template <class T>
struct HostVersion {
    std::size_t values;  ///< of a stored field
    /// Makes so many steps; it exchanges the pointers where the answer is at `next`.
    std::function<void(int count, T*& now, T*& next, T* scratch)> steps;
    std::size_t scratch_fields = 0;  ///< which are `target` at the start
    Storing<T> storing = {};
    int steps_per_launch = 1;
};

/// HostVersion::steps of a function step(now, next).
template <class T, class Step>
std::function<void(int, T*&, T*&, T*)> one_by_one(Step step) {
    return [step = std::move(step)](int count, T*& now, T*& next, T*) {
        for (; count > 0; --count, std::swap(now, next))
            step(now, next);
    };
}

template <class T>
class DeviceStepper final : public Stepper<T> {
  public:
    explicit DeviceStepper(DeviceVersion<T> version)
        : version_(std::move(version)),
          now_(version_.device, version_.values),
          next_(version_.device, version_.values),
          scratch_(version_.device, version_.scratch_bytes) {}

    void start(std::span<const T> field, std::span<const T> target) override {
        upload(field, now_);
        upload(target, next_);
        if (scratch_.size() > 0) version_.device.fill_bytes(scratch_.data(), 0, scratch_.size());
        select();
    }

    void steps(int count) override {
        while (count > 0) {
            const int made = version_.steps_per_launch.next(count);
            version_.launch(made, now_.data(), next_.data(), scratch_.data());
            now_.swap(next_);
            count -= made;
        }
    }

    int steps_per_launch() const override { return version_.steps_per_launch.most; }

    void read(std::span<T> field) override {
        if (!version_.storing.get) return now_.download(field);
        Storage<T> stored(now_.size());
        now_.download(stored);
        version_.storing.get(stored.data(), field);
    }

    void select() override {
        if (version_.select) version_.select();
    }

    std::optional<launch::KernelInfo> kernel_info() const override {
        return version_.info ? version_.info() : std::nullopt;
    }

  private:
    void upload(std::span<const T> field, launch::Buffer<T>& to) const {
        if (!version_.storing.put) return to.upload(field);
        Storage<T> stored(to.size());
        version_.storing.put(field, stored.data());
        to.upload(stored);
    }

    DeviceVersion<T> version_;
    launch::Buffer<T> now_, next_;
    launch::Buffer<unsigned char> scratch_;
};

template <class T>
class HostStepper final : public Stepper<T> {
  public:
    explicit HostStepper(HostVersion<T> version)
        : version_(std::move(version)),
          fields_{Storage<T>(version_.values), Storage<T>(version_.values)},
          scratch_(version_.values * version_.scratch_fields),
          now_(fields_[0].data()),
          next_(fields_[1].data()) {}

    void start(std::span<const T> field, std::span<const T> target) override {
        put(field, now_);
        put(target, next_);
        for (std::size_t at = 0; at < scratch_.size(); at += version_.values)
            put(target, scratch_.data() + at);
    }

    void steps(int count) override { version_.steps(count, now_, next_, scratch_.data()); }

    int steps_per_launch() const override { return version_.steps_per_launch; }

    void read(std::span<T> field) override {
        if (version_.storing.get)
            version_.storing.get(now_, field);
        else
            std::copy(now_, now_ + version_.values, field.begin());
    }

  private:
    void put(std::span<const T> field, T* stored) const {
        if (version_.storing.put)
            version_.storing.put(field, stored);
        else
            std::ranges::copy(field, stored);
    }

    HostVersion<T> version_;
    Storage<T> fields_[2], scratch_;
    T *now_, *next_;
};

template <class T>
std::unique_ptr<Stepper<T>> device_stepper(DeviceVersion<T> version) {
    return std::make_unique<DeviceStepper<T>>(std::move(version));
}

template <class T>
std::unique_ptr<Stepper<T>> host_stepper(HostVersion<T> version) {
    return std::make_unique<HostStepper<T>>(std::move(version));
}

}  // namespace gridmark::harness
