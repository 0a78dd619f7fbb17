#include "kernels/maxwell/whole_steps.hpp"

#include <utility>

#include "kernels/maxwell/device_fields.hpp"
#include "kernels/maxwell/wave_states.hpp"

namespace gridmark::maxwell {
namespace {

template <class T>
class WholeSteps final : public Solver<T> {
  public:
    WholeSteps(launch::Device& device, const GpuVariant<T>& variant, const Problem& problem,
               const DeviceCoefficients<T>& coefficients)
        : device_(device), variant_(variant), index_(coefficients.index()), wave_(device, problem, 2) {
        coefficients.enter(arrays_);
        arrays_.dct = static_cast<T>(problem.dct);
        const Layout& l = arrays_.layout;
        ring_ = make_ring(l, l.planes());
        now_ = {device, l};
        later_ = {device, l};
    }

    /// Slots that no step writes must be the same in both sets.
    void set_plane(int component, int x, const T* values) override {
        now_.set_plane(component, x, values);
        later_.copy_plane(component, x, now_);
    }
    void get_plane(int component, int x, T* values) override { now_.get_plane(component, x, values); }
    T value(int component, int x, int y, int z) override { return now_.value(component, x, y, z); }

    void steps(int count) override {
        for (int step = 0; step < count; ++step) {
            Pass<T> pass{{0, arrays_.layout.n[0]}, ring_, arrays_, index_, {}, {}, wave_.at(step_),
                         wave_.at(step_ + 1)};
            now_.enter(pass.now.e, pass.now.h);
            later_.enter(pass.e, pass.h);
            variant_.step(device_.stream(), pass);
            std::swap(now_, later_);
            ++step_;
        }
    }
    std::optional<launch::KernelInfo> kernel_info() const override { return variant_.info(arrays_.layout); }

  private:
    launch::Device& device_;
    const GpuVariant<T>& variant_;
    Arrays<T> arrays_{};
    Ring ring_{};
    const Indexed<T> index_;
    DeviceFields<T> now_, later_;
    WaveStates<T> wave_;
    long step_ = 0;
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
