#pragma once

// Apart from make_device.hpp, which every study's file includes.
namespace gridmark::launch {

/// How many GPUs can be used here.
int gpu_count();

/// Tells a profiler that this process runs under (`ncu --profile-from-start off`) to begin or to end. Without
/// one, or without a GPU, nothing happens.
void profile(bool on);

}  // namespace gridmark::launch
