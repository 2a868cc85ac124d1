package dev.runyard.system;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Checks every run that a caller of a stack can list, at the end of a test: each ends, and none
/// may have failed that the test does not name, nor with another code than it names. Any other
/// failure is one that nobody asked about, whatever its code: a run that fails by itself is never
/// told from one that Runyard broke by its code alone.
public final class RunFailures {
  private static final int LINES_MAX = 60;

  private static final Set<Integer> REFUSED = Set.of(401, 403);

  private final Map<String, Set<String>> mayFail;
  private final Logs logs;
  private final Set<String> codes = ConcurrentHashMap.newKeySet();

  /// The logs of a stack and its runners.
  @FunctionalInterface
  public interface Logs {
    List<Path> files() throws IOException;
  }

  /// @param mayFail the runs that may fail, and the codes with which each may
  public RunFailures(Map<String, Set<String>> mayFail, Logs logs) {
    this.mayFail = mayFail;
    this.logs = logs;
  }

  /// The run may fail with the code.
  public void expect(String id, String code) {
    mayFail.computeIfAbsent(id, _ -> ConcurrentHashMap.newKeySet()).add(code);
  }

  /// Any run may fail with the code.
  void expectCode(String code) {
    codes.add(code);
  }

  /// Fails with the events of each run that failed unexpectedly or is left open, and with the last
  /// lines of its runner's log. A caller who may list no runs must have begun none.
  public void check(Api api) throws IOException, InterruptedException {
    List<String> stories = new ArrayList<>();
    String path = "/v1/runs?limit=100";
    String cursor = "";
    do {
      Api.Answer page = api.get(path + cursor);
      if (REFUSED.contains(page.status()) && !api.hasBegunRuns()) {
        return;
      }
      if (page.status() != 200) {
        throw new AssertionError("the runs cannot be listed: " + page.json());
      }
      for (JsonNode run : page.json().path("runs")) {
        String id = run.path("run_id").asText();
        JsonNode end = ended(api, run);
        if (!end.path("closed").asBoolean()) {
          stories.add(id + " is left open\n" + events(api, id) + logs(id));
        }
        String code = end.at("/error/code").asText();
        if (end.path("status").asText().equals("failed")
            && !mayFail.getOrDefault(id, Set.of()).contains(code)
            && !codes.contains(code)) {
          stories.add(id + " failed as " + code + "\n" + events(api, id) + logs(id));
        }
      }
      JsonNode next = page.json().path("next_cursor");
      cursor = next.isTextual() ? "&cursor=" + next.asText() : "";
    } while (!cursor.isEmpty());
    if (!stories.isEmpty()) {
      throw new AssertionError("failed or left open for no reason: " + String.join("\n", stories));
    }
  }

  /// A run once it has ended, which is waited for: a list is a little behind, and a run that was
  /// cancelled may be on its way.
  private static JsonNode ended(Api api, JsonNode listed) throws IOException, InterruptedException {
    String id = listed.path("run_id").asText();
    long begin = System.nanoTime();
    JsonNode run = listed;
    while (!run.path("closed").asBoolean()
        && System.nanoTime() - begin < TestPatience.LONG.toNanos()) {
      api.page(id, run.path("last_sequence").asLong(), 1);
      run = api.view(id);
    }
    return run;
  }

  private static String events(Api api, String id) throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder();
    api.get("/v1/runs/" + id + "/events?limit=1000")
        .json()
        .path("events")
        .forEach(event -> text.append(event).append('\n'));
    return text.toString();
  }

  /// The last lines of each log that names the run.
  private String logs(String id) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path file : logs.files()) {
      List<String> lines = Files.readString(file).lines().toList();
      if (lines.stream().anyMatch(line -> line.contains(id))) {
        text.append(file.getFileName()).append('\n');
        lines
            .subList(Math.max(0, lines.size() - LINES_MAX), lines.size())
            .forEach(line -> text.append(line).append('\n'));
      }
    }
    return text.toString();
  }
}
