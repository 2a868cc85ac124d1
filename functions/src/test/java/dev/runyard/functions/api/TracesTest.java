package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.Identity;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TraceParent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.view.RuntimeView;
import dev.runyard.functions.Twins;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The trace that a request says it is part of, in the events of its run.
final class TracesTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";
  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void everyEventOfARunIsPartOfTheTraceOfItsRequest() throws Exception {
    RunKey run = submitted("\"tags\":{}", PARENT);
    twins.runs().execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", twins.clock.instant()));
    twins.report(
        run,
        new RunEvent.ProcessStarted("p-1", "echo"),
        new RunEvent.ToolStarted("call", "sh", "execute", null));
    twins.complete(run);

    List<JsonNode> events = events(run);
    for (JsonNode event : events) {
      assertEquals(TRACE, event.path("traceId").textValue(), event::toString);
      String span =
          event.has("toolCallId")
              ? TraceParent.spanOf("a-1", "call")
              : event.has("attemptId") ? TraceParent.spanOf("a-1") : null;
      assertEquals(span, event.path("spanId").textValue(), event::toString);
    }
    assertEquals(TraceParent.spanOf("a-1"), events.get(3).path("spanId").textValue());
  }

  @Test
  void aRunThatNamesNoTraceHasItsOwnAndNoSpans() throws Exception {
    for (String header : List.of("", "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01", "x")) {
      RunKey run = submitted("\"tags\":{}", header);
      for (JsonNode event : events(run)) {
        assertEquals(run.runId().replace("-", ""), event.path("traceId").textValue());
        assertFalse(event.has("spanId"));
      }
    }
  }

  @Test
  void theSameRequestInAnotherTraceIsTheSameRun() throws Exception {
    RunKey run = submitted("\"turn_id\":\"a\"", PARENT);

    assertEquals(run, submitted("\"turn_id\":\"a\"", PARENT.replace('4', '5')));
    assertEquals(run, submitted("\"turn_id\":\"a\"", ""));
    assertEquals(TRACE, events(run).getFirst().path("traceId").textValue());
  }

  private RunKey submitted(String members, String header) {
    APIGatewayProxyRequestEvent request =
        post("/v1/runs", "{\"agent\":\"echo\",\"prompt\":\"hi\",%s}".formatted(members));
    if (!header.isEmpty()) {
      Map<String, String> headers = new HashMap<>(request.getHeaders());
      headers.put("traceparent", header);
      request.setHeaders(headers);
    }
    return new RunKey(
        Identity.TENANT_DEFAULT, json(client.call(request)).path("run_id").textValue());
  }

  private List<JsonNode> events(RunKey run) throws Exception {
    List<JsonNode> events = new ArrayList<>();
    RuntimeView view = RuntimeView.plain();
    for (var chunk : twins.log.chunksAfter(run, 0)) {
      for (var event : chunk.events(EventCodec.RUNS)) {
        events.add(JsonFormat.JSON.readTree(view.render(event).getFirst().json()));
      }
    }
    return events;
  }
}
