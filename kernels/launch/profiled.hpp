#pragma once

namespace gridmark::launch {

/// Tells a profiler that this process runs under (`ncu --profile-from-start off`) to begin or to end. Without
/// one, or without a GPU, nothing happens.
void profile(bool on);

}  // namespace gridmark::launch
