package dev.runyard.runner.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.runyard.core.json.JsonFormat;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The runner's own log: one JSON object per line, with codes and ids, never with what an agent or
/// a caller wrote.
public final class RunnerLog {
  private static final int CAUSES_MAX = 5;

  private final PrintStream out;
  private final InstantSource clock;

  public RunnerLog(PrintStream out, InstantSource clock) {
    this.out = out;
    this.clock = clock;
  }

  public void info(String code, Map<String, Object> members) {
    line("info", code, members);
  }

  /// What failed, and the kinds of its causes with the places where they were thrown. Their
  /// messages may repeat what an agent or a caller wrote.
  public void failed(String code, Throwable cause) {
    List<String> causes = new ArrayList<>();
    for (Throwable each = cause;
        each != null && causes.size() < CAUSES_MAX;
        each = each.getCause()) {
      StackTraceElement[] trace = each.getStackTrace();
      String place = trace.length == 0 ? "" : " at " + trace[0];
      causes.add(each.getClass().getName() + place);
    }
    line("error", code, Map.of("error", String.join(" by ", causes)));
  }

  private void line(String level, String code, Map<String, Object> members) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("at", JsonFormat.time(clock.instant()));
    line.put("level", level);
    line.put("code", code);
    line.putAll(members);
    try {
      out.println(JsonFormat.JSON.writeValueAsString(line));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
