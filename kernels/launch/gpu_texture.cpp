#include "kernels/launch/gpu_texture.hpp"

#include "kernels/launch/gpu_check.hpp"

namespace gridmark::launch {

TextureMemory make_gpu_texture(cudaStream_t stream, const void* from, std::size_t word, int nx, int ny,
                               int nz) {
    const cudaChannelFormatDesc format =
        word == 4 ? cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat)
                  : cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindSigned);
    const cudaExtent extent{static_cast<std::size_t>(nx), static_cast<std::size_t>(ny),
                            static_cast<std::size_t>(nz)};
    cudaArray_t array = nullptr;
    check_cuda(cudaMalloc3DArray(&array, &format, extent, cudaArrayDefault), "allocating a 3-D texture");
    TextureMemory texture{0, array};
    try {
        cudaMemcpy3DParms copy{};
        // cudaMemcpy3D only reads, but its parameters do not say so.
        copy.srcPtr = {const_cast<void*>(from), extent.width * word, extent.width, extent.height};
        copy.dstArray = array;
        copy.extent = extent;
        copy.kind = cudaMemcpyDeviceToDevice;
        check_cuda(cudaMemcpy3DAsync(&copy, stream), "filling a 3-D texture");

        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description{};
        for (auto& mode : description.addressMode)
            mode = cudaAddressModeClamp;
        description.filterMode = cudaFilterModePoint;
        description.readMode = cudaReadModeElementType;
        cudaTextureObject_t object = 0;
        check_cuda(cudaCreateTextureObject(&object, &resource, &description, nullptr), "making a texture");
        texture.object = object;
    } catch (...) {
        release_gpu_texture(texture);
        throw;
    }
    return texture;
}

void release_gpu_texture(TextureMemory texture) noexcept {
    if (texture.object != 0) (void)cudaDestroyTextureObject(texture.object);
    if (texture.memory != nullptr) (void)cudaFreeArray(static_cast<cudaArray_t>(texture.memory));
}

}  // namespace gridmark::launch
