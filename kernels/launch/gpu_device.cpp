#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include "kernels/launch/gpu_check.hpp"
#include "kernels/launch/gpu_count.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::launch {
namespace {

std::string version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// The driver that first ran programs of this major version of CUDA (NVIDIA's table of minor version
// compatibility).
std::string first_driver(int number) {
    const int major = number / 1000;
    return major == 12 ? ": driver 525 or later" : major == 13 ? ": driver 580 or later" : "";
}

// How many GPUs can be used, or why none can.
int count_gpus(std::string& reason) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0) return count;
    (void)cudaGetLastError();
    if (error == cudaErrorInsufficientDriver) {
        // One code for two reasons: no driver at all counts as version 0.
        int driver = 0;
        (void)cudaDriverGetVersion(&driver);
        reason = driver == 0 ? "no CUDA driver found"
                             : "the driver knows CUDA " + version(driver) + " and this program needs " +
                                   version(CUDART_VERSION) + first_driver(CUDART_VERSION);
    } else if (error == cudaSuccess || error == cudaErrorNoDevice) {
        reason = "no GPU is visible";
    } else {
        reason = std::string("the CUDA driver does not start: ") + cudaGetErrorString(error);
    }
    return 0;
}

/// Frees the object and its array; null is nothing.
void release_gpu_texture(TextureMemory texture) noexcept {
    if (texture.object != 0) (void)cudaDestroyTextureObject(texture.object);
    if (texture.memory != nullptr) (void)cudaFreeArray(static_cast<cudaArray_t>(texture.memory));
}

/// A CUDA array, filled in the order of `stream`, behind a texture object with point filter, clamped and
/// unnormalised coordinates. Words of 8 bytes are pairs of ints, as no texture holds doubles.
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

class GpuDevice final : public Device {
  public:
    explicit GpuDevice(int ordinal) : ordinal_(ordinal) {
        use();
        check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    }
    ~GpuDevice() override { (void)cudaStreamDestroy(stream_); }

    Executor executor() const override { return Executor::gpu; }

    void* allocate(std::size_t bytes) override {
        use();
        void* memory = nullptr;
        const std::string doing = "allocating " + std::to_string(bytes) + " bytes on the GPU";
        check_cuda(cudaMalloc(&memory, bytes), doing.c_str());
        return memory;
    }
    void release(void* memory) noexcept override { (void)cudaFree(memory); }

    void upload(void* to, const void* from, std::size_t bytes) override {
        transfer(to, from, bytes, cudaMemcpyHostToDevice, "copying to the GPU");
        check_cuda(cudaStreamSynchronize(stream_), "copying to the GPU");
    }
    void download(void* to, const void* from, std::size_t bytes) override {
        transfer(to, from, bytes, cudaMemcpyDeviceToHost, "copying from the GPU");
        check_cuda(cudaStreamSynchronize(stream_), "copying from the GPU");
    }
    void copy(void* to, const void* from, std::size_t bytes) override {
        transfer(to, from, bytes, cudaMemcpyDeviceToDevice, "copying on the GPU");
    }
    void fill_bytes(void* memory, unsigned char value, std::size_t bytes) override {
        use();
        check_cuda(cudaMemsetAsync(memory, value, bytes, stream_), "filling memory on the GPU");
    }
    TextureMemory make_texture(const void* from, std::size_t word, int nx, int ny, int nz) override {
        use();
        return make_gpu_texture(stream_, from, word, nx, ny, nz);
    }
    void release_texture(TextureMemory texture) noexcept override { release_gpu_texture(texture); }
    void synchronize() override {
        use();
        check_cuda(cudaStreamSynchronize(stream_), "waiting for the GPU");
    }
    Stream stream() override { return {this, stream_}; }

