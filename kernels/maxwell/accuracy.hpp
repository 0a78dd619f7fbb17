#pragma once

/// How far the scheme is from exact answers, and with which order it tends to them.
namespace gridmark::maxwell {

/// Errors of a dielectric plate's shares of a wave, and the largest share that it reflects.
struct PlateErrors {
    double reflected = 0, transmitted = 0, reflects = 0;
};

/// A pulse meets a plate of eps 4 and thickness 2 at normal incidence, far from the grid's ends. Compared at
/// two wave lengths with the exact shares (complex, of Fabry and Perot). Both are shares of the wave that the
/// 1-D problem really sends: its first-order source is not the plate's.
PlateErrors plate_errors(int cells_per_unit);

/// What a pulse that leaves through z_max wrongly sends back: the largest |E| afterwards, as a share of the
/// pulse's. The exact answer is 0.
double boundary_reflection(int cells_per_unit);

/// The same of equation (4) as printed, in the 1-D problem: the mean of the ghost of H and its neighbour is E
/// between them. It needs a shorter step.
double mean_boundary_reflection(int cells_per_unit);

/// The order with which an error falls between a grid and one of half the spacing.
double observed_order(double coarse, double fine);

}  // namespace gridmark::maxwell
