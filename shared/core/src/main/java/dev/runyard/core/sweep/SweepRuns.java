package dev.runyard.core.sweep;

import dev.runyard.core.advance.Lanes;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.SweepJobs;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.LogAhead;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.task.SweepTasks;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.SweepDeliveries;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Catches up on what was missed: runners for the backlog, deadlines, lost messages, dead letters,
/// and stream failures. A run that cannot be handled does not hold up others, and a sweep that ends
/// early does not always leave out the same shard: the shard it begins with changes every minute.
public final class SweepRuns {
  /// Most due runs of one shard, and most messages of one queue, that one sweep handles.
  static final int DUE_MAX = 5_000;

  static final int MESSAGES_MAX = 5_000;

  /// Most open runs of one shard that one sweep tells why no runner starts. They are more than it
  /// can visit, so it begins with another part of them each minute.
  static final int TELL_MAX = 20_000;

  static final int TELL_PART = 4_000;

  /// After this many runs in a row whose port did not answer, the rest of the shard or queue waits
  /// for the next sweep.
  static final int UNAVAILABLE_MAX = 3;

  private static final int PERIOD_SECONDS = 60;

  private final OpenRuns runs;
  private final RunQueue deadLetters;
  private final RunQueue streamFailures;
  private final ScaleRunners scale;
  private final Lanes lanes;
  private final InstantSource clock;
  private Optional<SweepDeliveries> deliveries = Optional.empty();
  private Optional<SweepJobs> jobs = Optional.empty();
  private Optional<SweepTasks> tasks = Optional.empty();

  /// @param lanes handles the shards and queues, each of them sequentially
  public SweepRuns(
      OpenRuns runs,
      RunQueue deadLetters,
      RunQueue streamFailures,
      ScaleRunners scale,
      Lanes lanes,
      InstantSource clock) {
    this.runs = runs;
    this.deadLetters = deadLetters;
    this.streamFailures = streamFailures;
    this.scale = scale;
    this.lanes = lanes;
    this.clock = clock;
  }

  /// The same that also sends the deliveries of webhooks that are due.
  public SweepRuns with(SweepDeliveries webhooks) {
    SweepRuns more = copy();
    more.deliveries = Optional.of(webhooks);
    return more;
  }

  /// The same that also looks after jobs.
  public SweepRuns with(SweepJobs all) {
    SweepRuns more = copy();
    more.jobs = Optional.of(all);
    return more;
  }

  /// The same that also looks after tasks.
  public SweepRuns with(SweepTasks all) {
    SweepRuns more = copy();
    more.tasks = Optional.of(all);
    return more;
  }

  private SweepRuns copy() {
    SweepRuns same = new SweepRuns(runs, deadLetters, streamFailures, scale, lanes, clock);
    same.deliveries = deliveries;
    same.jobs = jobs;
    same.tasks = tasks;
    return same;
  }

  /// One sweep, which begins nothing new after `until`. What failed or is left is done by the next
  /// sweep.
  public Swept sweep(Instant until) {
    Sweep sweep = new Sweep(until);
    Optional<RunCommand.Block> blocked = sweep.scaled();
    List<Runnable> work = new ArrayList<>();
    work.add(() -> sweep.drain("dead letters", deadLetters, sweep::dead));
    work.add(() -> sweep.drain("runs of failed stream records", streamFailures, sweep::moveOn));
    work.addAll(
        byTurns(
            Stream.of(
                    shards(
                        ReadModels.DUE_SHARDS,
                        shard -> {
                          sweep.due(shard);
                          blocked.ifPresent(block -> sweep.tell(shard, block));
                        }),
                    List.<Runnable>of(sweep::quotas),
                    deliveries
                        .map(all -> shards(Deliveries.DUE_SHARDS, i -> sweep.deliveries(all, i)))
                        .orElse(List.of()),
                    jobs.map(all -> shards(JobModels.DUE_SHARDS, i -> sweep.jobs(all, i)))
                        .orElse(List.of()),
                    tasks
                        .map(all -> shards(TaskModels.DUE_SHARDS, i -> sweep.tasks(all, i)))
                        .orElse(List.of()))
                .toList()));
    lanes.run(work);
    return sweep.swept(blocked.isPresent());
  }

