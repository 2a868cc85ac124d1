package dev.runyard.cli.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.local.rights.CallRecord.Calls;
import dev.runyard.local.rights.Rights;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.Template;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Runs after the system tests, on what the roles of all their stacks called: template.yaml grants
/// each call, and grants nothing that none of them needs.
final class RightsIT {
  /// Rights that no system test needs, each with the reason why it stays. `ProductRightsTest` needs
  /// every one of them.
  private static final Map<String, String> UNSEEN = Map.of();

  @Test
  void everyCallIsGranted() throws IOException {
    Calls calls = calls();

    assertFalse(calls.granted().isEmpty(), "no call was recorded");
    assertEquals(List.of(), rights().missing(calls.refused()));
    assertEquals(List.of(), rights().missing(calls.granted()));
  }

  @Test
  void everyRightIsNeeded() throws IOException {
    if (!property("system.tests").equals(property("system.tests.all"))) {
      System.out.println(
          "Rights that nothing needs were not looked for: not all system tests ran.");
      return;
    }
    assertEquals(
        new TreeSet<>(UNSEEN.keySet()),
        new TreeSet<>(
            rights().unneeded(calls().granted()).stream().map(Rights.Held::name).toList()),
        "what stands only on the right: remove it from template.yaml, or say in UNSEEN why it"
            + " stays; what stands only on the left: remove it from UNSEEN");
  }

  private static Calls calls() throws IOException {
    return RecordedCalls.all();
  }

  private static Rights rights() {
    return Rights.of(
        new Blueprint(Template.read(Path.of(property("home"), "template.yaml"), Map.of())));
  }

  private static String property(String name) {
    return Objects.requireNonNull(System.getProperty("runyard." + name), name);
  }
}
