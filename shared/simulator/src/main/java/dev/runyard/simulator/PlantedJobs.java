package dev.runyard.simulator;

import dev.runyard.core.job.JobCommand;
import dev.runyard.core.job.JobDecision;
import dev.runyard.core.job.JobFacts;
import dev.runyard.core.job.JobLimits;
import dev.runyard.core.job.JobProgress;
import dev.runyard.core.job.JobRules;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.JobStream;
import dev.runyard.core.job.JobTerms;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rules of jobs with a planted defect.
final class PlantedJobs {
  private PlantedJobs() {}

  static JobStream rules(Defect defect) {
    return new JobStream((state, command) -> decided(defect, state, command));
  }

  private static JobDecision decided(Defect defect, JobState state, JobCommand command) {
    return switch (command) {
      case JobCommand.Create create when defect == Defect.JOB_CONCURRENCY_FORGOTTEN ->
          JobRules.decide(
              state, new JobCommand.Create(unlimited(create.terms()), create.items(), create.by()));
      case JobCommand.Advance advance when state instanceof JobState.Open job ->
          advanced(defect, job, advance);
      case JobCommand _ -> JobRules.decide(state, command);
    };
  }

  private static JobDecision advanced(
      Defect defect, JobState.Open job, JobCommand.Advance advance) {
    return switch (defect) {
      case JOB_STARTS_AFTER_CANCEL -> JobRules.decide(unstopped(job, advance), advance);
      case JOB_ITEM_ENDED_BY_EARLIER_RUN -> JobRules.decide(job, ofNewest(job, advance));
      case Defect _ -> JobRules.decide(job, advance);
    };
  }

  private static JobTerms unlimited(JobTerms terms) {
    return new JobTerms(
        terms.sessionId(),
        JobLimits.CONCURRENCY_MAX,
        terms.onFailed(),
        terms.maxRuntimeSeconds(),
        terms.maxTokens(),
        terms.maxCostUsd(),
        terms.fingerprint(),
        terms.taskId(),
        terms.rootTaskId());
  }

  private static JobState.Open unstopped(JobState.Open job, JobCommand.Advance advance) {
    JobFacts facts = job.facts();
    return new JobState.Open(
        new JobFacts(
            facts.job(),
            facts.actor(),
            facts.terms(),
            facts.createdAt(),
            facts.startedAt(),
            facts.sequence(),
            facts.at(),
            facts.items(),
            facts.usage(),
            advance.starting().isEmpty() ? facts.stop() : null,
            facts.chain()));
  }

  private static JobCommand.Advance ofNewest(JobState.Open job, JobCommand.Advance advance) {
    return new JobCommand.Advance(
        advance.ended().stream()
            .map(end -> newest(job.facts().items().active().get(end.item()), end))
            .toList(),
        advance.starting(),
        advance.now());
  }

  private static JobCommand.End newest(JobProgress.@Nullable Active active, JobCommand.End end) {
    return new JobCommand.End(
        end.item(),
        Optional.ofNullable(active).map(JobProgress.Active::runId).orElse(end.runId()),
        end.error(),
        end.usage());
  }
}
