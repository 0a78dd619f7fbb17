#pragma once

// Apart from make_device.hpp, which every study's file includes.
namespace gridmark::launch {

/// How many GPUs can be used here.
int gpu_count();

}  // namespace gridmark::launch
