#include "experiments/pyramid/version.hpp"

namespace gridmark::pyramid {

template <class T>
Pieces pieces_of(const Version& version, const GpuVariant<T>& solver, std::size_t n, std::size_t padding,
                 std::size_t device_values) {
    return version.overlapped ? overlapped_pieces(solver, n, padding, device_values)
                              : synchronous_pieces(solver, n, padding, device_values);
}

template <class T>
std::size_t device_values_of(const Version& version, const GpuVariant<T>& solver, const Pieces& pieces) {
    return version.overlapped ? overlapped_values(solver, pieces) : synchronous_values(solver, pieces);
}

template <class T>
std::unique_ptr<OutOfCore<T>> driver_of(launch::Device& device, const Version& version,
                                        const GpuVariant<T>& solver, double s, const Pieces& pieces,
                                        T* memory, int threads) {
    return version.overlapped ? overlapped_driver<T>(device, solver, s, pieces, memory, threads)
                              : synchronous_driver<T>(device, solver, s, pieces, memory, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                                             \
    template Pieces pieces_of(const Version&, const GpuVariant<T>&, std::size_t, std::size_t, std::size_t); \
    template std::size_t device_values_of(const Version&, const GpuVariant<T>&, const Pieces&);             \
    template std::unique_ptr<OutOfCore<T>> driver_of(launch::Device&, const Version&, const GpuVariant<T>&, \
                                                     double, const Pieces&, T*, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid
