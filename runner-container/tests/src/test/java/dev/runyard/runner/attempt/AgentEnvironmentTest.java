package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.agent.AgentSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AgentEnvironmentTest {
  /// Who runs a stack on a desktop has variables that lead to programs outside of every cell.
  @Test
  void namesNoSocketOfThePerson() {
    Map<String, String> person = new HashMap<>(Map.of("PATH", "/bin", "LANG", "C"));
    List.of(
            "SSH_AUTH_SOCK",
            "DBUS_SESSION_BUS_ADDRESS",
            "XDG_RUNTIME_DIR",
            "DOCKER_HOST",
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "XAUTHORITY")
        .forEach(name -> person.put(name, "/run/user/1000/it"));
    assertEquals(
        Map.of("PATH", "/bin", "LANG", "C"),
        new AgentEnvironment(AgentSettings.NONE, person).variables());
  }
}
