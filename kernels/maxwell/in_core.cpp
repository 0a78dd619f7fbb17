#include "kernels/maxwell/in_core.hpp"

#include <span>

#include "kernels/maxwell/stored.hpp"

namespace gridmark::maxwell {

template <class T>
DeviceCoefficients<T>::DeviceCoefficients(launch::Device& device, const Grid& grid, const Coefficients<T>& k)
    : layout_(k.layout) {
    const auto copy = [&](const auto& values) {
        return launch::Buffer<T>(device, std::span<const T>(values.data(), values.size()));
    };
    for (int c = 0; c < 3; ++c) {
        eps_[c] = copy(k.eps[c]);
        sigma_[c] = copy(k.sigma[c]);
        mu_[c] = copy(k.mu[c]);
        const auto inverse = inverse_spacings<T>(grid.nodes[c]);
        half_[c] = copy(inverse.half);
        node_[c] = copy(inverse.node);
    }
}

template <class T>
void DeviceCoefficients<T>::enter(Arrays<T>& arrays) const {
    arrays.layout = layout_;
    for (int c = 0; c < 3; ++c) {
        arrays.eps.data[c] = eps_[c].data();
        arrays.sigma.data[c] = sigma_[c].data();
        arrays.mu.data[c] = mu_[c].data();
        arrays.half[c] = half_[c].data();
        arrays.node[c] = node_[c].data();
    }
}

namespace {

template <class T>
class InCore final : public Solver<T> {
  public:
    InCore(launch::Device& device, const GpuVariant<T>& variant, const Problem& problem,
           const DeviceCoefficients<T>& coefficients)
        : device_(device), variant_(variant) {
        coefficients.enter(arrays_);
        arrays_.dct = static_cast<T>(problem.dct);
        const Layout& l = arrays_.layout;
        for (int c = 0; c < components; ++c) {
            fields_[c] = launch::Buffer<T>(device, l.size());
            device.fill_bytes(fields_[c].data(), 0, l.size() * sizeof(T));
            (c < 3 ? arrays_.e : arrays_.h).data[c % 3] = fields_[c].data();
        }
        const std::size_t slots = l.n[2] + 1;
        wave_values_ = launch::Buffer<T>(device, 4 * slots);
        device.fill_bytes(wave_values_.data(), 0, 4 * slots * sizeof(T));
        T* const w = wave_values_.data();
        wave_ = {{w, w + slots}, {w + 2 * slots, w + 3 * slots}, l.n[2]};
        const Drive drive = start(problem.source, problem.dct, 1 / half_distance(problem.grid.nodes[2], 0));
        drive_ = launch::Buffer<Drive>(device, std::span<const Drive>(&drive, 1));
    }

    void set_plane(int component, int x, const T* values) override {
        const Layout& l = arrays_.layout;
        std::vector<T> padded(l.plane());
        store_plane(l, values, padded.data());
        device_.upload(fields_[component].data() + x * l.plane(), padded.data(), padded.size() * sizeof(T));
    }
    void get_plane(int component, int x, T* values) override {
        const Layout& l = arrays_.layout;
        std::vector<T> padded(l.plane());
        device_.download(padded.data(), fields_[component].data() + x * l.plane(), padded.size() * sizeof(T));
        load_plane(l, padded.data(), values);
    }
    T value(int component, int x, int y, int z) override {
        const Planes<T>& field = component < 3 ? arrays_.e : arrays_.h;
        T value;
        device_.download(&value, field.row(arrays_.layout, component % 3, x, y) + z, sizeof value);
        return value;
    }

    void steps(int count) override {
        const launch::Stream s = device_.stream();
        const int nx = arrays_.layout.n[0];
        for (int step = 0; step < count; ++step) {
            GRIDMARK_SELECT(s, add_current_gpu<T>)(s, arrays_, drive_.data());
            variant_.advance_e(s, arrays_, 0, nx);
            variant_.advance_h(s, arrays_, 0, nx);
            GRIDMARK_SELECT(s, advance_wave_gpu<T>)
            (s, wave_, drive_.data(), arrays_.half[2], arrays_.node[2], arrays_.dct);
            GRIDMARK_SELECT(s, set_ghosts_gpu<T>)(s, arrays_, wave_);
        }
    }
    std::optional<launch::KernelInfo> kernel_info() const override { return variant_.info(arrays_.layout); }

  private:
    launch::Device& device_;
    const GpuVariant<T>& variant_;
    Arrays<T> arrays_{};
    Wave<T> wave_{};
    launch::Buffer<T> fields_[components], wave_values_;
    launch::Buffer<Drive> drive_;
};

}  // namespace

template <class T>
std::unique_ptr<Solver<T>> in_core(launch::Device& device, const GpuVariant<T>& variant,
                                   const Problem& problem, const DeviceCoefficients<T>& coefficients) {
    return std::make_unique<InCore<T>>(device, variant, problem, coefficients);
}

#define GRIDMARK_INSTANTIATE(T)                                                                        \
    template class DeviceCoefficients<T>;                                                              \
    template std::unique_ptr<Solver<T>> in_core(launch::Device&, const GpuVariant<T>&, const Problem&, \
                                                const DeviceCoefficients<T>&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell
