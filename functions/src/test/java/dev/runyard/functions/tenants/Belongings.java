package dev.runyard.functions.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.artifact.LeftWorkspace;
import dev.runyard.core.artifact.LeftWorkspaces;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.upload.UploadFormat;
import dev.runyard.core.upload.UploadId;
import dev.runyard.core.upload.UploadOrder;
import dev.runyard.core.upload.Uploads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// One of everything that a tenant can have and that has an id, all of it marked, beside ids of the
/// same kinds that never were. Who adds a kind of id adds it here.
///
/// @param ids by kind: one that is, and one that never was
record Belongings(List<Kind> ids) {
  /// In everything that the owner's clients and agents have said.
  static final String MARK = "canary-7f3d";

  private static final String SESSION = "5b0c1d52-0c0e-4a07-9d3f-4d0f2a6f8e11";

  private static final String WEBHOOK =
      "{\"url\":\"https://hooks.example.com/\",\"events\":[\"run.completed\"],\"description\":\""
          + MARK
          + "\"}";
  private static final String HOOK =
      "{\"name\":\""
          + MARK
          + "\",\"sender\":\"github\",\"secret\":\"GITHUB\",\"run\":{\"agent\":\"echo\",\"prompt\":\"hi\"}}";

  private static final String JOB =
      "{\"request\":{\"agent\":\"echo\",\"prompt\":\"%s\"},\"items\":[{}]}".formatted(MARK);

  private static final String TASK =
      "{\"title\":\"%s\",\"request\":{\"agent\":\"echo\"}}".formatted(MARK);

  /// A kind of id.
  record Kind(String name, String owned, String never) {}

  static Belongings of(ClientFunctions functions, String tenant, String key)
      throws IOException, InterruptedException {
    String open = submitted(functions, key, "");
    String ended = submitted(functions, key, ",\"session_id\":\"" + SESSION + "\"");
    RunKey asking = new RunKey(tenant, open);
    begin(functions, asking, "a-1");
    ask(functions, asking, "a-1");
    end(functions, new RunKey(tenant, ended));
    functions.artifacts.put(
        new StoredOutput(asking, "out-1").key(),
        (MARK + " output").getBytes(StandardCharsets.UTF_8));
    leave(functions, new RunKey(tenant, ended));
    String upload = uploaded(functions, tenant);
    String made =
        JsonFormat.JSON
            .readTree(
                functions
                    .call(
                        key,
                        "POST /v1/keys",
                        "/v1/keys",
                        "{\"scopes\":[\"runs:read\"],\"name\":\"" + MARK + "\"}")
                    .body())
            .path("id")
            .textValue();
    String webhook = made(functions, key, "/v1/webhooks", WEBHOOK).path("webhook_id").textValue();
    String delivery =
        made(functions, key, "/v1/webhooks/" + webhook + "/ping", "{}")
            .path("delivery_id")
            .textValue();
    String hook = made(functions, key, "/v1/hooks", HOOK).path("hook_id").textValue();
    String job = made(functions, key, "/v1/jobs", JOB).path("job_id").textValue();
    String task = made(functions, key, "/v1/tasks", TASK).path("task_id").textValue();
    return new Belongings(
        List.of(
            new Kind(
                "webhook to delete",
                made(functions, key, "/v1/webhooks", WEBHOOK).path("webhook_id").textValue(),
                "wh_BBBBBBBBBBBBBBBB"),
            new Kind("webhook", webhook, "wh_AAAAAAAAAAAAAAAA"),
            new Kind("delivery", delivery, "msg_" + "0".repeat(44)),
            new Kind(
                "hook to delete",
                made(functions, key, "/v1/hooks", HOOK).path("hook_id").textValue(),
                tenant + "." + "B".repeat(32)),
            new Kind("hook", hook, tenant + "." + "A".repeat(32)),
            new Kind("job", job, never(ended, 4)),
            new Kind("task", task, never(ended, 5)),
            new Kind("run", open, never(open, 1)),
            new Kind("ended run", ended, never(ended, 2)),
            new Kind("action", open + ".1", never(open, 1) + ".1"),
            new Kind("output", "out-1", "out-2"),
            new Kind("upload", upload, upload.replaceFirst("^.{8}", "00000000")),
            new Kind("session", SESSION, SESSION.replaceFirst("^.{8}", "00000000")),
            new Kind(
                "thread",
                "thread-" + SESSION,
                "thread-" + SESSION.replaceFirst("^.{8}", "00000000")),
            new Kind("resource", ended + ".0", never(ended, 2) + ".0"),
            new Kind("key", made, "key_AAAAAAAAAAAAAAAA")));
  }

  /// The id of a run that never was, of the same time as another: of a young one no snapshot is
  /// looked for.
  private static String never(String run, int number) {
    return run.substring(0, run.length() - 12) + "%012d".formatted(number);
  }

  private static JsonNode made(ClientFunctions functions, String key, String path, String body)
      throws IOException, InterruptedException {
    String route = path.contains("ping") ? "POST /v1/webhooks/{id}/ping" : "POST " + path;
    return JsonFormat.JSON.readTree(functions.call(key, route, path, body).body());
  }

