#include "kernels/maxwell/whole_steps.hpp"

#include <span>
#include <utility>

#include "kernels/maxwell/device_fields.hpp"

namespace gridmark::maxwell {
namespace {

/// The wave on the device a step ahead of its source.
template <class T>
class WaveAhead {
  public:
    WaveAhead(launch::Device& device, const Incident<T>& first_step, std::span<const T> values)
        : values_(device, values), drive_(device, std::span<const Drive>(&first_step.drive(), 1)) {}

  private:
    launch::Buffer<T> values_;
    launch::Buffer<Drive> drive_;
};

template <class T>
class WholeSteps final : public Solver<T> {
  public:
    WholeSteps(launch::Device& device, const GpuVariant<T>& variant, const Problem& problem,
               const DeviceCoefficients<T>& coefficients)
        : device_(device),
          variant_(variant),
          now_(device, coefficients.layout()),
          later_(device, coefficients.layout()) {
        coefficients.enter(arrays_);
        arrays_.dct = static_cast<T>(problem.dct);
        const std::size_t slots = coefficients.layout().n[2] + 1;
        Incident<T> incident(problem);
        const Drive drive = incident.drive();
        incident.advance();
        const T* const first = incident.wave().e[0];
        for (int k = 0; k < 2; ++k) {
            // The second one is overwritten before it is read.
            values_[k] = launch::Buffer<T>(device, std::span<const T>(first, 4 * slots));
            drives_[k] = launch::Buffer<Drive>(device, std::span<const Drive>(&drive, 1));
        }
        index_ = coefficients.index();
    }

    /// Slots that no step writes must be the same in both sets.
    void set_plane(int component, int x, const T* values) override {
        now_.set_plane(component, x, values);
        later_.set_plane(component, x, values);
    }
    void get_plane(int component, int x, T* values) override { now_.get_plane(component, x, values); }
    T value(int component, int x, int y, int z) override { return now_.value(component, x, y, z); }

    void steps(int count) override {
        for (int step = 0; step < count; ++step) {
            Pass<T> pass{};
            pass.now = arrays_;
            pass.index = index_;
            Planes<T> e, h;
            now_.enter(pass.now.e, pass.now.h);
            later_.enter(e, h);
            for (int c = 0; c < 3; ++c) {
                pass.e[c] = e.data[c];
                pass.h[c] = h.data[c];
            }
            pass.ahead = ahead(0);
            pass.further = ahead(1);
            variant_.step(device_.stream(), pass);
            std::swap(now_, later_);
            std::swap(values_[0], values_[1]);
            std::swap(drives_[0], drives_[1]);
        }
    }
    std::optional<launch::KernelInfo> kernel_info() const override { return variant_.info(arrays_.layout); }

  private:
    Ahead<T> ahead(int k) {
        const std::size_t slots = arrays_.layout.n[2] + 1;
        T* const w = values_[k].data();
        return {{{w, w + slots}, {w + 2 * slots, w + 3 * slots}, arrays_.layout.n[2]}, drives_[k].data()};
    }

    launch::Device& device_;
    const GpuVariant<T>& variant_;
    DeviceFields<T> now_, later_;
    Arrays<T> arrays_{};
    Indexed<T> index_{};
    launch::Buffer<T> values_[2];
    launch::Buffer<Drive> drives_[2];
};

}  // namespace

template <class T>
std::unique_ptr<Solver<T>> whole_steps(launch::Device& device, const GpuVariant<T>& variant,
                                       const Problem& problem, const DeviceCoefficients<T>& coefficients) {
    return std::make_unique<WholeSteps<T>>(device, variant, problem, coefficients);
}

template std::unique_ptr<Solver<float>> whole_steps(launch::Device&, const GpuVariant<float>&, const Problem&,
                                                    const DeviceCoefficients<float>&);
template std::unique_ptr<Solver<double>> whole_steps(launch::Device&, const GpuVariant<double>&,
                                                     const Problem&, const DeviceCoefficients<double>&);

}  // namespace gridmark::maxwell
