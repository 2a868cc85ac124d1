package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.Identity;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.Described;
import dev.runyard.functions.stream.BothFunctions;
import dev.runyard.testkit.openapi.DescribedOperation;
import dev.runyard.testkit.openapi.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The refusals that many operations declare, from each of them.
final class RefusalsTest {
  private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

  /// Operations that refuse so only while their caller is looked up.
  private static final Set<String> READ_NO_STORE =
      Set.of("listAgents", "getAgent", "acpListAgents", "acpGetAgent");

  private final Situation situation = new Situation();

  @AfterEach
  void close() {
    situation.close();
  }

  @Test
  void aStoreThatDoesNotAnswer() throws Exception {
    situation.twins.log.begin(new PortUnavailable("the table at 10.0.0.1 timed out"));
    refused("unavailable");
  }

  @Test
  void aMistakeInTheCode() throws Exception {
    situation.twins.log.begin(new IllegalStateException("10.0.0.1"));
    refused("internal_error");
  }

  private void refused(String code) throws Exception {
    List<String> wrong = new ArrayList<>();
    for (DescribedOperation operation : declaring(code)) {
      if (READ_NO_STORE.contains(operation.id())) {
        continue;
      }
      Exchange exchange = ask(operation, unread(operation), Situation.body(operation));
      if (!code(exchange).equals(code) || exchange.text().contains("10.0.0.1")) {
        wrong.add(exchange.toString());
      }
    }

    assertEquals(List.of(), wrong);
  }

  /// The path of an operation on what no function remembers.
  private String unread(DescribedOperation operation) {
    if (operation.path().startsWith("/v1/hooks")) {
      return Situation.fill(operation, Situation.NO_HOOK);
    }
    return switch (operation.id()) {
      case "acpGetSession", "acpGetSessions", "getUpload" -> situation.path(operation);
      case "decideAction" -> Situation.fill(operation, Situation.NO_RUN + ".1");
      case "acpGetResource" -> Situation.fill(operation, Situation.NO_RUN + ".0");
      default -> Situation.fill(operation, Situation.NO_RUN);
    };
  }

  @Test
  void bodiesThatAreNone() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (DescribedOperation operation : declaring("malformed_json")) {
      String path = situation.path(operation);
      String large = "{\"x\":\"%s\"}".formatted("x".repeat(Situation.bodyBytesMax(operation)));
      expect(wrong, "malformed_json", ask(operation, path, Optional.of("{")));
      expect(wrong, "body_too_large", ask(operation, path, Optional.of(large)));
      expect(wrong, "invalid_request", ask(operation, path, Optional.of("{\"x\":\"\\u0000\"}")));
      expect(
          wrong,
          "unsupported_media_type",
          situation.functions.ask(
              operation.method(),
              path,
              Map.of("Content-Type", "text/plain"),
              Optional.of("{}".getBytes(StandardCharsets.UTF_8))));
    }

    assertEquals(List.of(), wrong);
  }

  @Test
  void parametersThatAreNone() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (DescribedOperation operation : declaring("invalid_request")) {
      if (!operation.json().path("x-ignores-unknown").asBoolean()) {
        String target = situation.path(operation) + "?nothing=1";
        expect(wrong, "invalid_request", ask(operation, target, Situation.body(operation)));
      }
    }

    assertEquals(List.of(), wrong);
  }

  @Test
  void thingsThatAreNotThere() throws Exception {
    List<String> wrong = new ArrayList<>();
    List<String> codes =
        List.of(
            "run_not_found",
            "action_not_found",
            "upload_not_found",
            "output_not_found",
            "key_not_found");
    for (String code : codes) {
      for (DescribedOperation operation : declaring(code)) {
        boolean named = code.equals("upload_not_found") && operation.path().contains("/jobs/");
        if (operation.path().contains("{id}") && !named) {
          for (String id : List.of(Situation.NO_RUN, Situation.NO_RUN + ".1")) {
            Exchange exchange =
                ask(operation, Situation.fill(operation, id), Situation.body(operation));
            if (!operation.id().startsWith("acp") || id.equals(Situation.NO_RUN)) {
              expect(wrong, code, exchange);
            }
          }
        }
      }
    }

    assertEquals(List.of(), wrong);
  }

  @Test
  void whatARunLeavesBeforeItHasEnded() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (DescribedOperation operation : declaring("run_not_ended")) {
      String path = Situation.fill(operation, situation.listens.runId());
      expect(wrong, "run_not_ended", ask(operation, path, Situation.body(operation)));
    }

    assertEquals(List.of(), wrong);
  }

  @Test
  void idsOfTheProtocolThatAreNone() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (DescribedOperation operation : declaring("invalid_request")) {
      if (operation.id().startsWith("acp") && operation.path().contains("{id}")) {
        String path = Situation.fill(operation, "none");
        expect(wrong, "invalid_request", ask(operation, path, Situation.body(operation)));
      }
    }

    assertEquals(List.of(), wrong);
  }

  @Test
  void callersThatMayNot() throws Exception {
    for (ProblemCode code : List.of(ProblemCode.UNAUTHENTICATED, ProblemCode.NO_TENANT)) {
      Problem problem = Problem.of(code, "Not you.");
      assertRefused(code.code(), _ -> new Authentication.Result.Refused(problem));
    }
    assertRefused(
        "scope_missing",
        Authentication.everybody(
            new Identity.Principal("client", Identity.TENANT_DEFAULT, Set.of())));
  }

  @Test
  void callersThatCannotBeLookedUp() throws Exception {
    assertRefused(
        "unavailable",
        _ -> {
          throw new PortUnavailable("the table at 10.0.0.1 timed out");
        });
    assertRefused(
        "internal_error",
        _ -> {
          throw new IllegalStateException("10.0.0.1");
        });
  }

  private void assertRefused(String code, Authentication callers) throws Exception {
    List<String> wrong = new ArrayList<>();
    try (BothFunctions functions = situation.calledBy(callers)) {
      for (DescribedOperation operation : Described.API.operations()) {
        if (operation.scope().isPresent()) {
          assertTrue(operation.codes().contains(code), operation::id);
          String path = situation.path(operation);
          expect(wrong, code, ask(functions, operation, path, Situation.body(operation)));
        }
      }
    }

    assertEquals(List.of(), wrong);
  }

  @Test
  void pagesOfOtherOrigins() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (DescribedOperation operation : Described.API.operations()) {
      Exchange exchange =
          situation.functions.ask(
              operation.method(),
              situation.path(operation),
              Map.of("Origin", "https://elsewhere.example.com"),
              Optional.empty());
      expect(wrong, "forbidden_origin", exchange);
    }

    assertEquals(List.of(), wrong);
  }

  private Exchange ask(DescribedOperation operation, String target, Optional<String> body)
      throws Exception {
    return ask(situation.functions, operation, target, body);
  }

  private static Exchange ask(
      BothFunctions functions, DescribedOperation operation, String target, Optional<String> body)
      throws Exception {
    return functions.ask(
        operation.method(),
        target,
        body.isPresent() ? JSON : Map.of(),
        body.map(text -> text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void expect(List<String> wrong, String code, Exchange exchange) {
    if (!code(exchange).equals(code)) {
      wrong.add("no %s: %s".formatted(code, exchange));
    }
  }

  private static String code(Exchange exchange) {
    return exchange.code();
  }

  private static List<DescribedOperation> declaring(String code) {
    List<DescribedOperation> all =
        Described.API.operations().stream()
            .filter(operation -> operation.codes().contains(code))
            .toList();
    assertTrue(!all.isEmpty());
    return all;
  }
}