  private static String submitted(ClientFunctions functions, String key, String more)
      throws IOException, InterruptedException {
    ClientFunctions.Answer answer =
        functions.call(
            key,
            "POST /v1/runs",
            "/v1/runs",
            "{\"agent\":\"echo\",\"prompt\":\"%s\",\"tags\":{\"t\":\"%s\"}%s}"
                .formatted(MARK, MARK, more));
    return JsonFormat.JSON.readTree(answer.body()).path("run_id").textValue();
  }

  private static void begin(ClientFunctions functions, RunKey run, String attempt) {
    functions
        .useCases
        .runs()
        .execute(run, new RunCommand.Claim(attempt, "r-1", "t-1", functions.clock.instant()));
    report(functions, run, attempt, new RunEvent.ProcessStarted("p-1", "echo"));
  }

  private static void ask(ClientFunctions functions, RunKey run, String attempt) {
    report(
        functions,
        run,
        attempt,
        new ActionRequired(
            ActionId.of(run, 1),
            ActionType.QUESTION,
            MARK,
            null,
            List.of(),
            600,
            functions.clock.instant().plus(Duration.ofHours(1)),
            null));
  }

  private static void end(ClientFunctions functions, RunKey run) {
    begin(functions, run, "a-2");
    report(
        functions,
        run,
        "a-2",
        new RunEvent.ModelDelta(MARK),
        new RunEvent.ModelCompleted(),
        new RunEvent.ProcessCompleted("p-1", 0, null, 5),
        new RunEvent.AttemptCompleted(1, "a-2"));
    functions.useCases.advanceRun().advance(run);
    functions.useCases.projectRun().ended(run);
  }

  private static void leave(ClientFunctions functions, RunKey run) {
    LeftWorkspaces workspaces = new LeftWorkspaces(functions.artifacts);
    LeftWorkspace left = new LeftWorkspace(run.runId(), 1, "a-2", SESSION, true, 0, null, null);
    if (!workspaces.settle(run, left, workspaces.last(run.tenant(), SESSION))) {
      throw new AssertionError("nothing was left");
    }
  }

  private static void report(
      ClientFunctions functions, RunKey run, String attempt, RunEvent... events) {
    functions.useCases.runs().execute(run, new RunCommand.Report(attempt, List.of(events)));
  }

  private static String uploaded(ClientFunctions functions, String tenant) {
    byte[] bytes = MARK.getBytes(StandardCharsets.UTF_8);
    String sha256 = HexFormat.of().formatHex(Digest.of(bytes));
    Uploads uploads = new Uploads(() -> functions.places, Quotas.NONE, functions.clock);
    return switch (uploads.order(tenant, new UploadOrder(bytes.length, sha256, UploadFormat.ZIP))) {
      case Uploads.Answer.Wanted wanted -> {
        if (!functions.places.put(wanted.place().url(), bytes)) {
          throw new AssertionError("the upload was not taken");
        }
        yield wanted.id().text();
      }
      case Uploads.Answer.Stored(UploadId id) -> id.text();
      case Uploads.Answer.Refused refused -> throw new AssertionError(refused.problem());
    };
  }

  /// What the parameters of a route stand for while another of them is tried.
  String companion(String route, String parameter) {
    return switch (parameter) {
      case "{outputId}" -> "out-1";
      case "{name+}" -> "dist";
      case "{deliveryId}" -> owned("delivery");
      case "{item}" -> "1";
      case "{id}" ->
          owned(
              route.contains("/v1/webhooks/")
                  ? "webhook"
                  : route.contains("/v1/jobs/")
                      ? "job"
                      : route.contains("/v1/tasks/") ? "task" : "run");
      default -> throw new IllegalArgumentException("what is " + parameter + " of " + route);
    };
  }

  private String owned(String kind) {
    return ids.stream()
        .filter(known -> known.name().equals(kind))
        .findFirst()
        .orElseThrow()
        .owned();
  }

  /// The bodies with which routes do something; others get an empty object.
  static final Map<String, String> BODIES =
      Map.of(
          "POST /v1/runs/{id}/stream-tokens", "",
          "POST /v1/actions/{id}", "{\"decision\":\"answer\",\"payload\":\"yes\"}",
          "POST /v1/runs/{id}/messages", "{\"content\":\"hi\"}",
          "POST /v1/hooks/{id}/dry-run", "{\"body\":{}}",
          "POST /v1/jobs/{id}/start", "",
          "POST /v1/jobs/{id}/items/{item}/report", "{\"note\":\"known\"}",
          "POST /v1/jobs/{id}/items/{item}/retry", "",
          "POST /v1/runs/{id}/publish", "{\"branch\":\"b\"}",
          "POST /runs/{id}",
              "{\"mode\":\"async\",\"await_resume\":{\"type\":\"message\",\"message\":{\"role\":\"user\",\"parts\":[{\"content_type\":\"text/plain\",\"content\":\"hi\"}]}}}");
}
