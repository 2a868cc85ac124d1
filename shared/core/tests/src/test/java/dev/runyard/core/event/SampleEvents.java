package dev.runyard.core.event;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.message.OutputHead;
import dev.runyard.core.message.OutputPart;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.JobItem;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.request.RunWebhook;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.usage.Usage;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One event of every type, with every member set. A type whose members are all plain needs no
/// entry here.
public final class SampleEvents {
  private static final Failure FAILURE = Failure.backend("agent_error", "The agent ended with 1.");

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private SampleEvents() {}

  /// Every record, of every family.
  public static Set<Class<?>> types() {
    return records(RunEvent.class).collect(Collectors.toSet());
  }

  private static Stream<Class<?>> records(Class<?> family) {
    return family.isRecord()
        ? Stream.of(family)
        : Arrays.stream(family.getPermittedSubclasses()).flatMap(SampleEvents::records);
  }

  public static List<RunEvent> all() {
    List<RunEvent> all = new ArrayList<>(told());
    Set<Class<?>> told = all.stream().map(Object::getClass).collect(Collectors.toSet());
    types().stream()
        .filter(type -> !told.contains(type))
        .sorted(Comparator.comparing(Class::getSimpleName))
        .map(SampleEvents::plain)
        .forEach(all::add);
    return List.copyOf(all);
  }

