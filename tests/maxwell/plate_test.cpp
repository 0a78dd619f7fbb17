// A dielectric plate: what it reflects and lets through tends to the exact shares under refinement, with
// second order. What the boundaries wrongly send back falls with first order only.

#include <gtest/gtest.h>

#include "kernels/maxwell/accuracy.hpp"

namespace gridmark::maxwell_tests {
namespace {

using namespace maxwell;  // NOLINT(google-build-using-namespace): the tests are about it

TEST(Plate, ReflectsAndLetsThroughTheExactSharesInTheLimitWithSecondOrder) {
    const PlateErrors coarse = plate_errors(10), middle = plate_errors(20), fine = plate_errors(40);
    for (const auto& [name, e] : {std::pair{"coarse", coarse}, {"middle", middle}, {"fine", fine}})
        RecordProperty(name, std::to_string(e.reflected) + " " + std::to_string(e.transmitted));
    EXPECT_GT(fine.reflects, 0.3);
    EXPECT_LT(fine.reflected, 0.02);
    EXPECT_LT(fine.transmitted, 0.02);
    EXPECT_NEAR(observed_order(middle.reflected, fine.reflected), 2, 0.15);
    EXPECT_NEAR(observed_order(middle.transmitted, fine.transmitted), 2, 0.15);
}

TEST(Boundaries, SendBackLessWithFirstOrder) {
    const double coarse = boundary_reflection(10), middle = boundary_reflection(20),
                 fine = boundary_reflection(40);
    EXPECT_LT(fine, 0.05);
    EXPECT_GT(fine, 1e-5);
    EXPECT_NEAR(observed_order(coarse, middle), 1, 0.2);
    EXPECT_NEAR(observed_order(middle, fine), 1, 0.1);
}

}  // namespace
}  // namespace gridmark::maxwell_tests
