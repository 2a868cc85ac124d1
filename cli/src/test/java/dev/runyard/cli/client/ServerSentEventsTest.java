package dev.runyard.cli.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.cli.client.ServerSentEvents.Message;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerSentEventsTest {

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void readsMessagesWithAnyLineEnd(String end) throws IOException {
    String body =
        String.join(end, "id: 1", "event: a", "data: x", "data: y", "", "data: z", "", "");
    assertEquals(
        List.of(new Message("1", "a", "x\ny"), new Message("1", "message", "z")), read(body));
  }

  @Test
  void skipsCommentsAndMessagesWithoutData() throws IOException {
    assertEquals(
        List.of(new Message("2", "message", "x")),
        read(": hello\n\nid: 2\nevent: ping\n\ndata: x\n\n"));
  }

  @Test
  void dropsMessageThatTheEndCutsOff() throws IOException {
    assertEquals(
        List.of(new Message(null, "message", "whole")), read("data: whole\n\ndata: half\n"));
  }

  @Test
  void takesOffOnlyOneSpaceAndAcceptsNone() throws IOException {
    assertEquals(
        List.of(new Message(null, "message", " a\nb\n")), read("data:  a\ndata:b\ndata\n\n"));
  }

  @Test
  void ignoresMarkAtTheStartAndIdsWithNul() throws IOException {
    assertEquals(
        List.of(new Message("1", "message", "x"), new Message("1", "message", "y")),
        read("\uFEFFid: 1\ndata: x\n\nid: 2\0\ndata: y\n\n"));
  }

  @Test
  void keepsCharactersThatSpanReads() throws IOException {
    assertEquals(
        List.of(new Message(null, "message", "grüße 🙂")),
        read(new OneByteAtATime("data: grüße 🙂\n\n".getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void refusesMessageWithoutEnd() {
    String piece = "data: " + "x".repeat(1 << 16) + "\n";
    String body = piece.repeat(1 + ServerSentEvents.MESSAGE_BYTES_MAX / (1 << 16)) + "\n";
    assertThrows(IOException.class, () -> read(body));
    assertThrows(
        IOException.class,
        () -> read("data: " + "x".repeat(ServerSentEvents.MESSAGE_BYTES_MAX) + "\n\n"));
  }

  @Test
  void reportsEveryLineSoThatSilenceShows() throws IOException {
    AtomicInteger lines = new AtomicInteger();
    InputStream body =
        new ByteArrayInputStream(": a\n\n: b\n\ndata: x\n\n".getBytes(StandardCharsets.UTF_8));
    new ServerSentEvents(body, lines::incrementAndGet).next();
    assertEquals(6, lines.get());
  }

  private static List<Message> read(String body) throws IOException {
    return read(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Message> read(InputStream body) throws IOException {
    ServerSentEvents events = new ServerSentEvents(body, () -> {});
    List<Message> messages = new ArrayList<>();
    for (Message next = events.next(); next != null; next = events.next()) {
      messages.add(next);
    }
    return messages;
  }

  private static final class OneByteAtATime extends ByteArrayInputStream {
    OneByteAtATime(byte[] bytes) {
      super(bytes);
    }

    @Override
    public synchronized int read(byte[] target, int from, int length) {
      return super.read(target, from, Math.min(length, 1));
    }
  }
}