  private long minute() {
    return clock.instant().getEpochSecond() / PERIOD_SECONDS;
  }

  /// All of them, beginning with another part each minute.
  private List<RunKey> fromAnother(List<RunKey> all) {
    List<RunKey> turned = new ArrayList<>(all);
    int parts = Math.max(1, Math.ceilDiv(all.size(), TELL_PART));
    Collections.rotate(turned, -TELL_PART * Math.floorMod(minute(), parts));
    return turned;
  }

  private List<Runnable> shards(int count, IntConsumer shard) {
    long minute = minute();
    return IntStream.range(0, count)
        .mapToObj(i -> (int) Math.floorMod(minute + i, (long) count))
        .<Runnable>map(number -> () -> shard.accept(number))
        .toList();
  }

  /// One of each kind after another, so that no kind for which there is no end of work in this
  /// minute takes all lanes before the others have begun.
  private static List<Runnable> byTurns(List<List<Runnable>> kinds) {
    int longest = kinds.stream().mapToInt(List::size).max().orElse(0);
    return IntStream.range(0, longest)
        .boxed()
        .flatMap(i -> kinds.stream().filter(kind -> i < kind.size()).map(kind -> kind.get(i)))
        .toList();
  }

  /// The result of a sweep.
  ///
  /// @param blocked true when runs wait because no runner starts
  /// @param handled runs that were advanced
  /// @param left true when it had to end before everything was handled
  /// @param dead runs whose message had become a dead letter
  /// @param waitedSeconds the longest time that one of the runs it came to has waited for a runner
  public record Swept(
      List<SweepFailure> failures,
      boolean blocked,
      int handled,
      boolean left,
      List<RunKey> dead,
      long waitedSeconds) {
    public Swept {
      failures = List.copyOf(failures);
      dead = List.copyOf(dead);
    }

    /// True if the operator has to know: a part failed, or no runner starts.
    public boolean failed() {
      return blocked || !failures.isEmpty();
    }
  }

  /// What the sweep could not handle, and why.
  public record SweepFailure(String subject, RuntimeException cause) {}

  /// One sweep on several threads.
  private final class Sweep {
    private final Instant until;
    private final ConcurrentLinkedQueue<SweepFailure> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger handled = new AtomicInteger();
    private final ConcurrentLinkedQueue<RunKey> dead = new ConcurrentLinkedQueue<>();
    private final LongAccumulator waited = new LongAccumulator(Math::max, 0);
    private volatile boolean left;

    Sweep(Instant until) {
      this.until = until;
    }

    Swept swept(boolean blocked) {
      return new Swept(
          List.copyOf(failures), blocked, handled.get(), left, List.copyOf(dead), waited.get());
    }

    void moveOn(RunKey run) {
      waited.accumulate(runs.moveOn(run, clock.instant()));
    }

    void dead(RunKey run) {
      dead.add(run);
      waited.accumulate(runs.undelivered(run, clock.instant()));
    }

    /// What to record in the waiting runs.
    Optional<RunCommand.Block> scaled() {
      AtomicReference<Optional<RunCommand.Block>> blocked = new AtomicReference<>(Optional.empty());
      guard("runners", () -> blocked.set(scale.scale(clock, 0)));
      guard("runners of unknown tasks", () -> scale.name(clock));
      return blocked.get();
    }

    /// Records in the runs that wait for a runner why none starts. They are in the index with a
    /// time in the near future.
    void tell(int shard, RunCommand.Block block) {
      guard(
          "waiting runs",
          () -> {
            Patience patience = new Patience();
            Instant ahead = block.now().plusSeconds(Limits.RESEND_SECONDS_MAX);
            for (RunKey run : fromAnother(runs.due(shard, ahead, TELL_MAX))) {
              if (!patience.holds()) {
                return;
              }
              patience.saw(guard(run.partition(), () -> runs.block(run, block)));
            }
          });
    }

