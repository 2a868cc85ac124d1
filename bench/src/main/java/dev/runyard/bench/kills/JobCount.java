package dev.runyard.bench.kills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.runyard.bench.stack.Runs;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What came of a job that was the only work of its stack, by its own log and by the list of runs.
///
/// @param once items that the log completes once
/// @param doubled items that it completes more often
/// @param runs of the stack
/// @param strays those that the job's log does not name
/// @param unfinished those that have not completed
/// @param again those that took more than one attempt
record JobCount(int once, int doubled, int runs, int strays, int unfinished, int again) {
  private static final int PAGE_EVENTS = 1000;

  static JobCount of(Runs runs, String job) {
    Map<Integer, Integer> completed = new HashMap<>();
    Set<String> named = new HashSet<>();
    long after = 0;
    boolean closed = false;
    while (!closed) {
      String path = "/%s/events?limit=%d&after=%d".formatted(job, PAGE_EVENTS, after);
      JsonNode page = runs.job("GET", path, NullNode.instance);
      for (JsonNode event : page.path("events")) {
        switch (event.path("type").asText()) {
          case "job.item.started" -> named.add(event.path("runId").asText());
          case "job.item.completed" ->
              completed.merge(event.at("/payload/item").asInt(), 1, Integer::sum);
          default -> {}
        }
      }
      closed = page.path("closed").asBoolean();
      if (!closed && page.path("next_after").asLong() == after) {
        throw new IllegalStateException("the job has not ended: " + page);
      }
      after = page.path("next_after").asLong();
    }
    int once = (int) completed.values().stream().filter(count -> count == 1).count();
    return counted(runs, named, once, completed.size() - once);
  }

  private static JobCount counted(Runs runs, Set<String> named, int once, int doubled) {
    int all = 0;
    int strays = 0;
    int unfinished = 0;
    int again = 0;
    Optional<String> cursor = Optional.empty();
    do {
      JsonNode page = runs.list(cursor);
      for (JsonNode run : page.path("runs")) {
        all++;
        strays += named.contains(run.path("run_id").asText()) ? 0 : 1;
        unfinished += run.path("status").asText().equals("completed") ? 0 : 1;
        again += run.path("attempt").asInt() > 1 ? 1 : 0;
      }
      cursor = Optional.ofNullable(page.path("next_cursor").textValue());
    } while (cursor.isPresent());
    return new JobCount(once, doubled, all, strays, unfinished, again);
  }

  /// Items that the log never completes.
  int lost(int items) {
    return items - once - doubled;
  }
}
