package dev.runyard.bench.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.bench.figure.Figure;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Cancels that come at about the moment at which their run completes. Whoever is first, the run
/// has one end, and every answer agrees with it.
final class Races {
  private static final int LANES = 8;
  private static final int ACCEPTED = 202;
  private static final int WARM_UP = 2 * LANES;

  private final Wire wire;
  private final Findings findings;
  private final RunCheck check;
  private final AtomicInteger cancelled = new AtomicInteger();
  private final AtomicInteger completed = new AtomicInteger();

  Races(Wire wire, Findings findings) {
    this.wire = wire;
    this.findings = findings;
    this.check = new RunCheck(wire, findings);
  }

  List<Figure> play(int count) throws InterruptedException {
    Lane[] lanes = new Lane[LANES];
    for (int i = 0; i < LANES; i++) {
      lanes[i] = new Lane(new Random(i));
    }
    ScenarioThreads.run(
        "a first run", WARM_UP, LANES, findings, number -> lanes[number % LANES].withoutRace());
    ScenarioThreads.run(
        "a race", count, LANES, findings, number -> lanes[number % LANES].race(number));
    findings.require(
        cancelled.get() + completed.get() == count,
        "of %d races %d were cancelled and %d completed",
        count,
        cancelled.get(),
        completed.get());
    findings.require(
        cancelled.get() > 0 && completed.get() > 0,
        "no race: %d cancelled, %d completed",
        cancelled.get(),
        completed.get());
    return List.of(
        figure("races the cancel won", cancelled, count),
        figure("races the run won", completed, count));
  }

  private static Figure figure(String name, AtomicInteger won, int count) {
    return new Figure(ScenarioSection.NAME, name, won.get(), "", "of " + count);
  }

  private String submit() throws IOException, InterruptedException {
    return wire.submit(Wire.echo(1, 0));
  }

  /// Races one after another. Each outcome moves the next cancel towards the run's end: far, until
  /// the other side wins, and less far each time the winner changes.
  private final class Lane {
    private static final double STEP_MAX = 2;
    private static final double STEP_MIN = 1.1;

    private final Random random;
    private double delayMillis;
    private double step = STEP_MAX;
    private boolean cancelWon;

    Lane(Random random) {
      this.random = random;
    }

    /// Finds out how long a run takes, from its log.
    void withoutRace() throws IOException, InterruptedException {
      List<JsonNode> events = check.check(submit());
      if (!events.isEmpty()) {
        delayMillis = Duration.between(time(events.getFirst()), time(events.getLast())).toMillis();
      }
    }

    private static Instant time(JsonNode event) {
      return Instant.parse(event.path("timestamp").asText());
    }

    void race(int number) throws IOException, InterruptedException {
      String runId = submit();
      TimeUnit.MICROSECONDS.sleep((long) (delayMillis * (700 + random.nextInt(600))));
      boolean acp = number % 2 == 1;
      Wire.Answer answer = cancel(runId, acp);
      List<JsonNode> events = check.check(runId);
      String last = events.isEmpty() ? "" : events.getLast().path("type").asText();
      boolean accepted = answer.status() == ACCEPTED;
      boolean won = (answer.repeated() && !accepted) ? last.equals("task.cancelled") : accepted;
      findings.require(
          last.equals(won ? "task.cancelled" : "task.completed"),
          "the cancel of %s was %s, and it ended with %s",
          runId,
          won ? "accepted" : "refused",
          last);
      findings.require(
          cancel(runId, !acp).status() != ACCEPTED, "%s was cancelled after its end", runId);
      (won ? cancelled : completed).incrementAndGet();
      approach(won);
    }

    private void approach(boolean won) {
      step = won == cancelWon ? step : Math.max(STEP_MIN, Math.sqrt(step));
      cancelWon = won;
      delayMillis = won ? delayMillis * step + 1 : delayMillis / step;
    }

    /// Cancels through one of the two APIs. Where it had to be sent again, one that is refused
    /// tells nothing of the first.
    private Wire.Answer cancel(String runId, boolean acp) throws IOException, InterruptedException {
      Wire.Answer answer = wire.post((acp ? "" : "/v1") + "/runs/" + runId + "/cancel", "{}");
      findings.require(
          answer.status() == ACCEPTED
              ? answer.json().path("status").asText().equals("cancelling")
              : answer.status() == (acp ? 403 : 409),
          "the cancel of %s was answered with %s",
          runId,
          answer);
      return answer;
    }
  }
}
