package dev.runyard.functions.stream;

import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.view.agentapi.AgentApiView;
import dev.runyard.core.view.agentapi.RunCompletion;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A run in the words of the Universal Agent API. Its first chunk says which agent it is for, its
/// state how it ended, once the reader gets there.
final class AgentApiRenderer implements EventView.Teller {
  private final EventLog log;
  private final RunLog runs;
  private final RunKey run;
  private @Nullable AgentKind agent;
  private @Nullable RenderedEvent completion;

  AgentApiRenderer(EventLog log, RunLog runs, RunKey run) {
    this.log = log;
    this.runs = runs;
    this.run = run;
  }

  @Override
  public List<RenderedEvent> show(StoredEvent event) {
    if (RunCompletion.isEnd(event)) {
      return completion().stream().toList();
    }
    return AgentApiView.events(agent(), event).stream()
        .map(
            shown ->
                new RenderedEvent(shown.kind().wire(), AgentApiView.json(event, shown).toString()))
        .toList();
  }

  @Override
  public Optional<RenderedEvent> completion() {
    if (completion == null) {
      completion =
          RunCompletion.of(runs.load(run))
              .map(json -> new RenderedEvent(RunCompletion.NAME, json.toString()))
              .orElse(null);
    }
    return Optional.ofNullable(completion);
  }

  @Override
  public boolean alike() {
    return true;
  }

  @Override
  public boolean tellsCompletion() {
    return true;
  }

  private AgentKind agent() {
    if (agent == null) {
      agent =
          log.chunkAt(run, 1).stream()
              .flatMap(chunk -> chunk.events(EventCodec.RUNS).stream())
              .map(StoredEvent::event)
              .filter(RunEvent.TaskCreated.class::isInstance)
              .map(created -> new AgentKind(((RunEvent.TaskCreated) created).agent()))
              .findFirst()
              .orElseThrow();
    }
    return agent;
  }
}
