package dev.runyard.bench.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.cli.client.ServerSentEvents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Many clients at the same time: each submits a run of the echo, over one of a few connections,
/// and follows it to its end. Then every run is read again and checked.
final class Crowd {
  private static final int CONNECTIONS = 32;
  private static final int READERS = 16;
  private static final int LIST_LIMIT = 100;
  private static final long LIST_PAUSE_MILLIS = 100;

  private final Wire wire;
  private final Findings findings;
  private final Queue<Double> accepted = new ConcurrentLinkedQueue<>();
  private final Queue<Double> ended = new ConcurrentLinkedQueue<>();
  private final Set<String> runs = ConcurrentHashMap.newKeySet();
  private final Semaphore connections = new Semaphore(CONNECTIONS);
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger openMost = new AtomicInteger();

  Crowd(Wire wire, Findings findings) {
    this.wire = wire;
    this.findings = findings;
  }

  List<Figure> play(int count) throws InterruptedException {
    long begin = System.nanoTime();
    int repeats = wire.repeats();
    ScenarioThreads.run("a client with its run", count, count, findings, _ -> one());
    double seconds = millisSince(begin) / 1e3;
    RunCheck check = new RunCheck(wire, findings);
    List<String> all = List.copyOf(runs);
    findings.require(all.size() == count, "%d of %d runs were accepted", all.size(), count);
    Map<String, Integer> lengths = new ConcurrentHashMap<>();
    ScenarioThreads.run(
        "reading a run again",
        all.size(),
        READERS,
        findings,
        number -> {
          List<JsonNode> events = check.check(all.get(number));
          String last = events.isEmpty() ? "" : events.getLast().path("type").asText();
          findings.require(
              last.equals("task.completed"), "%s ended with %s", all.get(number), last);
          lengths.put(all.get(number), events.size());
        });
    listed(lengths);
    String at = CONNECTIONS + " submits at a time";
    List<Figure> figures = new ArrayList<>();
    figures.add(figure("runs completed", ended.size(), "", count + " submitted"));
    figures.add(figure("runs open at the same time, most", openMost.get(), "", ""));
    figures.addAll(millis("submit accepted", accepted, at));
    figures.addAll(millis("submit to terminal event seen", ended, at));
    figures.add(figure("runs per second", ended.size() / seconds, "1/s", "to the last end"));
    figures.add(figure("requests sent again", (double) wire.repeats() - repeats, "", ""));
    return figures;
  }

  private void one() throws IOException, InterruptedException {
    connections.acquire();
    long begin = System.nanoTime();
    String runId;
    try {
      runId = wire.submit(Wire.echo(1, 0));
    } finally {
      connections.release();
    }
    accepted.add(millisSince(begin));
    openMost.accumulateAndGet(open.incrementAndGet(), Math::max);
    findings.require(runs.add(runId), "I6: two submits made %s", runId);
    long last = 0;
    boolean over = false;
    while (!over) {
      Wire.Live live = wire.open(runId, last);
      findings.require(live != null, "I9: %s ended unseen behind %d", runId, last);
      if (live == null) {
        return;
      }
      try (live) {
        for (ServerSentEvents.Message message = live.next();
            message != null;
            message = live.next()) {
          last++;
          findings.require(
              Wire.Live.is(message, last),
              "I9: another event came where %d of %s is due",
              last,
              runId);
          over = RunCheck.isTerminal(message.event());
        }
      }
    }
    open.decrementAndGet();
    ended.add(millisSince(begin));
  }

  /// The lists may lag, but not for ever.
  private void listed(Map<String, Integer> lengths) throws InterruptedException {
    Set<String> missing = new HashSet<>(lengths.keySet());
    long end = System.nanoTime() + ScenarioThreads.WAIT_MAX.toNanos();
    try {
      while (!missing.isEmpty() && System.nanoTime() < end) {
        Map<String, Integer> seen = list();
        missing.removeIf(run -> Objects.equals(lengths.get(run), seen.get(run)));
        if (!missing.isEmpty()) {
          Thread.sleep(LIST_PAUSE_MILLIS);
        }
      }
      findings.require(missing.isEmpty(), "I5: the list never showed the end of %s", missing);
    } catch (IOException e) {
      findings.failed("listing runs", e);
    }
  }

  /// The last sequence of each listed run.
  private Map<String, Integer> list() throws IOException, InterruptedException {
    Map<String, Integer> seen = new HashMap<>();
    String cursor = "";
    do {
      JsonNode page =
          wire.found("/v1/runs?status=completed&limit=%d%s".formatted(LIST_LIMIT, cursor));
      for (JsonNode run : page.path("runs")) {
        boolean first =
            seen.put(run.path("run_id").asText(), run.path("last_sequence").asInt()) == null;
        findings.require(first, "the list has %s twice", run.path("run_id"));
      }
      cursor =
          page.path("next_cursor").isTextual()
              ? "&cursor=" + page.path("next_cursor").asText()
              : "";
    } while (!cursor.isEmpty());
    return seen;
  }

  private static List<Figure> millis(String name, Collection<Double> values, String note) {
    return values.isEmpty()
        ? List.of()
        : Figure.ofMillis(ScenarioSection.NAME, name, Samples.of(values), note);
  }

  private static Figure figure(String name, double value, String unit, String note) {
    return new Figure(ScenarioSection.NAME, name, value, unit, note);
  }

  private static double millisSince(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }
}
