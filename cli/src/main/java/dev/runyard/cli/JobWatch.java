package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.runyard.cli.client.LiveEvents;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerProblem;
import dev.runyard.cli.client.ServerReply;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Shows how a job gets on, until it has ended or is blocked. Interrupting it only detaches: the
/// job continues.
final class JobWatch {
  /// How long the server holds an answer back while nothing happens.
  private static final int WAIT_SECONDS = 10;

  /// At most one line in this time.
  private static final long LINE_NANOS = 1_000_000_000L;

  /// Requests in a row that may stay without an answer.
  private static final int LOST_MAX = 30;

  private static final int INTERNAL_ERROR = 500;
  private static final int TOO_MANY_REQUESTS = 429;

  private final Terminal terminal;
  private final RunyardClient client;
  private final boolean json;
  private final LiveEvents.Pause pause;
  private long saidAt;
  private int lost;

  JobWatch(Terminal terminal, RunyardClient client, boolean json) {
    this(terminal, client, json, Thread::sleep);
  }

  JobWatch(Terminal terminal, RunyardClient client, boolean json, LiveEvents.Pause pause) {
    this.pause = pause;
    this.terminal = terminal;
    this.client = client;
    this.json = json;
  }

  /// Follows the job; returns the exit status for its end.
  ///
  /// @param results gets its items at the end
  int follow(String id, @Nullable Path results) throws InterruptedException {
    Pace pace = new Pace(System.nanoTime());
    try (Interruption _ = Interruption.says(() -> terminal.note(detached(id)))) {
      long after = 0;
      while (true) {
        ServerReply news =
            client.jobs(
                "GET",
                "%s/events?after=%d&limit=1000&wait=%d"
                    .formatted(JobUpload.path(id), after, WAIT_SECONDS),
                NullNode.instance,
                "");
        ServerReply now = client.jobs("GET", JobUpload.path(id), NullNode.instance, "");
        if (!(now instanceof ServerReply.Done(JsonNode job))) {
          if (!passes(now) || ++lost > LOST_MAX) {
            return new Answers(terminal, json).on(now, _ -> ExitCode.FAILED);
          }
          pause.of(LiveEvents.backoff(lost));
          continue;
        }
        lost = 0;
        if (news instanceof ServerReply.Done(JsonNode page)) {
          after = page.path("next_after").asLong();
        }
        boolean over = job.path("closed").asBoolean() || status(job).equals("blocked");
        say(pace.line(job, System.nanoTime()), over);
        if (over) {
          return ended(id, job, results);
        }
      }
    }
  }

  /// True for an answer that another request may not get: the stack starts again, or is busy.
  private static boolean passes(ServerReply reply) {
    return !(reply instanceof ServerReply.Refused(ServerProblem problem))
        || problem.status() >= INTERNAL_ERROR
        || problem.status() == TOO_MANY_REQUESTS;
  }

  private void say(String line, boolean last) {
    long now = System.nanoTime();
    if (last || saidAt == 0 || now - saidAt >= LINE_NANOS) {
      saidAt = now;
      terminal.note(line);
    }
  }

  private int ended(String id, JsonNode job, @Nullable Path results) {
    if (results != null) {
      write(id, results);
    }
    if (json) {
      terminal.json(job);
    } else {
      terminal.line(JobText.of(job));
    }
    if (status(job).equals("blocked")) {
      terminal.note(blocked(id));
    }
    return ExitCode.ofStatus(status(job));
  }

  private void write(String id, Path results) {
    try (PrintWriter out =
        new PrintWriter(Files.newBufferedWriter(results, StandardCharsets.UTF_8))) {
      new JobResults(client, true)
          .each(id, null, item -> out.println(item.toString()), new Answers(terminal, false));
    } catch (IOException e) {
      throw new IllegalStateException("cannot write " + results, e);
    }
  }

  private static String status(JsonNode job) {
    return job.path("status").asText();
  }

  private static String detached(String id) {
    return """

    Detached; the job continues.
      look at it:  ./runyard job show %1$s
      cancel it:   ./runyard job cancel %1$s\
    """
        .formatted(id);
  }

  private static String blocked(String id) {
    return """
    Items failed, and the job waits for what is to become of them.
      look at them:  ./runyard job items %1$s --status failed
      run it again:  ./runyard job retry %1$s ITEM
      let it be:     ./runyard job report %1$s ITEM NOTE\
    """
        .formatted(id);
  }

  /// How fast a job gets on, as far as it was watched.
  static final class Pace {
    private static final double NANOS = 1e9;
    private final long from;
    private int before = -1;

    Pace(long from) {
      this.from = from;
    }

    String line(JsonNode job, long now) {
      JsonNode counts = job.path("counts");
      int total = counts.path("total").asInt();
      int failed = counts.path("failed").asInt();
      int done = counts.path("completed").asInt() + failed + counts.path("reported").asInt();
      if (before < 0) {
        before = done;
      }
      double rate = (done - before) / Math.max(1e-9, (now - from) / NANOS);
      return String.format(
          Locale.ROOT,
          "%d/%d done, %d running, %d failed, %.1f/s, $%.4f%s",
          done,
          total,
          counts.path("running").asInt(),
          failed,
          rate,
          job.at("/usage/cost_usd").asDouble(),
          rate > 0 && done < total
              ? String.format(Locale.ROOT, ", %d s left", Math.round((total - done) / rate))
              : "");
    }
  }
}
