package dev.runyard.gates.archives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.gates.template.SamTemplate;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The archive that is uploaded, as the build left it.
class LambdaArchiveIT {

  private static final Path ARCHIVE = Path.of("..", "functions", "target", "functions-lambda.jar");
  private static final long UNPACKED_BYTES_MAX = 250L * 1024 * 1024;

  private FileSystem archive = FileSystems.getDefault();

  @BeforeEach
  void open() throws IOException {
    archive = FileSystems.newFileSystem(ARCHIVE, Map.of("enablePosixFileAttributes", "true"));
  }

  @AfterEach
  void close() throws IOException {
    archive.close();
  }

  @Test
  void startsTheStreamServerAsAProgram() throws IOException {
    var modes = Files.getPosixFilePermissions(archive.getPath("run.sh"));
    assertTrue(modes.contains(PosixFilePermission.OWNER_EXECUTE), modes::toString);
    assertTrue(modes.contains(PosixFilePermission.OTHERS_EXECUTE), modes::toString);
  }

  @Test
  void holdsEachHandler() throws IOException {
    for (var function : SamTemplate.read().functions().values()) {
      var handler = function.path("Handler").asText();
      var entry = handler.equals("run.sh") ? handler : handler.replace('.', '/') + ".class";
      assertTrue(Files.exists(archive.getPath(entry)), entry);
    }
  }

  @Test
  void offersOneHttpClientToTheSdk() throws IOException {
    var services = archive.getPath("META-INF/services/software.amazon.awssdk.http.SdkHttpService");
    var clients =
        Files.readAllLines(services).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    assertEquals(
        List.of("software.amazon.awssdk.http.urlconnection.UrlConnectionSdkHttpService"), clients);
  }

  @Test
  void leavesTheTwinsOfThePortsOut() {
    assertTrue(Files.exists(archive.getPath("dev/runyard/core")));
    assertFalse(Files.exists(archive.getPath("dev/runyard/core/memory")));
  }

  @Test
  void leavesTheStoreOfOneMachineOut() {
    assertFalse(Files.exists(archive.getPath("dev/runyard/embedded")));
    assertFalse(Files.exists(archive.getPath("org/sqlite")));
  }

  @Test
  void fitsIntoAFunction() throws IOException {
    try (var files = Files.walk(archive.getPath("/"))) {
      long bytes = 0;
      for (var file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      assertTrue(bytes < UNPACKED_BYTES_MAX, bytes + " bytes");
    }
  }
}