  private static RunEvent plain(Class<?> type) {
    RecordComponent[] members = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(members).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] values = Arrays.stream(members).map(SampleEvents::value).toArray();
    try {
      return (RunEvent) type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no sample of " + type.getSimpleName(), e);
    }
  }

  private static Object value(RecordComponent member) {
    return switch (member.getType().getSimpleName()) {
      case "String" -> member.getName() + "-1";
      case "int", "Integer" -> 1;
      case "long" -> 1L;
      case "Failure" -> FAILURE;
      case String other ->
          throw new AssertionError(
              "%s needs a sample of its own: %s is a %s"
                  .formatted(member.getDeclaringRecord().getSimpleName(), member.getName(), other));
    };
  }

  private static List<RunEvent> told() {
    return List.of(
        new RunEvent.TaskCreated(
            "codex",
            Map.of("codex.sandbox", JsonNodeFactory.instance.textNode("read-only")),
            List.of("run"),
            "src",
            600,
            Map.of("LANG", "C"),
            Map.of("team", "größe"),
            new RetryPolicy(3, List.of("*"), 5),
            new RunBounds(3, 5_000_000_000L, 0.5, null, 60),
            WorkspaceRequest.of(
                new WorkspaceSource.Git(
                    "https://host/repo.git", "main", 1, List.of("src"), true, true, "GIT"),
                List.of("make größe"),
                600,
                List.of("dist/**"),
                true),
            new RunWebhook("https://a.example/", "whsec_x", List.of("run.failed")),
            new JobItem("j-1", 3, 1),
            new TaskRun("t-1", 2, "größe"),
            691_200),
        new RunEvent.TurnSubmitted("say hello 👋"),
        new RunEvent.TaskQueued(1, 5, 2),
        new RunEvent.AttemptStarted(1, "attempt-1", "runner-1", "message-1"),
        new RunEvent.ModelDelta("text"),
        new RunEvent.ModelCompleted(),
        new RunEvent.ToolStarted("tool-1", "bash", "execute", "ls"),
        new RunEvent.ToolStarted("tool-2", "bash", "execute", "ls", "tool-1"),
        new RunEvent.ToolProgress("tool-1", "bash", "execute", "half", null),
        new RunEvent.ToolResult("tool-1", "bash", "execute", 0, "done", 4),
        new RunEvent.ToolFailed("tool-1", "bash", "execute", 1, "broke", 5),
        new RunEvent.ToolResult("tool-1", "bash", "execute", 0, "a…b", 9000, "out1-a1", null),
        new RunEvent.ToolFailed("tool-1", "bash", "execute", 1, "a…b", 9000, "out2-a1", null),
        new RunEvent.OutputSpilled(
            "out1-a1", "tool-1", 9000, "0".repeat(64), "text/plain; charset=utf-8"),
        new RunEvent.ArtifactChanged("tool-1", "src/größe.txt", FileChange.CREATED),
        new RunEvent.ArtifactChanged(null, "/etc/hosts", null),
        new RunEvent.TaskProgress(
            List.of(
                new PlanEntry("look", PlanEntry.Status.COMPLETED),
                new PlanEntry("write", PlanEntry.Status.IN_PROGRESS),
                new PlanEntry("test", PlanEntry.Status.PENDING))),
        new RunEvent.CostRecorded(new Usage(10, 4, 2, 20, 5, 0.25, 1), "model-1"),
        new RunEvent.CostRecorded(
            new Usage(10, 4, 2, 20, 5, 0.25, 1),
            "model-1",
            new ModelCall("messages", 200, 12L, 340, 1, true, "agent_gone"),
            null),
        new RunEvent.CostRecorded(new Usage(1, 0, 2, 0, null).asTurn(), "model-1", null, "tool-1"),
        new ModelNotice.ModelFailed(
            "network",
            "The provider was not reached.",
            null,
            new ModelCall("gemini", 0, null, 340, 0, false, null)),
        new ModelNotice.RateLimitHit(
            "model-1", 7, new ModelCall("responses", 429, 12L, 13, 0, false, null)),
        new ModelNotice.QuotaLow("max_tokens", 80, 100),
        new SandboxApplied(
            "uid",
            "the runner is root",
            66_000,
            Map.of("processes", 512L),
            "own_user",
            "open",
            List.of("network", "local_sockets")),
        new SnapshotUpdated(
            "0123456789012345678901234567890123456789",
            3,
            12,
            4,
            new SnapshotUpdated.Reference(400, "ab"),
            new SnapshotUpdated.Reference(2_000, "cd"),
            new SnapshotUpdated.Reference(9_000, "ef"),
            1,
            70,
            2),
        new PublishNotice.JobCompleted(
            PublishNotice.JOB,
            "019c0000-0000-7000-8000-000000000001",
            "fix/it",
            "0123456789012345678901234567890123456789",
            true,
            7L,
            "https://github.com/acme/shop/pull/7"),
        new RunEvent.ModelDelta(
            "aGk=",
            new OutputPart(
                "image/png",
                null,
                "base64",
                "image.png",
                JSON.objectNode().put("kind", "citation"),
                true,
                new OutputHead("agent/a", "2026-03-01T12:00:00.123456Z", null))),
        new RunEvent.ModelCompleted(new OutputHead("agent/a", null, "2026-03-01T12:00:00Z")),
        new RunEvent.TurnSubmitted(
            "hello",
            List.of(
                new Message(
                    "user",
                    List.of(MessagePart.text("hello")),
                    "2026-03-01T12:00:00.1Z",
                    "2026-03-01T12:00:00.2Z"))),
        new ActionRequired(
            "action-1",
            ActionType.PERMISSION,
            "May I?",
            JSON.objectNode().put("type", "string"),
            List.of("yes", "no"),
            60,
            Instant.parse("2026-03-01T12:00:00Z"),
            JSON.objectNode().put("command", "ls")),
        new TaskWaiting("action-1", "waiting_permission"),
        new RunEvent.ActionResolved(
            "action-1", ActionDecision.APPROVE, JSON.textNode("yes"), "somebody"),
        new PermissionResolved("action-1", ActionDecision.TIMED_OUT),
        new RunEvent.ChannelMessage("message-1", "stop 👋", "somebody"),
        new RunEvent.ProcessInput("process-1", "message-1", "action-1", "no room"),
        new RunEvent.ChannelDisconnected(List.of("message-1")),
        new RunEvent.AttemptStarted(2, "attempt-2", "runner-1", "message-1", true),
        new RunEvent.ProcessCompleted("process-1", 3, 9, 1200),
        new RunEvent.Other("evidence.changed", JsonNodeFactory.instance.objectNode().put("a", 1)));
  }
}
