package dev.runyard.core.hook;

import static dev.runyard.core.hook.HookRig.body;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.application.UseCases;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryHookDeliveries;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunState;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretTrouble;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ReceiveHookTest {
  private static final String GITHUB =
      "{'name':'n','sender':'github','secret':'S','run':{'agent':'echo','prompt':'Fix {{/title}}'}}";
  private static final String BODY = "{\"title\":\"it\"}";

  private final HookRig rig = new HookRig();
  private final MemoryPorts memory = new MemoryPorts(new MemoryEventLog(), rig.clock);
  private final UseCases cases = new UseCases(memory, rig.clock, rig.ids, "test");
  private final Kept deliveries = new Kept();
  private Optional<Problem> refusal = Optional.empty();
  private final ReceiveHook receive =
      new ReceiveHook(
          memory.hooks(),
          deliveries,
          rig.secrets(),
          rig.mapping,
          cases.submitRun((_, _) -> refusal),
          rig.clock);

  @Test
  void startsARunOfADeliveryThatIsProven() {
    HookId hook = made(GITHUB);

    HookDelivery taken = taken(hook, gitHub("d-1", BODY));

    assertEquals(HookOutcome.STARTED, taken.outcome());
    assertEquals("d-1", taken.deliveryId());
    assertEquals("issues", taken.event());
    assertEquals(BODY.length(), taken.bodyBytes());
    assertEquals(List.of(taken), deliveries.newest(hook, 10));
    RunState.Existing run =
        assertInstanceOf(
            RunState.Existing.class,
            cases.runs().load(new RunKey("acme", taken.runId().orElseThrow())));
    assertEquals("Fix it", run.facts().request().prompt());
  }

  @Test
  void startsOneRunOfADeliveryThatComesTwice() {
    HookId hook = made(GITHUB);
    HookDelivery first = taken(hook, gitHub("d-1", BODY));
    rig.clock.advance(Duration.ofMinutes(5));

    HookDelivery again = taken(hook, gitHub("d-1", BODY));

    assertEquals(HookOutcome.REPEATED, again.outcome());
    assertEquals(first.runId(), again.runId());
    assertEquals(2, deliveries.newest(hook, 10).size());
  }

  @Test
  void startsARunForEachHookThatADeliveryIsSentTo() {
    HookDelivery one = taken(made(GITHUB), gitHub("d-1", BODY));
    HookDelivery other = taken(made(GITHUB), gitHub("d-1", BODY));

    assertEquals(HookOutcome.STARTED, other.outcome());
    assertNotEquals(one.runId(), other.runId());
  }

  @Test
  void knowsNoHookThatWasNeverMade() {
    assertInstanceOf(
        ReceiveHook.Answer.Unknown.class,
        receive.receive("acme." + "A".repeat(32), gitHub("d-1", BODY)));
    assertInstanceOf(
        ReceiveHook.Answer.Unknown.class, receive.receive("acme", gitHub("d-1", BODY)));
  }

  @Test
  void answersADeliveryWithoutProofAsIfThereWereNoHook() {
    HookId hook = made(GITHUB);

    assertInstanceOf(ReceiveHook.Answer.Unknown.class, unproven(hook, "{}"));

    HookDelivery kept = deliveries.newest(hook, 10).getFirst();
    assertEquals(HookOutcome.UNPROVEN, kept.outcome());
    assertEquals("its signature is of another body or another secret", kept.reason());
    assertEquals(Optional.empty(), kept.runId());
  }

  @Test
  void keepsOneDeliveryWithoutProofASecond() {
    HookId hook = made(GITHUB);
    unproven(hook, "1");
    rig.clock.advance(Duration.ofMillis(999));
    unproven(hook, "22");
    assertEquals(List.of(1), deliveries.sizes(hook));

    rig.clock.advance(Duration.ofMillis(1));
    unproven(hook, "333");
    HookId other = made(GITHUB);
    unproven(other, "4444");
    taken(hook, gitHub("d-1", BODY));
    taken(hook, gitHub("d-2", BODY + " "));

    assertEquals(List.of(1, 3, BODY.length(), BODY.length() + 1), deliveries.sizes(hook));
    assertEquals(List.of(4), deliveries.sizes(other));
  }

  @Test
  void takesADeliveryThoughItCannotBeKept() {
    HookId hook = made(GITHUB);
    deliveries.away = true;

    assertEquals(HookOutcome.STARTED, taken(hook, gitHub("d-1", BODY)).outcome());
    assertInstanceOf(ReceiveHook.Answer.Unknown.class, unproven(hook, "1"));

    deliveries.away = false;
    unproven(hook, "22");
    assertEquals(List.of(2), deliveries.sizes(hook), "the one before was not kept");
  }

  @Test
  void hasADeliverySentAgainWhileTheSecretCannotBeHad() {
    HookId hook = made(GITHUB);
    rig.secret = new Fetched.Unavailable(SecretTrouble.NO_RIGHT);

    ReceiveHook.Answer.Again again =
        assertInstanceOf(
            ReceiveHook.Answer.Again.class, receive.receive(hook.text(), gitHub("d-1", BODY)));

    assertEquals(ProblemCode.UNAVAILABLE, again.problem().code());
    HookDelivery kept = deliveries.newest(hook, 10).getFirst();
    assertEquals(HookOutcome.UNAVAILABLE, kept.outcome());
    assertEquals("issues", kept.event());
    assertEquals("The secret of the hook cannot be used: the API may not read it", kept.reason());
    rig.secret = new Fetched.Value(HookRig.KEY);
    rig.clock.advance(Duration.ofSeconds(HookLimits.SECRET_RETRY_SECONDS));
    assertEquals(HookOutcome.STARTED, taken(hook, gitHub("d-1", BODY)).outcome());
  }

  @Test
  void usesNoSecretThatIsTooShort() {
    HookId hook = made(GITHUB);
    rig.secret = new Fetched.Value("short");

    assertInstanceOf(
        ReceiveHook.Answer.Again.class, receive.receive(hook.text(), gitHub("d-1", BODY)));

    assertEquals(
        "The secret of the hook cannot be used: it is no key of this sender, or has less than 16"
            + " bytes",
        deliveries.newest(hook, 10).getFirst().reason());
  }

  @Test
  void answersAChallenge() {
    HookId hook = made(GITHUB.replace("github", "slack"));
    String challenge = "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw\"}";

    assertEquals(
        new ReceiveHook.Answer.Challenge("3eZbrw"), receive.receive(hook.text(), slack(challenge)));

    assertEquals(HookOutcome.CONFIRMED, deliveries.newest(hook, 10).getFirst().outcome());
  }

  @Test
  void ignoresWhatTheHookDoesNotWant() {
    HookId hook = made(GITHUB.replace("'name'", "'enabled':false,'name'"));

    HookDelivery taken = taken(hook, gitHub("d-1", BODY));

    assertEquals(HookOutcome.IGNORED, taken.outcome());
    assertEquals("the hook is disabled", taken.reason());
    assertEquals(List.of(taken), deliveries.newest(hook, 10));
  }

  @Test
  void takesWhatMakesNoRequestSoThatItIsNotSentAgain() {
    HookId hook = made(GITHUB);

    HookDelivery taken = taken(hook, gitHub("d-1", "{}"));

    assertEquals(HookOutcome.REFUSED, taken.outcome());
    assertEquals(Optional.of("invalid_request"), taken.code());
    assertEquals(Optional.of("/prompt"), taken.pointer());
    assertEquals("The delivery has nothing at /title", taken.reason());
    assertEquals(List.of(taken), deliveries.newest(hook, 10));
  }

  @Test
  void hasADeliverySentAgainForWhichThereIsNoRoom() {
    HookId hook = made(GITHUB);
    Problem full = Problem.of(ProblemCode.QUOTA_REACHED, "as many runs as may be");
    refusal = Optional.of(full);

    assertEquals(
        new ReceiveHook.Answer.Again(full), receive.receive(hook.text(), gitHub("d-1", BODY)));

    HookDelivery kept = deliveries.newest(hook, 10).getFirst();
    assertEquals(HookOutcome.UNAVAILABLE, kept.outcome());
    assertEquals(Optional.of("quota_reached"), kept.code());
    refusal = Optional.empty();
    rig.clock.advance(Duration.ofMinutes(1));
    assertEquals(HookOutcome.STARTED, taken(hook, gitHub("d-1", BODY)).outcome());
  }

  @Test
  void takesARequestThatMayNotRunSoThatItIsNotSentAgain() {
    HookId hook = made(GITHUB);
    refusal = Optional.of(Problem.of(ProblemCode.UPLOAD_NOT_FOUND, "gone"));

    HookDelivery taken = taken(hook, gitHub("d-1", BODY));

    assertEquals(HookOutcome.REFUSED, taken.outcome());
    assertEquals("gone", taken.reason());
    assertTrue(taken.runId().isEmpty());
  }

  private HookId made(String hook) {
    Hooks hooks = rig.hooks(memory.hooks());
    return assertInstanceOf(
            Hooks.Result.Written.class, hooks.create("acme", hooks.drawnToken(), body(hook)))
        .hook()
        .id();
  }

  private HookDelivery taken(HookId hook, HookRequest request) {
    return assertInstanceOf(ReceiveHook.Answer.Taken.class, receive.receive(hook.text(), request))
        .delivery();
  }

  private ReceiveHook.Answer unproven(HookId hook, String body) {
    return receive.receive(
        hook.text(),
        Definitions.request(Map.of("X-Hub-Signature-256", "sha256=" + signature("other")), body));
  }

  private static HookRequest gitHub(String id, String body) {
    Map<String, String> headers = new HashMap<>();
    headers.put("X-Hub-Signature-256", "sha256=" + signature(body));
    headers.put("X-GitHub-Delivery", id);
    headers.put("X-GitHub-Event", "issues");
    return Definitions.request(headers, body);
  }

  private HookRequest slack(String body) {
    long time = rig.clock.instant().getEpochSecond();
    return Definitions.request(
        Map.of(
            "X-Slack-Request-Timestamp",
            String.valueOf(time),
            "X-Slack-Signature",
            "v0=" + signature("v0:%d:%s".formatted(time, body))),
        body);
  }

  private static String signature(String text) {
    return HexFormat.of()
        .formatHex(Hmac.of(Hmac.utf8(HookRig.KEY), text.getBytes(StandardCharsets.UTF_8)));
  }

  /// Deliveries in memory, which may be away.
  private static final class Kept implements HookDeliveries {
    private final MemoryHookDeliveries kept = new MemoryHookDeliveries();
    private boolean away;

    @Override
    public void add(HookDelivery delivery) {
      if (away) {
        throw new PortUnavailable("away");
      }
      kept.add(delivery);
    }

    @Override
    public List<HookDelivery> newest(HookId hook, int limit) {
      return kept.newest(hook, limit);
    }

    /// How large the bodies of those kept were, the smallest first.
    private List<Integer> sizes(HookId hook) {
      return newest(hook, 100).stream().map(HookDelivery::bodyBytes).sorted().toList();
    }
  }
}
