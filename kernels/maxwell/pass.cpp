#include "kernels/maxwell/pass.hpp"

#include <limits>

#include "kernels/launch/error.hpp"

namespace gridmark::maxwell {

Ring make_ring(const Layout& layout, int planes) {
    const std::size_t values = planes * layout.plane();
    // One plane beyond the last value must not run over either.
    if (values > std::numeric_limits<unsigned>::max() - layout.plane())
        throw launch::Unavailable("more slots a component than 32 bits can number");
    return {planes, 0, static_cast<unsigned>(values)};
}

}  // namespace gridmark::maxwell
