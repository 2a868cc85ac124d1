package dev.runyard.runner.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OwnFilesTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void doesNotPassThroughALink() throws IOException {
    write("a/b/file", "mine");
    write("outside/b/file", "not mine");
    Files.createSymbolicLink(folder.resolve("a/l"), folder.resolve("outside"));
    Files.createSymbolicLink(folder.resolve("a/f"), folder.resolve("outside/b/file"));

    assertEquals(Map.of("b/file", "mine"), read("b"));
    assertEquals(Map.of("b/file", "mine"), read("b/file"));
    assertEquals(Map.of(), read("l/b"));
    assertEquals(Map.of(), read("l"));
    assertEquals(Map.of(), read("f"));
    assertEquals(Map.of(), read("none/b"));
    assertEquals(Map.of(), read("b/file/none"));
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void knowsTheFileOfAnother() throws IOException {
    write("a/own", "mine");
    write("a/other", "not mine");
    Files.setAttribute(folder.resolve("a/other"), "unix:uid", 66_000);

    assertEquals(Map.of("own", "mine"), read("own"));
    assertEquals(Map.of(), read("other"));
  }

  /// Somebody whom the agent gave a descriptor of its folder exchanges what is in it, at each
  /// moment that the runner is between one step and the next.
  @Test
  void readsWhatItCheckedWhateverIsExchanged() throws IOException {
    write("outside/secret", "not mine");
    write("outside/2", "not mine");
    write("a/s/x/1", "mine");
    write("a/s/x/2", "mine");
    Map<String, String> read = new TreeMap<>();

    OwnFiles.below(
        folder.resolve("a"),
        List.of(Path.of("s")),
        9,
        (name, facts, held) -> {
          if (read.isEmpty()) {
            Files.delete(folder.resolve("a").resolve(name));
            Files.createSymbolicLink(
                folder.resolve("a").resolve(name), folder.resolve("outside/secret"));
            Files.move(folder.resolve("a/s/x"), folder.resolve("a/s/moved"));
            Files.createSymbolicLink(folder.resolve("a/s/x"), folder.resolve("outside"));
          }
          assertEquals(4, facts.bytes());
          read.put(name, new String(held.open().readAllBytes(), StandardCharsets.UTF_8));
        });

    assertEquals(Map.of("s/x/1", "mine", "s/x/2", "mine"), read);
  }

  private Map<String, String> read(String kept) throws IOException {
    Map<String, String> read = new TreeMap<>();
    List<String> names = new ArrayList<>();
    OwnFiles.below(
        folder.resolve("a"),
        List.of(Path.of(kept)),
        9,
        (name, _, held) -> {
          names.add(name);
          read.put(name, new String(held.open().readAllBytes(), StandardCharsets.UTF_8));
        });
    assertEquals(names.size(), read.size());
    return read;
  }

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
