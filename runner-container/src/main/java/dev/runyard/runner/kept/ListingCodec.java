package dev.runyard.runner.kept;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// A listing as one compressed stream: a version, the packs, the pieces, the entries, and an end
/// mark. Counts are checked against bounds before anything is made of them.
final class ListingCodec {
  private static final byte VERSION = 1;
  private static final byte FOLDER = 'd';
  private static final byte FILE = 'f';
  private static final byte ALTERED = 'a';
  private static final byte LINK = 'l';
  private static final byte MISSING = 'm';
  private static final byte END = 'e';
  private static final int LEVEL = 3;

  private ListingCodec() {}

  /// Writes a listing and closes the stream.
  static void write(Listing listing, OutputStream target) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(new ZstdOutputStreamNoFinalizer(target, LEVEL)))) {
      out.writeByte(VERSION);
      out.writeInt(listing.packs().size());
      for (Listing.Pack pack : listing.packs()) {
        out.write(pack.id().bytes());
        out.writeLong(pack.writtenMillis());
        out.writeInt(pack.bytes());
      }
      out.writeInt(listing.pieces().size());
      for (Piece piece : listing.pieces()) {
        out.write(piece.hash().bytes());
        out.writeInt(piece.pack());
        out.writeInt(piece.offset());
        out.writeInt(piece.bytes());
      }
      for (FileEntry entry : listing.entries()) {
        write(entry, out);
      }
      out.writeByte(END);
    }
  }

  private static void write(FileEntry entry, DataOutputStream out) throws IOException {
    switch (entry) {
      case FileEntry.Folder folder -> {
        out.writeByte(FOLDER);
        out.writeUTF(folder.name());
        out.writeUTF(folder.permissions());
      }
      case FileEntry.RegularFile file -> {
        out.writeByte(file.altered() ? ALTERED : FILE);
        out.writeUTF(file.name());
        out.writeUTF(file.permissions());
        out.writeLong(file.writtenMillis());
        out.writeLong(file.bytes());
        out.writeInt(file.pieces().size());
        for (int piece : file.pieces()) {
          out.writeInt(piece);
        }
      }
      case FileEntry.Link link -> {
        out.writeByte(LINK);
        out.writeUTF(link.name());
        out.writeUTF(link.target());
      }
      case FileEntry.Missing missing -> {
        out.writeByte(MISSING);
        out.writeUTF(missing.name());
      }
    }
  }

  /// Reads a listing.
  ///
  /// @throws IOException if it is none, or larger than `bounds`
  static Listing read(InputStream source, FileBounds bounds) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(new ZstdInputStreamNoFinalizer(source)))) {
      if (in.readByte() != VERSION) {
        throw new IOException("a listing of another version");
      }
      List<Listing.Pack> packs = new ArrayList<>();
      for (int left = count(in.readInt(), bounds.piecesMax()); left > 0; left--) {
        packs.add(
            new Listing.Pack(
                hash(in), in.readLong(), count(in.readInt(), PackWriter.PACK_BYTES_MAX)));
      }
      List<Piece> pieces = new ArrayList<>();
      for (int left = count(in.readInt(), bounds.piecesMax()); left > 0; left--) {
        pieces.add(piece(in, packs));
      }
      List<FileEntry> entries = new ArrayList<>();
      for (byte kind = in.readByte(); kind != END; kind = in.readByte()) {
        if (entries.size() == bounds.entriesMax()) {
          throw new IOException("too many entries");
        }
        entries.add(entry(kind, in, pieces));
      }
      if (in.read() >= 0) {
        throw new IOException("something behind the end");
      }
      return new Listing(entries, pieces, packs);
    }
  }

  private static Piece piece(DataInputStream in, List<Listing.Pack> packs) throws IOException {
    PieceHash hash = hash(in);
    int pack = in.readInt();
    if (pack < 0 || pack >= packs.size()) {
      throw new IOException("a piece in no pack");
    }
    int offset = count(in.readInt(), packs.get(pack).bytes());
    return new Piece(hash, pack, offset, count(in.readInt(), packs.get(pack).bytes() - offset));
  }

  private static FileEntry entry(byte kind, DataInputStream in, List<Piece> pieces)
      throws IOException {
    return switch (kind) {
      case FOLDER -> new FileEntry.Folder(in.readUTF(), in.readUTF());
      case FILE, ALTERED -> {
        String name = in.readUTF();
        String permissions = in.readUTF();
        long written = in.readLong();
        long bytes = in.readLong();
        List<Integer> its = new ArrayList<>();
        long held = 0;
        for (int left = count(in.readInt(), pieces.size()); left > 0; left--) {
          int piece = count(in.readInt(), pieces.size() - 1);
          its.add(piece);
          held += pieces.get(piece).bytes();
        }
        if (held != bytes) {
          throw new IOException("a file whose pieces are not its content");
        }
        yield new FileEntry.RegularFile(name, permissions, written, bytes, its, kind == ALTERED);
      }
      case LINK -> new FileEntry.Link(in.readUTF(), in.readUTF());
      case MISSING -> new FileEntry.Missing(in.readUTF());
      default -> throw new IOException("an entry of an unknown kind");
    };
  }

  private static PieceHash hash(DataInputStream in) throws IOException {
    byte[] bytes = new byte[PieceHash.BYTES];
    in.readFully(bytes);
    return PieceHash.read(ByteBuffer.wrap(bytes));
  }

  private static int count(int value, int max) throws IOException {
    if (value < 0 || value > max) {
      throw new IOException("a number out of its bounds");
    }
    return value;
  }
}
