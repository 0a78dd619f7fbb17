#include "kernels/maxwell/pinned.hpp"

#include <algorithm>

namespace gridmark::maxwell {
namespace {

template <class Value>
std::unique_ptr<launch::Pinned<Value>> pinned_copy(launch::Device& device, const Layout& layout,
                                                   const Storage<Value>& array, int threads) {
    auto copy = std::make_unique<launch::Pinned<Value>>(device, array.size());
    Value* const to = copy->span().data();
    const auto planes = static_cast<std::ptrdiff_t>(layout.planes()),
               plane = static_cast<std::ptrdiff_t>(layout.plane());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::ptrdiff_t x = 0; x < planes; ++x)
        std::copy_n(array.data() + x * plane, plane, to + x * plane);
    return copy;
}

}  // namespace

template <class T>
PinnedFields<T>::PinnedFields(launch::Device& device, const Layout& layout, int threads) {
    for (int c = 0; c < components; ++c) {
        arrays_.push_back(std::make_unique<launch::Pinned<T>>(device, layout.size()));
        data[c] = arrays_.back()->span().data();
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int x = 0; x < layout.planes(); ++x)
            std::fill_n(data[c] + x * layout.plane(), layout.plane(), T(0));
    }
}

template <class T>
PinnedCoefficients<T>::PinnedCoefficients(launch::Device& device, const Coefficients<T>& k, int threads) {
    for (const auto* arrays : {&k.eps, &k.sigma, &k.mu})
        for (const Storage<T>& array : *arrays)
            arrays_.push_back(pinned_copy(device, k.layout, array, threads));
}

template <class T>
PinnedCoefficients<T>::PinnedCoefficients(launch::Device& device, const MaterialIndex<T>& index, int threads)
    : number_(pinned_copy(device, index.layout, index.number, threads)),
      of_e_(index.of_e),
      of_h_(index.of_h) {}

template <class T>
void PinnedCoefficients<T>::enter(Arrays<T>& arrays) const {
    if (arrays_.empty()) return;
    for (int c = 0; c < 3; ++c) {
        arrays.eps.data[c] = arrays_[c]->span().data();
        arrays.sigma.data[c] = arrays_[3 + c]->span().data();
        arrays.mu.data[c] = arrays_[6 + c]->span().data();
    }
}

template <class T>
Indexed<T> PinnedCoefficients<T>::index() const {
    if (number_ == nullptr) return {};
    return {number_->span().data(), of_e_.data(), of_h_.data(), static_cast<int>(of_e_.size())};
}

template <class T>
std::unique_ptr<PinnedCoefficients<T>> pinned_coefficients(launch::Device& device,
                                                           const GpuVariant<T>& variant,
                                                           const Problem& problem,
                                                           const Coefficients<T>& coefficients, int threads) {
    if (!variant.by_index) return std::make_unique<PinnedCoefficients<T>>(device, coefficients, threads);
    return std::make_unique<PinnedCoefficients<T>>(
        device, index_materials(coefficients, static_cast<T>(problem.dct)), threads);
}

template class PinnedFields<float>;
template class PinnedFields<double>;
template class PinnedCoefficients<float>;
template class PinnedCoefficients<double>;
template std::unique_ptr<PinnedCoefficients<float>> pinned_coefficients(launch::Device&,
                                                                        const GpuVariant<float>&,
                                                                        const Problem&,
                                                                        const Coefficients<float>&, int);
template std::unique_ptr<PinnedCoefficients<double>> pinned_coefficients(launch::Device&,
                                                                         const GpuVariant<double>&,
                                                                         const Problem&,
                                                                         const Coefficients<double>&, int);

}  // namespace gridmark::maxwell
