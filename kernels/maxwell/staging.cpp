#include "kernels/maxwell/staging.hpp"

#include <algorithm>

namespace gridmark::maxwell {
namespace {

template <class Value>
std::unique_ptr<launch::Pinned<Value>> pinned_copy(launch::Device& device, const Layout& layout,
                                                   const Storage<Value>& array, int threads) {
    auto copy = std::make_unique<launch::Pinned<Value>>(device, array.size());
    Value* const to = copy->span().data();
    const auto planes = static_cast<std::ptrdiff_t>(layout.planes()),
               plane = static_cast<std::ptrdiff_t>(array.size()) / planes;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::ptrdiff_t x = 0; x < planes; ++x)
        std::copy_n(array.data() + x * plane, plane, to + x * plane);
    return copy;
}

}  // namespace

template <class T>
StreamedFields<T>::StreamedFields(launch::Device& device, const Layout& layout, int threads,
                                  HostMemory memory) {
    if (memory == HostMemory::pageable) {
        pageable_ = std::make_unique<OwnFields<T>>(layout, threads);
        data = pageable_->data;
        return;
    }
    for (int c = 0; c < components; ++c) {
        arrays_.push_back(std::make_unique<launch::Pinned<T>>(device, layout.size()));
        data[c] = arrays_.back()->span().data();
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int x = 0; x < layout.planes(); ++x)
            std::fill_n(data[c] + x * layout.plane(), layout.plane(), T(0));
    }
}

template <class T>
StreamedCoefficients<T>::StreamedCoefficients(launch::Device& device, const Coefficients<T>& k, int threads) {
    for (const auto* arrays : {&k.eps, &k.sigma, &k.mu})
        for (const Storage<T>& array : *arrays)
            arrays_.push_back(pinned_copy(device, k.layout, array, threads));
}

template <class T>
StreamedCoefficients<T>::StreamedCoefficients(launch::Device& device, const MaterialIndex<T>& index,
                                              int threads)
    : number_(pinned_copy(device, index.layout, index.number, threads)),
      width_(index.width),
      of_e_(index.of_e),
      of_h_(index.of_h) {}

template <class T>
void StreamedCoefficients<T>::enter(Arrays<T>& arrays) const {
    if (pageable_ != nullptr) {
        arrays.eps = pageable_->planes(pageable_->eps);
        arrays.sigma = pageable_->planes(pageable_->sigma);
        arrays.mu = pageable_->planes(pageable_->mu);
    }
    if (arrays_.empty()) return;
    for (int c = 0; c < 3; ++c) {
        arrays.eps.data[c] = arrays_[c]->span().data();
        arrays.sigma.data[c] = arrays_[3 + c]->span().data();
        arrays.mu.data[c] = arrays_[6 + c]->span().data();
    }
}

template <class T>
Indexed<T> StreamedCoefficients<T>::index() const {
    if (number_ == nullptr) return {};
    return {number_->span().data(), width_, of_e_.data(), of_h_.data(), static_cast<int>(of_e_.size())};
}

template <class T>
CoefficientSize StreamedCoefficients<T>::size() const {
    if (number_ == nullptr) return usual_coefficients<T>(false);
    return {static_cast<std::size_t>(width_), table_bytes<T>(of_e_.size())};
}

template <class T>
std::unique_ptr<StreamedCoefficients<T>> streamed_coefficients(launch::Device& device,
                                                               const GpuVariant<T>& variant,
                                                               const Problem& problem,
                                                               const Coefficients<T>& coefficients,
                                                               int threads) {
    if (!variant.by_index) return std::make_unique<StreamedCoefficients<T>>(device, coefficients, threads);
    return std::make_unique<StreamedCoefficients<T>>(
        device, index_materials(coefficients, static_cast<T>(problem.dct)), threads);
}

