package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class WatchdogTest {
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

  private static Process marked(String script, String stack) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script);
    builder.environment().put("RUNYARD_STACK", stack);
    return builder.start();
  }
}
