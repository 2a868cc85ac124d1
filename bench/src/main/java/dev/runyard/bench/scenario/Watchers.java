package dev.runyard.bench.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.bench.figure.Figure;
import dev.runyard.cli.client.ServerSentEvents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Many clients that watch one run while it works. Each drops its connection several times, at
/// events of its own, comes back with the last id it saw, and must see every event once.
final class Watchers {
  private static final long SEED = 3;

  private final Wire wire;
  private final Findings findings;
  private final AtomicInteger connections = new AtomicInteger();

  Watchers(Wire wire, Findings findings) {
    this.wire = wire;
    this.findings = findings;
  }

  List<Figure> play(int clients, int drops, int events, int intervalMillis)
      throws IOException, InterruptedException {
    String runId = wire.submit(Wire.echo(events, intervalMillis));
    Random random = new Random(SEED);
    List<List<Integer>> dropped =
        IntStream.range(0, clients)
            .mapToObj(_ -> random.ints(1, events).distinct().limit(drops).sorted().boxed().toList())
            .toList();
    List<List<String>> seen =
        IntStream.range(0, clients).<List<String>>mapToObj(_ -> new ArrayList<>()).toList();
    ScenarioThreads.run(
        "a client that comes back",
        clients,
        clients,
        findings,
        number -> watch(runId, dropped.get(number), seen.get(number)));
    List<JsonNode> log = new RunCheck(wire, findings).check(runId);
    int whole = 0;
    for (int client = 0; client < clients; client++) {
      whole += sawAll(client, seen.get(client), log) ? 1 : 0;
    }
    return List.of(
        new Figure(
            ScenarioSection.NAME,
            "SSE clients that saw all events once",
            whole,
            "",
            "%d clients, %d drops each, %d events, %d connections"
                .formatted(clients, drops, log.size(), connections.get())));
  }

  private void watch(String runId, List<Integer> drops, List<String> seen)
      throws IOException, InterruptedException {
    for (int drop : drops) {
      follow(runId, drop, seen);
    }
    follow(runId, Integer.MAX_VALUE, seen);
  }

  /// Reads up to the event `until`, or to the end of the stream.
  private void follow(String runId, int until, List<String> seen)
      throws IOException, InterruptedException {
    connections.incrementAndGet();
    try (Wire.Live live = wire.open(runId, seen.size())) {
      findings.require(live != null, "I9: %s ended before a client saw its end", runId);
      while (live != null && seen.size() < until) {
        ServerSentEvents.Message message = live.next();
        if (message == null) {
          return;
        }
        seen.add(message.data());
        findings.require(
            Wire.Live.is(message, seen.size()),
            "I9: another event came where %d of %s is due",
            seen.size(),
            runId);
      }
    }
  }

  private boolean sawAll(int client, List<String> seen, List<JsonNode> log) throws IOException {
    List<JsonNode> events = new ArrayList<>();
    for (String data : seen) {
      events.add(Wire.JSON.readTree(data));
    }
    findings.require(
        events.equals(log),
        "I9: client %d saw %d events which are not the %d of the log",
        client,
        seen.size(),
        log.size());
    return events.equals(log);
  }
}
