package dev.runyard.runner.kept;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.runyard.core.artifact.ArtifactStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// Puts one listing into an empty folder, pack by pack, so that each pack is read once. Nothing is
/// written through a link or outside of the folder: links are made last, and a name that exists
/// already makes the listing unusable.
final class Restoring {
  private final ArtifactStore store;
  private final String prefix;
  private final Listing listing;
  private final Path root;
  private final List<List<Use>> uses = new ArrayList<>();

  /// A place in a file where a piece goes.
  private record Use(Path file, long position, Piece piece) {}

  Restoring(ArtifactStore store, String prefix, Listing listing, Path root) {
    this.store = store;
    this.prefix = prefix;
    this.listing = listing;
    this.root = root;
    listing.packs().forEach(_ -> uses.add(new ArrayList<>()));
  }

  void restore() throws IOException {
    try {
      for (FileEntry entry : listing.entries()) {
        make(entry);
      }
      for (int pack = 0; pack < uses.size(); pack++) {
        if (!uses.get(pack).isEmpty()) {
          unpack(uses.get(pack), content(listing.packs().get(pack)));
        }
      }
      for (FileEntry entry : listing.entries().reversed()) {
        finish(entry);
      }
    } catch (InvalidPathException e) {
      throw new IOException("a name that is none here", e);
    }
  }

  private void make(FileEntry entry) throws IOException {
    Path path = inside(entry.name());
    switch (entry) {
      case FileEntry.Folder _ -> Files.createDirectory(path);
      case FileEntry.RegularFile file -> {
        Files.createFile(path);
        long position = 0;
        for (int index : file.pieces()) {
          Piece piece = listing.pieces().get(index);
          uses.get(piece.pack()).add(new Use(path, position, piece));
          position += piece.bytes();
        }
      }
      case FileEntry.Link _, FileEntry.Missing _ -> {}
    }
  }

  private byte[] content(Listing.Pack pack) throws IOException {
    byte[] stored =
        store
            .get(PackWriter.key(prefix, pack.id()))
            .orElseThrow(() -> new IOException("a pack is gone"));
    try {
      byte[] content = Zstd.decompress(stored, pack.bytes());
      if (content.length == pack.bytes()) {
        return content;
      }
    } catch (ZstdException e) {
      throw new IOException("a pack is unreadable", e);
    }
    throw new IOException("a pack of another length");
  }

  private static void unpack(List<Use> uses, byte[] pack) throws IOException {
    for (Use use : uses) {
      Piece piece = use.piece();
      int end = piece.offset() + piece.bytes();
      byte[] content = Arrays.copyOfRange(pack, piece.offset(), end);
      if (!PieceHash.of(content).equals(piece.hash())) {
        throw new IOException("a piece is not what it was");
      }
      try (FileChannel file = FileChannel.open(use.file(), StandardOpenOption.WRITE)) {
        ByteBuffer left = ByteBuffer.wrap(content);
        long position = use.position();
        while (left.hasRemaining()) {
          position += file.write(left, position);
        }
      }
    }
  }

  /// Contents come before times and permissions, and those of a folder after what is in it.
  private void finish(FileEntry entry) throws IOException {
    Path path = inside(entry.name());
    switch (entry) {
      case FileEntry.Folder folder ->
          Files.setPosixFilePermissions(path, permissions(folder.permissions()));
      case FileEntry.RegularFile file -> {
        Files.setLastModifiedTime(path, FileTime.fromMillis(file.writtenMillis()));
        Files.setPosixFilePermissions(path, permissions(file.permissions()));
      }
      case FileEntry.Link link -> Files.createSymbolicLink(path, Path.of(link.target()));
      case FileEntry.Missing _ -> {}
    }
  }

  private Path inside(String name) throws IOException {
    Path path = root.resolve(name).normalize();
    if (!path.startsWith(root) || path.equals(root)) {
      throw new IOException("an entry leads out of the folder");
    }
    return path;
  }

  private static Set<PosixFilePermission> permissions(String text) throws IOException {
    try {
      return PosixFilePermissions.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new IOException("permissions that are none", e);
    }
  }
}
