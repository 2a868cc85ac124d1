package dev.runyard.runner.checkout;

import dev.runyard.core.problem.Failure;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.ProcessEnd;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Termination;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The processes that make a workspace ready, one after another. Each has a time; once stopped, the
/// one that runs is ended and no other begins. Thread-safe.
public final class PreparationSteps {
  /// How often a running process is looked at.
  static final int LOOK_MILLIS = 100;

  /// How long the end of a process waits for the rest of its output, which is over unless a process
  /// got away that still holds it.
  public static final int OUTPUT_MILLIS_MAX = 10_000;

  private @Nullable AgentProcess running;
  private boolean stopped;
  private @Nullable InstantSource clock;
  private Instant until = Instant.MAX;

  /// How a process ended.
  public sealed interface Ended {
    /// By itself, or by a signal of somebody else.
    ///
    /// @param stderr the end of what it complained of
    record Exited(Termination termination, String stderr) implements Ended {
      /// True where it did what it should.
      public boolean well() {
        return termination instanceof Termination.Exited(int code) && code == 0;
      }
    }

    record NotStarted(String reason) implements Ended {}

    /// It took too long.
    record TimeOver() implements Ended {}

    /// Whoever watched it ended it.
    record TooMuch() implements Ended {}

    /// It reached a limit of its cell.
    record Limited(Failure failure) implements Ended {}

    record Stopped() implements Ended {}
  }

  /// Watches a process.
  public interface Watch {
    /// Takes a line of its output.
    void line(Line line);

    /// True when it must end.
    boolean tooMuch();
  }

  /// Runs a process to its end.
  public Ended run(
      ProcessLauncher by, AgentCommand command, RunMark mark, Duration atMost, Watch watch)
      throws InterruptedException {
    AgentProcess process;
    Duration most = left(atMost);
    if (!most.isPositive()) {
      return new Ended.TimeOver();
    }
    synchronized (this) {
      if (stopped) {
        return new Ended.Stopped();
      }
      switch (by.start(command, mark)) {
        case Termination.NotStarted(String reason) -> {
          return new Ended.NotStarted(reason);
        }
        case AgentProcess started -> process = started;
      }
      running = process;
    }
    Thread reader =
        Thread.ofPlatform().daemon().name("step-output").start(() -> read(process, watch));
    try {
      Ended ended = await(process, most, watch);
      reader.join(Duration.ofMillis(OUTPUT_MILLIS_MAX));
      return ended instanceof Ended.Exited && watch.tooMuch() ? new Ended.TooMuch() : ended;
    } catch (InterruptedException e) {
      process.kill();
      throw e;
    } finally {
      synchronized (this) {
        running = null;
      }
    }
  }

  /// Gives all that begins from now on this time, together.
  public synchronized void within(Duration time, InstantSource by) {
    clock = by;
    until = by.instant().plus(time);
  }

  private synchronized Duration left(Duration atMost) {
    InstantSource by = clock;
    Duration left = by == null ? atMost : Duration.between(by.instant(), until);
    return left.compareTo(atMost) < 0 ? left : atMost;
  }

  /// Ends the process that runs, and begins no more.
  public synchronized void stop() {
    stopped = true;
    AgentProcess process = running;
    if (process != null) {
      Thread.ofPlatform().daemon().name("step-stop").start(process::kill);
    }
  }

  /// True when nothing more is to begin.
  public synchronized boolean isStopped() {
    return stopped;
  }

  private Ended await(AgentProcess process, Duration atMost, Watch watch)
      throws InterruptedException {
    for (long left = atMost.toMillis(); ; left -= LOOK_MILLIS) {
      Optional<ProcessEnd> end = end(process, Math.max(1, Math.min(left, LOOK_MILLIS)));
      Failure limit = process.limit().getNow(null);
      if (limit == null && end.isPresent()) {
        return isStopped() ? new Ended.Stopped() : exited(process, end.get());
      }
      boolean tooMuch = watch.tooMuch();
      if (limit != null || tooMuch || left <= LOOK_MILLIS) {
        process.kill();
        return limit != null
            ? new Ended.Limited(limit)
            : tooMuch ? new Ended.TooMuch() : new Ended.TimeOver();
      }
    }
  }

  private static Ended exited(AgentProcess process, ProcessEnd end) {
    return end.termination() instanceof Termination.NotStarted(String reason)
        ? new Ended.NotStarted(reason)
        : new Ended.Exited(end.termination(), process.stderrTail());
  }

  private static Optional<ProcessEnd> end(AgentProcess process, long millis)
      throws InterruptedException {
    try {
      return Optional.of(process.end().get(millis, TimeUnit.MILLISECONDS));
    } catch (TimeoutException _) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Reads on when it is too much: else the process would wait for ever to write.
  private static void read(AgentProcess process, Watch watch) {
    try {
      for (Optional<Line> line = process.stdout().next();
          line.isPresent();
          line = process.stdout().next()) {
        watch.line(line.get());
      }
    } catch (IOException _) {
      return;
    }
  }
}
