package dev.runyard.local.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptTest {

  @Test
  void readsEveryDirective() {
    String text =
        "Please [[sh ls -l]] and [[write a/b.txt|one\\ntwo]] then [[call grep {\"q\":[[1]]}]]"
            + " [[say Hi]] [[slow 3 20]] [[think Hm]] [[usage 5 6]] [[delay 7]] [[status 503 x2]]"
            + " [[fail insufficient_quota]] [[hang]] [[drop]]";
    assertEquals(
        List.of(
            new Directive.Sh("sh ls -l", "ls -l"),
            new Directive.Write("write a/b.txt|one\\ntwo", "a/b.txt", "one\ntwo"),
            new Directive.Call("call grep {\"q\":[[1]]}", "grep", "{\"q\":[[1]]}"),
            new Directive.Say("say Hi", "Hi"),
            new Directive.Slow("slow 3 20", 3, 20, "1 2 3"),
            new Directive.Think("think Hm", "Hm"),
            new Directive.Usage("usage 5 6", new Tokens(5, 6, 0, 0)),
            new Directive.Delay("delay 7", 7),
            new Directive.Status("status 503 x2", 503, 2),
            new Directive.Fail("fail insufficient_quota", "insufficient_quota"),
            new Directive.Hang("hang"),
            new Directive.Drop("drop")),
        Script.parse(text).directives());
  }

  @Test
  void keepsBracketsThatBelongToTheBody() {
    assertEquals(
        List.of(
            new Directive.Sh("sh [[ -f x ]] && echo yes", "[[ -f x ]] && echo yes"),
            new Directive.Say("say [a]", "[a]")),
        Script.parse("[[sh [[ -f x ]] && echo yes]] [[say [a]]]").directives());
  }

  @Test
  void readsADirectiveOverSeveralLines() {
    assertEquals(
        List.of(new Directive.Say("say one\ntwo", "one\ntwo")),
        Script.parse("[[say one\ntwo]]").directives());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "no script", "[[link]]", "[[Say x]]", "[[saying x]]", "[[say x", "]]"})
  void leavesOtherTextAlone(String text) {
    assertTrue(Script.parse(text).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[sh]]",
        "[[write a.txt]]",
        "[[write |x]]",
        "[[call]]",
        "[[say]]",
        "[[slow x]]",
        "[[slow 0 1]]",
        "[[slow 100001 1]]",
        "[[slow 1 60001]]",
        "[[think]]",
        "[[usage 1]]",
        "[[delay 600001]]",
        "[[status 200]]",
        "[[status 500 x0]]",
        "[[status 500 x1001]]",
        "[[fail Not Code]]",
        "[[hang on]]",
        "[[drop it]]"
      })
  void saysWhichFormAnUnclearDirectiveShouldHave(String text) {
    var directive = Script.parse(text).directives().getFirst();
    var unclear = assertInstanceOf(Directive.Unclear.class, directive);
    assertTrue(DirectiveForm.usages().contains(unclear.expected()), unclear.expected());
  }

  @Test
  void findsADirectiveInsideOtherBrackets() {
    assertEquals(
        List.of(new Directive.Say("say x", "x")), Script.parse("[[note [[say x]]]]").directives());
  }

  @Test
  void stopsAtTheMostDirectives() {
    String text = "[[say x]]".repeat(Script.DIRECTIVES_MAX + 1);
    assertEquals(Script.DIRECTIVES_MAX, Script.parse(text).directives().size());
  }

  @Test
  void closesAStepWithAToolCallOrAnEnding() {
    String text = "[[think a]] [[say b]] [[sh c]] [[status 500 x1]] [[say d]] [[drop]] [[say e]]";
    assertEquals(
        List.of(
            List.of("think a", "say b", "sh c"),
            List.of("status 500 x1", "say d", "drop"),
            List.of("say e")),
        Script.parse(text).steps().stream()
            .map(step -> step.stream().map(Directive::source).toList())
            .toList());
  }
}
