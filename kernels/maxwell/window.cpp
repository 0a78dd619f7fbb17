#include "kernels/maxwell/window.hpp"

#include <algorithm>

namespace gridmark::maxwell {
namespace {

/// Calls act(first plane, its place in the ring, planes) for each part of the planes that lies in one piece.
template <class Act>
void for_pieces(const Ring& ring, Slab planes, Act act) {
    while (planes.depth() > 0) {
        const int place = (planes.first + ring.shift) % ring.planes;
        const int count = std::min(planes.depth(), ring.planes - place);
        act(planes.first, place, count);
        planes.first += count;
    }
}

}  // namespace

template <class T>
Window<T>::Window(launch::Device& device, const Arrays<T>& host, const PinnedCoefficients<T>& coefficients,
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
        index_.number = ring_for(index_.number, coefficients_);
        index_.of_e = keep(index_.of_e, index_.combinations);
        index_.of_h = keep(index_.of_h, index_.combinations);
    }
    device.synchronize();
}

template <class T>
void Window<T>::send(launch::OwnedStream& up, Slab planes, bool both_sets) const {
    const auto send_all = [&](const std::vector<Array>& arrays) {
        for (const Array& array : arrays)
            for_pieces(ring_, planes, [&](int x, int place, int count) {
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
        for_pieces(ring_, planes, [&](int x, int place, int count) {
            down.download(std::span<std::byte>(array.host + x * array.plane, count * array.plane),
                          static_cast<const std::byte*>(array.device + place * array.plane));
        });
}

template <class T>
Pass<T> Window<T>::pass(Slab planes, int set) const {
    Pass<T> pass{planes, ring_, arrays_, index_, sets_[1 - set].e, sets_[1 - set].h, {}, {}};
    pass.now.e = sets_[set].e;
    pass.now.h = sets_[set].h;
    return pass;
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
Value* Window<T>::ring_for(const Value* host, std::vector<Array>& among) {
    Value* const device = allocate<Value>(ring_.values);
    // Coefficients are sent only; fields, which are fetched as well, come as what may be written.
    among.push_back({reinterpret_cast<std::byte*>(const_cast<Value*>(host)),
                     reinterpret_cast<std::byte*>(device), arrays_.layout.plane() * sizeof(Value)});
    return device;
}

template class Window<float>;
template class Window<double>;

}  // namespace gridmark::maxwell
