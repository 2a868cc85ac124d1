package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.local.LocalOptions;
import dev.runyard.runner.isolation.IsolationRefused;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stack that is to give its runs users of their own.
final class IsolatedStackTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void doesNotStartWithoutTheIsolationItRequires() throws Exception {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    LocalOptions refused =
        LocalOptions.of(Path.of("..", "template.yaml"), closed.resolve("work"))
            .withParameter("Isolation", "uid");
    assertThrows(IsolationRefused.class, () -> EmbeddedStack.start(refused, false).close());
  }
}
