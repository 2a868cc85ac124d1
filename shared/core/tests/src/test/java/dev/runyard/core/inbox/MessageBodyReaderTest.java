package dev.runyard.core.inbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MessageBodyReaderTest {
  @Test
  void readsContentUpToItsLimit() {
    String most = "x".repeat(Limits.MESSAGE_CONTENT_BYTES_MAX);

    assertEquals(
        new MessageBodyReader.Result.Accepted("take the left"),
        read("{\"content\":\"take the left\"}"));
    assertEquals(
        new MessageBodyReader.Result.Accepted(most), read("{\"content\":\"" + most + "\"}"));
    assertEquals(List.of("/content"), rejected("{\"content\":\"" + most + "x\"}").pointers());
  }

  @Test
  void refusesEverythingElse() {
    for (String body : List.of("", "x", "[]", "{}", "{\"content\":1}", "{\"content\":\" \"}")) {
      rejected(body);
    }
    assertEquals(List.of("/from"), rejected("{\"content\":\"hi\",\"from\":\"me\"}").pointers());
  }

  private static Problem rejected(String body) {
    return assertInstanceOf(MessageBodyReader.Result.Rejected.class, read(body), body).problem();
  }

  private static MessageBodyReader.Result read(String body) {
    return MessageBodyReader.read(body.getBytes(StandardCharsets.UTF_8));
  }
}