    Stream make_stream() override {
        use();
        cudaStream_t stream = nullptr;
        check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
        return {this, stream};
    }
    void release_stream(Stream stream) noexcept override { (void)cudaStreamDestroy(handle(stream)); }
    void put_upload(Stream stream, void* to, const void* from, std::size_t bytes) override {
        use();
        check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, handle(stream)),
                   "copying to the GPU");
    }
    void put_download(Stream stream, void* to, const void* from, std::size_t bytes) override {
        use();
        check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, handle(stream)),
                   "copying from the GPU");
    }
    void put_copy(Stream stream, void* to, const void* from, std::size_t bytes) override {
        use();
        check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, handle(stream)),
                   "copying on the GPU");
    }
    void put_fill(Stream stream, void* memory, unsigned char value, std::size_t bytes) override {
        use();
        check_cuda(cudaMemsetAsync(memory, value, bytes, handle(stream)), "filling memory on the GPU");
    }
    void* make_event() override {
        use();
        cudaEvent_t event = nullptr;  // tells an order and no time
        check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
        return event;
    }
    void release_event(void* event) noexcept override { (void)cudaEventDestroy(native(event)); }
    void record(void* event, Stream stream) override {
        check_cuda(cudaEventRecord(native(event), handle(stream)), "recording an event");
    }
    void wait(void* event, Stream stream) override {
        check_cuda(cudaStreamWaitEvent(handle(stream), native(event), 0), "letting a stream wait");
    }
    void wait(void* event) override {
        check_cuda(cudaEventSynchronize(native(event)), "waiting for the GPU");
    }
    void* allocate_pinned(std::size_t bytes) override {
        use();
        void* memory = nullptr;
        const std::string doing = "allocating " + std::to_string(bytes) + " bytes of pinned host memory";
        check_cuda(cudaMallocHost(&memory, bytes), doing.c_str());
        return memory;
    }
    void release_pinned(void* memory) noexcept override { (void)cudaFreeHost(memory); }

  private:
    static cudaStream_t handle(Stream stream) { return static_cast<cudaStream_t>(stream.handle); }
    static cudaEvent_t native(void* event) { return static_cast<cudaEvent_t>(event); }

    // The current device belongs to the thread that calls, not to this object.
    void use() { check_cuda(cudaSetDevice(ordinal_), "selecting the GPU"); }

    void transfer(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* doing) {
        use();
        check_cuda(cudaMemcpyAsync(to, from, bytes, kind, stream_), doing);
    }

    int ordinal_;
    cudaStream_t stream_ = nullptr;
};

}  // namespace

void raise_cuda(cudaError_t error, const char* doing) {
    // A sticky error (an illegal access, for one) stays: the process can use the GPU no more.
    (void)cudaGetLastError();
    const std::string message = std::string("CUDA error while ") + doing + ": " + cudaGetErrorString(error) +
                                " (" + cudaGetErrorName(error) + ")";
    if (error == cudaErrorMemoryAllocation) throw OutOfMemory(message);
    throw Error(message);
}

void check_gpu_launch(Stream stream, const Shape& shape) {
    if (stream.device == nullptr || stream.device->executor() != Executor::gpu)
        throw Error("a kernel compiled for the GPU was launched on the host executor");
    check_geometry(shape);
}

void check_not_captured(Stream stream, const char* doing) {
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    check_cuda(cudaStreamIsCapturing(static_cast<cudaStream_t>(stream.handle), &capture), doing);
    if (capture != cudaStreamCaptureStatusNone)
        throw Error(std::string(doing) + " is not possible while a graph is captured");
}

std::unique_ptr<Device> gpu_device(int ordinal) {
    std::string reason;
    const int count = count_gpus(reason);
    if (count == 0) throw Unavailable(reason);
    if (ordinal < 0 || ordinal >= count)
        throw Unavailable("no GPU number " + std::to_string(ordinal) + ": this machine has " +
                          std::to_string(count));
    return std::make_unique<GpuDevice>(ordinal);
}

void profile(bool on) {
    (void)(on ? cudaProfilerStart() : cudaProfilerStop());
}

int gpu_count() {
    std::string reason;
    return count_gpus(reason);
}

std::optional<std::string> gpu_unavailable_reason() {
    std::string reason;
    if (count_gpus(reason) > 0) return std::nullopt;
    return reason;
}

}  // namespace gridmark::launch
