package dev.runyard.runner.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.runner.process.ProcessEntry.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// On a folder with what Linux shows of a process at moments that no test can hold a real one in.
final class LinuxProcessTableTest {

  private static final String VARIABLES = "PATH=/bin\0RUNYARD_RUN=run.1\0";
  private static final long USUAL = 0x0040_0000;

  @TempDir private Path proc;

  @Test
  void readsTheMark() throws IOException {
    describe('S', USUAL, 1, VARIABLES, "sh\0");

    assertEquals(List.of(entry(State.RUNNING, "run.1")), table().snapshot(0));
  }

  @Test
  void tellsAProcessBetweenTwoProgramsFromOneWithoutAMark() throws IOException {
    describe('R', USUAL, 1, "", "");
    assertEquals(List.of(entry(State.CHANGING, "")), table().snapshot(0));

    describe('R', USUAL, 1, "", "env\0-i\0");
    assertEquals(List.of(entry(State.RUNNING, "")), table().snapshot(0));

    describe('R', USUAL, 1, "PATH=/bin\0", "sh\0");
    assertEquals(List.of(entry(State.RUNNING, "")), table().snapshot(0));
  }

  @Test
  void waitsForNoMarkOfWhatNeverHasOne() throws IOException {
    describe('S', USUAL | 0x0020_0000, 1, "", "");
    assertEquals(List.of(entry(State.RUNNING, "")), table().snapshot(0));

    describe('Z', USUAL, 1, "", "");
    assertEquals(List.of(entry(State.DEAD, "")), table().snapshot(0));

    describe('T', USUAL, 1, "", "");
    assertEquals(List.of(entry(State.STOPPED, "")), table().snapshot(0));

    describe('Z', USUAL, 2, "", "");
    assertEquals(List.of(entry(State.RUNNING, "")), table().snapshot(0));
  }

  @Test
  void readsNoMarkOfWhatIsOlderThanAsked() throws IOException {
    describe('S', USUAL, 1, VARIABLES, "sh\0");
    assertEquals(List.of(entry(State.RUNNING, "")), table().snapshot(901));

    describe('R', USUAL, 1, "", "");
    assertEquals(List.of(entry(State.RUNNING, "")), table().snapshot(901));
  }

  private LinuxProcessTable table() {
    return new LinuxProcessTable(proc);
  }

  private static ProcessEntry entry(State state, String mark) {
    return new ProcessEntry(7, 1, 5, 6, 900, state, mark);
  }

  private void describe(char state, long flags, int threads, String environ, String cmdline)
      throws IOException {
    Path process = Files.createDirectories(proc.resolve("7"));
    Files.writeString(
        process.resolve("stat"),
        "7 (a ) b) "
            + state
            + " 1 5 6 0 -1 "
            + flags
            + " 0 0 0 0 0 0 0 0 20 0 "
            + threads
            + " 0 900 0 0\n");
    Files.writeString(process.resolve("environ"), environ);
    Files.writeString(process.resolve("cmdline"), cmdline);
  }
}
