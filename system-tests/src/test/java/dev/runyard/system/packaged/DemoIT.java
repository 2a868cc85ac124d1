package dev.runyard.system.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The README's first command, with the packaged jars and real processes, end to end.
@Timeout(300)
final class DemoIT {
  private static final Path HOME = Path.of(System.getProperty("runyard.home"));

  @Test
  void theRealCodexDoesATask() throws Exception {
    String shown = demo("codex");

    assertTrue(shown.contains("== hello.txt: Hello from Codex."), shown);
    assertTrue(shown.contains("tool shell:"), shown);
    assertTrue(shown.contains("== Final text: I wrote a greeting to hello.txt."), shown);
    assertTrue(shown.contains("tokens in"), shown);
    assertTrue(shown.contains("== Status: completed"), shown);
  }

  @Test
  void echoNeedsNothingInstalled() throws Exception {
    for (String[] more : new String[][] {{}, {"--emulated"}}) {
      String shown = demo("echo", more);

      assertTrue(shown.contains("== Final text: Hello from Runyard."), shown);
      assertTrue(shown.contains("== Status: completed"), shown);
    }
  }

  private static String demo(String agent, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Drunyard.home=" + HOME,
                "-cp",
                jars().stream().map(Path::toString).collect(Collectors.joining(":")),
                "dev.runyard.cli.Main",
                "demo",
                "--agent",
                agent));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), shown);
    return shown;
  }

  private static List<Path> jars() throws IOException {
    Path target = HOME.resolve("cli/target");
    try (Stream<Path> own = Files.list(target);
        Stream<Path> others = Files.list(target.resolve("lib"))) {
      return Stream.concat(own, others)
          .filter(path -> path.getFileName().toString().endsWith(".jar"))
          .toList();
    }
  }
}