namespace {

/// E's half step reads H's plane behind the slab, of the components that differ along x; H's half step E's
/// before it.
bool has_halo(int c) {
    return c != 0;
}

/// The planes of a component that a slab's half step reads.
Slab read_planes(Slab slab, Half half, bool of_e, int c) {
    if (!has_halo(c)) return slab;
    if (half == Half::e && !of_e) return {slab.first, slab.last + 1};
    if (half == Half::h && of_e) return {std::max(slab.first - 1, 0), slab.last};
    return slab;
}

template <class T, class U>
std::span<T> planes(const Layout& layout, const Planes<U>& array, int c, Slab slab) {
    return {array.row(layout, c, slab.first, 0), slab.depth() * layout.plane()};
}

}  // namespace

template <class T>
StagingBuffer<T>::StagingBuffer(const Arrays<T>& device, int depth, T* memory) : arrays_(device) {
    const std::size_t plane = device.layout.plane();
    for (Planes<T>* field : {&arrays_.e, &arrays_.h})
        for (T*& data : field->data) {
            data = memory;
            memory += (depth + 1) * plane;
        }
    for (T*& data : coefficients_) {
        data = memory;
        memory += depth * plane;
    }
    for (int c = 0; c < 3; ++c) {
        arrays_.eps.data[c] = arrays_.mu.data[c] = coefficients_[c];
        arrays_.sigma.data[c] = coefficients_[3 + c];
    }
}

template <class T>
void StagingBuffer<T>::take(Slab slab, Half half) {
    slab_ = slab;
    half_ = half;
    arrays_.e.from = half == Half::e ? slab.first : slab.first - 1;
    arrays_.h.from = slab.first;
    arrays_.eps.from = arrays_.sigma.from = arrays_.mu.from = slab.first;
}

template <class T>
template <class Copies>
void StagingBuffer<T>::send(Copies& up, const Arrays<T>& host) const {
    const Layout& l = arrays_.layout;
    for (int c = 0; c < 3; ++c) {
        const Slab of_e = read_planes(slab_, half_, true, c), of_h = read_planes(slab_, half_, false, c);
        up.upload(arrays_.e.row(l, c, of_e.first, 0), planes<const T>(l, host.e, c, of_e));
        up.upload(arrays_.h.row(l, c, of_h.first, 0), planes<const T>(l, host.h, c, of_h));
        const auto& first = half_ == Half::e ? host.eps : host.mu;
        up.upload(coefficients_[c], planes<const T>(l, first, c, slab_));
        if (half_ == Half::e) up.upload(coefficients_[3 + c], planes<const T>(l, host.sigma, c, slab_));
    }
}

template <class T>
void StagingBuffer<T>::advance(launch::Stream stream, const GpuVariant<T>& variant) const {
    (half_ == Half::e ? variant.advance_e : variant.advance_h)(stream, arrays_, slab_.first, slab_.last);
}

template <class T>
template <class Copies>
void StagingBuffer<T>::fetch(Copies& down, const Arrays<T>& host) const {
    const Layout& l = arrays_.layout;
    const bool of_e = half_ == Half::e;
    for (int c = 0; c < 3; ++c)
        down.template download<T>(planes<T>(l, of_e ? host.e : host.h, c, slab_),
                                  (of_e ? arrays_.e : arrays_.h).row(l, c, slab_.first, 0));
}

template <class T>
int StagingBuffer<T>::planes_sent(Slab slab, Half half) {
    int planes = (half == Half::e ? 6 : 3) * slab.depth();
    for (int c = 0; c < 3; ++c)
        planes += read_planes(slab, half, true, c).depth() + read_planes(slab, half, false, c).depth();
    return planes;
}

