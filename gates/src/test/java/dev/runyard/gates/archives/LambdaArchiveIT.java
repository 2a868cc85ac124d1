package dev.runyard.gates.archives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.gates.Repository;
import dev.runyard.gates.template.SamTemplate;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The archive that is uploaded, as the build left it.
final class LambdaArchiveIT {
  private static final Path ARCHIVE = Path.of("..", "functions", "target", "functions-lambda.jar");

  @Test
  void holdsWhatLambdaStartsAndFits() throws IOException {
    List<String> handlers =
        SamTemplate.of(Repository.OURS).functions().values().stream()
            .map(function -> function.path("Handler").asText())
            .toList();
    try (FileSystem archive =
        FileSystems.newFileSystem(ARCHIVE, Map.of("enablePosixFileAttributes", "true"))) {
      assertEquals(List.of(), new LambdaArchive(archive.getPath("/")).faults(handlers));
    }
  }
}
