package dev.runyard.functions.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.Identity;
import dev.runyard.core.access.KeyOrder;
import dev.runyard.core.access.ManageKeys;
import dev.runyard.core.access.Scope;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.Publication;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.hook.HookLimits;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.job.JobCommand;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.functions.Twins;
import dev.runyard.functions.api.Client;
import dev.runyard.functions.stream.BothFunctions;
import dev.runyard.testkit.openapi.DescribedOperation;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A stack in which every operation finds what it is about: a run that asks, one that listens, and
/// one that has ended and left all that a run can leave; a webhook with a delivery, a hook, a job,
/// and a task.
final class Situation implements AutoCloseable {
  static final String NO_RUN = "019c0000-0000-7000-8000-000000000000";
  static final String NO_DELIVERY = "msg_" + "0".repeat(44);
  static final String NO_HOOK = "default." + "0".repeat(32);
  static final String WEBHOOK =
      "{\"url\":\"https://hooks.example.com/\",\"events\":[\"run.failed\"]}";
  static final String HOOK =
      "{\"name\":\"issues\",\"sender\":\"github\",\"secret\":\"GITHUB\",\"run\":{\"agent\":\"echo\",\"prompt\":\"{{/p}}\"}}";
  static final String JOB =
      "{\"job_id\":\"j-1\",\"request\":{\"agent\":\"echo\",\"prompt\":\"hi\"},\"items\":[{\"prompt\":\"one\"},{\"prompt\":\"two\"}]}";
  static final String TASK =
      "{\"task_id\":\"t-1\",\"title\":\"say hi\",\"request\":{\"agent\":\"echo\"}}";
  private static final String SESSION = "019a0000-0000-4000-8000-000000000002";
  private static final String COMMIT = "0123456789012345678901234567890123456789";
  private static final byte[] CONTENT = {'a', (byte) 0xe9, 0, '\n'};

  final Twins twins;
  final BothFunctions functions;
  final RunKey asks;
  final RunKey listens;
  final RunKey ended;
  final String output = "call-1";
  final String webhook;
  final String delivery;
  final String hook;
  final String job;
  final String task;
  private final String key;

  Situation() {
    this(Quotas.NONE);
  }

  /// @param quotas of the tenant, in which three runs in a minute must have room
  Situation(Quotas quotas) {
    twins = new Twins(quotas);
    functions = new BothFunctions(twins, new Client(twins, catalog()));
    asks = begun("echo", null);
    listens = begun("pi", null);
    ended = begun("pi", git());
    key = key();
    twins.hookSecrets.put("GITHUB", new Fetched.Value("key-of-the-github-hook"));
    webhook = made("/v1/webhooks", WEBHOOK, "webhook_id");
    delivery = made("/v1/webhooks/" + webhook + "/ping", "", "delivery_id");
    hook = made("/v1/hooks", HOOK, "hook_id");
    job = made("/v1/jobs", JOB, "job_id");
    task = made("/v1/tasks", TASK, "task_id");
    failItem();
    ask(asks, ActionType.MESSAGE);
    twins.report(
        ended,
        new WorkspaceNotice.ContextResolved(
            "git", "https://github.com/acme/shop", null, COMMIT, 1, 1, 1));
    twins.complete(ended);
    keep();
    twins.project().project(ended);
    twins.artifacts.put(new StoredOutput(ended, output).key(), "said".getBytes(UTF_8));
  }

  /// The first item of the job has failed.
  private void failItem() {
    JobCases jobs = twins.useCases.jobs();
    JobKey key = new JobKey(Identity.TENANT_DEFAULT, job);
    Failure why = Failure.backend("echo_failed", "The run asked the echo to fail.");
    JobCommand.Begin begin = new JobCommand.Begin(1, 1, NO_RUN, null, why);
    for (JobCommand command :
        List.of(
            new JobCommand.Start(Requester.of("client")),
            new JobCommand.Advance(List.of(), List.of(begin), twins.clock.instant()))) {
      jobs.log().execute(key, jobs.log().load(key), command);
    }
    jobs.projectJob().project(key);
  }

