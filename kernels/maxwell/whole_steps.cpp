#include "kernels/maxwell/whole_steps.hpp"

#include <span>
#include <utility>

#include "kernels/maxwell/device_fields.hpp"

namespace gridmark::maxwell {
namespace {

/// Fields, and the incident wave ahead of them, as they are before or after a step.
template <class T>
struct State {
    DeviceFields<T> fields;
    launch::Buffer<T> wave;
    launch::Buffer<Drive> drive;

    Ahead<T> ahead(int n) {
        const std::size_t slots = n + 1;
        T* const w = wave.data();
        return {{{w, w + slots}, {w + 2 * slots, w + 3 * slots}, n}, drive.data()};
    }
};

template <class T>
class WholeSteps final : public Solver<T> {
  public:
    WholeSteps(launch::Device& device, const GpuVariant<T>& variant, const Problem& problem,
               const DeviceCoefficients<T>& coefficients)
        : device_(device), variant_(variant), index_(coefficients.index()) {
        coefficients.enter(arrays_);
        arrays_.dct = static_cast<T>(problem.dct);
        const Layout& l = arrays_.layout;
        ring_ = make_ring(l, l.planes());
        Incident<T> incident(problem);
        const Drive drive = incident.drive();
        incident.advance();
        const std::span<const T> wave(incident.wave().e[0], 4 * static_cast<std::size_t>(l.n[2] + 1));
        // The second state's wave is overwritten before it is read.
        for (State<T>* state : {&now_, &later_})
            *state = {{device, l}, {device, wave}, {device, std::span<const Drive>(&drive, 1)}};
    }

    /// Slots that no step writes must be the same in both sets.
    void set_plane(int component, int x, const T* values) override {
        now_.fields.set_plane(component, x, values);
        later_.fields.set_plane(component, x, values);
    }
    void get_plane(int component, int x, T* values) override { now_.fields.get_plane(component, x, values); }
    T value(int component, int x, int y, int z) override { return now_.fields.value(component, x, y, z); }

    void steps(int count) override {
        const int n = arrays_.layout.n[2];
        for (int step = 0; step < count; ++step) {
            Pass<T> pass{{0, arrays_.layout.n[0]}, ring_, arrays_, index_, {}, {}, now_.ahead(n),
                         later_.ahead(n)};
            now_.fields.enter(pass.now.e, pass.now.h);
            later_.fields.enter(pass.e, pass.h);
            variant_.step(device_.stream(), pass);
            std::swap(now_, later_);
        }
    }
    std::optional<launch::KernelInfo> kernel_info() const override { return variant_.info(arrays_.layout); }

  private:
    launch::Device& device_;
    const GpuVariant<T>& variant_;
    Arrays<T> arrays_{};
    Ring ring_{};
    const Indexed<T> index_;
    State<T> now_, later_;
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
