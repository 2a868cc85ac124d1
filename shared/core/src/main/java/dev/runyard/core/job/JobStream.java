package dev.runyard.core.job;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamType;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Jobs as a kind of stream.
///
/// @param rules those of [JobRules], or others with which a test plants a defect
public record JobStream(BiFunction<JobState, JobCommand, JobDecision> rules)
    implements StreamType<JobState, JobCommand, JobDecision, StoredJobEvent> {
  public JobStream() {
    this(JobRules::decide);
  }

  @Override
  public StreamCodec<StoredJobEvent> codec() {
    return JobCodec.JOBS;
  }

  @Override
  public JobState absent() {
    return JobState.absent();
  }

  @Override
  public JobState evolve(JobState state, StoredJobEvent event) {
    return JobFold.evolve(state, event);
  }

  @Override
  public JobState chained(JobState state, Chain chain) {
    return JobFold.chained(state, chain);
  }

  @Override
  public JobDecision decide(JobState state, JobCommand command) {
    return rules.apply(state, command);
  }

  @Override
  public List<StoredJobEvent> events(
      StreamKey key, JobState state, JobCommand command, JobDecision decision, Instant now) {
    return switch (decision) {
      case JobDecision.Append append ->
          state.numbered(
              append.events(),
              (sequence, event) ->
                  new StoredJobEvent(
                      (JobKey) key, session(state, command), sequence, now, event, by(command)));
      case JobDecision.Stay _, JobDecision.Refuse _ -> List.of();
    };
  }

  private static String session(JobState state, JobCommand command) {
    return switch (state) {
      case JobState.Existing job -> job.facts().terms().sessionId();
      case JobState.Absent _ ->
          command instanceof JobCommand.Create create ? create.terms().sessionId() : "";
    };
  }

  private static @Nullable Requester by(JobCommand command) {
    return switch (command) {
      case JobCommand.Create it -> it.by();
      case JobCommand.Add it -> it.by();
      case JobCommand.Start it -> it.by();
      case JobCommand.Cancel it -> it.by();
      case JobCommand.Retry it -> it.by();
      case JobCommand.Report it -> it.by();
      case JobCommand.Advance _ -> null;
    };
  }
}
