package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.submit.RunRequestReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a job may not be created with, and the place in the body that a refusal names.
final class JobRefusalsTest {
  private final JobRequestReader reader = reader((_, _) -> Optional.empty());

  private static JobRequestReader reader(JobRequestReader.Check check) {
    return new JobRequestReader(new RunRequestReader(AgentCatalog.builtIn()), check);
  }

  private static Problem problem(JobRequestReader.Result<?> result) {
    return ((JobRequestReader.Result.Rejected<?>) result).problem();
  }

  private JobRequest read(ObjectNode body) {
    return ((JobRequestReader.Result.Accepted<JobRequest>) reader.create("acme", body)).value();
  }

  private static ObjectNode with(int items, String members) throws Exception {
    ObjectNode body = JobRig.body(items);
    body.setAll((ObjectNode) JsonFormat.JSON.readTree(members));
    return body;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"job_id\":\"a b\"}; /job_id",
        "{\"job_id\":\"..\"}; /job_id",
        "{\"job_id\":7}; /job_id",
        "{\"session_id\":\"-s\"}; /session_id",
        "{\"task_id\":\"a/b\"}; /task_id",
        "{\"on_failed\":\"stop\"}; /on_failed",
        "{\"concurrency\":0}; /concurrency",
        "{\"concurrency\":201}; /concurrency",
        "{\"max_runtime_seconds\":0}; /max_runtime_seconds",
        "{\"max_tokens\":-1}; /max_tokens",
        "{\"max_cost_usd\":0}; /max_cost_usd",
        "{\"request\":null}; /request",
        "{\"request\":\"echo\"}; /request",
        "{\"retry\":3}; /retry",
        "{\"items\":{}}; /items",
        "{\"items\":[{\"prompt\":\"a\"},\"b\"]}; /items/1",
        "{\"items\":[{\"prompt\":\"a\"},{\"prompt\":\"b\",\"busy\":\"reject\"}]}; /items/1/busy",
        "{\"items\":[{\"prompt\":\"a\",\"timeout_seconds\":-1}]}; /items/0/timeout_seconds",
        "{\"more\":1}; /more"
      })
  void namesTheMemberThatIsWrong(String members, String pointer) throws Exception {
    Problem problem = problem(reader.create("acme", with(2, members)));

    assertEquals(List.of(pointer), problem.pointers());
    assertEquals(ProblemCode.INVALID_REQUEST, problem.code());
  }

  @Test
  void takesAtMostAThousandItemsAtOnce() {
    assertEquals(1000, read(JobRig.body(1000)).items().size());
    assertEquals(List.of("/items"), problem(reader.create("acme", JobRig.body(1001))).pointers());
  }

  @Test
  void anAdditionHasItems() {
    ObjectNode common = JsonNodeFactory.instance.objectNode().put("agent", "echo");
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    assertEquals(List.of("/items"), problem(reader.add("acme", common, body)).pointers());
    JobRig.addItems(body, 1, 0);
    assertEquals(List.of("/items"), problem(reader.add("acme", common, body)).pointers());

    JobRig.addItems(body, 1, 1);

    var added =
        (JobRequestReader.Result.Accepted<List<RunRequest>>) reader.add("acme", common, body);
    assertEquals(List.of("say 1"), added.value().stream().map(RunRequest::prompt).toList());
  }

  @Test
  void countsItemsWithWhatTheyHaveInCommon() {
    ObjectNode body = JobRig.body(1000);
    ((ObjectNode) body.get("request")).put("prompt", "x".repeat(40_000));

    Problem problem = problem(reader.create("acme", body));

    assertEquals(ProblemCode.BODY_TOO_LARGE, problem.code());
    assertEquals(List.of("/items"), problem.pointers());
  }

  @Test
  void numbersItemsFromOne() {
    ObjectNode body = JobRig.body(3);
    ((ObjectNode) body.get("items").get(2)).put("prompt", "");

    String detail = problem(reader.create("acme", body)).detail();

    assertTrue(detail.startsWith("Item 3 of this request: "), detail);
  }

  @Test
  void itemsAreRetriedAsTheJobSaysUnlessTheirRequestSays() throws Exception {
    String retry = "\"retry\":{\"max_attempts\":%d}";
    String jobs = retry.formatted(4);
    String own = "\"request\":{\"agent\":\"echo\",%s}".formatted(retry.formatted(2));

    assertEquals(4, attempts(read(with(1, "{%s}".formatted(jobs)))));
    assertEquals(2, attempts(read(with(1, "{%s,%s}".formatted(jobs, own)))));
    assertEquals(2, attempts(read(with(1, "{%s}".formatted(own)))));
  }

  private static int attempts(JobRequest job) {
    return job.items().getFirst().retry().maxAttempts();
  }

  @Test
  void namesTheItemWhoseRequestNamesWhatIsNotThere() throws Exception {
    Problem unknown = Problem.at(ProblemCode.INVALID_REQUEST, Pointer.of("tags"), "No such tag.");
    JobRequestReader refusing =
        reader(
            (_, request) ->
                request.tags().containsKey("none") ? Optional.of(unknown) : Optional.empty());
    ObjectNode body =
        with(1, "{\"items\":[{\"prompt\":\"a\"},{\"prompt\":\"b\",\"tags\":{\"none\":\"1\"}}]}");

    assertEquals(List.of("/items/1/tags"), problem(refusing.create("acme", body)).pointers());
  }

  /// A thousand items mostly differ in their prompts only.
  @Test
  void looksOnceAtWhatItemsNameAlike() throws Exception {
    List<String> looked = new ArrayList<>();
    JobRequestReader watched =
        reader(
            (_, request) -> {
              looked.add(request.tags().toString());
              return Optional.empty();
            });
    JsonNode items =
        JsonFormat.JSON.readTree(
            "[{\"prompt\":\"a\"},{\"prompt\":\"b\"},{\"prompt\":\"c\",\"tags\":{\"k\":\"v\"}}]");
    ObjectNode body = JobRig.body(1);
    body.set("items", items);

    assertTrue(watched.create("acme", body) instanceof JobRequestReader.Result.Accepted);

    assertEquals(List.of("{LEVEL=1}", "{k=v}"), looked);
  }

  @Test
  void anItemAsksForNoMoreThanItsTenantMayHave() throws Exception {
    JobRig small =
        new JobRig(
            Quotas.parse("{\"default\":{\"attempts_max\":2,\"timeout_seconds_max\":60}}"),
            ports -> ports);
    String item = "{\"items\":[{\"prompt\":\"a\",%s}]}";

    for (String most : List.of("\"retry\":{\"max_attempts\":2}", "\"timeout_seconds\":60")) {
      assertTrue(
          small.reader().create("acme", with(1, item.formatted(most)))
              instanceof JobRequestReader.Result.Accepted);
    }
    for (String above : List.of("\"retry\":{\"max_attempts\":3}", "\"timeout_seconds\":61")) {
      assertEquals(
          ProblemCode.ABOVE_CEILING,
          problem(small.reader().create("acme", with(1, item.formatted(above)))).code());
    }
  }
}
