package dev.runyard.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NetworkExtensionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "open" | "open" | true
          "open" | "none" | true
          "open" | ["example.com"] | true
          "none" | "none" | true
          "none" | "open" | false
          "none" | ["example.com"] | false
          ["example.com"] | "none" | true
          ["example.com"] | "open" | false
          ["example.com"] | ["Example.COM"] | true
          ["example.com"] | ["www.example.com"] | false
          ["example.com"] | ["example.com:8443"] | false
          ["*.example.com"] | ["www.example.com"] | true
          ["*.example.com"] | ["*.www.example.com"] | true
          ["*.example.com"] | ["*.example.com"] | true
          ["*.example.com"] | ["example.com"] | false
          ["*.example.com"] | ["badexample.com"] | false
          ["a.example", "b.example:22"] | ["b.example:22", "a.example"] | true
          ["a.example", "b.example:22"] | ["b.example", "a.example"] | false
          """)
  void allowsWhatTheOperatorAllows(String most, String wanted, boolean allowed)
      throws JsonProcessingException {
    NetworkAccess ceiling = NetworkAccess.read(json(most)).orElseThrow();
    ExtensionType.Checked checked =
        new NetworkExtension(ceiling).check(Capabilities.NETWORK, json(wanted));
    assertEquals(allowed, checked instanceof ExtensionType.Checked.Valid);
  }

  @Test
  void takesNoNameThatIsLongerThanNamesAre() throws JsonProcessingException {
    assertEquals(
        Optional.empty(), NetworkAccess.read(json("[\"a%s\"]".formatted(".a".repeat(100_000)))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "1",
        "\"closed\"",
        "[]",
        "{}",
        "[1]",
        "[\"\"]",
        "[\"*\"]",
        "[\"*.\"]",
        "[\"a..b\"]",
        "[\"-a.com\"]",
        "[\"a.*.com\"]",
        "[\"https://a.com\"]",
        "[\"a.com/x\"]",
        "[\"a.com:0\"]",
        "[\"a.com:123456\"]",
        "[\"::1\"]",
        "[\"a b\"]"
      })
  void takesNothingElse(String value) throws JsonProcessingException {
    assertEquals(Optional.empty(), NetworkAccess.read(json(value)));
    assertInstanceOf(
        ExtensionType.Checked.Invalid.class,
        new NetworkExtension(new NetworkAccess.Open()).check(Capabilities.NETWORK, json(value)));
  }

  @Test
  void offersOnlyWhatIsAllowed() {
    assertEquals(
        "[\"none\"]",
        new NetworkExtension(NetworkAccess.Hosts.NONE).schema().at("/anyOf/0/enum").toString());
    assertEquals(
        "[\"open\",\"none\"]",
        new NetworkExtension(new NetworkAccess.Open()).schema().at("/anyOf/0/enum").toString());
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return JsonFormat.JSON.readTree(text);
  }
}
