package dev.runyard.runner.checkout;

import dev.runyard.core.change.ChangeBounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;

/// What one checkout may still take, its submodules and the files of Git LFS included. Not
/// thread-safe, except for [#sentTooMuch] and [#left].
final class Allowance {
  private final InstantSource clock;
  private final Instant end;
  private final Path folder;
  private final long bytesMax;
  private final int entriesMax;
  private long files;
  private long bytes;
  private int entries;
  private long pathsBytes;
  private int modules;
  private int objects;

  /// @param folder where everything is that servers send
  /// @param bytesMax most bytes of the files
  /// @param entriesMax most files, folders and links
  Allowance(InstantSource clock, Path folder, long bytesMax, int entriesMax) {
    this.clock = clock;
    this.end = clock.instant().plusSeconds(Checkout.CLONE_SECONDS_MAX);
    this.folder = folder;
    this.bytesMax = bytesMax;
    this.entriesMax = entriesMax;
  }

  /// The time that servers still have; never nothing, so that what begins too late ends at once.
  Duration left() {
    Duration left = Duration.between(clock.instant(), end);
    return left.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : left;
  }

  /// A look at the next tree.
  TreeCheck tree() {
    return new TreeCheck(
        bytesMax - bytes, entriesMax - entries, ChangeBounds.PATHS_BYTES_MAX - pathsBytes);
  }

  /// Takes what a tree has.
  void take(TreeCheck tree) {
    files += tree.files();
    bytes += tree.bytes();
    entries += tree.entries();
    pathsBytes += tree.pathsBytes();
  }

  /// Takes so many submodules; false if there may be no more.
  boolean takeModules(int more) {
    modules += more;
    return modules <= Submodules.MODULES_MAX;
  }

  /// Takes an object of Git LFS that so many files have; false if there may be no more.
  boolean takeObject(long size, int times) {
    if (++objects > LfsFiles.LFS_OBJECTS_MAX || size > (bytesMax - bytes) / times) {
      return false;
    }
    bytes += size * times;
    return true;
  }

  long files() {
    return files;
  }

  long bytes() {
    return bytes;
  }

  /// True when servers have sent more than they may.
  boolean sentTooMuch() {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.mapToLong(Allowance::size).sum() > Checkout.CLONE_BYTES_MAX;
    } catch (IOException | UncheckedIOException _) {
      return false;
    }
  }

  /// What git has removed meanwhile has no size.
  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException _) {
      return 0;
    }
  }
}
