package dev.runyard.runner.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.Signals;
import dev.runyard.testkit.ports.ReservedPort;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A provider that breaks, waits or sends too much, and an agent that leaves.
final class HostileProviderTest {
  private static final String CALL = "{\"model\":\"m\",\"stream\":true,\"x\":\"12345678\"}";
  private final GatewayRig rig = new GatewayRig();

  @Test
  void saysWhenItCannotBeReached() throws Exception {
    try (ReservedPort nobody = new ReservedPort();
        AttemptEndpoint endpoint =
            rig.gateway.open(
                GatewayRig.grant(ModelApi.RESPONSES, "http://127.0.0.1:" + nobody.number()))) {
      HttpResponse<byte[]> answer = rig.post(endpoint, "/responses", CALL);

      assertEquals(502, answer.statusCode());
      ModelNotice.ModelFailed told = GatewayRig.until(endpoint, ModelNotice.ModelFailed.class);
      assertEquals("network", told.code());
      assertEquals(0, told.call().status());
    }
  }

  @Test
  void breaksOffWhereItBreaksOff() throws Exception {
    try (FakeProvider provider =
            new FakeProvider(
                (_, out, socket) -> {
                  stream(out);
                  event(out, "data: {\"choices\":[]}\n\n");
                  event(out, "data: {\"choices\":[]}\n\n");
                  abort(socket);
                });
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.CHAT_COMPLETIONS, provider.origin()))) {
      assertThrows(IOException.class, () -> rig.post(endpoint, "/chat/completions", CALL));

      RunEvent.CostRecorded cost = GatewayRig.until(endpoint, RunEvent.CostRecorded.class);
      assertEquals("provider_failed", GatewayRig.call(cost).cut());
      assertTrue(GatewayRig.call(cost).estimated());
      long input = Math.ceilDiv(CALL.length(), AnswerMeter.BYTES_PER_TOKEN);
      assertEquals(new Usage(input, 0, 0, 2, 0, null, 1), cost.usage());
    }
  }

  /// An answer with a status would tell the agent that there is a server which has a trouble.
  @Test
  void leavesTheAgentWithoutAnAnswerWhereItGivesNone() throws Exception {
    try (FakeProvider provider = new FakeProvider((_, _, socket) -> socket.close());
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()))) {
      try (Socket agent = GatewayRig.connect(endpoint)) {
        send(agent, endpoint);

        assertEquals(-1, agent.getInputStream().read());
      }
      ModelNotice.ModelFailed told = GatewayRig.until(endpoint, ModelNotice.ModelFailed.class);
      assertEquals("network", told.code());
    }
  }

  @Test
  void isCancelledWhenTheAgentHasGone() throws Exception {
    CompletableFuture<Void> cancelled = new CompletableFuture<>();
    try (FakeProvider provider =
            new FakeProvider(
                (_, out, socket) -> {
                  stream(out);
                  event(
                      out,
                      "data:"
                          + " {\"message\":{\"usage\":{\"input_tokens\":50,\"output_tokens\":1}}}\n\n");
                  assertEquals(-1, socket.getInputStream().read());
                  cancelled.complete(null);
                });
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()))) {
      try (Socket agent = GatewayRig.connect(endpoint)) {
        send(agent, endpoint);
        assertTrue(agent.getInputStream().read() >= 0);
        while (agent.getInputStream().read() != '}') {}
      }

      cancelled.get();
      RunEvent.CostRecorded cost = GatewayRig.until(endpoint, RunEvent.CostRecorded.class);
      assertEquals("agent_gone", GatewayRig.call(cost).cut());
      assertEquals(50, cost.usage().inputTokens());
    }
  }

  @Test
  void isCancelledBeforeItAnswersToo() throws Exception {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    CompletableFuture<Void> cancelled = new CompletableFuture<>();
    try (FakeProvider provider =
            new FakeProvider(
                (_, _, socket) -> {
                  asked.complete(null);
                  assertEquals(-1, socket.getInputStream().read());
                  cancelled.complete(null);
                });
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()))) {
      try (Socket agent = GatewayRig.connect(endpoint)) {
        send(agent, endpoint);
        asked.get();
      }

      cancelled.get();
      RunEvent.CostRecorded cost = GatewayRig.until(endpoint, RunEvent.CostRecorded.class);
      assertEquals("agent_gone", GatewayRig.call(cost).cut());
      assertEquals(0, cost.usage().turns());
    }
  }

  @Test
  void isCancelledWhenTheAttemptEnds() throws Exception {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    CompletableFuture<Void> cancelled = new CompletableFuture<>();
    try (FakeProvider provider =
        new FakeProvider(
            (_, _, socket) -> {
              asked.complete(null);
              assertEquals(-1, socket.getInputStream().read());
              cancelled.complete(null);
            })) {
      AttemptEndpoint endpoint =
          rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()));
      try (Socket agent = GatewayRig.connect(endpoint)) {
        send(agent, endpoint);
        asked.get();

        endpoint.close();

        assertEquals(
            "attempt_ended",
            GatewayRig.call(GatewayRig.until(endpoint, RunEvent.CostRecorded.class)).cut());
        cancelled.get();
        assertEquals(-1, agent.getInputStream().read());
      }
    }
  }

  /// What the agent does not read, its provider cannot send: nothing in between keeps it.
  @Test
  void waitsForAnAgentThatDoesNotRead() throws Exception {
    byte[] part = new byte[64 * 1024];
    CompletableFuture<Long> sent = new CompletableFuture<>();
    try (FakeProvider provider =
            new FakeProvider(
                (_, out, socket) -> {
                  stream(out);
                  socket.setSendBufferSize(part.length);
                  long bytes = 0;
                  try {
                    while (bytes < 1L << 30) {
                      FakeProvider.chunk(out, part, 0, part.length);
                      bytes += part.length;
                    }
                  } finally {
                    sent.complete(bytes);
                  }
                });
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()))) {
      try (Socket agent = GatewayRig.connect(endpoint)) {
        send(agent, endpoint);
        assertTrue(agent.getInputStream().read() >= 0);
        assertNotNull(untilItWaits());
      }
      assertTrue(sent.get() < 64L * 1024 * 1024, sent.get() + " bytes were taken");
    }
  }

  @Test
  void mayAnswerInALineWithoutEnd() throws Exception {
    int lines = 80;
    byte[] part = "a".repeat(512 * 1024).getBytes(StandardCharsets.US_ASCII);
    try (FakeProvider provider =
            new FakeProvider(
                (_, out, _) -> {
                  stream(out);
                  event(out, "data: ");
                  for (int i = 0; i < lines; i++) {
                    FakeProvider.chunk(out, part, 0, part.length);
                  }
                  event(
                      out,
                      "\n\ndata: {\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\n");
                  FakeProvider.end(out);
                });
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.CHAT_COMPLETIONS, provider.origin()))) {
      HttpResponse<byte[]> answer = rig.post(endpoint, "/chat/completions", CALL);

      assertTrue(answer.body().length > lines * part.length);
      RunEvent.CostRecorded cost = GatewayRig.until(endpoint, RunEvent.CostRecorded.class);
      assertEquals(new Usage(3, 0, 0, 4, 0, null, 1), cost.usage());
    }
  }

  @Test
  void mayGiveAnAnswerThatIsTooLargeToBeRead() throws Exception {
    String giant =
        "{\"x\":\"%s\",\"usage\":{\"input_tokens\":1}}"
            .formatted("a".repeat(3 * AnswerMeter.EVENT_BYTES_MAX));
    try (FakeProvider provider = FakeProvider.answering(200, "application/json", giant);
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.RESPONSES, provider.origin()))) {
      HttpResponse<byte[]> answer = rig.post(endpoint, "/responses", CALL);

      assertEquals(giant, new String(answer.body(), StandardCharsets.US_ASCII));
      assertTrue(
          GatewayRig.call(GatewayRig.until(endpoint, RunEvent.CostRecorded.class)).estimated());
    }
  }

  @Test
  void cannotSendTheAgentElsewhereWithTheKey() throws Exception {
    try (FakeProvider thief = FakeProvider.answering(200, "application/json", "{}");
        FakeProvider provider =
            new FakeProvider(
                (_, out, _) ->
                    FakeProvider.head(
                        out, 307, "Location: " + thief.origin() + "/v1", "Content-Length: 0"));
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.RESPONSES, provider.origin()))) {
      assertEquals(307, rig.post(endpoint, "/responses", CALL).statusCode());
      assertEquals(0, thief.seen().size());
    }
  }

  /// The agent could ask for answers from which no usage can be read.
  @ParameterizedTest
  @ValueSource(strings = {"application/json", "text/event-stream"})
  void paysForAnAnswerThatIsTooLargeToSayWhatItUsed(String type) throws Exception {
    int bytes = 3 * AnswerMeter.EVENT_BYTES_MAX;
    String answer =
        "data: {\"x\":\"%s\",\"usage\":{\"prompt_tokens\":1}}".formatted("a".repeat(bytes));
    try (FakeProvider provider = FakeProvider.answering(200, type, answer);
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.CHAT_COMPLETIONS, provider.origin()))) {
      rig.post(endpoint, "/chat/completions", CALL);

      RunEvent.CostRecorded cost = GatewayRig.until(endpoint, RunEvent.CostRecorded.class);
      assertTrue(GatewayRig.call(cost).estimated());
      assertTrue(
          cost.usage().outputTokens() >= (bytes - AnswerMeter.EVENT_FRAME_BYTES) / 4,
          cost::toString);
      assertEquals(1, cost.usage().turns());
    }
  }

  @Test
  void paysForAnEventThatIsCutOff() throws Exception {
    try (FakeProvider provider =
            new FakeProvider(
                (_, out, socket) -> {
                  stream(out);
                  event(out, "data: " + "a".repeat(9 * AnswerMeter.EVENT_FRAME_BYTES));
                  abort(socket);
                });
        AttemptEndpoint endpoint =
            rig.gateway.open(GatewayRig.grant(ModelApi.CHAT_COMPLETIONS, provider.origin()))) {
      assertThrows(IOException.class, () -> rig.post(endpoint, "/chat/completions", CALL));

      RunEvent.CostRecorded cost = GatewayRig.until(endpoint, RunEvent.CostRecorded.class);
      assertTrue(cost.usage().outputTokens() > AnswerMeter.EVENT_FRAME_BYTES, cost::toString);
    }
  }

  private static void send(Socket agent, AttemptEndpoint endpoint) throws IOException {
    String request =
        "POST %s/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(GatewayRig.path(endpoint), CALL.length(), CALL);
    agent.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static void stream(OutputStream out) throws IOException {
    FakeProvider.head(out, 200, "Content-Type: text/event-stream", "Transfer-Encoding: chunked");
  }

  /// Resets the connection.
  private static void abort(Socket socket) throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  private static void event(OutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    FakeProvider.chunk(out, bytes, 0, bytes.length);
  }

  /// The thread that writes to the agent, once it waits for it.
  private static Thread untilItWaits() {
    List<Thread> waiting = new ArrayList<>();
    Signals.until(
        () -> {
          Thread.getAllStackTraces()
              .forEach(
                  (thread, stack) -> {
                    if (waits(stack)) {
                      waiting.add(thread);
                    }
                  });
          return !waiting.isEmpty();
        });
    return waiting.getFirst();
  }

  private static boolean waits(StackTraceElement[] stack) {
    boolean writes =
        Arrays.stream(stack)
            .anyMatch(
                frame ->
                    frame.getMethodName().equals("tryWrite")
                        || frame.getMethodName().equals("park"));
    return writes
        && Arrays.stream(stack).anyMatch(frame -> frame.getClassName().endsWith(".AnswerWriter"));
  }
}
