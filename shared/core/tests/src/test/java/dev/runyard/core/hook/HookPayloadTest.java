package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HookPayloadTest {
  private static final Map<String, String> FORM =
      Map.of("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");

  @Test
  void readsAFormAsItsFields() {
    assertEquals(
        "{\"command\":\"/fix\",\"text\":\"größe & so\",\"empty\":\"\"}",
        Definitions.payload(FORM, "command=%2Ffix&text=gr%C3%B6%C3%9Fe+%26+so&empty")
            .json()
            .toString());
  }

  @Test
  void readsThePayloadThatAFormHas() {
    assertEquals(
        "{\"action\":\"opened\"}",
        Definitions.payload(FORM, "payload=%7B%22action%22%3A%22opened%22%7D").json().toString());
  }

  @Test
  void readsAFieldWithoutAName() {
    assertEquals("{\"\":\"x\"}", Definitions.payload(FORM, "=x").json().toString());
  }

  @Test
  void boundsTheFieldsOfAForm() {
    String most = IntStream.range(0, 256).mapToObj(i -> "f" + i).collect(Collectors.joining("&"));

    assertEquals(256, Definitions.payload(FORM, most).json().size());
    refused(FORM, (most + "&g").getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=%",
        "a=%4",
        "a=%zz",
        "a=%ff",
        "a=1&a=2",
        "a=%00",
        "payload=[]",
        "payload=",
        "payload=%7B%22a%22%3A1%2C%22a%22%3A2%7D"
      })
  void refusesABrokenForm(String body) {
    refused(FORM, body.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "1",
        "null",
        "{",
        "{\"a\":1,\"a\":2}",
        "{} {}",
        "{\"a\":\"\\u0000\"}",
        "{\"a\":\"\\ud800\"}",
        "\ufeff{}",
        "{\"a\":NaN}"
      })
  void refusesWhatIsNotOneStrictObject(String body) {
    refused(Map.of(), body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void refusesDepthAndBytesThatAreNoText() {
    refused(Map.of(), ("{\"a\":" + "[".repeat(100_000)).getBytes(StandardCharsets.UTF_8));
    refused(
        Map.of(),
        ("{\"a\":" + "[".repeat(65) + "]".repeat(65) + "}").getBytes(StandardCharsets.UTF_8));
    refused(Map.of(), new byte[] {'{', '"', (byte) 0xc3, '"', ':', '1', '}'});
  }

  private static void refused(Map<String, String> headers, byte[] body) {
    assertInstanceOf(
        HookPayload.Result.Rejected.class, HookPayload.read(new HookRequest(headers, body)));
  }
}
