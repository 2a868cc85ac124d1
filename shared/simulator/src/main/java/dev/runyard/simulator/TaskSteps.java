package dev.runyard.simulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.task.ManageTasks;
import dev.runyard.core.task.TaskAttempt;
import dev.runyard.core.task.TaskResult;
import dev.runyard.core.task.TaskState;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// What the client of a scenario does with tasks. Each step is true once it needs no other call.
final class TaskSteps {
  private static final int TIMEOUT_SECONDS = 3600;

  private final ManageTasks tasks;
  private final AgentMode mode;
  private final Set<String> created = new HashSet<>();

  /// @param mode of the tasks' runs
  TaskSteps(UseCases api, AgentMode mode) {
    this.mode = mode;
    this.tasks =
        api.tasks()
            .manage(
                new RunRequestReader(ScriptedAgents.CATALOG),
                api.submitRun(),
                (_, _) -> Optional.empty());
  }

  boolean create(String id) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("task_id", id).put("title", "do " + id);
    ObjectNode request = body.putObject("request");
    request.put("agent", "echo").put("timeout_seconds", TIMEOUT_SECONDS);
    request.putObject("tags").put(mode.tag().getKey(), mode.tag().getValue());
    return done(tasks.create(ClientActor.BY, body, tasks.draw())) && created.add(id);
  }

  boolean created(String id) {
    return created.contains(id);
  }

  boolean start(String id) {
    return done(tasks.start(ClientActor.BY, id, null));
  }

  boolean pause(String id) {
    return done(tasks.pause(ClientActor.BY, id, "later"));
  }

  boolean resume(String id) {
    return done(tasks.resume(ClientActor.BY, id));
  }

  /// The run that it has now.
  Optional<RunKey> running(String id) {
    return find(id)
        .flatMap(task -> task.facts().active().findFirst())
        .map(TaskAttempt::runId)
        .map(run -> new RunKey(ClientActor.TENANT, run));
  }

  boolean over(String id) {
    return find(id).filter(task -> task.status().ended()).isPresent();
  }

  private Optional<TaskState.Existing> find(String id) {
    return tasks.find(ClientActor.TENANT, id);
  }

  private static boolean done(TaskResult result) {
    return switch (result) {
      case TaskResult.Done _, TaskResult.Rejected _ -> true;
      case TaskResult.Unavailable _ -> false;
    };
  }
}
