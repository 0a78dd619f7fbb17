#pragma once

#include <concepts>
#include <span>
#include <string_view>

#include "kernels/launch/device.hpp"

namespace gridmark::launch {

/// Whether a variant is what a paper printed, or what we made of the problem since.
enum class Origin { published, optimised };

/// "published", "optimised".
constexpr const char* to_string(Origin origin) {
    return origin == Origin::published ? "published" : "optimised";
}

/// How many time steps a launch of a variant makes: `most`, or fewer where fewer are left.
struct StepsPerLaunch {
    int most = 1;
    bool any_fewer = false;  ///< false: a launch makes `most` steps or a single one

    /// Of `left` steps, how many the next launch makes.
    constexpr int next(int left) const {
        if (left >= most) return most;
        return any_fewer ? left : 1;
    }
};

/// A function that every entry names: one without it does not compile. What a study can do without has a
/// default, or is null and asked for before it is called.
template <class Function>
class Required {
  public:
    template <class Given>
    requires std::convertible_to<Given, Function*>
    constexpr Required(Given given) : function_(given) {}
    constexpr operator Function*() const { return function_; }

  private:
    Function* function_;
};

}  // namespace gridmark::launch

/// Ends a kernel file: its variant for both types. The build finds it there (cmake/GridmarkKernels.cmake).
#define GRIDMARK_INSTANTIATE_VARIANT(NAME) \
    template GpuVariant<float> NAME();     \
    template GpuVariant<double> NAME()
