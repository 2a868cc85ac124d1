package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The examples are those that the senders publish, so that they check what is computed here.
final class HookProofTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_614_265_330);
  private static final String KEY = "a key of at least sixteen bytes";
  private static final String BODY = "{\"a\":1}";
  private static final String SLACK_BODY =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow"
          + "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner"
          + "&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com"
          + "%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
          + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
  private static final String SLACK_SIGNATURE =
      "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";

  @Test
  void knowsGitHubsExample() {
    String signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    Map<String, String> headers =
        Map.of("X-Hub-Signature-256", signature, "X-GitHub-Delivery", "72d3162e");

    HookProof.Result.Proven proven =
        proven("github", "", headers, "Hello, World!", "It's a Secret to Everybody", NOW);
    assertEquals("72d3162e", proven.id());
    assertEquals(2, proven.marks().size());
    unproven("github", "", headers, "Hello, World.", "It's a Secret to Everybody", NOW);
    unproven("github", "", headers, "Hello, World!", "It's a secret to everybody", NOW);
    unproven("github", "", Map.of(), "Hello, World!", "It's a Secret to Everybody", NOW);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "sha256=", "sha256=00", "sha1=00", "sha256=zz", "sha256", "=", "sha256=é"})
  void refusesWhatIsNoSignature(String signature) {
    unproven("github", "", Map.of("X-Hub-Signature-256", signature), BODY, KEY, NOW);
  }

  @Test
  void recognisesTheSameBodyUnderAnotherIdThatIsNotSigned() {
    List<String> one =
        proven("github", "", signed("X-GitHub-Delivery", "one"), BODY, KEY, NOW).marks();
    List<String> other =
        proven("github", "", signed("X-GitHub-Delivery", "other"), BODY, KEY, NOW).marks();

    assertNotEquals(one.getFirst(), other.getFirst());
    assertEquals(one.getLast(), other.getLast());
  }

  @Test
  void knowsSlacksExampleWithinFiveMinutes() {
    Instant signed = Instant.ofEpochSecond(1_531_420_618);
    Map<String, String> headers =
        Map.of("X-Slack-Request-Timestamp", "1531420618", "X-Slack-Signature", SLACK_SIGNATURE);
    String secret = "8f742231b10e8888abcd99yyyzzz85a5";

    proven("slack", "", headers, SLACK_BODY, secret, signed);
    proven("slack", "", headers, SLACK_BODY, secret, signed.plusSeconds(300));
    proven("slack", "", headers, SLACK_BODY, secret, signed.minusSeconds(300));
    unproven("slack", "", headers, SLACK_BODY, secret, signed.plusSeconds(300).plusMillis(1));
    unproven("slack", "", headers, SLACK_BODY, secret, signed.minusSeconds(301));
    unproven("slack", "", headers, SLACK_BODY + "&", secret, signed);
    unproven(
        "slack",
        "",
        Map.of("X-Slack-Request-Timestamp", "1531420619", "X-Slack-Signature", SLACK_SIGNATURE),
        SLACK_BODY,
        secret,
        signed);
  }

  @Test
  void knowsTheExampleOfStandardWebhooks() {
    String body = "{\"test\": 2432232314}";
    Map<String, String> headers = standard("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    for (String sender : List.of("standard_webhooks", "gitlab")) {
      HookProof.Result.Proven proven = proven(sender, "", headers, body, secret, NOW);
      assertEquals("msg_p5jXN8AQM9LWM0D4loKWxJek", proven.id());
      assertEquals(List.of("id msg_p5jXN8AQM9LWM0D4loKWxJek"), proven.marks());
      unproven(sender, "", headers, "{\"test\":2432232314}", secret, NOW);
      unproven(sender, "", headers, body, secret, NOW.plusSeconds(301));
    }
    proven(
        "standard_webhooks",
        "'tolerance_seconds':3600",
        headers,
        body,
        secret,
        NOW.plusSeconds(3600));
    unproven(
        "standard_webhooks", "'tolerance_seconds':1", headers, body, secret, NOW.plusSeconds(2));
  }

  @Test
  void takesOneSignatureOfSeveralAndNoOtherVersion() {
    String body = "{\"test\": 2432232314}";
    String right = "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    proven("standard_webhooks", "", standard("v1,AAAA v1a,x v1," + right), body, secret, NOW);
    unproven("standard_webhooks", "", standard("v1a," + right), body, secret, NOW);
    unproven("standard_webhooks", "", standard(right), body, secret, NOW);
    proven(
        "standard_webhooks",
        "",
        standard("v1,AAAA ".repeat(HookLimits.SIGNATURES_MAX - 1) + "v1," + right),
        body,
        secret,
        NOW);
    unproven(
        "standard_webhooks",
        "",
        standard("v1,AAAA ".repeat(HookLimits.SIGNATURES_MAX) + "v1," + right),
        body,
        secret,
        NOW);
  }

  @Test
  void takesNoIdWithADotBecauseItCouldEndElsewhere() {
    byte[] key = Hmac.utf8(KEY);
    String secret = "whsec_" + Base64.getEncoder().encodeToString(key);
    String time = String.valueOf(NOW.getEpochSecond());
    String signature =
        Base64.getEncoder().encodeToString(Hmac.of(key, Hmac.utf8("a.b." + time + "." + BODY)));
    Map<String, String> headers =
        Map.of(
            "webhook-id", "a.b", "webhook-timestamp", time, "webhook-signature", "v1," + signature);

    unproven("standard_webhooks", "", headers, BODY, secret, NOW);
  }

  @Test
  void saysWhatADeliveryOfThePlainSchemeLacks() {
    String inHeader = "'hmac':{'header':'S','timestamp_header':'T'}";
    String inBody = "'hmac':{'header':'S','timestamp_pointer':'/at'}";
    Map<String, String> zeros = Map.of("S", "00".repeat(32), "T", "1");

    assertEquals(
        "its header S has no signature", unproven("hmac", inHeader, Map.of(), BODY, KEY, NOW));
    assertEquals(
        "it has no time in its header",
        unproven("hmac", inHeader, Map.of("S", "00".repeat(32)), BODY, KEY, NOW));
    assertEquals(
        "its signature is of another body or another secret",
        unproven("hmac", inHeader, zeros, BODY, KEY, NOW));
    assertEquals(
        "its body has no time that could be read",
        unproven("hmac", inBody, Map.of("S", hex("[]")), "[]", KEY, NOW));
    assertEquals(
        "its body has no time at /at",
        unproven("hmac", inBody, Map.of("S", hex(BODY)), BODY, KEY, NOW));
  }

  @Test
  void saysWhatADeliveryOfSlackLacks() {
    Map<String, String> time = Map.of("X-Slack-Request-Timestamp", "1531420618");
    Map<String, String> signature = Map.of("X-Slack-Signature", SLACK_SIGNATURE);

    for (Map<String, String> headers : List.of(time, signature)) {
      assertEquals(
          "it has no X-Slack-Request-Timestamp or no X-Slack-Signature",
          unproven("slack", "", headers, BODY, KEY, NOW));
    }
  }

  private static String hex(String body) {
    return HexFormat.of().formatHex(Hmac.of(Hmac.utf8(KEY), Hmac.utf8(body)));
  }

  @Test
  void refusesTimesThatAreNoWholeNumbers() {
    for (String time : List.of("", "1614265330abc", "-5", "1e9", "9".repeat(400), "٣")) {
      Map<String, String> headers = new HashMap<>(standard("v1,AAAA"));
      headers.put("webhook-timestamp", time);
      unproven(
          "standard_webhooks", "", headers, BODY, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", NOW);
    }
  }

  @Test
  void takesGitLabsTokenOnlyWhereNothingIsSigned() {
    Map<String, String> headers =
        Map.of("X-Gitlab-Token", KEY, "Idempotency-Key", "k-1", "X-Gitlab-Event", "Push Hook");

    assertEquals(List.of("id k-1"), proven("gitlab", "", headers, BODY, KEY, NOW).marks());
    assertEquals(
        List.of("id u-1"),
        proven(
                "gitlab",
                "",
                Map.of("X-Gitlab-Token", KEY, "X-Gitlab-Event-UUID", "u-1"),
                BODY,
                KEY,
                NOW)
            .marks());
    List<String> nameless =
        proven("gitlab", "", Map.of("X-Gitlab-Token", KEY), BODY, KEY, NOW).marks();
    assertEquals(1, nameless.size());
    assertTrue(nameless.getFirst().startsWith("bytes "), "without a name its body tells it apart");
    unproven("gitlab", "", Map.of("X-Gitlab-Token", KEY + "x"), BODY, KEY, NOW);
    unproven("gitlab", "", Map.of("X-Gitlab-Token", KEY.substring(1)), BODY, KEY, NOW);
    unproven("gitlab", "", Map.of(), BODY, KEY, NOW);
    Map<String, String> both = new HashMap<>(standard("v1,AAAA"));
    both.put("X-Gitlab-Token", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    unproven("gitlab", "", both, BODY, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", NOW);
  }

  @Test
  void checksThePlainSchemeAsItIsDescribed() {
    byte[] code = Hmac.of(Hmac.utf8(KEY), Hmac.utf8(BODY));
    String hex = HexFormat.of().formatHex(code);
    String base64 = Base64.getEncoder().encodeToString(code);

    proven("hmac", "'hmac':{'header':'X-Sig'}", Map.of("x-sig", hex), BODY, KEY, NOW);
    proven(
        "hmac",
        "'hmac':{'header':'X-Sig','encoding':'base64','prefix':'s='}",
        Map.of("X-SIG", "s=" + base64),
        BODY,
        KEY,
        NOW);
    unproven("hmac", "'hmac':{'header':'X-Sig'}", Map.of("X-Sig", base64), BODY, KEY, NOW);
    unproven(
        "hmac", "'hmac':{'header':'X-Sig','prefix':'s='}", Map.of("X-Sig", hex), BODY, KEY, NOW);
    unproven("hmac", "'hmac':{'header':'X-Other'}", Map.of("X-Sig", hex), BODY, KEY, NOW);
  }

  @Test
  void checksTheTimeOfThePlainSchemeInItsHeaderOrBody() {
    String inHeader = "'hmac':{'header':'S','timestamp_header':'T','delivery_header':'D'}";
    String time = String.valueOf(NOW.getEpochSecond());
    String signature =
        HexFormat.of().formatHex(Hmac.of(Hmac.utf8(KEY), Hmac.utf8(time + "." + BODY)));
    Map<String, String> headers = Map.of("S", signature, "T", time, "D", "d-1");

    assertEquals("d-1", proven("hmac", inHeader, headers, BODY, KEY, NOW).id());
    unproven("hmac", inHeader, headers, BODY, KEY, NOW.plusSeconds(301));
    unproven("hmac", inHeader, Map.of("S", signature), BODY, KEY, NOW);
    String inBody = "'hmac':{'header':'S','timestamp_pointer':'/at'},'tolerance_seconds':60";
    String body = "{\"at\":" + NOW.toEpochMilli() + "}";
    Map<String, String> signed =
        Map.of("S", HexFormat.of().formatHex(Hmac.of(Hmac.utf8(KEY), Hmac.utf8(body))));
    proven("hmac", inBody, signed, body, KEY, NOW.plusSeconds(60));
    unproven("hmac", inBody, signed, body, KEY, NOW.plusSeconds(61));
    unproven(
        "hmac",
        inBody,
        Map.of("S", HexFormat.of().formatHex(Hmac.of(Hmac.utf8(KEY), Hmac.utf8(BODY)))),
        BODY,
        KEY,
        NOW);
  }

  @Test
  void usesNoKeyThatIsShortOrNotOfItsSender() {
    HookDefinition github = Definitions.read(Definitions.hook("github", ""));
    HookDefinition standard = Definitions.read(Definitions.hook("standard_webhooks", ""));
    HookRequest request = Definitions.request(Map.of(), BODY);

    assertTrue(HookProof.key(github, request, "x".repeat(15)).isEmpty());
    assertTrue(HookProof.key(github, request, "x".repeat(16)).isPresent());
    assertTrue(HookProof.key(standard, request, "whsec_not base64!").isEmpty());
    assertTrue(HookProof.key(standard, request, "whsec_AAAA").isEmpty());
  }

  private static Map<String, String> signed(String name, String value) {
    return Map.of(
        "X-Hub-Signature-256",
        "sha256=" + HexFormat.of().formatHex(Hmac.of(Hmac.utf8(KEY), Hmac.utf8(BODY))),
        name,
        value);
  }

  private static Map<String, String> standard(String signatures) {
    return Map.of(
        "webhook-id",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp",
        "1614265330",
        "webhook-signature",
        signatures);
  }

  private static HookProof.Result check(
      String hook, Map<String, String> headers, String body, String secret, Instant now) {
    String[] parts = hook.split("\n", -1);
    HookDefinition definition = Definitions.read(Definitions.hook(parts[0], parts[1]));
    HookRequest request = new HookRequest(headers, body.getBytes(StandardCharsets.UTF_8));
    return new HookProof(
            definition, request, HookProof.key(definition, request, secret).orElseThrow(), now)
        .check();
  }

  private static HookProof.Result.Proven proven(
      String sender,
      String more,
      Map<String, String> headers,
      String body,
      String secret,
      Instant now) {
    return assertInstanceOf(
        HookProof.Result.Proven.class, check(sender + "\n" + more, headers, body, secret, now));
  }

  /// Why it is not.
  private static String unproven(
      String sender,
      String more,
      Map<String, String> headers,
      String body,
      String secret,
      Instant now) {
    return assertInstanceOf(
            HookProof.Result.Unproven.class,
            check(sender + "\n" + more, headers, body, secret, now))
        .reason();
  }
}
