package dev.runyard.runner.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HostRulesTest {
  @ParameterizedTest
  @CsvSource({
    "example.com, example.com:443, true",
    "example.com, EXAMPLE.com:443, true",
    "Example.COM, example.com.:443, true",
    "example.com, example.com:80, true",
    "example.com, example.com:22, false",
    "example.com, www.example.com:443, false",
    "example.com, notexample.com:443, false",
    "example.com, example.com.evil.net:443, false",
    "*.example.com, www.example.com:443, true",
    "*.example.com, a.b.example.com:443, true",
    "*.example.com, example.com:443, false",
    "*.example.com, notexample.com:443, false",
    "git.example.com:8443, git.example.com:8443, true",
    "git.example.com:8443, git.example.com:443, false",
    "10.0.0.7, 10.0.0.7:443, true",
    "10.0.0.7, 10.0.0.70:443, false"
  })
  void allowWhatTheyName(String rule, String authority, boolean allowed) {
    assertEquals(
        allowed,
        new HostRules(List.of(rule)).allows(Destination.read(authority, 443).orElseThrow()));
  }

  @Test
  void allowNothingWhenEmpty() {
    assertEquals(false, new HostRules(List.of()).allows(new Destination("example.com", 443)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", ":443", "a b:443", "[::1]:443", "user@example.com:443", "example.com:0",
        "example.com:65536", "example.com:443/x", "-a.com:443", "..", "example.com:", "a\u00e4.com"
      })
  void leadNowhereElse(String authority) {
    assertEquals(Optional.empty(), Destination.read(authority, 443));
  }
}
