package dev.runyard.functions.stream;

import static dev.runyard.functions.stream.StreamRig.events;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.functions.stream.StreamRig.Frame;
import dev.runyard.functions.stream.StreamRig.Stream;
import dev.runyard.testkit.threads.KeptCarriers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SseTest {
  private final StreamRig rig = new StreamRig();

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void streamsARunToItsTerminalEvent() throws Exception {
    RunKey run = rig.twins.running();
    try (Stream stream = rig.stream(events(run, ""))) {
      assertEquals(
          "text/event-stream", stream.response.headers().firstValue("Content-Type").orElse(""));
      assertEquals("retry: 1000", stream.line());
      List<Frame> first = stream.next(5);
      assertEquals(List.of("1", "2", "3", "4", "5"), Stream.ids(first));
      assertEquals("task.created", first.getFirst().type());
      assertFalse(first.getFirst().data().contains("s3cret"));

      rig.ticks.awaitPaused(1);
      rig.twins.complete(run);
      rig.ticks.tick();

      List<Frame> rest = stream.toEnd();
      assertEquals(List.of("6", "7", "8", "9"), Stream.ids(rest));
      assertEquals("task.completed", rest.getLast().type());
      assertEquals(9, JsonFormat.JSON.readTree(rest.getLast().data()).path("sequence").intValue());
    }
  }

  @Test
  void answersWhileVirtualThreadsLoadClasses() throws Exception {
    RunKey run = rig.twins.running();
    rig.twins.complete(run);
    try (KeptCarriers _ = new KeptCarriers();
        Stream stream = rig.stream(events(run, ""))) {
      assertEquals("task.completed", stream.toEnd().getLast().type());
    }
  }

  @Test
  void resumesInTheMiddleOfAChunk() throws Exception {
    RunKey run = rig.twins.running();
    rig.twins.report(run, deltas(50));
    rig.twins.complete(run);

    for (int after : List.of(0, 1, 2, 5, 6, 30, 54, 55, 58)) {
      try (Stream stream = rig.stream(events(run, "?after=" + after))) {
        List<String> ids = Stream.ids(stream.toEnd());
        assertEquals(59 - after, ids.size());
        assertEquals(String.valueOf(after + 1), ids.getFirst());
      }
    }
  }

  @Test
  void theLastEventIdWinsOverTheQuery() throws Exception {
    RunKey run = rig.twins.running();
    rig.twins.complete(run);

    try (Stream stream = rig.stream(events(run, "?after=1"), "Last-Event-ID", "7")) {
      assertEquals(List.of("8", "9"), Stream.ids(stream.toEnd()));
    }
  }

  @Test
  void tellsABrowserThatHasEverythingNotToReconnect() throws Exception {
    RunKey run = rig.twins.running();
    rig.twins.complete(run);

    try (Stream stream = rig.stream(events(run, ""), "Last-Event-ID", "9")) {
      assertEquals(204, stream.response.statusCode());
    }
  }

  @Test
  void beatsWhileItIsQuiet() throws Exception {
    RunKey run = rig.twins.running();
    try (Stream stream = rig.stream(events(run, "?after=5"))) {
      assertEquals("retry: 1000", stream.line());
      assertEquals("", stream.line());
      for (int i = 0; i < 3; i++) {
        rig.ticks.awaitPaused(1);
        rig.twins.clock.advance(Duration.ofSeconds(SseStream.HEARTBEAT_SECONDS));
        rig.ticks.tick();
        assertEquals(":", stream.line());
        assertEquals("", stream.line());
      }
    }
  }

  @Test
  void beatsNotBeforeItsTime() throws Exception {
    RunKey run = rig.twins.running();
    try (Stream stream = rig.stream(events(run, "?after=5"))) {
      rig.ticks.awaitPaused(1);
      rig.twins.clock.advance(Duration.ofSeconds(SseStream.HEARTBEAT_SECONDS - 1));
      rig.ticks.tick();
      rig.ticks.awaitPaused(1);
      rig.twins.report(run, new RunEvent.ModelDelta("x"));
      rig.ticks.tick();

      assertEquals("retry: 1000", stream.line());
      assertEquals("", stream.line());
      assertEquals("id: 6", stream.line());
    }
  }

  @Test
  void endsWithoutATerminalEventAfterItsLongestTime() throws Exception {
    RunKey run = rig.twins.running();
    try (Stream stream = rig.stream(events(run, "?after=4"))) {
      rig.ticks.awaitPaused(1);
      rig.twins.clock.advance(Duration.ofSeconds(SseStream.STREAM_SECONDS_MAX));
      rig.ticks.tick();

      assertEquals(List.of("5"), Stream.ids(stream.toEnd()));
    }
    try (Stream stream = rig.stream(events(run, ""), "Last-Event-ID", "5")) {
      rig.ticks.awaitPaused(1);
      rig.twins.complete(run);
      rig.ticks.tick();

      assertEquals(List.of("6", "7", "8", "9"), Stream.ids(stream.toEnd()));
    }
  }

  @Test
  void waitsWhenTheClientIsAhead() throws Exception {
    RunKey run = rig.twins.running();
    try (Stream stream = rig.stream(events(run, "?after=7"))) {
      rig.ticks.awaitPaused(1);
      rig.twins.complete(run);
      rig.ticks.tick();

      assertEquals(List.of("8", "9"), Stream.ids(stream.toEnd()));
    }
  }

  @Test
  void noTextBreaksTheFraming() throws Exception {
    RunKey run = rig.twins.running();
    String text = "a\r\nb\rc\nd\u2028e\u2029f\u0085g\ndata: x\n\nid: 99\u0000\u001b]0;t\u0007💖";
    rig.twins.report(run, new RunEvent.ModelDelta(text));
    rig.twins.complete(run);

    try (Stream stream = rig.stream(events(run, "?after=5"))) {
      List<Frame> frames = stream.toEnd();
      assertEquals(List.of("6", "7", "8", "9", "10"), Stream.ids(frames));
      String data = frames.getFirst().data();
      assertEquals(text, JsonFormat.JSON.readTree(data).at("/payload/text").textValue());
      assertFalse(data.codePoints().anyMatch(c -> c < ' ' || c == 0x85 || c == 0x2028));
    }
  }

  @Test
  void stopsWhenTheClientIsGone() throws Exception {
    RunKey run = rig.twins.running();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), rig.port())) {
      socket
          .getOutputStream()
          .write(
              ("GET "
                      + events(run, "")
                      + " HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      rig.ticks.awaitPaused(1);
      socket.setSoLinger(true, 0);
    }
    rig.ticks.runFree(
        () -> rig.twins.clock.advance(Duration.ofSeconds(SseStream.HEARTBEAT_SECONDS)));
    rig.twins.awaitLogged("client_gone");
  }

  @Test
  void outlivesAnOutageOfTheLog() throws Exception {
    RunKey run = rig.twins.running();
    try (Stream stream = rig.stream(events(run, "?after=5"))) {
      rig.ticks.awaitPaused(1);
      rig.twins.log.begin(new PortUnavailable("no answer"));
      rig.ticks.tick();
      rig.ticks.awaitPaused(1);
      rig.twins.log.end();
      rig.twins.complete(run);
      rig.ticks.tick();

      assertEquals(List.of("6", "7", "8", "9"), Stream.ids(stream.toEnd()));
    }
  }

  @Test
  void endsAStreamOfABrokenLog() throws Exception {
    RunKey run = rig.twins.running();
    try (Stream stream = rig.stream(events(run, "?after=5"))) {
      rig.ticks.awaitPaused(1);
      rig.twins.log.begin(new IllegalStateException("s3cret"));
      rig.ticks.tick();

      String line = stream.line();
      while (line != null) {
        assertFalse(line.contains("s3cret"));
        line = lineOrEnd(stream);
      }
    }
    rig.twins.awaitLogged("stream_broken");
    assertFalse(rig.twins.logged().contains("s3cret"));
  }

  @Test
  void servesManyStreamsAtOnce() throws Exception {
    RunKey run = rig.twins.running();
    List<Stream> streams = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      streams.add(rig.stream(events(run, "")));
    }
    for (Stream stream : streams) {
      assertEquals(List.of("1", "2", "3", "4", "5"), Stream.ids(stream.next(5)));
    }
    rig.ticks.awaitPaused(1);
    rig.twins.complete(run);
    rig.ticks.runFree(() -> {});

    for (Stream stream : streams) {
      assertEquals(List.of("6", "7", "8", "9"), Stream.ids(stream.toEnd()));
      assertNull(stream.line());
      stream.close();
    }
  }

  private static @Nullable String lineOrEnd(Stream stream) {
    try {
      return stream.line();
    } catch (IOException _) {
      return null;
    }
  }

  private static RunEvent[] deltas(int count) {
    RunEvent[] deltas = new RunEvent[count];
    Arrays.setAll(deltas, i -> new RunEvent.ModelDelta("d" + i));
    return deltas;
  }
}
