package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.local.LocalOptions;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.isolation.IsolationLevel;
import dev.runyard.runner.isolation.IsolationRefused;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A whole stack whose runs have users of their own, with agents that are hostile.
@Needs(Outside.OWN_USERS)
final class IsolatedStackTest {
  private static final String GREEDY =
      """
      #!/bin/sh
      cat >/dev/null
      i=0
      while [ $i -lt 100000 ]; do : > f$i; i=$((i + 1)); done
      """;

  @TempDir private Path folder = Path.of("");

  @Test
  void keepsARunFromItsStackAndLeavesNothingOfIt() throws Exception {
    try (StackClient client = new StackClient(folder);
        EmbeddedStack stack = EmbeddedStack.start(options("uid"), false)) {
      assertEquals(IsolationLevel.UID, stack.isolation().level());
      String run = client.submit(stack.uri(), "{\"agent\":\"hostile\",\"prompt\":\"x\"}");
      List<JsonNode> events = client.streamed(stack.uri(), run);
      assertEquals("task.completed", events.getLast().path("type").asText(), events::toString);
      JsonNode told =
          events.stream()
              .filter(event -> event.path("type").asText().equals("sandbox.applied"))
              .findFirst()
              .orElseThrow()
              .path("payload");
      assertEquals("uid", told.path("level").asText());
      String uid = told.path("uid").asText();
      assertEquals("user " + uid, client.run(stack.uri(), run).path("final_text").asText().strip());
      assertEquals(List.of(), processesOf(Integer.parseInt(uid)));
    }
  }

  @Test
  void failsARunThatReachesALimitAndSaysWhatToDo() throws Exception {
    LocalOptions few = options("uid").withParameter("AttemptLimits", "{\"disk_entries\":2000}");
    try (StackClient client = new StackClient(folder);
        EmbeddedStack stack = EmbeddedStack.start(few, false)) {
      String run = client.submit(stack.uri(), "{\"agent\":\"greedy\",\"prompt\":\"x\"}");
      client.streamed(stack.uri(), run);
      JsonNode error = client.run(stack.uri(), run).path("error");
      assertEquals("file_count_limit_reached", error.path("code").asText(), error::toString);
      assertTrue(error.path("message").asText().contains("disk_entries"), error::toString);
    }
  }

  @Test
  void doesNotStartWithoutTheIsolationItRequires() throws Exception {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    LocalOptions refused =
        LocalOptions.of(Path.of("..", "template.yaml"), closed.resolve("work"))
            .withParameter("Isolation", "uid");
    assertThrows(IsolationRefused.class, () -> EmbeddedStack.start(refused, false).close());
  }

  private LocalOptions options(String isolation) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    Path agents =
        Files.writeString(
            folder.resolve("agents.json"),
            """
            {"agents":{"hostile":{"program":"%s","command":{"title":"H","output":"text"}},
                       "greedy":{"program":"%s","command":{"title":"G","output":"text"}}}}
            """
                .formatted(program("hostile", hostile()), program("greedy", GREEDY)));
    return LocalOptions.of(
            Path.of("..", "template.yaml"), Files.createDirectories(folder.resolve("work")))
        .withData(folder.resolve("data"))
        .withAgents(agents)
        .withParameter("Isolation", isolation);
  }

  private String hostile() {
    return """
    #!/bin/sh
    cat >/dev/null
    (cat /proc/$PPID/environ; cat %1$s/data/store/*; cat %1$s/work/logs/*; ls %1$s/work/work/homes) \
      2>/dev/null
    kill -9 $PPID 2>/dev/null
    env -i setsid -f sleep 777
    echo "user $(id -u)"
    """
        .formatted(folder);
  }

  private Path program(String name, String script) throws IOException {
    Path program = Files.writeString(folder.resolve(name), script);
    return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static List<String> processesOf(int uid) throws IOException {
    List<String> own = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        own.addAll(alive(process, uid));
      }
    }
    return own;
  }

  private static List<String> alive(Path process, int uid) {
    try {
      String status = Files.readString(process.resolve("status"));
      boolean own = Files.getAttribute(process, "unix:uid").equals(uid);
      return own && !status.contains("State:\tZ") ? List.of(status) : List.of();
    } catch (IOException _) {
      return List.of();
    }
  }
}
