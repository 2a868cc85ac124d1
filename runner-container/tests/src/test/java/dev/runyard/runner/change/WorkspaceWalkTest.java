package dev.runyard.runner.change;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.change.LeftOut;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkspaceWalkTest {
  @TempDir private Path folder = Path.of("");

  /// Somebody whom the agent let into its folders exchanges each thing once it has been looked at,
  /// also by a name for another file, which is no link.
  @Test
  void readsWhatItLookedAtWhateverIsExchanged() throws Exception {
    Path root = Files.createDirectory(folder.resolve("workspace"));
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("file"), "not mine");
    Files.writeString(Files.createDirectory(root.resolve("in")).resolve("file"), "mine");
    Exchanging each = new Exchanging(root, outside, new TreeMap<>());

    WorkspaceWalk.walk(root, Deadline.in(Duration.ofSeconds(1), () -> Instant.EPOCH), each);

    assertEquals(Map.of("in/file", "mine"), each.read());
  }

  private record Exchanging(Path root, Path outside, Map<String, String> read)
      implements WorkspaceWalk.Each {
    @Override
    public boolean folder(String path, PosixFileAttributes attributes) throws IOException {
      Files.move(root.resolve(path), root.resolve("moved"));
      Files.createSymbolicLink(root.resolve(path), outside);
      return true;
    }

    @Override
    public void file(String path, PosixFileAttributes attributes, WorkspaceWalk.Content content)
        throws IOException {
      Path other = Files.createLink(root.resolve("moved/other"), outside.resolve("file"));
      Files.move(other, root.resolve("moved/file"), StandardCopyOption.REPLACE_EXISTING);
      try (InputStream in = content.open()) {
        read.put(path, new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }

    @Override
    public void link(String path, String target) {
      throw new AssertionError(path);
    }

    @Override
    public void leftOut(String path, LeftOut.Reason reason) {
      throw new AssertionError(path);
    }
  }
}
