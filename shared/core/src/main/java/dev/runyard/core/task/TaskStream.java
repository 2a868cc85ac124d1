package dev.runyard.core.task;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamType;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Tasks as a kind of stream.
///
/// @param rules those of [TaskRules], or others with which a test plants a defect
public record TaskStream(BiFunction<TaskState, TaskCommand, TaskDecision> rules)
    implements StreamType<TaskState, TaskCommand, TaskDecision, StoredTaskEvent> {
  public TaskStream() {
    this(TaskRules::decide);
  }

  @Override
  public StreamCodec<StoredTaskEvent> codec() {
    return TaskCodec.TASKS;
  }

  @Override
  public TaskState absent() {
    return TaskState.absent();
  }

  @Override
  public TaskState evolve(TaskState state, StoredTaskEvent event) {
    return TaskFold.evolve(state, event);
  }

  @Override
  public TaskState chained(TaskState state, Chain chain) {
    return TaskFold.chained(state, chain);
  }

  @Override
  public TaskDecision decide(TaskState state, TaskCommand command) {
    return rules.apply(state, command);
  }

  @Override
  public List<StoredTaskEvent> events(
      StreamKey key, TaskState state, TaskCommand command, TaskDecision decision, Instant now) {
    return switch (decision) {
      case TaskDecision.Append append ->
          state.numbered(
              append.events(),
              (sequence, event) ->
                  new StoredTaskEvent(
                      (TaskKey) key, session(state, command), sequence, now, event, by(command)));
      case TaskDecision.Stay _, TaskDecision.Refuse _ -> List.of();
    };
  }

  private static String session(TaskState state, TaskCommand command) {
    return switch (state) {
      case TaskState.Existing task -> task.facts().terms().sessionId();
      case TaskState.Absent _ ->
          command instanceof TaskCommand.Create create ? create.terms().sessionId() : "";
    };
  }

  private static @Nullable Requester by(TaskCommand command) {
    return switch (command) {
      case TaskCommand.Create it -> it.by();
      case TaskCommand.Update it -> it.by();
      case TaskCommand.Progress it -> it.by();
      case TaskCommand.Start it -> it.by();
      case TaskCommand.Hold it -> it.by();
      case TaskCommand.Cancel it -> it.by();
      case TaskCommand.Complete it -> it.by();
      case TaskCommand.Fail it -> it.by();
      case TaskCommand.Pause it -> it.by();
      case TaskCommand.Resume it -> it.by();
      case TaskCommand.Link it -> it.by();
      case TaskCommand.Unlink it -> it.by();
      case TaskCommand.AddJob it -> it.by();
      case TaskCommand.Archive it -> it.by();
      case TaskCommand.Saw _, TaskCommand.Reached _ -> null;
    };
  }
}
