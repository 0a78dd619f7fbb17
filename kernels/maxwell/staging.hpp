#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/launch/streams.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/host_solver.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/solver.hpp"

/// What lies in the host's memory, and what a device holds of it at a time: a slab, or a window of planes.
namespace gridmark::maxwell {

/// Host memory of streamed versions: that which a device copies from and to by itself, or ordinary memory, as
/// the paper's `new float[]` gives it.
enum class HostMemory { pinned, pageable };

/// Copies that return when they are done, in the order of the device's own stream: the paper's.
class WaitingCopies {
  public:
    explicit WaitingCopies(launch::Device& device) : device_(device) {}
    template <class T>
    void upload(T* to, std::span<const T> from) {
        if (!from.empty()) device_.upload(to, from.data(), from.size_bytes());
    }
    template <class T>
    void download(std::span<T> to, const T* from) {
        if (!to.empty()) device_.download(to.data(), from, to.size_bytes());
    }

  private:
    launch::Device& device_;
};

/// Six arrays of zeros.
template <class T>
class StreamedFields {
  public:
    StreamedFields(launch::Device& device, const Layout& layout, int threads,
                   HostMemory memory = HostMemory::pinned);
    std::array<T*, components> data{};

  private:
    std::vector<std::unique_ptr<launch::Pinned<T>>> arrays_;
    std::unique_ptr<OwnFields<T>> pageable_;
};

/// Coefficients, for streamed versions to share: pinned copies, or what is in pageable memory anyway.
template <class T>
class StreamedCoefficients {
  public:
    /// As nine arrays, in pageable memory: these, which must outlive it.
    explicit StreamedCoefficients(const Coefficients<T>& coefficients) : pageable_(&coefficients) {}
    /// Pinned, as nine arrays.
    StreamedCoefficients(launch::Device& device, const Coefficients<T>& coefficients, int threads);
    /// Pinned, by index.
    StreamedCoefficients(launch::Device& device, const MaterialIndex<T>& index, int threads);
    /// Enters the arrays (null if by index).
    void enter(Arrays<T>& arrays) const;
    /// Null if as arrays; the tables lie in ordinary memory.
    Indexed<T> index() const;
    CoefficientSize size() const;

  private:
    const Coefficients<T>* pageable_ = nullptr;
    std::vector<std::unique_ptr<launch::Pinned<T>>> arrays_;
    std::unique_ptr<launch::Pinned<std::uint8_t>> number_;
    int width_ = 0;
    std::vector<OfE<T>> of_e_;
    std::vector<OfH<T>> of_h_;
};

/// Coefficients as a version takes them. Throws launch::Unavailable if it takes them by index and there are
/// too many.
template <class T>
std::unique_ptr<StreamedCoefficients<T>> streamed_coefficients(launch::Device& device,
                                                               const GpuVariant<T>& variant,
                                                               const Problem& problem,
                                                               const Coefficients<T>& coefficients,
                                                               int threads);

/// A half step of one of the two fields.
enum class Half { e, h };

/// Device memory for one slab on its way: E and H with a plane of halo, and the two coefficients of E. In H's
/// half step mu takes their memory. Source: paper, section 4.
template <class T>
class StagingBuffer {
  public:
    /// Values that slabs of this depth need.
    static std::size_t values(const Layout& layout, int depth) {
        return (6 * static_cast<std::size_t>(depth + 1) + 6 * static_cast<std::size_t>(depth)) *
               layout.plane();
    }
    /// In `memory` on the device. `device` has layout, c dt and the inverse spacings there.
    StagingBuffer(const Arrays<T>& device, int depth, T* memory);

    /// Takes up a slab's half step, which the functions below are about.
    void take(Slab slab, Half half);
    /// Puts the copies of all that it needs into a stream, or does them. Copies: OwnedStream or
    /// WaitingCopies.
    template <class Copies>
    void send(Copies& up, const Arrays<T>& host) const;
    /// Puts its kernels into the stream.
    void advance(launch::Stream stream, const GpuVariant<T>& variant) const;
    /// Puts the copies of what it changed into a stream, or does them.
    template <class Copies>
    void fetch(Copies& down, const Arrays<T>& host) const;

    /// Planes that a half step of a slab sends.
    static int planes_sent(Slab slab, Half half);
    static int planes_fetched(Slab slab) { return 3 * slab.depth(); }

  private:
    Arrays<T> arrays_;
    T* coefficients_[6];
    Slab slab_{0, 0};
    Half half_ = Half::e;
};

/// What a device holds of a grid in the host's memory: rings of planes of the coefficients and of the fields.
/// Fields are there twice, since steps go to and fro between two sets.
template <class T>
class Window {
  public:
    /// `host` has layout, c dt and, in the host's memory, fields and inverse spacings.
    Window(launch::Device& device, const Arrays<T>& host, const StreamedCoefficients<T>& coefficients,
           int planes);

    /// From now on plane 0 lies where plane `number` of a grid without an end would.
    void begin_at(long number) { ring_.shift = static_cast<int>(number % ring_.planes); }
    /// Puts the copies of these planes of the coefficients and of a set's fields, or both sets', into the
    /// stream.
    void send(launch::OwnedStream& up, Slab planes, bool both_sets) const;
    void fetch(launch::OwnedStream& down, Slab planes, int set) const;
    /// A step of these planes from a set into the other. What it finds of the wave is left out.
    WholeStep<T> step(Slab planes, int set) const;

  private:
    /// An array of the host's and its ring.
    struct Array {
        std::byte *host, *device;
        std::size_t plane;  ///< bytes
    };
    struct Set {
        Planes<T> e, h;
        std::vector<Array> arrays;
    };

    /// act(first plane, its place in the ring, planes) of each part that lies in one piece.
    template <class Act>
    void for_pieces(Slab planes, const Act& act) const {
        launch::for_pieces(planes.first, planes.depth(), ring_.planes, ring_.shift, act);
    }

    template <class Value>
    Value* allocate(std::size_t count);
    /// A copy on the device.
    template <class Value>
    Value* keep(const Value* values, std::size_t count);
    /// A ring for an array of the host's; a slot may be several values.
    template <class Value>
    Value* ring_for(const Value* host, std::vector<Array>& among, int values_of_slot = 1);

    launch::Device& device_;
    Ring ring_;
    Arrays<T> arrays_{};
    Indexed<T> index_{};
    Set sets_[2];
    std::vector<Array> coefficients_;
    std::vector<launch::Buffer<std::byte>> memory_;
};

}  // namespace gridmark::maxwell
