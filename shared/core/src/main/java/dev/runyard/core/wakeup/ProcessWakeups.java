package dev.runyard.core.wakeup;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Wake-ups of the runners of this process. They are not kept: the runners end with it.
public final class ProcessWakeups implements Wakeups {
  private final Map<String, String> marks = new ConcurrentHashMap<>();

  @Override
  public void send(String runner, String mark) {
    marks.put(runner, mark);
  }

  @Override
  public Optional<String> last(String runner) {
    return Optional.ofNullable(marks.get(runner));
  }
}
