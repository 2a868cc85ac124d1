package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.view.ProblemJson;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class ProblemCodesTest {
  private static final Page PAGE = Page.read("docs/http.md");

  @Test
  void listsEveryCodeWithItsStatusAndCategory() {
    List<List<String>> known =
        Arrays.stream(ProblemCode.values())
            .map(
                code ->
                    List.of(
                        "`" + code.code() + "`",
                        String.valueOf(code.status()),
                        code.category().name().toLowerCase(Locale.ROOT)))
            .toList();
    assertEquals(known, PAGE.table("Problems").stream().map(row -> row.subList(0, 3)).toList());
  }

  @Test
  void showsAProblemAsItIsSent() throws IOException {
    JsonNode example = JsonFormat.JSON.readTree(PAGE.json());
    Problem problem =
        Problem.at(
            ProblemCode.INVALID_REQUEST,
            example.at("/errors/0/pointer").textValue(),
            example.path("detail").textValue());
    assertEquals(ProblemJson.of(problem), example);
  }
}
