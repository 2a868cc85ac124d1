package dev.runyard.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.access.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RoutesTest {
  private final Routes<String> routes =
      new Routes<>(
          List.<Resources<String>>of(
              () ->
                  List.of(
                      Route.get(Scope.RUNS_READ, "/v1/things", "list"),
                      Route.post(Scope.RUNS_WRITE, "/v1/things", "make"),
                      Route.get(Scope.RUNS_READ, "/v1/things/{id}/parts/{part}", "part")),
              () ->
                  List.of(
                      Route.get(Scope.RUNS_READ, "/things/{id}", "shown"),
                      Route.elsewhere("POST", "/things/{id}"))));

  @Test
  void findsByMethodAndPathAndNamesTheParameters() {
    assertEquals(
        new Routes.Match.Found<>("make", Optional.of(Scope.RUNS_WRITE), Map.of()),
        routes.find("POST", "/v1/things"));
    assertEquals(
        new Routes.Match.Found<>(
            "part", Optional.of(Scope.RUNS_READ), Map.of("id", "a%20b", "part", "")),
        routes.find("GET", "/v1/things/a%20b/parts/"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | /v1/things/         | 404 | application/problem+json |
          GET    | /v2/things          | 404 | application/problem+json |
          GET    | v1/things           | 404 | application/problem+json |
          DELETE | /v1/things          | 405 | application/problem+json | GET, POST
          GET    | /things             | 404 | application/json         |
          POST   | /things/1           | 405 | application/json         | GET, POST
          """)
  void refusesInTheWordsOfTheFamily(
      String method, String path, int status, String type, String allow) {
    Reply reply = assertInstanceOf(Routes.Match.Refused.class, routes.find(method, path)).reply();

    assertEquals(status, reply.status());
    assertEquals(type, reply.headers().get("Content-Type"));
    assertEquals(allow, reply.headers().get("Allow"));
  }

  @Test
  void namesWhatIsAnsweredHere() {
    assertEquals(
        Set.of(
            "GET /v1/things",
            "POST /v1/things",
            "GET /v1/things/{id}/parts/{part}",
            "GET /things/{id}"),
        routes.names());
  }
}
