package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskCountTest {
  private static final int FOLDERS = 500;
  private static final int PATH_BYTES = 3_700;

  @TempDir private Path folder = Path.of("");

  /// Folders may be as many as the limit of files, and each path is as long as an agent likes.
  @Test
  void takesNoMoreMemoryForAnEntryHoweverLongItsPathIs() throws IOException {
    Path deep = folder;
    while (deep.toString().length() < PATH_BYTES) {
      deep = Files.createDirectory(deep.resolve("n".repeat(240)));
    }
    Path flat = Files.createDirectory(folder.resolve("flat"));
    for (int i = 0; i < FOLDERS; i++) {
      Files.createDirectory(deep.resolve("f" + i));
      Files.createDirectory(flat.resolve("f" + i));
    }
    taken(flat);

    long inFlat = taken(flat);
    long inDeep = taken(deep);

    assertTrue(inDeep < 2 * inFlat, () -> inDeep + " bytes, and " + inFlat);
  }

  private static long taken(Path folder) {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    DiskUse use = DiskUse.of(List.of(folder), DiskBounds.of(1, 1_000_000));
    long taken = thread.getCurrentThreadAllocatedBytes() - before;
    assertEquals(FOLDERS + 1, use.entries());
    return taken;
  }

  @Test
  void boundsTheNamesOfFoldersThatWait() throws IOException {
    for (int i = 0; i < 20; i++) {
      Files.createDirectory(folder.resolve("n".repeat(200) + i));
      Files.createFile(folder.resolve("a file, of which nothing is kept " + "n".repeat(200) + i));
    }

    assertEquals(41, DiskUse.of(List.of(folder), waiting(20 * 300)).entries());
    assertTrue(DiskUse.of(List.of(folder), waiting(20 * 200)).entries() > 100);
  }

  private static DiskBounds waiting(long bytes) {
    return new DiskBounds(1, 100, bytes, 0, () -> 0);
  }

  @Test
  void takesWhatIsTooLongToCountForTooMany() throws IOException {
    for (int i = 0; i < 100; i++) {
      Files.createFile(folder.resolve("f" + i));
    }
    long most = Duration.ofSeconds(DiskBounds.LOOK_SECONDS_MAX).toNanos();

    assertEquals(101, DiskUse.of(List.of(folder), ticking(most / 200)).entries());
    assertTrue(DiskUse.of(List.of(folder), ticking(most / 50)).entries() > 1_000);
  }

  private static DiskBounds ticking(long nanos) {
    AtomicLong now = new AtomicLong();
    return new DiskBounds(1, 1_000, 100_000, 0, () -> now.addAndGet(nanos));
  }

  /// The clock is asked at each step, so a folder is moved after each of them.
  @Test
  void goesOnWhereverAFolderIsMovedMeanwhile() throws IOException {
    for (int step = 1; step < 15; step++) {
      Path root = Files.createDirectory(folder.resolve("at " + step));
      for (String name : List.of("moves", "stays")) {
        Files.createDirectories(root.resolve("in").resolve(name).resolve("deep"));
      }
      Files.writeString(root.resolve("in/stays/deep/file"), "12345");
      Files.writeString(root.resolve("in/stays/file"), "12345");

      DiskUse use = DiskUse.of(List.of(root), moving(step, root));

      assertTrue(Files.isDirectory(root.resolve("moved")), "moved");
      assertEquals(10, use.bytes(), "at step " + step);
    }
  }

  private static DiskBounds moving(int step, Path root) {
    AtomicLong steps = new AtomicLong();
    LongSupplier clock =
        () -> {
          if (steps.incrementAndGet() == step) {
            move(root.resolve("in/moves"), root.resolve("moved"));
          }
          return 0;
        };
    return new DiskBounds(100, 100, 100_000, 0, clock);
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void isMadeAgainSoonHoweverLongItTook() {
    assertEquals(LimitWatch.DISK_MILLIS_MIN, LimitWatch.diskMillis(3));
    assertEquals(10_000, LimitWatch.diskMillis(500));
    assertEquals(LimitWatch.DISK_MILLIS_MAX, LimitWatch.diskMillis(90_000));
  }
}
