package dev.runyard.functions.stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.view.HubView;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A run in the words of the Agent Protocol's hub. Its first chunk says which agent it is for and
/// when it began.
final class HubRenderer implements EventView.Teller {
  private final EventLog log;
  private final RunKey run;
  private @Nullable HubView view;

  HubRenderer(EventLog log, RunKey run) {
    this.log = log;
    this.run = run;
  }

  @Override
  public List<RenderedEvent> show(StoredEvent event) {
    return view().event(event).map(HubRenderer::shown).stream().toList();
  }

  @Override
  public Optional<RenderedEvent> completion() {
    return Optional.empty();
  }

  @Override
  public boolean alike() {
    return true;
  }

  @Override
  public boolean tellsCompletion() {
    return false;
  }

  private static RenderedEvent shown(ObjectNode told) {
    return new RenderedEvent(told.path("event").path("type").asText(), told.toString());
  }

  private HubView view() {
    HubView known = view;
    if (known == null) {
      known = HubView.of(log.chunkAt(run, 1).orElseThrow().events(EventCodec.RUNS));
      view = known;
    }
    return known;
  }
}
