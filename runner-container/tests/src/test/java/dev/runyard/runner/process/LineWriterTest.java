package dev.runyard.runner.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LineWriterTest {
  private static final String LONG = "x".repeat(1024 * 1024);

  private final PipedInputStream pipe = new PipedInputStream(1024);

  @Test
  void writesLinesInOrderAndThenTheEnd() throws IOException {
    LineWriter writer = writer();

    assertTrue(writer.offer("one"));
    assertTrue(writer.offer("zwei \u00e4\u00f6\u00fc"));
    writer.close();

    assertEquals(List.of("one", "zwei \u00e4\u00f6\u00fc"), read());
  }

  @Test
  void reportsTheEndWhereNothingWasWritten() throws IOException {
    writer().close();

    assertEquals(List.of(), read());
  }

  @Test
  void dropsWhatComesAfterTheEnd() throws IOException {
    LineWriter writer = writer();
    writer.offer("said");
    writer.close();

    assertTrue(writer.offer("too late"));

    assertEquals(List.of("said"), read());
  }

  @Test
  void takesNoMoreThanItsBoundFromWhoeverDoesNotWait() throws IOException {
    LineWriter writer = writer();
    int taken = 0;
    while (writer.hasRoom() && writer.offer(LONG)) {
      taken++;
    }

    assertEquals(LineWriter.WAITING_BYTES_MAX / LONG.length(), taken);
    assertFalse(writer.offer("more"));
    writer.close();
    assertEquals(taken, read().size());
  }

  @Test
  void hasRoomAgainOnceNobodyReads() throws IOException {
    LineWriter writer = writer();
    while (writer.hasRoom()) {
      assertTrue(writer.offer(LONG));
    }

    writer.drop();

    assertTrue(writer.hasRoom());
    assertTrue(writer.offer("into nothing"));
  }

  private LineWriter writer() throws IOException {
    return new LineWriter(new PipedOutputStream(pipe), "writer");
  }

  private List<String> read() throws IOException {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(pipe, StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }
}
