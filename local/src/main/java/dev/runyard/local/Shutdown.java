package dev.runyard.local;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;

/// Closes what was started, last first, every part even if another one failed.
public final class Shutdown implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Shutdown.class.getName());

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  public synchronized <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  @Override
  public synchronized void close() {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.log(Level.WARNING, part.getClass().getSimpleName() + " does not close", e);
      }
    }
  }
}
