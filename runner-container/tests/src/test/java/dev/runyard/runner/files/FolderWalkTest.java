package dev.runyard.runner.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderWalkTest {
  private static final int DEPTH = 300;

  /// What telling a path takes of memory for each of its bytes; its own text is a part of that.
  private static final int TAKEN_MAX = 20;

  @TempDir private Path folder;

  @Test
  void tellsThePathOfEachEntryWhicheverFoldersItHasLeft() throws IOException {
    Files.createDirectories(folder.resolve("a/b"));
    Files.createDirectories(folder.resolve("c/d/e"));
    for (String file : List.of("a/b/one", "a/two", "c/d/e/three")) {
      Files.createFile(folder.resolve(file));
    }
    List<String> visited = new ArrayList<>();

    walk(entry -> visited.add(entry.path().toString()));

    visited.sort(Comparator.naturalOrder());
    assertEquals(
        List.of("a", "a/b", "a/b/one", "a/two", "c", "c/d", "c/d/e", "c/d/e/three"), visited);
  }

  @Test
  void tellsAPathWithoutMakingThatOfEachFolderAbove() throws IOException {
    Files.createDirectories(folder.resolve("d/".repeat(DEPTH)));
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<Long> excess = new ArrayList<>();

    walk(
        entry -> {
          long before = thread.getCurrentThreadAllocatedBytes();
          int bytes = entry.path().toString().length();
          long taken = thread.getCurrentThreadAllocatedBytes() - before;
          if (entry.depth() > DEPTH / 2 && taken > (long) TAKEN_MAX * bytes) {
            excess.add(taken);
          }
        });

    assertEquals(List.of(), excess);
  }

  private void walk(Consumer<FolderWalk.Entry> seen) throws IOException {
    try (Pinned held = Pinned.at(folder)) {
      FolderWalk.walk(
          held,
          Integer.MAX_VALUE,
          new FolderWalk.Each() {
            @Override
            public boolean folder(FolderWalk.Entry entry) {
              seen.accept(entry);
              return true;
            }

            @Override
            public void other(FolderWalk.Entry entry) {
              seen.accept(entry);
            }
          });
    }
  }
}
