package dev.runyard.runner.log;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

final class RunnerLogTest {
  @Test
  void saysWhatFailedWithoutItsMessages() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RunnerLog log =
        new RunnerLog(new PrintStream(out, true, StandardCharsets.UTF_8), InstantSource.system());

    log.failed(
        "backend_broke", new UncheckedIOException("s3cret", new IOException("/var/s3cret/file")));

    String line = out.toString(StandardCharsets.UTF_8);
    assertTrue(line.contains("\"code\":\"backend_broke\""), line);
    assertTrue(line.contains("java.io.UncheckedIOException at "), line);
    assertTrue(line.contains(" by java.io.IOException at "), line);
    assertTrue(line.contains("RunnerLogTest.java"), line);
    assertFalse(line.contains("s3cret"), line);
  }
}