template <class T>
Window<T>::Window(launch::Device& device, const Arrays<T>& host, const StreamedCoefficients<T>& coefficients,
                  int planes)
    : device_(device), ring_(make_ring(host.layout, planes)) {
    arrays_.layout = host.layout;
    arrays_.dct = host.dct;
    for (int axis = 0; axis < 3; ++axis) {
        arrays_.half[axis] = keep(host.half[axis], host.layout.n[axis]);
        arrays_.node[axis] = keep(host.node[axis], host.layout.n[axis]);
    }
    for (Set& set : sets_)
        for (int c = 0; c < 3; ++c) {
            set.e.data[c] = ring_for(host.e.data[c], set.arrays);
            set.h.data[c] = ring_for(host.h.data[c], set.arrays);
            for (T* const field : {set.e.data[c], set.h.data[c]})
                device.fill_bytes(field, 0, ring_.values * sizeof(T));
        }
    Arrays<T> from{};
    coefficients.enter(from);
    index_ = coefficients.index();
    if (index_.number == nullptr) {
        for (int c = 0; c < 3; ++c) {
            arrays_.eps.data[c] = ring_for(from.eps.data[c], coefficients_);
            arrays_.sigma.data[c] = ring_for(from.sigma.data[c], coefficients_);
            arrays_.mu.data[c] = ring_for(from.mu.data[c], coefficients_);
        }
    } else {
        index_.number = ring_for(index_.number, coefficients_, index_.width);
        index_.of_e = keep(index_.of_e, index_.combinations);
        index_.of_h = keep(index_.of_h, index_.combinations);
    }
    device.synchronize();
}

template <class T>
void Window<T>::send(launch::OwnedStream& up, Slab planes, bool both_sets) const {
    const auto send_all = [&](const std::vector<Array>& arrays) {
        for (const Array& array : arrays)
            for_pieces(planes, [&](int x, int place, int count) {
                up.upload(array.device + place * array.plane,
                          std::span<const std::byte>(array.host + x * array.plane, count * array.plane));
            });
    };
    send_all(coefficients_);
    send_all(sets_[0].arrays);
    if (both_sets) send_all(sets_[1].arrays);
}

template <class T>
void Window<T>::fetch(launch::OwnedStream& down, Slab planes, int set) const {
    for (const Array& array : sets_[set].arrays)
        for_pieces(planes, [&](int x, int place, int count) {
            down.download(std::span<std::byte>(array.host + x * array.plane, count * array.plane),
                          static_cast<const std::byte*>(array.device + place * array.plane));
        });
}

template <class T>
WholeStep<T> Window<T>::step(Slab planes, int set) const {
    WholeStep<T> step{planes, ring_, arrays_, index_, sets_[1 - set].e, sets_[1 - set].h, {}, {}};
    step.now.e = sets_[set].e;
    step.now.h = sets_[set].h;
    return step;
}

template <class T>
template <class Value>
Value* Window<T>::allocate(std::size_t count) {
    memory_.emplace_back(device_, count * sizeof(Value));
    return reinterpret_cast<Value*>(memory_.back().data());
}

template <class T>
template <class Value>
Value* Window<T>::keep(const Value* values, std::size_t count) {
    Value* const kept = allocate<Value>(count);
    device_.upload(kept, values, count * sizeof(Value));
    return kept;
}

template <class T>
template <class Value>
Value* Window<T>::ring_for(const Value* host, std::vector<Array>& among, int values_of_slot) {
    Value* const device = allocate<Value>(std::size_t{ring_.values} * values_of_slot);
    // Coefficients are sent only; fields, which are fetched as well, come as what may be written.
    among.push_back({reinterpret_cast<std::byte*>(const_cast<Value*>(host)),
                     reinterpret_cast<std::byte*>(device),
                     arrays_.layout.plane() * values_of_slot * sizeof(Value)});
    return device;
}

#define GRIDMARK_INSTANTIATE(T)                                                              \
    template class StreamedFields<T>;                                                        \
    template class StreamedCoefficients<T>;                                                  \
    template std::unique_ptr<StreamedCoefficients<T>> streamed_coefficients(                 \
        launch::Device&, const GpuVariant<T>&, const Problem&, const Coefficients<T>&, int); \
    template class StagingBuffer<T>;                                                         \
    template void StagingBuffer<T>::send(launch::OwnedStream&, const Arrays<T>&) const;      \
    template void StagingBuffer<T>::send(WaitingCopies&, const Arrays<T>&) const;            \
    template void StagingBuffer<T>::fetch(launch::OwnedStream&, const Arrays<T>&) const;     \
    template void StagingBuffer<T>::fetch(WaitingCopies&, const Arrays<T>&) const;           \
    template class Window<T>;
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell
