package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A whole stack whose runs have users of their own, with agents that are hostile.
@Needs(Outside.OWN_USERS)
final class IsolatedStackIT {
  /// The user that services have which need no rights.
  private static final int OVERFLOW_UID = 65_534;

  @TempDir private Path folder;

  @BeforeEach
  void open() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
  }

  @Test
  void keepsARunFromItsStackAndLeavesNothingOfIt() throws Exception {
    StackFolder files = StackFolder.in(folder).withShell();
    try (SystemStack stack = SystemStack.stored(files, "--isolation", "uid")) {
      Api api = stack.api();
      String run =
          api.run(
              shell(
                  """
                  (cat /proc/$PPID/environ; cat %1$s/store/*; cat %1$s/work/logs/*; ls %1$s/work/work/homes) \
                    2>/dev/null
                  kill -9 $PPID 2>/dev/null
                  env -i setsid -f sleep 777
                  echo "user $(id -u)"
                  """
                      .formatted(files.data())));
      JsonNode view = api.ended(run);
      assertEquals("completed", view.path("status").asText(), view::toString);
      JsonNode told = Api.first(api.all(run, 100), "sandbox.applied").path("payload");
      assertEquals("uid", told.path("level").asText(), told::toString);
      String uid = told.path("uid").asText();
      assertEquals("user " + uid, view.path("final_text").asText().strip());
      assertEquals(List.of(), processesOf(Integer.parseInt(uid)));
      assertTrue(Files.isDirectory(files.data().resolve("store")));
      assertTrue(Files.isDirectory(files.data().resolve("work/work/homes")));
    }
  }

  @Test
  void failsARunThatReachesALimitAndSaysWhatToDo() throws Exception {
    StackFolder files = StackFolder.in(folder).withShell();
    try (SystemStack stack =
        SystemStack.stored(
            files, "--isolation", "uid", "--set", "AttemptLimits={\"disk_entries\":2000}")) {
      Api api = stack.api();
      String run =
          api.run(
              shell(
                  "i=0; while [ $i -lt 100000 ]; do : > f$i; i=$((i + 1)); done; exec sleep 1000"));
      stack.mayFail(run, "file_count_limit_reached");
      JsonNode error = api.ended(run).path("error");
      assertEquals("file_count_limit_reached", error.path("code").asText(), error::toString);
      assertTrue(error.path("message").asText().contains("disk_entries"), error::toString);
    }
  }

  /// By its watchdog, whatever an agent does to what has its user.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "trap '' TERM; while :; do sleep 1; done",
        "while :; do for i in 1 2 3 4 5 6 7 8 9; do kill -9 -1; done; : & done 2>/dev/null"
      })
  void endsTheUsersOfItsAttemptsWhenItIsKilled(String script) throws Exception {
    StackFolder files = StackFolder.in(folder).withShell();
    Path go = folder.resolve("go");
    Path escaped =
        Files.writeString(
            folder.resolve("escaped.sh"),
            "until [ -e %s ]; do sleep 0.1; done\nkill -9 $1\n%s\n".formatted(go, script));
    // Another user's, which is none of its attempts'.
    Process bystander =
        new ProcessBuilder(
                "setpriv", "--reuid=" + OVERFLOW_UID, "--clear-groups", "sh", "-c", "echo on; cat")
            .start();
    try (SystemStack stack = SystemStack.stored(files, "--isolation", "uid")) {
      assertEquals("on", bystander.inputReader().readLine());
      Api api = stack.api();
      String run =
          api.run(
              shell("env -i setsid -f sh %s $$; echo begun; exec sleep 1000".formatted(escaped)));
      List<JsonNode> events = api.until(run, "model.delta");
      int uid = Api.first(events, "sandbox.applied").at("/payload/uid").asInt();
      stack.freeze();
      Files.createFile(go);
      SystemStack.awaitAgentsEnd(run);
      assertFalse(processesOf(uid).isEmpty(), "nothing escaped");
      ProcessHandle watchdog = stack.watchdog();
      stack.kill();
      watchdog.onExit().join();
      assertEquals(List.of(), processesOf(uid));
      assertTrue(bystander.isAlive());
    } finally {
      bystander.destroyForcibly();
    }
  }

  private static String shell(String script) {
    return Api.JSON
        .createObjectNode()
        .put("agent", "shell")
        .put("prompt", "exec 2>&1\n" + script)
        .toString();
  }

  private static List<Long> processesOf(int uid) throws IOException {
    return ProcessTable.pids(
        "status", says -> says.contains("\nUid:\t" + uid + "\t") && !says.contains("State:\tZ"));
  }
}
