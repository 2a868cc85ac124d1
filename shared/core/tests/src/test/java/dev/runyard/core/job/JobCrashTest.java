package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.crash.CrashPoint;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/// One job again and again, each time with a process that dies before or after another call of a
/// port: whatever call is the last, each item ends once an attempt, never too many run, and nothing
/// starts after the intent to stop.
final class JobCrashTest {
  private static final int ITEMS = 5;
  private static final int CONCURRENCY = 2;
  private static final int ROUNDS_MAX = 60;

  @Test
  void holdsItsInvariantsWhateverCallIsTheLast() {
    for (boolean after : new boolean[] {false, true}) {
      for (boolean cancels : new boolean[] {false, true}) {
        for (String session : List.of("", "s-1")) {
          int points = 0;
          while (new World(points, after, cancels, JobRules::decide).in(session).play()) {
            points++;
          }
          assertTrue(points > 30, "crashed at " + points + " calls");
        }
      }
    }
  }

  @Test
  void findsAnItemThatEndsTwice() {
    assertFound(
        "J1",
        false,
        (state, command) -> {
          JobDecision decision = JobRules.decide(state, command);
          if (decision instanceof JobDecision.Append append
              && append.events().getFirst() instanceof JobEvent.ItemCompleted ended) {
            return with(append, ended, true);
          }
          return decision;
        });
  }

  @Test
  void findsThatTooManyItemsRun() {
    assertFound(
        "J2",
        false,
        (state, command) -> {
          JobDecision decision = JobRules.decide(state, command);
          if (decision instanceof JobDecision.Append append
              && append.events().getLast() instanceof JobEvent.ItemStarted started
              && started.item() == CONCURRENCY) {
            return with(append, another(started.item() + 1), false);
          }
          return decision;
        });
  }

  @Test
  void findsAnItemThatStartsAfterTheStop() {
    assertFound(
        "J3",
        true,
        (state, command) -> {
          boolean stopping = state instanceof JobState.Open job && job.facts().stop() != null;
          int next = state instanceof JobState.Open job ? job.facts().items().next() : 0;
          return stopping && command instanceof JobCommand.Advance && next <= ITEMS
              ? new JobDecision.Append(List.of(another(next)))
              : JobRules.decide(state, command);
        });
  }

  private static JobEvent another(int item) {
    return new JobEvent.ItemStarted(
        item, 1, "019c0000-0000-7000-8000-0000000000%02d".formatted(item), null);
  }

  private static JobDecision with(JobDecision.Append append, JobEvent event, boolean first) {
    List<JobEvent> events = new ArrayList<>(append.events());
    events.add(first ? 0 : events.size(), event);
    return new JobDecision.Append(events);
  }

  private static void assertFound(
      String invariant, boolean cancels, BiFunction<JobState, JobCommand, JobDecision> planted) {
    World world = new World(Integer.MAX_VALUE, false, cancels, planted);
    world.live();
    List<String> broken = JobInvariants.broken(world.rig.events(World.JOB));
    assertTrue(broken.stream().anyMatch(one -> one.startsWith(invariant)), broken::toString);
  }

  /// A job, the functions that advance it, and runners that are never faulty.
  private static final class World {
    static final JobKey JOB = new JobKey("acme", "j1");

    final JobRig rig = new JobRig();
    private final CrashPoint point;
    private final boolean cancels;
    private final JobStream type;
    private UseCases process;
    private JobCases jobs;
    private String session = "";

    World(
        int at,
        boolean after,
        boolean cancels,
        BiFunction<JobState, JobCommand, JobDecision> rules) {
      this.point = new CrashPoint(at, after);
      this.cancels = cancels;
      this.type = new JobStream(rules);
      this.process = rig.cases(Quotas.NONE, this::faulty);
      this.jobs = process.jobs().by(type);
    }

    /// The same with a job in that session, in which its items have threads of their own.
    World in(String id) {
      session = id;
      return this;
    }

