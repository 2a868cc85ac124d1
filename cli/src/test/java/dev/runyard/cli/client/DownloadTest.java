package dev.runyard.cli.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where downloads go, and what is said where they do not fit.
final class DownloadTest {
  private static final URI HERE = URI.create("http://127.0.0.1:7070");
  private static final URI THERE = URI.create("https://192.0.2.1");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https:x",
        "https:///p",
        "https://a_b/p",
        "ftp://127.0.0.1/x",
        "file:///etc/passwd",
        "http://192.0.2.7/x",
        "https://192.0.2.7:65536/x",
        "https://[",
        "mailto:somebody"
      })
  void goesToAddressesOfTheWebOnly(String location) {
    assertThrows(NotSent.class, () -> Download.elsewhere(HERE, HERE, location));
    assertThrows(NotSent.class, () -> Download.elsewhere(THERE, THERE, location));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:8080/x",
        "https://127.0.0.2/x",
        "https://[::1]/x",
        "https://0.0.0.0/x",
        "https://localhost/x"
      })
  void isSentToThisMachineByThisMachineOnly(String location) {
    assertThrows(NotSent.class, () -> Download.elsewhere(THERE, THERE, location));
  }

  @Test
  void goesWhereItMay() throws IOException {
    assertEquals(
        URI.create("http://127.0.0.1:8080/x"),
        Download.elsewhere(HERE, HERE, "http://127.0.0.1:8080/x"));
    assertEquals(
        URI.create("https://192.0.2.7/x"), Download.elsewhere(THERE, THERE, "https://192.0.2.7/x"));
    assertEquals(
        URI.create("https://192.0.2.1/x"), Download.elsewhere(THERE, THERE.resolve("/y"), "/x"));
  }

  @Test
  void saysThatAFileCannotBeWritten() {
    try (RunServer server = new RunServer();
        RunyardClient client = new RunyardClient(server.uri(), new Identification.None())) {
      server.on("GET /v1/runs/r1/artifacts/x", 200, "content");

      var reply =
          assertInstanceOf(
              ServerReply.Unreachable.class,
              client.artifact("r1", "x", folder.resolve("missing/x")));

      assertTrue(reply.message().contains("cannot be written"), reply.message());
      assertFalse(reply.message().contains("no answer"), reply.message());
    }
  }
}
