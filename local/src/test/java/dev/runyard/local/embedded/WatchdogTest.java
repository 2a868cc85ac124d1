package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.isolation.AgentUser;
import dev.runyard.runner.isolation.UserClaims;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WatchdogTest {
  /// The user that services have which need no rights.
  private static final int OVERFLOW_UID = 65_534;

  private static final int TERMINATED = 128 + 15;
  private static final int KILLED = 128 + 9;

  @Test
  void endsWhatHasItsMarkAndNothingElse() throws Exception {
    Process polite = marked("sleep 1000", "ours");
    Process deaf = marked("trap '' TERM; echo deaf; while :; do sleep 1; done", "ours");
    assertEquals("deaf", deaf.inputReader().readLine());
    Process other = marked("sleep 1000", "ours2");
    try {
      Watchdog.start("ours").close();
      assertEquals(TERMINATED, polite.waitFor());
      assertEquals(KILLED, deaf.waitFor());
      assertTrue(other.isAlive());
    } finally {
      other.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "trap '' TERM; echo away; while :; do sleep 1; done",
        "echo away; while :; do for i in 1 2 3 4 5 6 7 8 9; do kill -9 -1; done; : & done 2>/dev/null"
      })
  @Needs(Outside.OWN_USERS)
  void endsTheUsersOfItsStacksAttempts(String script) throws Exception {
    String stack = "stack-" + ProcessHandle.current().pid();
    int uid = AgentUser.UID_FIRST + AgentUser.USERS_MAX - 2;
    Path claims = Files.createDirectories(UserClaims.SYSTEM);
    Path claim = claims.resolve(Integer.toString(uid));
    Files.writeString(claim, UserClaims.line(stack) + "\n");
    Process escaped =
        new ProcessBuilder(
                "setpriv", "--reuid=" + uid, "--clear-groups", "env", "-i", "/bin/sh", "-c", script)
            .start();
    Process bystander =
        new ProcessBuilder(
                "setpriv", "--reuid=" + OVERFLOW_UID, "--clear-groups", "sh", "-c", "echo on; cat")
            .start();
    try {
      assertEquals("on", bystander.inputReader().readLine());
      assertEquals("away", escaped.inputReader().readLine());
      Watchdog.start(stack).close();
      assertEquals(KILLED, escaped.waitFor());
      assertTrue(bystander.isAlive());
    } finally {
      bystander.destroyForcibly();
      escaped.destroyForcibly();
      Files.deleteIfExists(claim);
    }
  }

  private static Process marked(String script, String stack) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script);
    builder.environment().put("RUNYARD_STACK", stack);
    return builder.start();
  }
}
