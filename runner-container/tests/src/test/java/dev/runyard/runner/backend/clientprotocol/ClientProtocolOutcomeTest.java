package dev.runyard.runner.backend.clientprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.Talking;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClientProtocolOutcomeTest {
  private static final Attempt.Exit CLEAN = new Attempt.Exit(0, null);
  private static final ClientProtocolQuirks PROSE =
      ClientProtocolQuirks.USUAL.noticing("Info: ").withErrors("Error: ");

  private final ClientProtocolRig rig =
      ClientProtocolRig.with(ClientProtocolQuirks.USUAL, ClientProtocolPermissions.NONE).prompted();
  private final ClientProtocolRig prose =
      ClientProtocolRig.with(PROSE, ClientProtocolPermissions.NONE).prompted();

  @ParameterizedTest
  @CsvSource({
    "refusal,model_refused",
    "max_tokens,agent_limit",
    "max_turn_requests,agent_limit",
    "cancelled,turn_cancelled",
    "whatever,agent_failed"
  })
  void failsWithTheReasonATurnStopped(String reason, String code) {
    rig.ends(reason);

    assertEquals(code, code(rig, CLEAN, ""));
  }

  @Test
  void saysThatARefusedPermissionEndedTheTurn() {
    rig.asks("1", ClientProtocolRig.SHELL, ClientProtocolRig.OPTIONS);
    rig.ends("cancelled");

    assertEquals("permission_refused", code(rig, CLEAN, ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-32000 | Authentication required | no_key",
        "-32603 | Internal error: Invalid API key | key_refused",
        "-32603 | Internal error: API Error: 500 It broke | model_unavailable",
        "401 | no | key_refused",
        "-32603 | 402 Payment | quota_exhausted",
        "-32603 | Error: 404 nothing there | no_such_model",
        "-32603 | 429 slowly | rate_limited",
        "-32603 | fetch failed | network",
        "-32603 | Currently experiencing high demand | model_unavailable",
        "-32603 | Something else | agent_failed"
      })
  void distinguishesErrors(String error, String message, String code) {
    rig.line("{\"id\":3,\"error\":{\"code\":%s,\"message\":\"%s\"}}".formatted(error, message));

    assertEquals(code, code(rig, CLEAN, ""));
  }

  @Test
  void findsTheReasonInTheDataOfAnError() {
    rig.fail("{'code':-32603,'message':'Internal error','data':{'details':'401 No.'}}");

    assertEquals("key_refused", code(rig, CLEAN, ""));
  }

  @Test
  void storesNoErrorThatLooksLikeAMessage() {
    rig.says("Invalid API key at secret-host");
    rig.update("{'sessionUpdate':'usage_update','used':0}");
    rig.fail("{'code':-32603,'message':'Internal error: Invalid API key at secret-host'}");

    assertEquals(List.of(), rig.told());
  }

  @Test
  void believesNoTurnThatEndsWithAnErrorInProse() {
    prose.says("Info: Retrying...");
    prose.says("Error: Authentication failed with the provider (HTTP 401).");
    prose.ends("end_turn");

    assertEquals(List.of(), prose.told());
    assertEquals("key_refused", code(prose, CLEAN, ""));
  }

  @Test
  void leavesAMessageAloneThatContinuesAfterAnError() {
    prose.says("Error: is how the log begins");
    prose.says(", and so on.");
    prose.ends("end_turn");

    assertEquals(3, prose.told().size());
    assertEquals(Optional.empty(), prose.talk().end(CLEAN, "").failure());
  }

  @Test
  void believesNoTurnThatWasGivenUp() {
    prose.asks("1", ClientProtocolRig.SHELL, ClientProtocolRig.OPTIONS);
    prose.says("Info: Operation cancelled by user");
    prose.ends("end_turn");

    assertEquals("permission_refused", code(prose, CLEAN, ""));
  }

  @Test
  void countsTheLastTurn() {
    ClientProtocolRig queueing =
        ClientProtocolRig.with(
                ClientProtocolQuirks.USUAL.queueing(true), ClientProtocolPermissions.NONE)
            .prompted();
    queueing.talk().input(Talking.said("again", 5));
    queueing.fail("{'code':500,'message':'no'}");
    queueing.ends("end_turn");

    assertEquals(Optional.empty(), queueing.talk().end(CLEAN, "").failure());
  }

  @Test
  void findsInStandardErrorWhyAnAgentNeverSpoke() {
    ClientProtocolRig silent =
        ClientProtocolRig.with(ClientProtocolQuirks.USUAL, ClientProtocolPermissions.NONE);
    silent.open();

    assertEquals("bad_usage", code(silent, new Attempt.Exit(1, null), "unknown option --acp"));
    assertEquals("no_output", code(silent, new Attempt.Exit(1, null), "?"));
    assertEquals("agent_killed", code(silent, new Attempt.Exit(null, 9), "?"));
  }

  @Test
  void failsWithAnAgentThatEndsInTheMiddle() {
    rig.says("I am");

    assertEquals(
        List.of(new RunEvent.ModelDelta("I am"), new RunEvent.ModelCompleted()),
        rig.talk().end(new Attempt.Exit(0, null), "").last());
    assertEquals("agent_failed", code(rig, CLEAN, ""));
  }

  private static String code(ClientProtocolRig rig, Attempt.Exit exit, String stderr) {
    return rig.talk().end(exit, stderr).failure().orElseThrow().code();
  }
}
