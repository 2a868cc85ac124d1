package dev.runyard.core.runtime;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.cancel.CancelRequestReader;
import dev.runyard.core.job.JobLimits;
import dev.runyard.core.job.ReportReader;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.problem.Problem;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Reads the members of commands about jobs.
final class JobCommandReader {
  private static final String JOB = "job_id";
  private static final String ITEM = "item";

  private JobCommandReader() {}

  /// What the params turned out to be.
  sealed interface Result {
    record Read(RuntimeJobCommand command) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  /// Reads the params of a command; empty for one that is about something else.
  static Optional<Result> read(String name, ObjectNode params) {
    return switch (name) {
      case "create_job" -> Optional.of(new Result.Read(new RuntimeJobCommand.CreateJob(params)));
      case "add_job_items" -> {
        ObjectNode body = params.deepCopy();
        body.remove(JOB);
        JsonFields job = JsonFields.of(params.deepCopy().retain(JOB), Set.of(JOB));
        String id = job.requiredText(JOB);
        yield read(job, () -> new RuntimeJobCommand.AddJobItems(id, body));
      }
      case "start_job" -> {
        JsonFields members = JsonFields.of(params, Set.of(JOB));
        String id = members.requiredText(JOB);
        yield read(members, () -> new RuntimeJobCommand.StartJob(id));
      }
      case "get_job" -> {
        JsonFields members = JsonFields.of(params, Set.of(JOB));
        String id = members.requiredText(JOB);
        yield read(members, () -> new RuntimeJobCommand.GetJob(id));
      }
      case "list_jobs" -> {
        JsonFields members = JsonFields.of(params, Set.of("limit", "cursor"));
        RuntimeCommand.Window window = RuntimeCommandReader.window(members);
        yield read(members, () -> new RuntimeJobCommand.ListJobs(window));
      }
      case "cancel_job" -> {
        JsonFields members = JsonFields.of(params, Set.of(JOB, CancelRequestReader.REASON));
        String id = members.requiredText(JOB);
        String reason = CancelRequestReader.reason(members);
        yield read(members, () -> new RuntimeJobCommand.CancelJob(id, reason));
      }
      case "retry_job_item" -> {
        JsonFields members = JsonFields.of(params, Set.of(JOB, ITEM));
        String id = members.requiredText(JOB);
        int item = item(members);
        yield read(members, () -> new RuntimeJobCommand.RetryJobItem(id, item));
      }
      case "report_job_item" -> {
        JsonFields members = JsonFields.of(params, Set.of(JOB, ITEM, ReportReader.NOTE));
        String id = members.requiredText(JOB);
        int item = item(members);
        String note = ReportReader.note(members);
        yield read(members, () -> new RuntimeJobCommand.ReportJobItem(id, item, note));
      }
      case String _ -> Optional.empty();
    };
  }

  private static int item(JsonFields members) {
    if (!members.has(ITEM)) {
      members.refuse(ITEM, "item is required");
    }
    return members.whole(ITEM, 1, JobLimits.ITEMS_MAX, 1);
  }

  private static Optional<Result> read(JsonFields members, Supplier<RuntimeJobCommand> made) {
    return Optional.of(
        members
            .problem()
            .<Result>map(Result.Rejected::new)
            .orElseGet(() -> new Result.Read(made.get())));
  }
}
