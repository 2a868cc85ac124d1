package dev.runyard.core.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.webhook.WebhookUrl.Places;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WebhookUrlTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.com/",
        "HTTPS://example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/_x",
        "javascript:alert(1)",
        "//example.com/",
        "https:example.com",
        "https:///example.com",
        "https://",
        "https://localhost/",
        "https://LOCALHOST/",
        "https://localhost./",
        "https://a.localhost/",
        "https://example.com./",
        "https://example..com/",
        "https://.example.com/",
        "https://-a.example.com/",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://127.0.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0x7f.0.0.1/",
        "https://0177.0.0.1/",
        "https://017700000001/",
        "https://127.0.0.1.:443/",
        "https://10.0.0.8/",
        "https://169.254.169.254/latest/meta-data/",
        "https://169.254.170.2/v2/credentials",
        "https://[::1]/",
        "https://[::]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:a9fe:a9fe]/",
        "https://[fd00:ec2::254]/",
        "https://[64:ff9b::a9fe:a9fe]/",
        "https://[2002:7f00:1::]/",
        "https://[fe80::1%25eth0]/",
        "https://93.184.216.34/",
        "https://user@example.com/",
        "https://user:password@example.com/",
        "https://example.com@127.0.0.1/",
        "https://example.com:443@127.0.0.1/",
        "https://127.0.0.1#@example.com/",
        "https://127.0.0.1%2f@example.com/",
        "https://127.0.0.1\\@example.com/",
        "https://example.com\\.127.0.0.1/",
        "https://example.com/#fragment",
        "https://example.com#",
        "https://example.com:22/",
        "https://example.com:25/",
        "https://example.com:80/",
        "https://example.com:0/",
        "https://example.com:65536/",
        "https://example.com:99999999999/",
        "https://example.com:/",
        "https://example.com:443:444/",
        "https://ex%61mple.com/",
        "https://ⓔxample.com/",
        "https://exämple.com/",
        "https://example。com/",
        "https://example.com/ö",
        "https://example.com/a b",
        "https://example.com/a\r\nHost: x",
        "https://example.com/a\tb",
        " https://example.com/",
        "https://example.com/ ",
        "https://exa mple.com/",
        "https://example.com\u0000.evil.test/",
        "https://1.2.3.4.5/",
        "https://example.123/",
        "https://example.0x1f/",
        "http://127.0.0.1@example.com/",
        "http://127.0.0.1.example.com/",
        "http://localhost:8080/",
        "http://[::1]:8080/",
        "http://127.0.0.2:8080/",
        "http://2130706433:8080/",
        "http://169.254.169.254/"
      })
  void refusesWhateverIsNoServerOfTheInternet(String url) {
    assertEquals(Optional.empty(), WebhookUrl.of(url, Places.INTERNET));
    assertEquals(Optional.empty(), WebhookUrl.of(url, Places.INTERNET_AND_LOOPBACK));
  }

  @Test
  void readsWhatItTakesInOneWay() {
    assertEquals(
        Optional.of(new WebhookUrl(true, "hooks.example.com", 443, "/")),
        WebhookUrl.of("https://Hooks.Example.com", Places.INTERNET));
    assertEquals(
        Optional.of(new WebhookUrl(true, "a_b.xn--bcher-kva.example", 8443, "/?a=b%20c&d")),
        WebhookUrl.of("https://a_b.xn--bcher-kva.example:8443?a=b%20c&d", Places.INTERNET));
    assertEquals(
        "example.com:8443",
        WebhookUrl.of("https://example.com:8443/a", Places.INTERNET).orElseThrow().authority());
  }

  @Test
  void takesTheLoopbackWhereItMay() {
    String url = "http://127.0.0.1:8080/hook";
    assertEquals(Optional.empty(), WebhookUrl.of(url, Places.INTERNET));
    assertTrue(WebhookUrl.of(url, Places.INTERNET_AND_LOOPBACK).orElseThrow().isLoopback());
  }

  @Test
  void hasALength() {
    String url = "https://example.com/" + "a".repeat(WebhookUrl.URL_BYTES_MAX - 20);
    assertTrue(WebhookUrl.of(url, Places.INTERNET).isPresent());
    assertEquals(Optional.empty(), WebhookUrl.of(url + "a", Places.INTERNET));
  }

  @ParameterizedTest
  @CsvSource({
    "https://example.com/,example.com",
    "https://example.com:443/,example.com",
    "https://example.com:1024/,example.com:1024",
    "https://example.com:65535/,example.com:65535",
    "http://127.0.0.1:1/,127.0.0.1:1",
    "http://127.0.0.1:443/,127.0.0.1:443",
    "http://127.0.0.1:65535/,127.0.0.1:65535",
  })
  void namesItsHostAndAPortThatIsNotUsual(String url, String authority) {
    assertEquals(
        authority, WebhookUrl.of(url, Places.INTERNET_AND_LOOPBACK).orElseThrow().authority());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com:1023/",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:65536/",
      })
  void takesNoOtherPort(String url) {
    assertEquals(Optional.empty(), WebhookUrl.of(url, Places.INTERNET_AND_LOOPBACK));
  }

  @Test
  void boundsTheNameOfItsHost() {
    String longest = "a.".repeat(125) + "com";
    assertTrue(WebhookUrl.of("https://%s/".formatted(longest), Places.INTERNET).isPresent());
    assertEquals(
        Optional.empty(), WebhookUrl.of("https://a%s/".formatted(longest), Places.INTERNET));
  }

  @Test
  void tellsOfTheLoopbackWhereItMayBe() {
    String rule = WebhookUrl.rule(Places.INTERNET);
    assertTrue(rule.startsWith("url must be https://NAME"), rule);
    assertTrue(rule.contains("at most 2048 bytes"), rule);
    assertEquals(
        rule + " Here it may also be http://127.0.0.1.",
        WebhookUrl.rule(Places.INTERNET_AND_LOOPBACK));
  }
}
