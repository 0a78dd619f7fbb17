#pragma once

#include <string>

namespace gridmark::faulty {

/// Iterations of a sample: no number of warming up, which goes by powers of two.
constexpr int sample_iterations = 6;

/// Names the moments of a point's life: what `iterate` is called for shows by how many iterations it is asked
/// for.
class Moments {
  public:
    std::string of(int iterations) {
        return iterations == sample_iterations ? "sample" + std::to_string(++samples_) : "warm";
    }

  private:
    int samples_ = 0;
};

}  // namespace gridmark::faulty
