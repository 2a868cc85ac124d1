package dev.runyard.runner.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.ModelApi;
import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;

final class RequestRoomTest {
  private static final long BODY = BodyReader.BODY_BYTES_MAX;
  private static final ModelGrant GRANT =
      GatewayRig.grant(ModelApi.MESSAGES, "https://provider.example");

  /// As many attempts as the runner can have, each with as much as it gets, leave memory for
  /// others.
  @Test
  void isAPartOfTheRunnersMemoryForAllAttemptsTogether() {
    RequestRoom room = new RequestRoom(16 * BODY);
    AttemptEndpoint one = endpoint(room);
    AttemptEndpoint two = endpoint(room);
    AttemptEndpoint third = endpoint(room);

    assertTrue(one.reserve(BODY));
    assertFalse(one.reserve(1), "an attempt gets a part of it");
    assertTrue(two.reserve(BODY));
    assertTrue(third.reserve(BODY));
    assertTrue(endpoint(room).reserve(BODY));
    assertFalse(endpoint(room).reserve(BODY), "all of it is taken");

    one.release(BODY);

    assertFalse(two.reserve(1));
    assertTrue(endpoint(room).reserve(BODY));
  }

  @Test
  void isEnoughForOneWholeRequestOfAnAttempt() {
    assertEquals(BODY, new RequestRoom(BODY).attemptBytesMax());
    assertEquals(AttemptEndpoint.REQUESTS_BYTES_MAX, new RequestRoom(1L << 40).attemptBytesMax());
  }

  private static AttemptEndpoint endpoint(RequestRoom room) {
    return new AttemptEndpoint(
        "http://127.0.0.1:1", "token", GRANT, _ -> {}, room, HttpClient::newHttpClient);
  }
}
