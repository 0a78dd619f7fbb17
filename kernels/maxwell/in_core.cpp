#include "kernels/maxwell/in_core.hpp"

#include <span>
#include <utility>

#include "kernels/launch/device.hpp"
#include "kernels/launch/streams.hpp"
#include "kernels/maxwell/host_solver.hpp"
#include "kernels/maxwell/solver.hpp"
#include "kernels/maxwell/whole_step.hpp"
#include "kernels/storage.hpp"

namespace gridmark::maxwell {
namespace {

template <class Values>
auto copy(launch::Device& device, const Values& values) {
    using Value = typename Values::value_type;
    return launch::Buffer<Value>(device, std::span<const Value>(values.data(), values.size()));
}

}  // namespace

template <class T>
DeviceCoefficients<T>::DeviceCoefficients(launch::Device& device, const Grid& grid, const Layout& layout)
    : layout_(layout) {
    for (int axis = 0; axis < 3; ++axis) {
        const auto inverse = inverse_spacings<T>(grid.nodes[axis]);
        half_[axis] = copy(device, inverse.half);
        node_[axis] = copy(device, inverse.node);
    }
}

template <class T>
DeviceCoefficients<T>::DeviceCoefficients(launch::Device& device, const Grid& grid, const Coefficients<T>& k)
    : DeviceCoefficients(device, grid, k.layout) {
    for (int c = 0; c < 3; ++c) {
        eps_[c] = copy(device, k.eps[c]);
        sigma_[c] = copy(device, k.sigma[c]);
        mu_[c] = copy(device, k.mu[c]);
    }
}

template <class T>
DeviceCoefficients<T>::DeviceCoefficients(launch::Device& device, const Grid& grid,
                                          const MaterialIndex<T>& index)
    : DeviceCoefficients(device, grid, index.layout) {
    number_ = copy(device, index.number);
    width_ = index.width;
    of_e_ = copy(device, index.of_e);
    of_h_ = copy(device, index.of_h);
}

template <class T>
DeviceCoefficients<T>::DeviceCoefficients(launch::Device& device, const Grid& grid,
                                          const CellMaterials<T>& cells)
    : DeviceCoefficients(device, grid, cells.layout) {
    cell_ = copy(device, cells.cell);
    layers_ = copy(device, cells.layers);
    for (int axis = 0; axis < 3; ++axis) {
        before_[axis] = copy(device, cells.before[axis]);
        behind_[axis] = copy(device, cells.behind[axis]);
    }
}

template <class T>
Indexed<T> DeviceCoefficients<T>::index() const {
    return {number_.data(), width_, of_e_.data(), of_h_.data(), static_cast<int>(of_e_.size())};
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
        arrays.cells.before[c] = before_[c].data();
        arrays.cells.behind[c] = behind_[c].data();
    }
    arrays.cells.layout = layout_;
    arrays.cells.cell = cell_.data();
    arrays.cells.layers = layers_.data();
}

namespace {

/// Six components on a device, 0 at first.
template <class T>
class DeviceFields {
  public:
    DeviceFields() = default;
    DeviceFields(launch::Device& device, const Layout& layout)
        : device_(&device), layout_(layout), padded_(layout.plane()) {
        for (launch::Buffer<T>& field : fields_) {
            field = launch::Buffer<T>(device, layout.size());
            device.fill_bytes(field.data(), 0, layout.size() * sizeof(T));
        }
    }

    void enter(Planes<T>& e, Planes<T>& h) {
        for (int c = 0; c < components; ++c)
            (c < 3 ? e : h).data[c % 3] = fields_[c].data();
    }
    void set_plane(int component, int x, const T* values) {
        store_plane(layout_, values, padded_.data());
        device_->upload(fields_[component].data() + x * layout_.plane(), padded_.data(),
                        padded_.size() * sizeof(T));
    }
    /// A plane of fields on the same device.
    void copy_plane(int component, int x, const DeviceFields& from) {
        const std::size_t at = x * layout_.plane();
        device_->copy(fields_[component].data() + at, from.fields_[component].data() + at,
                      layout_.plane() * sizeof(T));
    }
    void get_plane(int component, int x, T* values) const {
        device_->download(padded_.data(), fields_[component].data() + x * layout_.plane(),
                          padded_.size() * sizeof(T));
        load_plane(layout_, padded_.data(), values);
    }
    T value(int component, int x, int y, int z) const {
        T value;
        device_->download(
            &value,
            fields_[component].data() + x * layout_.plane() + static_cast<std::size_t>(y) * layout_.pitch + z,
            sizeof value);
        return value;
    }

