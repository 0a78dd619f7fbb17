#include "harness/ceilings/better.hpp"

namespace gridmark::harness {

void keep_better(std::vector<Ceiling>& ceilings, const std::vector<Ceiling>& again) {
    for (Ceiling& ceiling : ceilings)
        for (const Ceiling& other : again)
            if (other.name == ceiling.name && other.value &&
                (!ceiling.value || *other.value > *ceiling.value))
                ceiling = other;
}

}  // namespace gridmark::harness
