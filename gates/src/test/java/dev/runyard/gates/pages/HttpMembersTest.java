package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStatus;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.view.RunJson;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The members that docs/http.md lists against those that are read and sent.
@Reads("docs/http.md")
final class HttpMembersTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");

  @Gate
  @Breach(replace = "| `max_turns` |", by = "| `turns_max` |", named = "turns_max")
  void listsEveryMemberOfASubmit(Repository repository) {
    var reader = new RunRequestReader(AgentCatalog.builtIn());
    var result = reader.read("{\"no_such_member\":1}".getBytes(StandardCharsets.UTF_8));
    String detail = ((RunRequestReader.Result.Rejected) result).problem().detail();
    String known = detail.substring(detail.indexOf("Known members: ") + "Known members: ".length());
    assertEquals(
        known,
        String.join(", ", new TreeSet<>(firsts(repository, "Submit"))) + ".",
        "members of a submit");
  }

  @Gate
  @Breach(replace = "| `run_id` | its id |\n", by = "", named = "but was: <[agent, status")
  void listsEveryMemberOfTheRunInItsOrder(Repository repository) {
    List<String> known = new ArrayList<>();
    created().fieldNames().forEachRemaining(known::add);
    assertEquals(known, firsts(repository, "The run"));
  }

  @Gate
  @Breach(replace = "`created`, `in-progress`", by = "`in-progress`", named = "<[in-progress")
  @Breach(replace = "`reasoning_tokens`; `turns`", by = "`turns`", named = "output_tokens, turns")
  void listsEveryStatusAndEveryUsageCounter(Repository repository) {
    Map<String, List<String>> rows = new java.util.HashMap<>();
    page(repository)
        .table("The run")
        .forEach(row -> rows.put(row.getFirst(), Page.codes(row.get(1))));
    assertEquals(
        Arrays.stream(RunStatus.values()).map(RunStatus::wire).toList(), rows.get("`status`"));
    List<String> usage = new ArrayList<>();
    created().path("usage").fieldNames().forEachRemaining(usage::add);
    assertEquals(usage, rows.get("`usage`"));
  }

  @Gate
  @Breach(replace = "| `timed_out` |", by = "| `took_too_long` |", named = "took_too_long")
  void listsEveryFailureOfRunyardsOwn(Repository repository) throws IllegalAccessException {
    List<String> known = new ArrayList<>();
    for (var field : Failure.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        known.add(String.valueOf(field.get(null)));
      }
    }
    assertEquals(known, firsts(repository, "Why a run failed"));
  }

  private static List<String> firsts(Repository repository, String heading) {
    return page(repository).table(heading).stream()
        .map(row -> Page.codes(row.getFirst()).getFirst())
        .toList();
  }

  private static Page page(Repository repository) {
    return Page.of(repository, "docs/http.md");
  }

  private static JsonNode created() {
    RunEvent event =
        new RunEvent.TaskCreated(
            "echo", Map.of(), List.of(), null, 60, Map.of(), Map.of(), RetryPolicy.NEVER);
    StoredEvent stored = new StoredEvent(RUN, "s1", null, 1, Instant.EPOCH, event);
    return RunJson.of((RunState.Existing) RunFold.evolve(RunState.absent(), stored));
  }
}
