package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HookReaderTest {
  @Test
  void takesWhatIsUsualForWhatIsAbsent() {
    HookDefinition hook = Definitions.read(Definitions.hook("slack", ""));

    assertTrue(hook.enabled());
    assertEquals(HookLimits.TOLERANCE_SECONDS_DEFAULT, hook.toleranceSeconds());
    assertTrue(hook.when().isEmpty());
    assertTrue(hook.hmac().isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|/name",
        "{'name':' ','sender':'github','secret':'S','run':{}}|/name",
        "{'name':'n','sender':'bitbucket','secret':'S','run':{}}|/sender",
        "{'name':'n','sender':'github','run':{}}|/secret",
        "{'name':'n','sender':'github','secret':'S'}|/run",
        "{'name':'n','sender':'github','secret':'S','run':[]}|/run",
        "{'name':'n','sender':'hmac','secret':'S','run':{}}|/hmac/header",
        "{'name':'n','sender':'hmac','secret':'S','hmac':{'header':'a b'},'run':{}}|/hmac/header",
        "{'name':'n','sender':'hmac','secret':'S','hmac':{'header':'a','encoding':'md5'},'run':{}}|/hmac/encoding",
        "{'name':'n','sender':'hmac','secret':'S','hmac':{'header':'a','timestamp_header':'t','timestamp_pointer':'/t'},'run':{}}|/hmac/timestamp_pointer",
        "{'name':'n','sender':'github','secret':'S','hmac':{'header':'a'},'run':{}}|/hmac",
        "{'name':'n','sender':'hmac','secret':'S','hmac':{'header':'X-Sig'},'run':{'prompt':'{{header:x-sig}}'}}|/hmac",
        "{'name':'n','sender':'hmac','secret':'S','hmac':{'header':'X-Sig'},'when':[{'header':'X-SIG','exists':true}],'run':{}}|/hmac",
        "{'name':'n','sender':'github','secret':'S','tolerance_seconds':0,'run':{}}|/tolerance_seconds",
        "{'name':'n','sender':'github','secret':'S','tolerance_seconds':3601,'run':{}}|/tolerance_seconds",
        "{'name':'n','sender':'github','secret':'S','enabled':1,'run':{}}|/enabled",
        "{'name':'n','sender':'github','secret':'S','allow':{'/a':'x'},'run':{}}|/allow/~1a",
        "{'name':'n','sender':'github','secret':'S','other':1,'run':{}}|/other",
      })
  void namesTheMemberThatIsWrong(String hook, String pointer) {
    assertEquals(pointer, Definitions.refused(Definitions.json(hook)).pointers().getFirst());
  }

  @Test
  void boundsAHook() {
    ObjectNode hook = Definitions.hook("github", "");
    ((ObjectNode) hook.path("run")).put("prompt", "x".repeat(HookLimits.HOOK_BYTES_MAX));

    assertEquals(ProblemCode.BODY_TOO_LARGE, Definitions.refused(hook).code());
  }

  @Test
  void readsAnIdOnlyInItsForm() {
    String token = "A".repeat(32);
    assertEquals("acme", HookId.parse("acme." + token).orElseThrow().tenant());
    assertEquals("hook:acme." + token, HookId.parse("acme." + token).orElseThrow().actor());
    assertTrue(HookId.parse("acme" + token).isEmpty());
    assertTrue(HookId.parse("Acme." + token).isEmpty());
    assertTrue(HookId.parse("acme." + token + "#").isEmpty());
    assertTrue(HookId.parse("acme." + token.substring(1)).isEmpty());
  }
}
