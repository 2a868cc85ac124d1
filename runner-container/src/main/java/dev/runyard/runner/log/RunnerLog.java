package dev.runyard.runner.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.runyard.core.json.JsonFormat;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/// The runner's own log: one JSON object per line, with codes and ids, never with what an agent or
/// a caller wrote.
public final class RunnerLog {
  private final PrintStream out;
  private final InstantSource clock;

  public RunnerLog(PrintStream out, InstantSource clock) {
    this.out = out;
    this.clock = clock;
  }

  public void info(String code, Map<String, Object> members) {
    line("info", code, members);
  }

  public void failed(String code, Throwable cause) {
    line("error", code, Map.of("error", String.valueOf(cause)));
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