  private:
    launch::Device* device_ = nullptr;
    Layout layout_{};
    launch::Buffer<T> fields_[components];
    mutable Storage<T> padded_;  ///< a plane on its way: thousands pass
};

/// A version of half steps: the current, the wave and the ghosts take launches of their own, or the CPU's
/// time.
template <class T>
class InCore final : public Solver<T> {
  public:
    InCore(launch::Device& device, const GpuVariant<T>& variant, const Problem& problem,
           const DeviceCoefficients<T>& coefficients, int threads)
        : device_(device),
          variant_(variant),
          threads_(threads),
          fields_(device, coefficients.layout()),
          incident_(problem) {
        coefficients.enter(arrays_);
        arrays_.dct = static_cast<T>(problem.dct);
        fields_.enter(arrays_.e, arrays_.h);
        const Layout& l = arrays_.layout;
        const std::size_t slots = l.n[2] + 1;
        wave_values_ = launch::Buffer<T>(device, 4 * slots);
        device.fill_bytes(wave_values_.data(), 0, 4 * slots * sizeof(T));
        T* const w = wave_values_.data();
        wave_ = {{w, w + slots}, {w + 2 * slots, w + 3 * slots}, l.n[2]};
        const Drive drive = incident_.drive();
        drive_ = launch::Buffer<Drive>(device, std::span<const Drive>(&drive, 1));
        if (variant.faces == Faces::host) {
            packed_ = launch::Buffer<T>(device, face_values(l));
            faces_.resize(face_values(l));
        }
        if (variant.advance_one != nullptr)
            for (int c = 0; c < 3; ++c) {
                lanes_.push_back(std::make_unique<launch::OwnedStream>(device));
                joined_.push_back(std::make_unique<launch::Event>(device));
            }
        forked_ = std::make_unique<launch::Event>(device);
    }

    void set_plane(int component, int x, const T* values) override {
        fields_.set_plane(component, x, values);
    }
    void get_plane(int component, int x, T* values) override { fields_.get_plane(component, x, values); }
    T value(int component, int x, int y, int z) override { return fields_.value(component, x, y, z); }

    void steps(int count) override {
        const launch::Stream s = device_.stream();
        for (int step = 0; step < count; ++step) {
            GRIDMARK_SELECT(s, add_current_gpu<T>)(s, arrays_, variant_.faces, drive_.data());
            advance(s, 0);
            advance(s, 3);
            if (variant_.faces == Faces::host) {
                set_ghosts_on_host(s);
                continue;
            }
            GRIDMARK_SELECT(s, advance_wave_gpu<T>)
            (s, wave_, drive_.data(), arrays_.half[2], arrays_.node[2], arrays_.dct);
            GRIDMARK_SELECT(s, set_ghosts_gpu<T>)(s, arrays_, variant_.faces, wave_);
        }
    }
    std::optional<launch::KernelInfo> kernel_info() const override { return variant_.info(arrays_.layout); }

  private:
    /// The half step of the field whose first component this is.
    void advance(launch::Stream s, int first) {
        const int nx = arrays_.layout.n[0];
        if (variant_.advance_one == nullptr)
            return (first == 0 ? variant_.advance_e : variant_.advance_h)(s, arrays_, 0, nx);
        forked_->set(s);
        for (int c = 0; c < 3; ++c) {
            forked_->hold(lanes_[c]->stream());
            variant_.advance_one(lanes_[c]->stream(), arrays_, first + c, 0, nx);
            joined_[c]->set(lanes_[c]->stream());
            joined_[c]->hold(s);
        }
    }

