#pragma once

namespace gridmark {

/// The largest of low ... high that fits. `low` does; what is smaller than one that fits does, too.
template <class Number, class Fits>
Number largest_that_fits(Number low, Number high, const Fits& fits) {
    while (low < high) {
        const Number middle = low + (high - low + 1) / 2;
        if (fits(middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

}  // namespace gridmark