    void due(int shard) {
      guard(
          "due runs",
          () -> {
            Patience patience = new Patience();
            for (RunKey run : runs.due(shard, clock.instant(), DUE_MAX)) {
              if (!patience.holds()) {
                return;
              }
              patience.saw(guard(run.partition(), () -> moveOn(run)));
            }
          });
    }

    void quotas() {
      guard("quotas", () -> left |= !runs.repairQuotas(until));
    }

    void deliveries(SweepDeliveries all, int shard) {
      guard("webhook deliveries", () -> all.sweep(shard, until));
    }

    void jobs(SweepJobs all, int shard) {
      each("due jobs", () -> all.due(shard, clock.instant()), all::sweep);
    }

    void tasks(SweepTasks all, int shard) {
      each(
          "due tasks",
          () -> all.due(shard, clock.instant()),
          task -> all.sweep(task, clock.instant()));
    }

    private <K extends StreamKey> void each(
        String name, Supplier<List<K>> due, Consumer<K> action) {
      guard(
          name,
          () -> {
            Patience patience = new Patience();
            for (K stream : due.get()) {
              if (!patience.holds()) {
                return;
              }
              patience.saw(guard(stream.partition(), () -> action.accept(stream)));
            }
          });
    }

    void drain(String name, RunQueue queue, Consumer<RunKey> action) {
      guard(
          name,
          () -> {
            Patience patience = new Patience();
            Set<RunKey> done = new HashSet<>();
            for (int seen = 0; seen < MESSAGES_MAX && patience.holds(); ) {
              List<Ticket> tickets = queue.receive(RunQueue.RECEIVE_MAX, 0);
              if (tickets.isEmpty()) {
                return;
              }
              seen += tickets.size();
              byRun(tickets)
                  .forEach(
                      (run, its) -> {
                        if (done.add(run)) {
                          patience.saw(handle(queue, run, its, action));
                        }
                      });
            }
          });
    }

    private static Map<RunKey, List<Ticket>> byRun(List<Ticket> tickets) {
      return tickets.stream()
          .collect(Collectors.groupingBy(Ticket::run, LinkedHashMap::new, Collectors.toList()));
    }

    /// Messages that were there before the run was read are done with it. A later one of the same
    /// run waits for the next sweep: handling the run may be what sent it, and it may be newer than
    /// what was read.
    private Outcome handle(
        RunQueue queue, RunKey run, List<Ticket> tickets, Consumer<RunKey> action) {
      return guard(
          run.partition(),
          () -> {
            action.accept(run);
            tickets.forEach(queue::delete);
          });
    }

    Outcome guard(String subject, Runnable action) {
      try {
        action.run();
        return Outcome.DONE;
      } catch (LogAhead _) {
        left = true;
        return Outcome.AHEAD;
      } catch (PortUnavailable e) {
        failures.add(new SweepFailure(subject, e));
        return Outcome.UNANSWERED;
      } catch (RuntimeException e) {
        failures.add(new SweepFailure(subject, e));
        return Outcome.FAILED;
      }
    }

    /// How long one shard or queue continues.
    private final class Patience {
      private int unanswered;

      boolean holds() {
        boolean goesOn = unanswered < UNAVAILABLE_MAX && clock.instant().isBefore(until);
        left |= !goesOn;
        return goesOn;
      }

      void saw(Outcome outcome) {
        unanswered = outcome == Outcome.UNANSWERED ? unanswered + 1 : 0;
        if (outcome == Outcome.DONE) {
          handled.incrementAndGet();
        }
      }
    }
  }

  private enum Outcome {
    DONE,
    /// Its log is longer than one visit reads, and read on by the next sweep.
    AHEAD,
    FAILED,
    UNANSWERED
  }
}
