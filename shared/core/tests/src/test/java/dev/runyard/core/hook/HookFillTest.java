package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HookFillTest {
  private static final String NOT_ALLOWED =
      "The delivery has a value here that the hook does not allow";
  private static final String GIT =
      "{'agent':'codex','prompt':'p','workspace':{'git':{'url':'{{/x}}'}}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|The delivery has nothing at /x",
        "{'x':null}|The delivery has nothing at /x",
        "{'x':['a']}|The delivery has no text, number or boolean at /x",
        "{'x':'a\\nb'}|The delivery has control characters at /x",
        "{'x':'file:///etc'}|The delivery has at /x what no address may have",
        "{'x':'https://h/b'}|The delivery has a value here that the hook does not allow",
      })
  void saysWhyAValueCannotStandInAnAddress(String delivery, String detail) {
    assertEquals(detail, refused(GIT, "{'/workspace/git/url':['https://h/a']}", delivery));
  }

  @Test
  void keepsTheLinesOfProseAndNoOtherControlCharacters() {
    assertEquals(
        "a\nb\tc\rde",
        filled("{'agent':'codex','prompt':'{{/x}}'}", "", "{'x':'a\\nb\\tc\\rd\\u001b\\u0007e'}")
            .path("prompt")
            .textValue());
  }

  @Test
  void restrictsProseAndNamesWhereTheHookListsTheirValues() {
    String run = "{'agent':'codex','prompt':'{{/x}}','session_id':'{{?/s}}'}";
    String allow = "{'/prompt':['one','two'],'/session_id':['s-1']}";

    ObjectNode filled = filled(run, allow, "{'x':'two','s':'s-1'}");

    assertEquals("two", filled.path("prompt").textValue());
    assertEquals("s-1", filled.path("session_id").textValue());
    assertEquals(NOT_ALLOWED, refused(run, allow, "{'x':'three','s':'s-1'}"));
    assertEquals(NOT_ALLOWED, refused(run, allow, "{'x':'one','s':'s-2'}"));
  }

  @Test
  void leavesOutANameThatNeedNotBeThere() {
    String run = "{'agent':'codex','prompt':'p','session_id':'{{?/s}}'}";

    assertTrue(filled(run, "", "{}").path("session_id").isMissingNode());
    assertEquals("s-1", filled(run, "", "{'s':'s-1'}").path("session_id").textValue());
  }

  @Test
  void keepsTheKindOfAChoice() {
    String run = "{'agent':'codex','prompt':'p','extensions':{'k':'{{/x}}','l':'v{{/x}}'}}";
    String allow = "{'/extensions/k':['1','true'],'/extensions/l':['v1','vtrue']}";

    assertTrue(filled(run, allow, "{'x':1}").at("/extensions/k").isInt());
    assertTrue(filled(run, allow, "{'x':true}").at("/extensions/k").isBoolean());
    assertTrue(filled(run, allow, "{'x':'1'}").at("/extensions/k").isTextual());
    assertEquals("v1", filled(run, allow, "{'x':1}").at("/extensions/l").textValue());
  }

  @Test
  void putsEscapedBracesAlsoWhereNoValueMayStand() {
    ObjectNode filled =
        filled(
            "{'agent':'codex','prompt':'p','extensions':{'k':'a{{{{b'},'requires':['c{{{{']}",
            "",
            "{}");

    assertEquals("a{{b", filled.at("/extensions/k").textValue());
    assertEquals("c{{", filled.at("/requires/0").textValue());
  }

  @Test
  void putsSomethingHarmlessInEachPlaceOfASample() {
    assertEquals(
        Definitions.json(
            "{'agent':'codex','prompt':'Fix x','extensions':{'k':'a/'},"
                + "'workspace':{'git':{'url':'https://h/acme/x','ref':'x'}}}"),
        sample(
            "{'agent':'{{/a}}','prompt':'Fix {{/b}}','extensions':{'k':'{{/c}}'},"
                + "'workspace':{'git':{'url':'https://h/acme/{{/d}}','ref':'{{/e}}'}}}",
            "{'/agent':['codex','echo'],'/extensions/k':['a/']}"));
  }

  @ParameterizedTest
  @CsvSource({
    "https://h/acme/,https://h/acme/x",
    "git@h:,git@h:x",
    "https://h/one.git,https://h/one.git",
  })
  void makesAnAddressOfTheFirstThatIsAllowed(String first, String address) {
    assertEquals(
        address,
        sample(GIT, "{'/workspace/git/url':['%s','https://h/other/']}".formatted(first))
            .at("/workspace/git/url")
            .textValue());
  }

  private static ObjectNode sample(String run, String allow) {
    return Definitions.read(Definitions.run(run, allow)).template().sample();
  }

  private static ObjectNode filled(String run, String allow, String delivery) {
    return assertInstanceOf(HookTemplate.Filling.Filled.class, fill(run, allow, delivery)).body();
  }

  private static String refused(String run, String allow, String delivery) {
    return assertInstanceOf(HookTemplate.Filling.Unfit.class, fill(run, allow, delivery))
        .problem()
        .detail();
  }

  private static HookTemplate.Filling fill(String run, String allow, String delivery) {
    return Definitions.read(Definitions.run(run, allow))
        .template()
        .fill(Definitions.payload(Map.of(), delivery.replace('\'', '"')));
  }
}
