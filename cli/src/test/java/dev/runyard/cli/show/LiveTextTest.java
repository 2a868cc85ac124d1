package dev.runyard.cli.show;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.ClientEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LiveTextTest {
  private final StringBuilder out = new StringBuilder();
  private final LiveText live = new LiveText(out::append, Style.PLAIN);

  @Test
  void joinsDeltasAndEndsTheirLineBeforeAnythingElse() {
    print("model.delta", "{\"text\":\"One \"}");
    print("model.delta", "{\"text\":\"line\"}");
    print("tool.started", "{\"name\":\"shell\",\"input\":\"ls -l\"}");
    print("tool.result", "{\"name\":\"shell\",\"exitCode\":0,\"preview\":\"a\\nb\\n\"}");
    print("model.delta", "{\"text\":\"Done.\\n\"}");
    print("model.completed", "{}");
    assertEquals(
        """
        One line
        tool shell: ls -l
        result shell exit 0
          | a
          | b
        Done.
        """,
        out.toString());
  }

  @Test
  void saysHowMuchARunChanged() {
    print(
        "snapshot.updated",
        "{\"files\":3,\"linesAdded\":4,\"linesRemoved\":1,\"patch\":{\"bytes\":9},\"leftOut\":0}");
    print("snapshot.updated", "{\"files\":3,\"linesAdded\":0,\"linesRemoved\":0,\"leftOut\":2}");
    assertEquals(
        """
        snapshot.updated 3 files, +4 -1
        snapshot.updated 3 files, +0 -0, too large for a patch, 2 left out
        """,
        out.toString());
  }

  @Test
  void cutsLongPreviewsAndSaysSo() {
    int lines = LiveText.PREVIEW_LINES_MAX + 3;
    print(
        "tool.failed",
        "{\"name\":\"x\",\"exitCode\":2,\"preview\":\"" + "l\\n".repeat(lines) + "\"}");
    assertEquals(LiveText.PREVIEW_LINES_MAX + 2, out.toString().lines().count());
    assertEquals("failed x exit 2", out.toString().lines().findFirst().orElseThrow());
    assertEquals("  | … 3 more lines", out.toString().lines().toList().getLast());
  }

  @Test
  void saysHowToReadAnOutputThatIsKept() {
    print("output.spilled", "{\"outputRef\":\"out1-a\",\"bytes\":126000}");
    print(
        "tool.result",
        "{\"name\":\"x\",\"preview\":\"head\\nend\",\"outputBytes\":126000,"
            + "\"outputRef\":\"out1-a\"}");
    assertEquals(
        """
        result x
          | head
          | end
          | 123 KB in all: ./runyard output run-1 out1-a
        """,
        out.toString());
  }

  @Test
  void showsFilesAndPlansInALineEach() {
    print("artifact.changed", "{\"path\":\"src/a.txt\",\"change\":\"created\"}");
    print("artifact.changed", "{\"path\":\"b\"}");
    print(
        "task.progress",
        "{\"entries\":[{\"text\":\"look\",\"status\":\"completed\"},"
            + "{\"text\":\"write\",\"status\":\"in_progress\"},"
            + "{\"text\":\"test\",\"status\":\"pending\"}]}");
    assertEquals(
        """
        file created src/a.txt
        file changed b
        plan 1 of 3 done, now: write
        """,
        out.toString());
  }

  @Test
  void leavesBookkeepingOutAndShowsTypesItDoesNotKnow() {
    print("turn.started", "{\"attempt\":1}");
    print("run.status", "{\"phase\":\"running\"}");
    print("cost.recorded", "{\"usage\":{}}");
    print("quota.low", "{\"left\":3}");
    assertEquals("quota.low {\"left\":3}\n", out.toString());
  }

  @Test
  void printsNoTerminalSequencesOfAnAgent() {
    print("model.delta", "{\"text\":\"a\\u001b[2Jb\\u001b]0;title\\u0007c\\u0008d\\r\\n\"}");
    assertEquals("abcd\n", out.toString());
  }

  @ParameterizedTest
  @CsvSource({"999,999 ms", "1000,1.0 s", "61000,1 min 1 s", "3723000,1 h 2 min"})
  void timesAreReadable(long millis, String text) {
    assertEquals(text, Times.seconds(millis));
  }

  @Test
  void oneLineTextIsCutOnCodePoints() {
    String text = "🙂".repeat(SafeText.LINE_CHARS_MAX + 1);
    assertEquals("🙂".repeat(SafeText.LINE_CHARS_MAX) + "…", SafeText.line(text));
    assertEquals("a ⏎ b", SafeText.line("a  \n\n  b\n"));
  }

  private void print(String type, String payload) {
    try {
      live.print(
          new ClientEvent(
              1,
              type,
              JsonMapper.builder()
                  .build()
                  .readTree("{\"runId\":\"run-1\",\"payload\":" + payload + "}")));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
