#include "kernels/maxwell/source.hpp"

#include <cmath>
#include <numbers>

namespace gridmark::maxwell {

namespace {

/// What the difference of a lightning's exponentials is multiplied with, so that its peak is 1.
double peak_inverse(const Oscillation& o) {
    const double peak = std::log(o.fall / o.rise) * o.rise * o.fall / (o.fall - o.rise);
    return 1 / (std::exp(-peak / o.fall) - std::exp(-peak / o.rise));
}

Drive::Direction lightning(const Oscillation& o, double dct) {
    Drive::Direction d{};
    d.amplitude = o.amplitude * peak_inverse(o);
    d.falling = std::exp(-dct / 2 / o.fall);
    d.rising = std::exp(-dct / 2 / o.rise);
    d.falling_by = std::exp(-dct / o.fall);
    d.rising_by = std::exp(-dct / o.rise);
    d.steps = -1;
    return d;
}

Drive::Direction harmonic(const Oscillation& o, double dct) {
    const bool pulse = o.duration > 0;
    const double turn = o.wave_number * dct, envelope = pulse ? std::numbers::pi * dct / o.duration : 0;
    Drive::Direction d{};
    d.amplitude = o.amplitude;
    d.turn_sine = std::sin(turn);
    d.turn_cosine = std::cos(turn);
    d.sine = std::sin(turn / 2);
    d.cosine = std::cos(turn / 2);
    d.envelope_turn_sine = std::sin(envelope);
    d.envelope_turn_cosine = std::cos(envelope);
    d.envelope_sine = pulse ? std::sin(envelope / 2) : 1;
    d.envelope_cosine = pulse ? std::cos(envelope / 2) : 0;
    // Those whose middle lies within the pulse.
    d.steps = pulse ? static_cast<long long>(std::ceil(o.duration / dct - 0.5)) : -1;
    return d;
}

}  // namespace

Drive start(const Source& source, double dct, double inverse_half) {
    Drive d{};
    for (int p = 0; p < 2; ++p) {
        const Oscillation& o = source.along[p];
        d.along[p] = o.is_lightning() ? lightning(o, dct) : harmonic(o, dct);
    }
    d.scale = 2 * dct * inverse_half;
    return d;
}

template <class T>
void advance(const Wave<T>& w, const Drive& drive, const T* half, const T* node, T dct) {
    for (int p = 0; p < 2; ++p) {
        T* const e = w.e[p];
        T* const h = w.h[p];
        e[0] += static_cast<T>(current(drive, p));
        for (int k = 0; k < w.n; ++k)
            e[k] = next_wave_e(p, e[k], h[k], h[k + 1], half[k], dct);
        for (int k = 1; k < w.n; ++k)
            h[k] = next_wave_h(p, h[k], e[k - 1], e[k], node[k], dct);
        h[0] = static_cast<T>(-hand(p)) * e[0];
        h[w.n] = static_cast<T>(hand(p)) * e[w.n - 1];
    }
}

template void advance(const Wave<float>&, const Drive&, const float*, const float*, float);
template void advance(const Wave<double>&, const Drive&, const double*, const double*, double);

}  // namespace gridmark::maxwell
