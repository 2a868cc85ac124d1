package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.view.ProblemJson;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/// The refusals that docs/http.md lists against those there are.
@Reads(ProblemCodesTest.PAGE)
final class ProblemCodesTest {
  static final String PAGE = "docs/http.md";

  @Gate
  @Breach(
      replace = "| `not_found` | 404 |",
      by = "| `not_found` | 410 |",
      named = "`not_found`, 410")
  void listsEveryCodeWithItsStatusAndCategory(Repository repository) {
    List<List<String>> known =
        Arrays.stream(ProblemCode.values())
            .map(
                code ->
                    List.of(
                        "`" + code.code() + "`",
                        String.valueOf(code.status()),
                        code.category().wire()))
            .toList();
    assertEquals(
        known,
        Page.of(repository, PAGE).table("Problems").stream()
            .map(row -> row.subList(0, 3))
            .toList());
  }

  @Gate
  @Breach(
      replace = "\"title\": \"Invalid request\"",
      by = "\"title\": \"Wrong request\"",
      named = "Wrong request")
  void showsAProblemAsItIsSent(Repository repository) throws IOException {
    JsonNode example = JsonFormat.JSON.readTree(Page.of(repository, PAGE).json());
    Problem problem =
        Problem.at(
            ProblemCode.INVALID_REQUEST,
            example.at("/errors/0/pointer").textValue(),
            example.path("detail").textValue());
    assertEquals(ProblemJson.of(problem), example);
  }
}
