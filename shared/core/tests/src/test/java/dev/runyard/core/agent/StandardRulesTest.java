package dev.runyard.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which contradictions follow from which standard extensions.
final class StandardRulesTest {
  private static final AgentKind PI = new AgentKind("pi");
  private static final String APPROVAL = "backend.pi.exec.approval";

  @Test
  void hasEachExtensionByItsKey() {
    for (String key :
        List.of(
            Capabilities.MODEL,
            Capabilities.NON_INTERACTIVE,
            Capabilities.EXTERNAL_SANDBOX,
            Capabilities.ADD_DIRS,
            Capabilities.SESSION_RESUME,
            Capabilities.SESSION_FORK,
            APPROVAL)) {
      assertEquals(key, StandardExtensions.of(PI, key).key());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> StandardExtensions.of(PI, "backend.codex.exec.approval"));
  }

  @Test
  void anApprovalContradictsAskingAndAnExternalSandbox() {
    assertEquals(List.of(), rules(APPROVAL));
    assertEquals(
        List.of(APPROVAL + " " + Capabilities.NON_INTERACTIVE),
        rules(APPROVAL, Capabilities.NON_INTERACTIVE, Capabilities.MODEL));
    assertEquals(
        List.of(APPROVAL + " " + Capabilities.EXTERNAL_SANDBOX),
        rules(APPROVAL, Capabilities.EXTERNAL_SANDBOX, Capabilities.MODEL));
  }

  @Test
  void anExternalSandboxIsForRunsThatDoNotAsk() {
    assertEquals(List.of(), rules(Capabilities.EXTERNAL_SANDBOX));
    assertEquals(
        List.of(Capabilities.NON_INTERACTIVE + " " + Capabilities.EXTERNAL_SANDBOX),
        rules(Capabilities.EXTERNAL_SANDBOX, Capabilities.NON_INTERACTIVE));
  }

  @Test
  void aRunContinuesASessionOrForksOne() {
    assertEquals(List.of(), rules(Capabilities.SESSION_RESUME));
    assertEquals(List.of(), rules(Capabilities.SESSION_FORK));
    assertEquals(
        List.of(Capabilities.SESSION_FORK + " " + Capabilities.SESSION_RESUME),
        rules(Capabilities.SESSION_RESUME, Capabilities.SESSION_FORK));
  }

  private static List<String> rules(String... keys) {
    return StandardExtensions.rules(
            Arrays.stream(keys).map(key -> StandardExtensions.of(PI, key)).toList())
        .stream()
        .map(rule -> rule.key() + " " + rule.otherKey())
        .toList();
  }
}
