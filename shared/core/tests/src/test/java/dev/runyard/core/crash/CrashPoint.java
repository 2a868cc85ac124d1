package dev.runyard.core.crash;

import dev.runyard.core.application.Ports;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.queue.RunQueue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The call of a port at which a process dies, once: before it is made, or after it was answered. A
/// test plays one history for each call, until there is none that the process dies at.
public final class CrashPoint {
  private final int at;
  private final boolean after;
  private boolean armed = true;
  private int calls;
  private boolean crashed;

  /// @param at how many calls come before it
  /// @param after whether the call is still made
  public CrashPoint(int at, boolean after) {
    this.at = at;
    this.after = after;
  }

  /// A point of which calls count only once it is armed.
  public CrashPoint disarmed() {
    armed = false;
    return this;
  }

  public void arm() {
    armed = true;
  }

  /// How many calls were made.
  public int calls() {
    return calls;
  }

  /// True once a process has died.
  public boolean crashed() {
    return crashed;
  }

  /// Does it; false if the process dies meanwhile, even where that is taken for a failure.
  public boolean survives(Runnable step) {
    boolean before = crashed;
    try {
      step.run();
    } catch (Crash _) {
      return false;
    }
    return crashed == before;
  }

  /// Which other port a port of ports has in place of its own.
  public interface Others {
    /// Null for its own.
    @Nullable Object of(String method);
  }

  /// Ports, some of which are exchanged.
  public static <T> T ports(Class<T> type, T behind, Others others) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              Object other = others.of(method.getName());
              return other != null ? other : method.invoke(behind, arguments);
            }));
  }

  /// The ports of a process that works on runs. What it asks of log, read models and queue is
  /// counted.
  ///
  /// @param others that are exchanged besides
  public Ports process(Ports behind, Others others) {
    return ports(
        Ports.class,
        behind,
        name ->
            switch (name) {
              case "events" -> counted(EventLog.class, behind.events());
              case "models" -> counted(ReadModels.class, behind.models());
              case "queue" -> counted(RunQueue.class, behind.queue());
              default -> others.of(name);
            });
  }

  /// The port, whose calls are counted.
  public <T> T counted(Class<T> type, T behind) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              boolean here = armed && !crashed && calls++ == at;
              if (here && !after) {
                throw died();
              }
              try {
                Object answer = method.invoke(behind, arguments);
                if (here) {
                  throw died();
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            }));
  }

  private Crash died() {
    crashed = true;
    return new Crash();
  }

  @Override
  public String toString() {
    return (after ? "after" : "before") + " call " + at;
  }

  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
