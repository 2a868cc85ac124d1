package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stack on the data folder of an earlier version (3d4292e): every run and every event is read as
/// that version showed them in `runs.json`, and an old session continues.
///
/// The folder was written with `RetentionDays` 3650, so that nothing in it expires before 2036.
@Tag("embedded")
final class EarlierDataIT {
  private static final Path DATA = Path.of("src/test/resources/earlier-data");

  /// Open when it was written; by now nobody has decided in time.
  private static final String OPEN = "awaiting";

  @TempDir private Path folder;

  @Test
  void readsWhatAnEarlierVersionWrote() throws Exception {
    JsonNode recorded = new ObjectMapper().readTree(DATA.resolve("runs.json").toFile());
    assertEquals(9, recorded.size());
    StackFolder files = StackFolder.in(folder);
    for (String file :
        new String[] {
          "tables/shared-local-instance.db", "queues/queues.mv.db", "checkpoints.json"
        }) {
      Path copy = files.data().resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(DATA.resolve(file), copy);
    }
    try (SystemStack stack = SystemStack.emulated(files)) {
      for (Map.Entry<String, JsonNode> run : recorded.properties()) {
        String code = run.getValue().at("/run/error/code").asText();
        stack.mayFail(
            run.getValue().path("id").asText(),
            run.getKey().equals(OPEN) ? "await_timed_out" : code);
      }
      Set<String> known = new TreeSet<>();
      for (Map.Entry<String, JsonNode> entry : recorded.properties()) {
        known.add(entry.getValue().path("id").asText());
        check(stack.api(), entry.getKey(), entry.getValue());
      }
      Set<String> listed = new TreeSet<>();
      JsonNode list = stack.api().get("/v1/runs?limit=50").json().path("runs");
      list.forEach(run -> listed.add(run.path("run_id").asText()));
      assertEquals(known, listed);

      String session = recorded.at("/session-1/run/session_id").asText();
      String next =
          stack
              .api()
              .run("{\"agent\":\"echo\",\"prompt\":\"three\",\"session_id\":\"" + session + "\"}");
      assertEquals("three", stack.api().ended(next).path("final_text").asText());
    }
  }

  private static void check(Api api, String name, JsonNode before)
      throws IOException, InterruptedException {
    String id = before.path("id").asText();
    JsonNode events = api.get("/v1/runs/" + id + "/events?limit=1000").json().path("events");
    assertTrue(events.size() >= before.path("events").size(), name);
    for (int i = 0; i < before.path("events").size(); i++) {
      assertEquals(before.path("events").path(i), events.path(i), name);
    }
    if (!name.equals(OPEN)) {
      JsonNode run = api.get("/v1/runs/" + id).json();
      before
          .path("run")
          .properties()
          .forEach(
              member ->
                  assertEquals(
                      member.getValue(), run.path(member.getKey()), name + ": " + member.getKey()));
    }
  }
}
