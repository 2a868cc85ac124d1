package dev.runyard.core.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.submit.RunRequestReader;

/// What a hook makes of a delivery: a request, which is read as one that a client sends, or
/// nothing.
public final class HookMapping {
  private final RunRequestReader requests;

  public HookMapping(RunRequestReader requests) {
    this.requests = requests;
  }

  /// What a delivery maps to.
  sealed interface Result {
    record Run(RunRequest request, ObjectNode body) implements Result {}

    record Ignored(String reason) implements Result {}

    /// It is to start a run, but is no valid request.
    record Refused(Problem problem) implements Result {}

    /// Its sender wants this text back.
    record Challenge(String text) implements Result {}
  }

  Result of(HookDefinition hook, HookRequest request) {
    return switch (HookPayload.read(request)) {
      case HookPayload.Result.Rejected(Problem problem) -> new Result.Refused(problem);
      case HookPayload.Result.Read(HookPayload payload) -> of(hook, payload);
    };
  }

  private Result of(HookDefinition hook, HookPayload payload) {
    JsonNode challenge = payload.json().path("challenge");
    if (hook.sender() == HookSender.SLACK
        && payload.json().path("type").asText().equals("url_verification")) {
      return challenge.isTextual()
              && Bounds.bytes(challenge.textValue()) <= HookLimits.CHALLENGE_BYTES_MAX
          ? new Result.Challenge(challenge.textValue())
          : new Result.Ignored("a challenge without a text of usual length");
    }
    if (!hook.enabled()) {
      return new Result.Ignored("the hook is disabled");
    }
    if (hook.sender() == HookSender.GITHUB
        && payload.request().header("x-github-event").orElse("").equals("ping")) {
      return new Result.Ignored("a ping");
    }
    for (HookFilter filter : hook.when()) {
      if (!filter.passes(payload)) {
        return new Result.Ignored(filter.missed());
      }
    }
    return switch (hook.template().fill(payload)) {
      case HookTemplate.Filling.Unfit(Problem problem) -> new Result.Refused(problem);
      case HookTemplate.Filling.Filled(ObjectNode body) -> read(body);
    };
  }

  /// What a filled template is as a request.
  Result read(ObjectNode body) {
    return switch (requests.read(body)) {
      case RunRequestReader.Result.Rejected(Problem problem) -> new Result.Refused(problem);
      case RunRequestReader.Result.Accepted(RunRequest run, ObjectNode read) ->
          new Result.Run(run, read);
    };
  }

  /// What kind of event a delivery says it is.
  static String event(HookRequest request) {
    return request
        .header("x-github-event")
        .or(() -> request.header("x-gitlab-event"))
        .or(() -> request.header("linear-event"))
        .orElse("");
  }
}
