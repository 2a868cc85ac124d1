package dev.runyard.core.view;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.read.Protocol;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunWebhook;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Readers of a run whose own webhook has a secret.
final class WebhookSecretViewsTest {
  private static final String SECRET = "whsec_s3cret";
  private static final StoredEvent CREATED =
      new StoredEvent(
          new RunKey("acme", "019c0000-0000-7000-8000-000000000001"),
          "session-1",
          null,
          1,
          Instant.EPOCH,
          new RunEvent.TaskCreated(
              "echo",
              Map.of(),
              List.of(),
              null,
              60,
              Map.of(),
              Map.of(),
              RetryPolicy.NEVER,
              null,
              null,
              new RunWebhook("https://a.example/", SECRET, List.of("run.failed")),
              null,
              null,
              null));

  @ParameterizedTest
  @EnumSource
  void showTheSecretInNoProtocol(Protocol protocol) {
    List<RenderedEvent> shown = protocol.view().render(CREATED);

    assertFalse(shown.toString().contains(SECRET), shown.toString());
  }

  @Test
  void showItInNoList() {
    RunState.Existing run = (RunState.Existing) RunFold.evolve(RunState.absent(), CREATED);

    assertFalse(SnapshotCodec.brief(run).contains(SECRET));
    assertFalse(RunJson.of(run).toString().contains(SECRET));
  }
}
