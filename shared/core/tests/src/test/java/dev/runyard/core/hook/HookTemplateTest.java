package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HookTemplateTest {
  private static final String GIT =
      "{'agent':'codex','prompt':'p','workspace':{'git':{'url':'%s'}}}";

  @Test
  void putsValuesInItsPlaces() {
    ObjectNode filled =
        filled(
            "{'agent':'codex','prompt':'Fix {{/issue/title}} ({{/issue/number}}, {{header:X-Event}})',"
                + "'session_id':'gh-{{/issue/number}}','tags':{'by':'{{/who}}'},"
                + "'workspace':{'git':{'url':'https://github.com/{{/repo}}.git','ref':'{{/ref}}'},"
                + "'publish':{'branch':'agent/{{/issue/number}}','message':'For {{/issue/title}}',"
                + "'pull_request':{'title':'{{/issue/title}}','body':'{{/issue/body}}','base':'{{/ref}}'}}}}",
            "",
            "{'issue':{'title':'it breaks','number':7,'body':'Often.'},'who':'ann','repo':'acme/shop','ref':'main'}");

    assertEquals("Fix it breaks (7, issues)", filled.path("prompt").textValue());
    assertEquals("gh-7", filled.path("session_id").textValue());
    assertEquals("ann", filled.at("/tags/by").textValue());
    assertEquals("https://github.com/acme/shop.git", filled.at("/workspace/git/url").textValue());
    assertEquals("main", filled.at("/workspace/git/ref").textValue());
    assertEquals("agent/7", filled.at("/workspace/publish/branch").textValue());
    assertEquals("it breaks", filled.at("/workspace/publish/pull_request/title").textValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{/secret}}",
        "{{{{/secret}}}}",
        "{{header:X-Event}}",
        "{{?/secret}}",
        "}}{{",
        "\\u007b\\u007b/secret}}"
      })
  void neverReadsAValueAsATemplate(String hostile) {
    ObjectNode filled =
        filled(
            "{'agent':'codex','prompt':'{{/text}}'}",
            "",
            "{'text':'%s','secret':'never'}".formatted(hostile));

    assertEquals(
        hostile.replace("\\u007b", "{"), filled.path("prompt").textValue(), "as it was sent");
  }

  @Test
  void writesTwoBracesWhereTheTemplateEscapesThem() {
    assertEquals(
        "say {{/text}}: hello {{",
        filled(
                "{'agent':'codex','prompt':'say {{{{/text}}: {{/text}} {{{{'}",
                "",
                "{'text':'hello'}")
            .path("prompt")
            .textValue());
  }

  @Test
  void cutsProseAndCleansIt() {
    String run =
        "{'agent':'codex','prompt':'{{/text}}{{/text}}','workspace':{'git':{'url':'https://h/r'},"
            + "'publish':{'branch':'b','pull_request':{'title':'{{/line}}'}}}}";
    ObjectNode filled =
        filled(
            run,
            "",
            "{'text':'%s','line':'a\\nb\\u001b[2Jc%s'}"
                .formatted("x".repeat(1_000_000), "y".repeat(400)));

    String prompt = filled.path("prompt").textValue();
    assertTrue(Bounds.bytes(prompt) <= 2 * HookLimits.VALUE_BYTES_MAX, "bounded");
    assertTrue(prompt.endsWith(Bounds.TRUNCATED));
    String title = filled.at("/workspace/publish/pull_request/title").textValue();
    assertTrue(title.startsWith("a b [2Jc"), title);
    assertTrue(Bounds.bytes(title) <= Limits.PULL_TITLE_BYTES_MAX);
  }

  @Test
  void leavesOutProseThatSaysNothingButNotWhatMustBeThere() {
    String run =
        "{'agent':'codex','prompt':'{{/t}}','workspace':{'git':{'url':'https://h/r'},'publish':"
            + "{'branch':'b','pull_request':{'title':'{{/t}}','body':'{{/body}}'}}}}";

    assertTrue(
        filled(run, "", "{'t':'t','body':null}")
            .at("/workspace/publish/pull_request/body")
            .isMissingNode());
    assertEquals("/workspace/publish/pull_request/body", refused(run, "", "{'t':'t'}"));
    assertEquals(
        "t",
        filled(run.replace("{{/body}}", "{{?/body}}"), "", "{'t':'t'}").path("prompt").textValue());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https://github.com/{{/x}}|acme/../../evil/x",
        "https://github.com/{{/x}}|..",
        "https://github.com/acme/{{/x}}|../evil/shop",
        "https://github.com/acme/{{/x}}|%2e%2e/evil",
        "https://github.com/acme/.{{/x}}|./evil",
        "https://github.com/{{/x}}|a?b",
        "https://github.com/{{/x}}|a#b",
        "https://github.com/{{/x}}|a@evil.example/b",
        "https://github.com/{{/x}}|a:b",
        "https://github.com/{{/x}}|a b",
        "https://github.com/{{/x}}|a\\b",
        "git@github.com:{{/x}}|../../etc",
      })
  void letsNoValueLeadOutOfAnAddress(String url, String value) {
    assertEquals(
        "/workspace/git/url",
        refused(GIT.formatted(url), "", "{'x':'%s'}".formatted(value.replace("\\", "\\\\"))));
  }

  @Test
  void comparesWholeAddressesWithThoseAllowed() {
    String run = GIT.formatted("{{/x}}");
    String allow = "{'/workspace/git/url':['https://github.com/acme/','https://h/one.git']}";

    assertEquals(
        "https://github.com/acme/shop.git",
        filled(run, allow, "{'x':'https://github.com/acme/shop.git'}")
            .at("/workspace/git/url")
            .textValue());
    filled(run, allow, "{'x':'https://h/one.git'}");
    for (String other :
        List.of(
            "https://github.com/acme-evil/shop",
            "https://github.com/acme/../evil/shop",
            "https://github.com/Acme/shop",
            "https://h/one.git/../two",
            "https://h/one.gitx",
            "file:///etc",
            "/etc",
            "https://evil.example/https://github.com/acme/")) {
      assertEquals("/workspace/git/url", refused(run, allow, "{'x':'%s'}".formatted(other)), other);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'agent':'{{/x}}','prompt':'p'}",
        "{'agent':'codex','prompt':'p','extensions':{'a.b':'{{/x}}'}}",
        "{'agent':'codex','prompt':'p','workspace':{'git':{'url':'{{/x}}'}}}",
        "{'agent':'codex','prompt':'p','workspace':{'git':{'url':'https://{{/x}}/r'}}}",
        "{'agent':'codex','prompt':'p','workspace':{'git':{'url':'https://github.com{{/x}}'}}}",
        "{'agent':'codex','prompt':'p','workspace':{'git':{'url':'https://h/r','credential':'{{/x}}'}}}",
        "{'agent':'codex','prompt':'p','workspace':{'git':{'url':'https://h/r'},'setup':['{{/x}}']}}",
        "{'agent':'codex','prompt':'p','workspace':{'upload':{'id':'{{/x}}'}}}",
        "{'agent':'codex','prompt':'p','workspace':{'run':'{{/x}}'}}",
        "{'agent':'codex','prompt':'p','working_dir':'{{/x}}'}",
        "{'agent':'codex','prompt':'p','requires':['{{/x}}']}",
        "{'agent':'codex','prompt':'p','env':{'A':{'secret':'{{/x}}'}}}",
        "{'agent':'codex','prompt':'p','env':{'A':'plain'}}",
        "{'agent':'codex','prompt':'{{x}}'}",
        "{'agent':'codex','prompt':'{{/x'}",
        "{'agent':'codex','prompt':'{{header:Authorization}}'}",
        "{'agent':'codex','prompt':'{{header:X-Gitlab-Token}}'}",
        "{'agent':'codex','prompt':'{{header:X-Hub-Signature-256}}'}"
      })
  void refusesATemplateThatLetsADeliveryChooseTooMuch(String run) {
    Definitions.refused(Definitions.run(run, ""));
  }

  @Test
  void saysHowToBoundAPlace() {
    assertEquals(
        "allow must list the values that may stand here, for /agent",
        Definitions.refused(Definitions.run("{'agent':'{{/x}}','prompt':'p'}", "")).detail());
    assertEquals(
        "The server must stand before the first placeholder, or allow must list beginnings of"
            + " addresses for /workspace/git/url",
        Definitions.refused(Definitions.run(GIT.formatted("{{/x}}"), "")).detail());
  }

  @Test
  void takesAChoiceOnlyOfWhatIsListed() {
    String run = "{'agent':'{{/label}}','prompt':'p','extensions':{'k':'{{/n}}'}}";
    String allow = "{'/agent':['codex','echo'],'/extensions/k':['1','true']}";

    ObjectNode filled = filled(run, allow, "{'label':'echo','n':1}");
    assertEquals("echo", filled.path("agent").textValue());
    assertTrue(filled.at("/extensions/k").isInt(), "a number stays one");
    assertEquals("/agent", refused(run, allow, "{'label':'shell','n':1}"));
    assertEquals("/extensions/k", refused(run, allow, "{'label':'echo','n':2}"));
    assertEquals("/agent", refused(run, allow, "{'label':{'a':1},'n':1}"));
    assertEquals("/agent", refused(run, allow, "{'n':1}"));
  }

  @Test
  void refusesAllowForAPlaceWithoutPlaceholder() {
    assertEquals(
        List.of("/allow/~1agent"),
        Definitions.refused(Definitions.run(Definitions.RUN, "{'/agent':['codex']}")).pointers());
  }

  @Test
  void boundsItsPlaceholders() {
    String many = "{{/x}}".repeat(HookLimits.PLACEHOLDERS_MAX);
    Definitions.read(Definitions.run("{'agent':'codex','prompt':'" + many + "'}", ""));
    Definitions.refused(Definitions.run("{'agent':'codex','prompt':'" + many + "{{/x}}'}", ""));
  }

  @Test
  void putsOnlyNamesInPlacesOfNames() {
    String run = "{'agent':'codex','prompt':'p','session_id':'{{/x}}'}";
    for (String value : List.of("null", "{}", "[1]", "'a\\nb'")) {
      assertEquals("/session_id", refused(run, "", "{'x':%s}".formatted(value)), value);
    }
    assertEquals("true", filled(run, "", "{'x':true}").path("session_id").textValue());
  }

  private static ObjectNode filled(String run, String allow, String payload) {
    return assertInstanceOf(HookTemplate.Filling.Filled.class, fill(run, allow, payload)).body();
  }

  private static String refused(String run, String allow, String payload) {
    return assertInstanceOf(HookTemplate.Filling.Unfit.class, fill(run, allow, payload))
        .problem()
        .pointers()
        .getFirst();
  }

  private static HookTemplate.Filling fill(String run, String allow, String payload) {
    return Definitions.read(Definitions.run(run, allow))
        .template()
        .fill(Definitions.payload(Map.of("X-Event", "issues"), payload.replace('\'', '"')));
  }
}
