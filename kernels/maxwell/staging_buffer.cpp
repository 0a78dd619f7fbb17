#include "kernels/maxwell/staging_buffer.hpp"

#include <algorithm>

namespace gridmark::maxwell {
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
void StagingBuffer<T>::send(launch::OwnedStream& up, const Arrays<T>& host) const {
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
void StagingBuffer<T>::fetch(launch::OwnedStream& down, const Arrays<T>& host) const {
    const Layout& l = arrays_.layout;
    const bool of_e = half_ == Half::e;
    for (int c = 0; c < 3; ++c)
        down.download<T>(planes<T>(l, of_e ? host.e : host.h, c, slab_),
                         (of_e ? arrays_.e : arrays_.h).row(l, c, slab_.first, 0));
}

template <class T>
int StagingBuffer<T>::planes_sent(Slab slab, Half half) {
    int planes = (half == Half::e ? 6 : 3) * slab.depth();
    for (int c = 0; c < 3; ++c)
        planes += read_planes(slab, half, true, c).depth() + read_planes(slab, half, false, c).depth();
    return planes;
}

template class StagingBuffer<float>;
template class StagingBuffer<double>;

}  // namespace gridmark::maxwell
