package dev.runyard.core.view;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.request.RunWebhook;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Events as they are stored, except that the values of the environment and the secret of a webhook
/// are masked, so that those who may read a run do not see its secrets.
public final class RuntimeView implements View {
  public static final String NAME = "runtime";

  /// The same events as the strict profile of the standard names them.
  public static final String STRICT_NAME = "lime";

  private static final String MASK = "***";

  private final Function<StoredEvent, String> json;

  private RuntimeView(Function<StoredEvent, String> json) {
    this.json = json;
  }

  public static RuntimeView plain() {
    return new RuntimeView(EventCodec.RUNS::json);
  }

  public static RuntimeView strict() {
    return new RuntimeView(EventCodec.RUNS::strictJson);
  }

  @Override
  public Past past() {
    return Past.NOTHING;
  }

  @Override
  public List<RenderedEvent> render(StoredEvent event) {
    return List.of(new RenderedEvent(event.type(), json.apply(masked(event))));
  }

  private static StoredEvent masked(StoredEvent stored) {
    return stored.event() instanceof RunEvent.TaskCreated created
        ? new StoredEvent(
            stored.run(),
            stored.turn(),
            stored.attemptId(),
            stored.sequence(),
            stored.timestamp(),
            masked(created),
            stored.by())
        : stored;
  }

  private static RunEvent masked(RunEvent.TaskCreated created) {
    Map<String, String> env =
        created.env().keySet().stream().collect(Collectors.toMap(name -> name, _ -> MASK));
    RunWebhook webhook = created.webhook();
    return new RunEvent.TaskCreated(
        created.agent(),
        created.extensions(),
        created.requires(),
        created.workingDir(),
        created.timeoutSeconds(),
        env,
        created.tags(),
        created.retry(),
        created.bounds(),
        created.workspace(),
        webhook == null ? null : webhook.masked(),
        created.item(),
        created.task(),
        created.lifeSeconds());
  }
}
