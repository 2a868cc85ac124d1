package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.StackTerms;
import dev.runyard.core.application.TaskCases;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/// Tasks in memory, whose runs end when a test says so.
final class TaskRig {
  static final SubmitRun.By BY = new SubmitRun.By("acme", "key:k1");
  static final String ECHO = "\"request\":{\"agent\":\"echo\",\"tags\":{\"level\":\"1\"}}";

  final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  final MemoryEventLog log = new MemoryEventLog();
  private final RandomIds ids = new RandomIds(new Random(7));
  final MemoryPorts memory = new MemoryPorts(log, clock);
  final UseCases cases;
  final TaskCases tasks;
  final ManageTasks manage;
  final LinkTasks links;

  TaskRig() {
    this(Quotas.NONE);
  }

  TaskRig(Quotas quotas) {
    cases = cases(quotas, ports -> ports);
    tasks = cases.tasks();
    manage = manage(cases, tasks);
    links = tasks.links();
  }

  /// The use cases of another process.
  UseCases cases(Quotas quotas, UnaryOperator<Ports> faults) {
    return new UseCases(faults.apply(memory), StackTerms.of(quotas), clock, ids, "t");
  }

  /// Another process, in which something happens right before each decision; it is told how many
  /// there were before.
  TaskCases stepped(IntConsumer before) {
    AtomicInteger steps = new AtomicInteger();
    return cases.tasks(
        new TaskStream(
            (state, command) -> {
              before.accept(steps.getAndIncrement());
              return TaskRules.decide(state, command);
            }));
  }

  static ManageTasks manage(UseCases cases, TaskCases tasks) {
    return tasks.manage(
        new RunRequestReader(AgentCatalog.builtIn()),
        cases.submitRun(),
        (_, _) -> Optional.empty());
  }

  static TaskKey key(String id) {
    return new TaskKey("acme", id);
  }

  static ObjectNode json(String text) {
    try {
      return (ObjectNode) JsonFormat.JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A body for a task of the echo agent, with further members.
  static ObjectNode body(String id, String... members) {
    String more = members.length == 0 ? "" : "," + String.join(",", members);
    return json("{\"task_id\":\"%s\",\"title\":\"say %s\",%s%s}".formatted(id, id, ECHO, more));
  }

  TaskState.Existing created(String id, String... members) {
    return done(manage.create(BY, body(id, members), manage.draw()));
  }

  /// A task whose first run is queued.
  RunKey started(String id, String... members) {
    created(id, members);
    done(manage.start(BY, id, null));
    return run(id);
  }

  /// A run beside those that the task has.
  RunKey submitted(String task) {
    return switch (cases.submitRun().submit(BY, request(task), Optional.empty())) {
      case SubmitRun.Result.Accepted accepted -> accepted.run().facts().run();
      case SubmitRun.Result.Rejected no -> throw new AssertionError(no.problem().toString());
    };
  }

  static RunRequest request(String task) {
    return SampleRequests.echo("").of(new TaskRun(task, null, null));
  }

  static TaskState.Existing done(TaskResult result) {
    return switch (result) {
      case TaskResult.Done done -> done.task();
      case TaskResult.Rejected rejected -> throw new AssertionError(rejected.problem().toString());
      case TaskResult.Unavailable no -> throw new AssertionError(no.why().toString());
    };
  }

  static String code(TaskResult result) {
    return switch (result) {
      case TaskResult.Done done -> "done " + done.changed();
      case TaskResult.Rejected rejected -> rejected.problem().code().code();
      case TaskResult.Unavailable _ -> "unavailable";
    };
  }

  TaskResult link(String task, EdgeKind kind, String to) {
    return links.link(new LinkTasks.Wish(key(task), kind, to, null, Requester.of("key:k1")));
  }

  TaskResult unlink(String task, EdgeKind kind, String to) {
    return links.unlink(new LinkTasks.Wish(key(task), kind, to, null, Requester.of("key:k1")));
  }

  TaskFacts task(String id) {
    return manage.find("acme", id).orElseThrow().facts();
  }

  void assertStatus(String status, String id) {
    assertEquals(status, task(id).status().wire(), () -> types(id).toString());
  }

  /// The newest run of a task.
  RunKey run(String id) {
    return new RunKey("acme", task(id).current().orElseThrow().runId());
  }

  void claim(RunKey run) {
    claim(run, 1);
  }

  /// A runner begins the n-th attempt of a run.
  void claim(RunKey run, int number) {
    String attempt = attempt(run, number);
    cases.runs().execute(run, new RunCommand.Claim(attempt, "r", "t", clock.instant()));
    cases
        .runs()
        .execute(
            run, new RunCommand.Report(attempt, List.of(new RunEvent.ProcessStarted("p", "echo"))));
  }

  private static String attempt(RunKey run, int number) {
    return (number == 1 ? "a-" : "a" + number + "-") + run.runId();
  }

  /// The n-th attempt of a run ends well, and the task is told.
  void ends(RunKey run, int number) {
    String attempt = attempt(run, number);
    cases
        .runs()
        .execute(
            run,
            new RunCommand.Report(
                attempt,
                List.of(
                    new RunEvent.ProcessCompleted("p", 0, null, 5),
                    new RunEvent.AttemptCompleted(number, attempt))));
    tell(run);
  }

  /// Makes and ends an attempt of a run, and tells nobody.
  void work(RunKey run, boolean well) {
    claim(run);
    String attempt = "a-" + run.runId();
    cases
        .runs()
        .execute(
            run,
            new RunCommand.Report(
                attempt,
                List.of(
                    new RunEvent.ProcessCompleted("p", well ? 0 : 1, null, 5),
                    well
                        ? new RunEvent.AttemptCompleted(1, attempt)
                        : new RunEvent.AttemptFailed(
                            1, attempt, Failure.backend("agent_failed", "It failed.")))));
  }

  /// What the function `advance` does once the run has changed.
  void tell(RunKey run) {
    RunState state = cases.advanceRun().advance(run);
    tasks.advanceTask().told(state);
  }

  /// The newest run of the task ends, and the task is told.
  void ends(String id, boolean well) {
    RunKey run = run(id);
    work(run, well);
    tell(run);
  }

  void advance(String id) {
    tasks.advanceTask().advance(key(id), List.of());
  }

  void sweep() {
    sweep(cases);
  }

  void sweep(UseCases process) {
    process
        .sweepRuns(process.scaleRunners(new FleetSize(0, 1, 1), _ -> {}), Lanes.one())
        .sweep(clock.instant().plusSeconds(55));
  }

  void pass(Duration time) {
    clock.advance(time);
  }

  List<StoredTaskEvent> events(String id) {
    List<StoredTaskEvent> events = new ArrayList<>();
    EventCursor<StoredTaskEvent> cursor = new EventCursor<>(log, TaskCodec.TASKS, key(id), 0);
    for (var next = cursor.next(); !next.isEmpty(); next = cursor.next()) {
      events.addAll(next);
    }
    return events;
  }

  List<String> types(String id) {
    return events(id).stream().map(StoredTaskEvent::type).toList();
  }
}
