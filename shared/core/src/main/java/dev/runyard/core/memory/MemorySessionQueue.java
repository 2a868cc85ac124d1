package dev.runyard.core.memory;

import dev.runyard.core.session.SessionQueue;
import java.util.HashMap;
import java.util.Map;

/// The order of turns in memory.
public final class MemorySessionQueue implements SessionQueue {
  private final Map<Name, Turns> sessions = new HashMap<>();

  @Override
  public synchronized Turns read(String tenant, String sessionId) {
    return sessions.getOrDefault(new Name(tenant, sessionId), Turns.NONE);
  }

  @Override
  public synchronized boolean write(String tenant, String sessionId, Turns next) {
    if (read(tenant, sessionId).version() != next.version()) {
      return false;
    }
    sessions.put(
        new Name(tenant, sessionId), new Turns(next.version() + 1, next.runs(), next.indexed()));
    return true;
  }

  private record Name(String tenant, String sessionId) {}
}
