package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Collections;
import java.util.List;
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

  @Test
  void readsWhatIsThere() {
    HookDefinition hook =
        Definitions.read(Definitions.hook("github", "'enabled':false,'tolerance_seconds':60"));

    assertEquals("n", hook.name());
    assertEquals(HookSender.GITHUB, hook.sender());
    assertEquals("S", hook.secret());
    assertFalse(hook.enabled());
    assertEquals(60, hook.toleranceSeconds());
    assertTrue(Definitions.read(Definitions.hook("github", "'enabled':true")).enabled());
  }

  @Test
  void boundsAName() {
    String longest = "é".repeat(HookLimits.NAME_BYTES_MAX / 2);

    assertEquals(longest, Definitions.read(named(longest)).name());
    for (String name : List.of("", longest + "a", "a\u001bb", "a\nb")) {
      assertEquals(List.of("/name"), Definitions.refused(named(name)).pointers(), name);
    }
  }

  @Test
  void boundsTheValuesOfAPlace() {
    String longest = "'%s'".formatted("x".repeat(HookLimits.FILTER_VALUE_BYTES_MAX));
    String most = String.join(",", Collections.nCopies(HookLimits.ALLOWED_VALUES_MAX, "'a'"));

    Definitions.read(allowing("[" + longest + "]"));
    Definitions.read(allowing("[" + most + "]"));
    for (String values :
        List.of(
            "'a'",
            "{'a':'b'}",
            "[]",
            "['']",
            "['a',1]",
            "[" + longest.replace("'x", "'xx") + "]",
            "[" + most + ",'a']")) {
      Problem problem = Definitions.refused(allowing(values));
      assertEquals(List.of("/allow/~1agent"), problem.pointers(), values);
      assertEquals(
          "allow has for each place a list of 1 to 64 texts of at most 1024 bytes",
          problem.detail());
    }
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

    int over = Bounds.bytes(hook.toString()) - HookLimits.HOOK_BYTES_MAX;
    ((ObjectNode) hook.path("run")).put("prompt", "x".repeat(HookLimits.HOOK_BYTES_MAX - over));
    Definitions.read(hook);
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

  private static ObjectNode named(String name) {
    return Definitions.hook("github", "").put("name", name);
  }

  private static ObjectNode allowing(String values) {
    return Definitions.run("{'agent':'{{/a}}','prompt':'p'}", "{'/agent':%s}".formatted(values));
  }
}
