package dev.runyard.core.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.log.StreamLog;
import dev.runyard.core.request.RunRequest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The one way to change a task: commands executed on its stream ([StreamLog]).
public final class TaskLog {
  private final EventLog events;
  private final StreamLog<TaskState, TaskCommand, TaskDecision, StoredTaskEvent> log;

  /// @param writer names the process in what it appends
  public TaskLog(
      TaskStream type,
      EventLog log,
      Snapshots<TaskState> snapshots,
      InstantSource clock,
      Ids ids,
      String writer) {
    this.events = log;
    this.log = new StreamLog<>(type, log, snapshots, clock, ids, writer);
  }

  /// The task's current state, which includes every acknowledged append.
  public TaskState load(TaskKey task) {
    return log.load(task);
  }

  /// Executes `command` on the task, whose state is `from` or later.
  ///
  /// @throws dev.runyard.core.problem.PortUnavailable when the log did not answer; the command may
  ///   have been executed, and executing it again is safe
  public StreamLog.Result<TaskState, TaskDecision, StoredTaskEvent> execute(
      TaskKey task, TaskState from, TaskCommand command) {
    return log.execute(task, from, command);
  }

  /// What the task's runs ask for, as it was sent; empty if it is not kept any more.
  Optional<ObjectNode> request(TaskFacts task) {
    return at(task.task(), task.requestAt())
        .flatMap(
            event ->
                switch (event) {
                  case TaskEvent.Created created -> Optional.ofNullable(created.request());
                  case TaskEvent.Updated updated -> Optional.ofNullable(updated.request());
                  case TaskEvent _ -> Optional.empty();
                });
  }

  /// What a run asks for, from the event that names the run or holds it back.
  Optional<RunRequest> request(TaskKey task, long sequence) {
    return at(task, sequence)
        .flatMap(
            event ->
                switch (event) {
                  case TaskEvent.AttemptStarted started -> Optional.ofNullable(started.request());
                  case TaskEvent.Blocked blocked -> Optional.ofNullable(blocked.held());
                  case TaskEvent _ -> Optional.empty();
                });
  }

  /// What happened to the task after an event.
  List<TaskEvent> after(TaskKey task, long sequence) {
    List<TaskEvent> found = new ArrayList<>();
    EventCursor<StoredTaskEvent> cursor =
        new EventCursor<>(events, TaskCodec.TASKS, task, sequence);
    for (var next = cursor.next(); !next.isEmpty(); next = cursor.next()) {
      next.forEach(stored -> found.add(stored.event()));
    }
    return found;
  }

  private Optional<TaskEvent> at(TaskKey task, long sequence) {
    return sequence == 0
        ? Optional.empty()
        : events.chunkAt(task, sequence).stream()
            .flatMap(chunk -> chunk.events(TaskCodec.TASKS).stream())
            .filter(stored -> stored.sequence() == sequence)
            .map(StoredTaskEvent::event)
            .findFirst();
  }
}
