package dev.runyard.core.agent;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapabilitiesTest {
  private static final AgentKind OWN = new AgentKind("own");

  @ParameterizedTest
  @ValueSource(strings = {"agent_api.a", "runyard.a", "backend.own.a", "backend.own.exec.a.v1"})
  void takesTheCommonOnesAndThoseOfABackend(String id) {
    assertTrue(Capabilities.isId(id));
    assertTrue(Capabilities.belongsTo(OWN, id));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "agent_api.",
        "agent_api.A",
        "runyard.",
        "backend.",
        "backend.own",
        "backend.own.",
        "backend..a",
        "backend.9.a",
        "other.a"
      })
  void refusesWhatNamesNothing(String id) {
    assertFalse(Capabilities.isId(id));
    assertFalse(Capabilities.belongsTo(OWN, id));
  }

  @Test
  void boundsAnId() {
    String begin = "agent_api.";

    assertTrue(Capabilities.isId(begin + "a".repeat(Capabilities.ID_BYTES_MAX - begin.length())));
    assertFalse(
        Capabilities.isId(begin + "a".repeat(Capabilities.ID_BYTES_MAX - begin.length() + 1)));
  }

  @Test
  void leavesABackendsOwnToIt() {
    assertFalse(Capabilities.belongsTo(OWN, "backend.other.a"));
    assertFalse(Capabilities.belongsTo(OWN, "backend.owner.a"));
  }

  @Test
  void derivesHowABackendMayActFromWhatItCan() {
    assertTrue(Capabilities.isOwnExec("backend.own.exec.sandbox"));
    assertFalse(Capabilities.isOwnExec("backend.own.model"));
    assertFalse(Capabilities.isOwnExec("backend.exec.model"));
    assertFalse(Capabilities.isOwnExec("agent_api.exec.sandbox"));
  }
}