    /// Plays it to its end and checks it; returns whether anything crashed.
    boolean play() {
      live();
      List<StoredJobEvent> log = rig.events(JOB);
      assertEquals(List.of(), JobInvariants.broken(log), this::toString);
      JobState.Closed job = (JobState.Closed) rig.job(JOB);
      JobProgress items = job.facts().items();
      assertEquals(cancels ? JobStatus.CANCELLED : JobStatus.COMPLETED, job.status());
      if (!cancels) {
        assertEquals(ITEMS, items.completed(), this::toString);
        assertEquals(2, items.attempts(2), this::toString);
      }
      for (StoredJobEvent stored : log) {
        if (stored.event() instanceof JobEvent.ItemStarted started) {
          RunState run = rig.cases.runs().load(new RunKey("acme", started.runId()));
          assertTrue(run instanceof RunState.Closed, this::toString);
        }
      }
      int ended = items.next() - 1;
      assertEquals(ended, rig.memory.jobs().items().rows(JOB, 1, 99).size(), this::toString);
      assertTrue(rig.memory.jobs().models().snapshot(JOB).orElseThrow().closed());
      return point.crashed();
    }

    void live() {
      until(() -> jobs.manage().create(JobRig.BY, rig.reader(), body(), Optional.empty()));
      until(() -> jobs.manage().start(JobRig.BY, "j1", Optional.empty()));
      for (int round = 1; round <= ROUNDS_MAX; round++) {
        safely(this::advance);
        safely(() -> jobs.projectJob().project(JOB));
        if (rig.job(JOB).closed() && round % 3 == 0) {
          safely(() -> jobs.projectJob().project(JOB));
          return;
        }
        work();
        act(round);
        rig.pass(Duration.ofSeconds(30));
        if (round % 3 == 0) {
          safely(this::sweep);
        }
      }
      throw new AssertionError("the job never ends: " + rig.counts(JOB) + ", " + this);
    }

    private ObjectNode body() {
      ObjectNode body = JobRig.body(ITEMS).put("concurrency", CONCURRENCY);
      return session.isEmpty() ? body : body.put("session_id", session);
    }

    /// What a function does with a batch of records of all runs and the job.
    private void advance() {
      EndedItems ended = new EndedItems(jobs.advanceJob());
      for (RunKey run : active()) {
        if (!(rig.cases.runs().load(run) instanceof RunState.Absent)) {
          ended.saw(process.advanceRun().advance(run));
        }
      }
      ended.named(JOB);
      ended.advance(JOB);
    }

    private List<RunKey> active() {
      return rig.job(JOB).facts().items().active().values().stream()
          .map(active -> new RunKey("acme", active.runId()))
          .toList();
    }

    /// The runs end; the first one of the second item fails.
    private void work() {
      rig.job(JOB)
          .facts()
          .items()
          .active()
          .forEach(
              (item, active) -> {
                RunKey run = new RunKey("acme", active.runId());
                if (rig.cases.runs().load(run) instanceof RunState.Created) {
                  rig.attempt(run, item != 2 || active.attempt() > 1);
                }
              });
    }

    private void act(int round) {
      if (cancels && round >= 2) {
        safely(() -> jobs.manage().cancel(JobRig.BY, "j1", "enough", Optional.empty()));
      } else if (rig.job(JOB).status() == JobStatus.BLOCKED) {
        safely(() -> jobs.manage().retry(JobRig.BY, "j1", 2, Optional.empty()));
      }
    }

    private void sweep() {
      process
          .sweepRuns(process.scaleRunners(new FleetSize(0, 1, 1), _ -> {}), Lanes.one())
          .sweep(rig.clock.instant().plusSeconds(55));
    }

    private void until(Runnable step) {
      if (!safely(step)) {
        assertTrue(safely(step));
      }
    }

    /// A process that dies is followed by another one, which knows nothing.
    private boolean safely(Runnable step) {
      if (point.survives(step)) {
        return true;
      }
      process = rig.cases(Quotas.NONE, this::faulty);
      jobs = process.jobs().by(type);
      return false;
    }

    private Ports faulty(Ports ports) {
      return point.process(ports, name -> name.equals("jobs") ? faulty(ports.jobs()) : null);
    }

    private JobPorts faulty(JobPorts ports) {
      return CrashPoint.ports(
          JobPorts.class,
          ports,
          name ->
              switch (name) {
                case "models" -> point.counted(JobModels.class, ports.models());
                case "items" -> point.counted(JobItems.class, ports.items());
                default -> null;
              });
    }

    @Override
    public String toString() {
      return point + (cancels ? ", cancelled" : "") + ", in session '" + session + "'";
    }
  }
}
