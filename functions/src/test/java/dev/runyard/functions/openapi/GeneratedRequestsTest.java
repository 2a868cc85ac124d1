package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.functions.Described;
import dev.runyard.testkit.openapi.DescribedOperation;
import dev.runyard.testkit.openapi.Exchange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Requests made from the description: as it allows, at the edges of what it allows, and beyond.
/// Each is answered, as described, and never with a failure of the server; and the code takes what
/// the schema allows, and nothing else. `-Drunyard.generated.requests=N` sends N to each operation,
/// `-Drunyard.generated.seed=N` others.
final class GeneratedRequestsTest {
  private static final int REQUESTS = Integer.getInteger("runyard.generated.requests", 80);
  private static final long SEED = Long.getLong("runyard.generated.seed", 1);
  private static final int FAILURES_MAX = 5;

  static List<DescribedOperation> operations() {
    return Described.API.operations();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void isAnsweredAsDescribed(DescribedOperation operation) throws Exception {
    Random random = new Random(SEED * 31 + operation.id().hashCode());
    List<String> failures = new ArrayList<>();
    Set<Boolean> taken = new HashSet<>();
    try (Situation situation = new Situation()) {
      RequestMaker maker = new RequestMaker(situation, operation, random);
      for (int i = 0; i < REQUESTS && failures.size() < FAILURES_MAX; i++) {
        GeneratedRequest request = maker.next();
        try {
          Exchange exchange =
              situation.functions.ask(
                  operation.method(), request.target(), request.headers(), request.body());
          taken.add(exchange.status() < 400);
          request
              .mistake(exchange)
              .ifPresent(
                  mistake -> failures.add("%s: %s\n%s".formatted(mistake, exchange, request)));
        } catch (AssertionError e) {
          failures.add(e.getMessage() + "\n" + request);
        }
      }
    }

    assertEquals(List.of(), failures);
    boolean hasBody = operation.json().at("/requestBody/content").has("application/json");
    assertTrue(taken.size() == 2 || !hasBody, "not both taken and refused: " + taken);
  }
}
