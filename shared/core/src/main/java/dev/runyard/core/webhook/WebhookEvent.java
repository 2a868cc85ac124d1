package dev.runyard.core.webhook;

import dev.runyard.core.run.RunState;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What a webhook can be told of. The names are the `type` of what is sent.
public enum WebhookEvent {
  RUN_COMPLETED("run.completed"),
  RUN_FAILED("run.failed"),
  RUN_TIMED_OUT("run.timed_out"),
  RUN_LOST("run.lost"),
  RUN_CANCELLED("run.cancelled"),
  ACTION_REQUIRED("action.required"),
  /// Sent when somebody asks for it, whatever the webhook wants.
  PING("webhook.ping");

  private final String wire;

  WebhookEvent(String wire) {
    this.wire = wire;
  }

  public String wire() {
    return wire;
  }

  public static Optional<WebhookEvent> of(String wire) {
    return Arrays.stream(values()).filter(event -> event.wire.equals(wire)).findFirst();
  }

  /// The names a webhook may want.
  public static List<String> names() {
    return Arrays.stream(values()).filter(event -> event != PING).map(WebhookEvent::wire).toList();
  }

  /// How a run has ended.
  static WebhookEvent end(RunState.Closed run) {
    return switch (run) {
      case RunState.Completed _ -> RUN_COMPLETED;
      case RunState.Cancelled _ -> RUN_CANCELLED;
      case RunState.Failed failed ->
          switch (failed.phase()) {
            case "timed_out" -> RUN_TIMED_OUT;
            case "lost" -> RUN_LOST;
            case String _ -> RUN_FAILED;
          };
    };
  }
}
