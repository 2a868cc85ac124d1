package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DownloadFolderTest {
  private static final DownloadFolder.Content CONTENT =
      file -> {
        Files.write(file, new byte[] {1, 2});
        return Optional.empty();
      };
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../x",
        "a/../../x",
        "/x",
        "..",
        ".",
        "",
        "a/",
        "a/./x",
        "link/x",
        "link",
        "there",
        "there/x",
        "nul\0l"
      })
  void writesNothingOutside(String name) throws IOException {
    Path to = Files.createDirectory(folder.resolve("to"));
    Files.createSymbolicLink(to.resolve("link"), folder);
    Files.writeString(to.resolve("there"), "mine");

    assertInstanceOf(
        DownloadFolder.Saved.Refused.class, new DownloadFolder(to).save(name, CONTENT));

    assertEquals("mine", Files.readString(to.resolve("there")));
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(to), left.toList());
    }
  }

  @Test
  void savesFilesInFoldersOfTheirNames() throws IOException {
    Path to = folder.resolve("new");

    new DownloadFolder(to).save("dist/deep/näme with\nline", CONTENT);
    new DownloadFolder(to).save("dist/other", CONTENT);

    assertEquals(2, Files.size(to.resolve("dist/deep/näme with\nline")));
    assertEquals(2, Files.size(to.resolve("dist/other")));
  }

  @Test
  void keepsNothingOfWhatFails() throws IOException {
    Path to = folder.resolve("new");
    DownloadFolder.Content other =
        file -> {
          Files.write(file, new byte[] {1});
          return Optional.of("it is another");
        };

    assertEquals(
        new DownloadFolder.Saved.Refused("it is another"), new DownloadFolder(to).save("x", other));

    try (Stream<Path> left = Files.list(to)) {
      assertEquals(List.of(), left.toList());
    }
  }
}
