package dev.runyard.bench.handler;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.section.Section;
import dev.runyard.core.access.Authentication;
import dev.runyard.core.ids.RunKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// A warm function's own work, without the services it calls. The run it works on has [#DELTAS]
/// text events.
public final class HandlerSection implements Section {
  private static final int WARM_UP = 2_000;
  private static final int CALLS = 2_000;
  private static final int DELTAS = 100;
  private static final String BODY =
      "{\"agent\":\"echo\",\"prompt\":\"hi\",\"tags\":{\"team\":\"a\"},\"timeout_seconds\":60}";

  private final MemoryFunctions functions = new MemoryFunctions();

  @Override
  public List<Figure> measure() {
    var api = functions.api();
    var project = functions.project();
    var advance = functions.advance();
    RunKey read = functions.attempted(DELTAS);
    List<Figure> figures = new ArrayList<>();
    figures.addAll(
        time(
            "api, submit",
            HandlerSection::submit,
            event -> require(202, api.handleRequest(event, null))));
    figures.addAll(
        time(
            "api, get a run",
            _ -> request("GET", "/v1/runs/" + read.runId()),
            event -> require(200, api.handleRequest(event, null))));
    figures.addAll(
        time("project, a change", _ -> change(), event -> project.handleRequest(event, null)));
    figures.addAll(
        time(
            "advance, completes a run",
            _ -> change(),
            event -> advance.handleRequest(event, null)));
    AccessChecks access = new AccessChecks();
    figures.addAll(checks(access, "who calls, by a key", access.key));
    figures.addAll(checks(access, "who calls, by a token (RS256)", access.rsaToken));
    figures.addAll(checks(access, "who calls, by a token (ES256)", access.curveToken));
    return figures;
  }

  private static List<Figure> checks(AccessChecks access, String name, Authentication.Shown shown) {
    return time(
        name,
        _ -> shown,
        one -> {
          if (!access.knows(one)) {
            throw new IllegalStateException(name + ": refused");
          }
        });
  }

  private interface Call<E> {
    void on(E event);
  }

  /// Times calls one by one; their events are made before.
  private static <E> List<Figure> time(String name, IntFunction<E> events, Call<E> call) {
    List<E> made = new ArrayList<>();
    for (int i = 0; i < WARM_UP + CALLS; i++) {
      made.add(events.apply(i));
    }
    List<Double> millis = new ArrayList<>();
    for (E event : made) {
      long begin = System.nanoTime();
      call.on(event);
      millis.add((System.nanoTime() - begin) / 1e6);
    }
    Samples samples = Samples.of(millis.subList(WARM_UP, millis.size()));
    return Figure.ofMillis("handler", name, samples, "in-memory ports");
  }

  private DynamodbEvent change() {
    return MemoryFunctions.changeOf(functions.attempted(DELTAS));
  }

  private static APIGatewayProxyRequestEvent submit(int number) {
    return request("POST", "/v1/runs")
        .withHeaders(Map.of("Content-Type", "application/json", "Idempotency-Key", "key-" + number))
        .withBody(BODY);
  }

  private static APIGatewayProxyRequestEvent request(String method, String path) {
    return new APIGatewayProxyRequestEvent().withHttpMethod(method).withPath(path);
  }

  private static void require(int status, APIGatewayProxyResponseEvent response) {
    if (response.getStatusCode() != status) {
      throw new IllegalStateException(response.getStatusCode() + " " + response.getBody());
    }
  }
}
