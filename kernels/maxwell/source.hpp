#pragma once

namespace gridmark::maxwell {

/// How E of the wave varies along one direction: amplitude sin(k c t), endless or a pulse, whose envelope is
/// a squared sine of its length; or a lightning's pulse, amplitude times exp(-c t / fall) - exp(-c t / rise)
/// as a share of its peak. Source: paper, section 3 (class Currents) and introduction; the forms are this
/// project's choice.
struct Oscillation {
    double amplitude = 0;
    double wave_number = 0;     ///< k, radians per unit of length
    double duration = 0;        ///< of a pulse, c t; 0: endless
    double rise = 0, fall = 0;  ///< of a lightning, c t, rise < fall; 0: a sine

    bool is_lightning() const { return fall > 0; }
};

/// The plane wave that a surface current at z_min sends in: E along x and along y, each by its own.
/// Source: paper, section 2.
struct Source {
    Oscillation along[2];

    Source() = default;
    /// Both directions alike but for their amplitudes.
    Source(const double (&amplitude)[2], double wave_number, double duration)
        : along{{amplitude[0], wave_number, duration}, {amplitude[1], wave_number, duration}} {}
};

/// A source in lockstep with a grid. Its sines are turned and its exponentials multiplied, not computed anew:
/// the same numbers on every machine, and a kernel can advance them by itself. Plain data.
struct Drive {
    struct Direction {
        double amplitude;
        double turn_sine, turn_cosine, envelope_turn_sine, envelope_turn_cosine;  ///< a step's
        double sine, cosine, envelope_sine, envelope_cosine;                      ///< at this step's middle
        double falling, rising, falling_by,
            rising_by;    ///< a lightning's two exponentials, and a step's share
        long long steps;  ///< steps until the direction falls silent; negative: never
    } along[2];
    double scale;  ///< from E of the wave to what the current adds to E at z_min in a step
};

/// A source at its first step. `inverse_half` is 1 / the half distance at z_min.
Drive start(const Source& source, double dct, double inverse_half);

/// What the current adds in this step to E along x (0) or y (1) at z_min. Of sine and lightning one is 0.
constexpr double current(const Drive& d, int polarisation) {
    const Drive::Direction& a = d.along[polarisation];
    if (a.steps == 0) return 0;
    return d.scale * a.amplitude * (a.sine * (a.envelope_sine * a.envelope_sine) + (a.falling - a.rising));
}

/// A step later.
constexpr Drive::Direction advanced(Drive::Direction d) {
    const double sine = d.sine * d.turn_cosine + d.cosine * d.turn_sine;
    const double cosine = d.cosine * d.turn_cosine - d.sine * d.turn_sine;
    const double envelope_sine =
        d.envelope_sine * d.envelope_turn_cosine + d.envelope_cosine * d.envelope_turn_sine;
    const double envelope_cosine =
        d.envelope_cosine * d.envelope_turn_cosine - d.envelope_sine * d.envelope_turn_sine;
    d.sine = sine;
    d.cosine = cosine;
    d.envelope_sine = envelope_sine;
    d.envelope_cosine = envelope_cosine;
    d.falling *= d.falling_by;
    d.rising *= d.rising_by;
    if (d.steps > 0) --d.steps;
    return d;
}
constexpr Drive advanced(Drive d) {
    for (Drive::Direction& direction : d.along)
        direction = advanced(direction);
    return d;
}

/// The 1-D problem that supplies the incident wave: along z, in vacuum, the polarisations apart. Indices as
/// those of the 3-D arrays: e[p][k] at node k, h[p][k] between nodes k - 1 and k, h[p][0] and h[p][n] ghosts.
/// Polarisation 0 has Ex and Hy, 1 has Ey and Hx.
template <class T>
struct Wave {
    T *e[2], *h[2];
    int n;
};

/// Hy falls where Ex rises with z, Hx rises where Ey does.
constexpr int hand(int polarisation) {
    return polarisation == 0 ? 1 : -1;
}

template <class T>
constexpr T next_wave_e(int polarisation, T e, T h_low, T h_high, T inverse_half, T dct) {
    return e - static_cast<T>(hand(polarisation)) * dct * ((h_high - h_low) * inverse_half);
}
template <class T>
constexpr T next_wave_h(int polarisation, T h, T e_low, T e_high, T inverse_node, T dct) {
    return h - static_cast<T>(hand(polarisation)) * dct * ((e_high - e_low) * inverse_node);
}

/// Adds the step's current to E and advances the wave by a step, ghosts last.
template <class T>
void advance(const Wave<T>& wave, const Drive& drive, const T* half, const T* node, T dct);

}  // namespace gridmark::maxwell