    /// The faces' E goes to the CPU, which has the wave, and comes back as ghosts.
    void set_ghosts_on_host(launch::Stream s) {
        incident_.advance();
        const Drive drive = incident_.drive();
        GRIDMARK_SELECT(s, pack_faces_gpu<T>)(s, arrays_, packed_.data());
        packed_.download(faces_);
        ghosts_of_faces(arrays_.layout, incident_.wave(), faces_.data(), threads_);
        packed_.upload(faces_);
        drive_.upload(std::span<const Drive>(&drive, 1));
        GRIDMARK_SELECT(s, unpack_faces_gpu<T>)(s, arrays_, packed_.data());
    }

    launch::Device& device_;
    const GpuVariant<T>& variant_;
    int threads_;
    DeviceFields<T> fields_;
    Arrays<T> arrays_{};
    Wave<T> wave_{};
    launch::Buffer<T> wave_values_;
    launch::Buffer<Drive> drive_;
    Incident<T> incident_;  ///< where the CPU sets the ghosts; else it stands at the first step
    launch::Buffer<T> packed_;
    std::vector<T> faces_;
    std::vector<std::unique_ptr<launch::OwnedStream>> lanes_;
    std::vector<std::unique_ptr<launch::Event>> joined_;
    std::unique_ptr<launch::Event> forked_;
};

/// A version that does a step in one launch; the fields twice, since they go to and fro.
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
        for (int k = 0; k < count; ++k) {
            WholeStep<T> step{{0, arrays_.layout.n[0]}, ring_, arrays_, index_, {}, {}, wave_.at(step_),
                              wave_.at(step_ + 1)};
            now_.enter(step.now.e, step.now.h);
            later_.enter(step.e, step.h);
            variant_.step(device_.stream(), step);
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
std::unique_ptr<DeviceCoefficients<T>> device_coefficients(launch::Device& device,
                                                           const GpuVariant<T>& variant,
                                                           const Problem& problem, const Body& body,
                                                           const Coefficients<T>& coefficients) {
    if (variant.looks_up)
        return std::make_unique<DeviceCoefficients<T>>(
            device, problem.grid, CellMaterials<T>(problem.grid, body, coefficients.layout));
    if (!variant.by_index) return std::make_unique<DeviceCoefficients<T>>(device, problem.grid, coefficients);
    return std::make_unique<DeviceCoefficients<T>>(
        device, problem.grid, index_materials(coefficients, static_cast<T>(problem.dct)));
}

template <class T>
std::size_t in_core_bytes(const Layout& l, const GpuVariant<T>& variant, const CoefficientSize& size) {
    const std::size_t sets = variant.step != nullptr ? 2 : 1;
    const std::size_t lines = 2 * (l.n[0] + l.n[1] + l.n[2]) + sets * 4 * (l.n[2] + 1);
    return l.size() * (sets * components * sizeof(T) + size.per_node) + size.tables + lines * sizeof(T) +
           sets * sizeof(Drive);
}

template <class T>
std::unique_ptr<Solver<T>> in_core(launch::Device& device, const GpuVariant<T>& variant,
                                   const Problem& problem, const DeviceCoefficients<T>& coefficients,
                                   int threads) {
    if (variant.step != nullptr)
        return std::make_unique<WholeSteps<T>>(device, variant, problem, coefficients);
    return std::make_unique<InCore<T>>(device, variant, problem, coefficients, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                                        \
    template std::size_t in_core_bytes(const Layout&, const GpuVariant<T>&, const CoefficientSize&);   \
    template class DeviceCoefficients<T>;                                                              \
    template std::unique_ptr<DeviceCoefficients<T>> device_coefficients(                               \
        launch::Device&, const GpuVariant<T>&, const Problem&, const Body&, const Coefficients<T>&);   \
    template std::unique_ptr<Solver<T>> in_core(launch::Device&, const GpuVariant<T>&, const Problem&, \
                                                const DeviceCoefficients<T>&, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell
