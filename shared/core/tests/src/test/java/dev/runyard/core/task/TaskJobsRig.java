package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobProgress;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.ManageJobs;
import dev.runyard.core.submit.RunRequestReader;
import java.util.List;
import java.util.Optional;

/// Tasks and jobs that are parts of them, in memory.
abstract class TaskJobsRig {
  static final JobKey JOB = new JobKey("acme", "j1");

  final TaskRig rig = new TaskRig();

  ManageJobs.Result create(String job, String task, String more) {
    ObjectNode body =
        TaskRig.json(
            "{\"job_id\":\"%s\",\"task_id\":\"%s\",\"concurrency\":2,%s,\"items\":[%s]%s}"
                .formatted(
                    job,
                    task,
                    TaskRig.ECHO,
                    "{\"prompt\":\"1\"},{\"prompt\":\"2\"},{\"prompt\":\"3\"}",
                    more));
    return rig.cases
        .jobs()
        .manage()
        .create(
            TaskRig.BY,
            rig.cases
                .jobs()
                .reader(new RunRequestReader(AgentCatalog.builtIn()), (_, _) -> Optional.empty()),
            body,
            Optional.empty());
  }

  static String code(ManageJobs.Result result) {
    return switch (result) {
      case ManageJobs.Result.Done done -> "done " + done.changed();
      case ManageJobs.Result.Rejected rejected -> rejected.problem().code().code();
    };
  }

  JobState.Existing job() {
    return (JobState.Existing) rig.cases.jobs().log().load(JOB);
  }

  List<RunKey> running() {
    return job().facts().items().active().values().stream()
        .map(JobProgress.Active::runId)
        .map(run -> new RunKey("acme", run))
        .toList();
  }

  /// The job is started.
  void begins() {
    var _ = rig.cases.jobs().manage().start(TaskRig.BY, "j1", Optional.empty());
  }

  /// A task with a job of three items, of which two run.
  void started() {
    rig.created("t1");
    create("j1", "t1", "");
    begins();
    settle();
    assertEquals(List.of(2, 0, 1), counts());
  }

  void settle() {
    rig.cases.jobs().advanceJob().advance(JOB, List.of());
  }

  void ends(RunKey item) {
    rig.work(item, true);
    rig.cases.jobs().advanceJob().told(rig.cases.advanceRun().advance(item));
  }

  /// How many items run, are completed and wait.
  List<Integer> counts() {
    JobProgress items = job().facts().items();
    return List.of(items.active().size(), items.completed(), items.pending());
  }
}
