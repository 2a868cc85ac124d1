package dev.runyard.system.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.system.CommandLine;
import dev.runyard.system.StackFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The README's first command, with the packaged jars and real processes, end to end.
final class DemoIT {
  @TempDir private Path folder;

  @Test
  void theRealCodexDoesATask() throws Exception {
    String shown = demo("codex");

    assertTrue(shown.contains("+++ b/hello.txt\n@@ -0,0 +1 @@\n+Hello from Codex."), shown);
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

  private String demo(String agent, String... more) throws Exception {
    List<String> command = new ArrayList<>(List.of("demo", "--agent", agent));
    command.addAll(List.of(more));
    Process process =
        CommandLine.of(StackFolder.in(folder).home(), command).redirectErrorStream(true).start();
    String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), shown);
    return shown;
  }
}
