package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.PortUnavailable;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AcpRefusalsTest {
  private final AcpRig rig = new AcpRig();

  @AfterEach
  void stop() {
    rig.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST | /runs               | {"agent_name":"nobody","input":[]} | 404 | not_found
          POST | /runs               | {}                                 | 422 | invalid_input
          POST | /runs               | no JSON                            | 422 | invalid_input
          POST | /runs/NO_RUN        | RESUME                             | 404 | not_found
          POST | /runs/not-a-uuid    | RESUME                             | 422 | invalid_input
          POST | /runs/NO_RUN/events | {}                                 | 405 | server_error
          GET  | /runs/NO_RUN/events |                                    | 404 | not_found
          GET  | /runs/1/events      |                                    | 422 | invalid_input
          GET  | /runs/NO_RUN/other  |                                    | 404 | not_found
          GET  | /runs               |                                    | 405 | server_error
          """)
  void refusesInTheProtocolsWords(String method, String path, String body, int status, String code)
      throws Exception {
    String sent = body == null ? "" : body.replace("RESUME", AcpRig.resume("sync"));
    HttpResponse<String> response =
        rig.stream.send(
            rig.stream
                .request(path.replace("NO_RUN", AcpRig.NO_RUN))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(sent)));

    assertEquals(status, response.statusCode(), response.body());
    assertEquals(code, AcpRig.json("Error", response).path("code").asText());
  }

  @Test
  void aStoreThatDoesNotAnswerIsAnErrorOfTheProtocol() throws Exception {
    rig.stream.twins.log.begin(new PortUnavailable("down"));

    HttpResponse<String> response = rig.posted("/runs", AcpRig.create("async")).get();

    assertEquals(503, response.statusCode());
    assertEquals("server_error", AcpRig.json("Error", response).path("code").asText());
    assertTrue(response.headers().firstValue("Retry-After").isPresent());
  }

  @Test
  void aBodyThatIsTooLargeOrNoJsonIsRefused() throws Exception {
    HttpResponse<String> large =
        rig.posted("/runs", "{\"agent_name\":\"" + "x".repeat(1024 * 1024) + "\"}").get();
    assertEquals(413, large.statusCode());
    AcpRig.json("Error", large);
    HttpResponse<String> text =
        rig.stream.send(
            rig.stream
                .request("/runs")
                .POST(HttpRequest.BodyPublishers.ofString(AcpRig.create("async"))));
    assertEquals(422, text.statusCode());
    assertEquals("invalid_input", AcpRig.json("Error", text).path("code").asText());
  }
}
