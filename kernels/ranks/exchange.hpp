#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "kernels/launch/dispatch.hpp"
#include "kernels/launch/streams.hpp"
#include "kernels/ranks/cut.hpp"
#include "kernels/ranks/part.hpp"
#include "kernels/ranks/transport.hpp"
#include "kernels/storage.hpp"

namespace gridmark::ranks {

/// From a field to its packed values, or from those into the field.
enum class Way { out, in };

/// A box of a field on a device, and its values in C order, axis 0 fastest.
template <class T>
struct PackedBox {
    T *field, *packed;
    int size[3];
    std::ptrdiff_t stride[3];  ///< of the field
};

/// Puts the copy of a box into a stream.
GRIDMARK_BOTH_EXECUTORS(template <class T>
                        void copy_packed(launch::Stream stream, const PackedBox<T>& box, Way way);)

/// Fills the ghosts of a rank's fields in three parts, so that it can compute between them. All fields of an
/// exchange travel to another rank in one message. Fields on a device are packed there and go through
/// pinned staging buffers, or, where the transport takes device memory, from one device to the other.
template <class T>
class Exchange {
  public:
    /// `fields` that travel together, with this reach. `device` is where they lie; null: the host's memory.
    Exchange(Transport& transport, const Cut& cut, const Reach& reach, Ghosts ghosts, int fields,
             launch::Device* device);

    /// Packs the rank's own points that others need; on a device behind what its stream holds. What is put
    /// there from now on may overwrite them, and runs beside the copies to the host.
    void begin(const std::vector<Field<T>>& fields);
    /// Sends what is packed; on a device, once it is.
    void send();
    /// Waits for the others' points and puts them into the ghosts; what follows in the device's stream finds
    /// them there.
    void finish();

    /// Bytes that this rank sends, and to how many others.
    std::size_t bytes_sent() const;
    std::size_t messages_sent() const { return out_.size(); }

  private:
    /// One message: its box, and where it lies on its way.
    struct Message {
        Piece piece;
        std::size_t first;  ///< value in the staging buffers
    };
    /// One direction's staging buffers.
    struct Staging {
        std::size_t values = 0;
        Storage<T> host;
        std::unique_ptr<launch::Pinned<T>> pinned;
        launch::Buffer<T> on_device;
    };

    void copy(const std::vector<Message>& messages, Staging& staging, Way way);
    void lay_out(const std::vector<Piece>& pieces, std::vector<Message>& messages, Staging& staging);
    std::span<T> place(Staging& staging, const Message& message);
    std::size_t values(const Message& message) const { return message.piece.box.points() * fields_count_; }

    Transport& transport_;
    std::size_t fields_count_;
    launch::Device* device_;
    bool direct_;  ///< messages lie in the device's memory
    std::vector<Message> out_, in_;
    Staging sent_, received_;
    std::vector<Field<T>> fields_;
    std::unique_ptr<launch::OwnedStream> beside_;
    std::unique_ptr<launch::Event> ready_, packed_, fetched_, unpacked_;
};

}  // namespace gridmark::ranks
