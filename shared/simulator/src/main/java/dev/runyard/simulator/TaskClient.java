package dev.runyard.simulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.application.TaskCases;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.task.EdgeKind;
import dev.runyard.core.task.LinkTasks;
import dev.runyard.core.task.ManageTasks;
import dev.runyard.core.task.TaskFacts;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskState;
import dev.runyard.core.task.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// A client of some tasks, beside others of the same ones: it creates, links and starts them, looks
/// how they do, starts what failed again, completes, pauses, resumes and cancels.
final class TaskClient implements Actor {
  private static final int FUNCTION_SECONDS = 15;
  private static final int ACTS_MAX = 60;

  /// How often it looks after that whether a task is still paused.
  private static final int LOOKS_MAX = 500;

  private static final Duration LOOK = Duration.ofSeconds(20);
  private static final List<String> TASKS = List.of("t-1", "t-2", "t-3", "t-4");

  private final SimulatedCaller caller = new SimulatedCaller(Role.API, FUNCTION_SECONDS);
  private final SimulatedSystem system;
  private final ManageTasks tasks;
  private final LinkTasks links;
  private final SubmitRun submit;
  private final Promises promises;
  private final Random random;
  private final Map<String, Long> seen = new HashMap<>();
  private Instant next;
  private int acts;

  TaskClient(SimulatedSystem system, Promises promises, Random random) {
    UseCases api = system.useCases(system.ports(caller), system.skewed(), "api");
    TaskCases cases = api.tasks();
    this.system = system;
    this.submit = api.submitRun();
    this.tasks =
        cases.manage(
            new RunRequestReader(ScriptedAgents.CATALOG), submit, (_, _) -> Optional.empty());
    this.links = cases.links();
    this.promises = promises;
    this.random = random;
    this.next = system.now();
  }

  /// The same for all clients, so that whoever comes second finds it.
  private static ObjectNode body(String id) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("task_id", id).put("title", "do " + id);
    if (id.equals("t-3")) {
      body.put("parent_task_id", "t-1");
    }
    if (id.equals("t-4")) {
      body.put("acceptance", "manual");
    }
    body.putObject("request").put("agent", "echo").put("timeout_seconds", 40);
    return body;
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    return acts >= ACTS_MAX + LOOKS_MAX ? Instant.MAX : next;
  }

  @Override
  public void act() {
    int millis = random.nextInt(4) == 0 ? 30_000 : 800;
    next = system.now().plus(Duration.ofMillis(1L + random.nextInt(millis)));
    acts++;
    try {
      if (acts > ACTS_MAX) {
        next = system.now().plus(LOOK);
        TASKS.forEach(this::resume);
        return;
      }
      String id = TASKS.get(random.nextInt(TASKS.size()));
      Optional<TaskState.Existing> task = tasks.find(ClientActor.TENANT, id);
      if (task.isEmpty()) {
        var _ = tasks.create(ClientActor.BY, body(id), tasks.draw());
      } else {
        saw(task.get());
        act(task.get().facts());
      }
    } catch (PortUnavailable _) {
      system.alarms().raise(Alarms.Alarm.SERVER_ERRORS);
    }
  }

  /// What it paused does not stay so for ever.
  private void resume(String id) {
    tasks
        .find(ClientActor.TENANT, id)
        .filter(task -> task.status() == TaskStatus.PAUSED)
        .ifPresent(_ -> tasks.resume(ClientActor.BY, id));
  }

  private void saw(TaskState.Existing task) {
    String id = task.facts().task().taskId();
    if (task.sequence() < seen.getOrDefault(id, 0L)) {
      promises.violations.add(
          new Violation("I5", "read %d of %s after %s".formatted(task.sequence(), id, seen)));
    }
    seen.put(id, task.sequence());
  }

  private void act(TaskFacts task) {
    SubmitRun.By by = ClientActor.BY;
    String id = task.task().taskId();
    if (task.status().retryable()) {
      int had = task.attempts().size();
      var _ = tasks.retry(by, id, "again", mode(), had);
      return;
    }
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> {
        var _ = tasks.start(by, id, mode());
      }
      case 3, 4 -> link(task, random.nextBoolean() ? EdgeKind.BLOCKS : EdgeKind.BLOCKED_BY);
      case 5 -> link(task, EdgeKind.PARENT);
      case 6 -> beside(id);
      case 7 -> {
        var _ = tasks.pause(by, id, "later");
      }
      case 8, 9 -> {
        var _ = tasks.resume(by, id);
      }
      case 10 -> {
        var _ = tasks.complete(by, id, null);
      }
      default -> rare(task);
    }
  }

  private void rare(TaskFacts task) {
    String id = task.task().taskId();
    if (random.nextInt(3) == 0) {
      var _ = tasks.cancel(ClientActor.BY, id, "enough");
    } else if (task.status() == TaskStatus.CANCELLING) {
      beside(id);
    } else {
      task.blockers().forEach(other -> links.unlink(wish(task, EdgeKind.BLOCKED_BY, other)));
    }
  }

  private void link(TaskFacts task, EdgeKind kind) {
    String other = TASKS.get(random.nextInt(TASKS.size()));
    if (tasks.find(ClientActor.TENANT, other).isPresent()) {
      var _ = links.link(wish(task, kind, other));
    }
  }

  private static LinkTasks.Wish wish(TaskFacts task, EdgeKind kind, String other) {
    TaskKey key = task.task();
    return new LinkTasks.Wish(key, kind, other, null, ClientActor.BY.requester());
  }

  /// A run beside those that the task has.
  private void beside(String id) {
    RunRequest request =
        new RunRequest(
                "echo",
                "beside",
                "",
                Map.of(),
                List.of(),
                null,
                40,
                Map.of(),
                Map.of(AgentMode.REPLAYED.tag().getKey(), AgentMode.REPLAYED.tag().getValue()),
                RetryPolicy.NEVER)
            .of(new TaskRun(id, null, null));
    var _ = submit.submit(ClientActor.BY, request, Optional.empty());
  }

  /// How the agent of the next run goes on, and whether it fails.
  private ObjectNode mode() {
    ObjectNode other = JsonNodeFactory.instance.objectNode();
    AgentMode[] modes = AgentMode.values();
    var mode = modes[random.nextInt(modes.length)].tag();
    ObjectNode tags = other.putObject("tags").put(mode.getKey(), mode.getValue());
    if (random.nextInt(4) == 0) {
      tags.put(ScriptedAgents.FAILS, "always");
    }
    return other;
  }

  @Override
  public void crashed() {}
}