  private String made(String path, String body, String id) {
    try {
      return JsonFormat.JSON.readTree(functions.post(path, body).text()).path(id).asText();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// The run asks a person.
  String ask(RunKey run, ActionType type) {
    String id = ActionId.of(run, 1);
    twins.report(run, Question.of(id, type, "Which?").asked(twins.clock.instant()));
    return id;
  }

  private String key() {
    KeyOrder order =
        new KeyOrder(
            Optional.empty(), Optional.empty(), Set.of(Scope.RUNS_READ), OptionalLong.empty());
    return switch (twins.manageKeys().make(maker(), order)) {
      case ManageKeys.Result.Made made -> made.key().id();
      case ManageKeys.Result.Refused refused -> throw new AssertionError(refused.problem());
    };
  }

  private static Identity maker() {
    return new Identity.Principal("client", Identity.TENANT_DEFAULT, EnumSet.allOf(Scope.class));
  }

  /// The same stack for others; the caller closes it.
  BothFunctions calledBy(Authentication callers) {
    return new BothFunctions(twins, new Client(twins, catalog(), callers, true), callers);
  }

  /// The same stack behind a gateway that wants signatures; the caller closes it.
  BothFunctions signed() {
    return new BothFunctions(twins, new Client(twins, catalog(), twins.caller(), false));
  }

  /// The path of an operation on what is there.
  String path(DescribedOperation operation) {
    return fill(operation, thing(operation)).replace(NO_DELIVERY, delivery);
  }

  /// The path of an operation on this run, action or other thing.
  static String fill(DescribedOperation operation, String thing) {
    return operation
        .path()
        .replace("{id}", thing)
        .replace("{outputId}", "call-1")
        .replace("{deliveryId}", NO_DELIVERY)
        .replace("{item}", "1")
        .replace("{kind}", "echo")
        .replace("{name}", operation.path().startsWith("/agents") ? "echo" : "dist/a");
  }

  /// What an operation is about, if that is one thing.
  String thing(DescribedOperation operation) {
    if (operation.path().startsWith("/v1/webhooks")) {
      return webhook;
    }
    if (operation.path().startsWith("/v1/hooks")) {
      return hook;
    }
    if (operation.path().startsWith("/v1/jobs")) {
      return job;
    }
    if (operation.path().startsWith("/v1/tasks")) {
      return task;
    }
    return switch (operation.id()) {
      case "decideAction" -> ActionId.of(asks, 1);
      case "revokeKey" -> key;
      case "getUpload" -> "ab".repeat(32) + "-1772366400.zip";
      case "acpGetSession", "acpGetSessions" -> SESSION;
      case "getThread", "getQueue", "threadEvents" -> "thread-" + ended.runId();
      case "acpGetResource" -> ended.runId() + ".0";
      case "acpResumeRun", "listActions" -> asks.runId();
      case "cancelRun", "acpCancelRun", "sendMessage" -> listens.runId();
      default -> ended.runId();
    };
  }

  /// A request body of an operation that is accepted; empty if it takes none.
  static Optional<String> body(DescribedOperation operation) {
    return switch (operation.id()) {
      case "publishRun" -> Optional.of("{\"branch\":\"fix\"}");
      case "decideAction" -> Optional.of("{\"decision\":\"answer\",\"payload\":\"this\"}");
      case "createHook" -> Optional.of(HOOK);
      case "submitRun" -> Optional.of("{\"agent\":\"echo\",\"prompt\":\"hi\"}");
      default ->
          Optional.ofNullable(
                  operation.json().at("/requestBody/content/application~1json").get("example"))
              .map(Objects::toString);
    };
  }

  /// Most bytes of a body of the operation.
  static int bodyBytesMax(DescribedOperation operation) {
    return operation.id().equals("tryHook")
        ? 2 * HookLimits.DELIVERY_BYTES_MAX
        : Limits.BODY_BYTES_MAX;
  }

  RunKey begun(String agent, WorkspaceSource.@Nullable Git git) {
    RunRequest request =
        new RunRequest(
                agent,
                "hi",
                SESSION,
                Map.of(),
                List.of(),
                null,
                60,
                Map.of(),
                Map.of(),
                RetryPolicy.NEVER)
            .with(List.of(Message.text("user", "hi")))
            .with(git == null ? null : WorkspaceRequest.of(git));
    RunKey run =
        switch (twins.submit().submit(Twins.BY, request, Optional.empty())) {
          case SubmitRun.Result.Accepted accepted -> accepted.run().facts().run();
          case SubmitRun.Result.Rejected rejected -> throw new AssertionError(rejected.problem());
        };
    twins.runs().execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", twins.clock.instant()));
    twins.report(run, new RunEvent.ProcessStarted("p-1", agent));
    return run;
  }

  private static WorkspaceSource.Git git() {
    return new WorkspaceSource.Git(
        "https://github.com/acme/shop", null, 1, List.of(), false, false, "GIT");
  }

  private void keep() {
    KeptChanges kept = new KeptChanges(twins.artifacts);
    for (String object : List.of("patch", "workspace", "artifact-0")) {
      kept.put(ended, "a-1", object, CONTENT);
    }
    kept.name(
        ended,
        new KeptChange(
            1,
            "a-1",
            COMMIT,
            List.of(),
            0,
            0,
            0,
            object("patch", "changes.patch", "text/x-patch"),
            object("workspace", "workspace.tar.gz", "application/gzip"),
            List.of(object("artifact-0", "dist/a", "text/html")),
            List.of(),
            0,
            null));
    kept.published(ended, new Publication(ended.runId(), "fix", COMMIT, true, null, null));
  }

  private static KeptObject object(String object, String name, String type) {
    return new KeptObject(object, name, CONTENT.length, "ab", type);
  }

  private static AgentCatalog catalog() {
    AgentCatalog builtIn = AgentCatalog.builtIn();
    return builtIn.granted(
        AgentSettings.parse(
            """
            {"agents": {"pi": {"secrets": {"GIT": "env:GIT"}, "git_hosts": ["github.com"]}}}
            """,
            builtIn));
  }

  @Override
  public void close() {
    functions.close();
  }
}
