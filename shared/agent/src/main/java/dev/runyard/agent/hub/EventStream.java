package dev.runyard.agent.hub;

import java.util.Iterator;

/// The events from now on, for one reader at its own pace. It ends with the hub, or when it is
/// closed. A reader that falls more than [#BACKLOG_EVENTS_MAX] behind gets an
/// [IllegalStateException].
public interface EventStream extends Iterator<EnrichedEvent>, AutoCloseable {
  int BACKLOG_EVENTS_MAX = 10_000;

  @Override
  void close();
}
