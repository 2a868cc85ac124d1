package dev.runyard.core.hook;

import static dev.runyard.core.hook.HookRig.body;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HooksTest {
  private static final String HOOK = hook("{'agent':'echo','prompt':'Fix {{/title}}'}");

  private final HookRig rig = new HookRig();
  private final ContestedHooks store = new ContestedHooks();
  private final Hooks hooks = rig.hooks(store);

  @Test
  void makesOneHookForATokenThatWasDrawn() {
    String token = hooks.drawnToken();
    Hook made = written(hooks.create("acme", token, body(HOOK)));

    assertEquals(Optional.of(new HookId("acme", token)), HookId.parse("acme." + token));
    assertEquals(
        new Hook(
            new HookId("acme", token),
            1,
            Definitions.json(HOOK),
            rig.clock.instant(),
            rig.clock.instant()),
        made);
    assertEquals(made, written(hooks.create("acme", token, body(HOOK.replace("'n'", "'other'")))));
    assertEquals(List.of(made), hooks.list("acme"));
    assertNotEquals(token, hooks.drawnToken());
  }

  @Test
  void leavesOutAMemberThatIsNull() {
    Hook made = made(HOOK.replace("'name'", "'enabled':null,'name'"));

    assertEquals(Definitions.json(HOOK), made.definition());
  }

  @Test
  void findsTheHookOfAnotherWhoMadeItAtTheSameTime() {
    store.contested(hook -> named(hook, "theirs"));
    String token = hooks.drawnToken();

    Hook found = written(hooks.create("acme", token, body(HOOK)));

    assertEquals("theirs", found.definition().path("name").textValue());
    assertEquals(List.of(found), hooks.list("acme"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'name':'n','sender':'bitbucket','secret':'S','run':{}}|/sender",
        "{'name':'n','sender':'github','secret':'T','run':{'agent':'echo','prompt':'p'}}|/secret",
        "{'name':'n','sender':'github','secret':'S','run':{'agent':'echo'}}|/run/prompt",
        "{'name':'n','sender':'github','secret':'S','run':{'agent':'nobody','prompt':'p'}}|/run/agent",
        "{'name':'n','sender':'github','secret':'S','run':{'agent':'echo','prompt':'{{/a}}','working_dir':'/etc'}}|/run/working_dir",
      })
  void makesNoHookOfWhichNoRunCouldBe(String hook, String pointer) {
    Problem problem = rejected(hooks.create("acme", hooks.drawnToken(), body(hook)));

    assertEquals(List.of(pointer), problem.pointers(), problem.detail());
    assertEquals(Optional.of(problem), hooks.refusal(body(hook)));
    assertEquals(List.of(), hooks.list("acme"));
  }

  @Test
  void saysOfABodyAloneWhetherItCanMakeAHook() {
    assertEquals(Optional.empty(), hooks.refusal(body(HOOK)));
    assertEquals(ProblemCode.MALFORMED_JSON, hooks.refusal(body("[]")).orElseThrow().code());
    assertEquals(
        ProblemCode.MALFORMED_JSON,
        rejected(hooks.create("acme", hooks.drawnToken(), body("[]"))).code());
  }

  @Test
  void makesNoMoreThanATenantMayHave() {
    Hook first = made(HOOK);
    for (int i = 1; i < HookLimits.HOOKS_MAX; i++) {
      made(HOOK);
    }

    Problem full = rejected(hooks.create("acme", hooks.drawnToken(), body(HOOK)));

    assertEquals(ProblemCode.HOOKS_FULL, full.code());
    assertEquals(HookLimits.HOOKS_MAX, hooks.list("acme").size());
    written(hooks.create("other", hooks.drawnToken(), body(HOOK)));
    assertTrue(hooks.delete("acme", first.id().text()));
    made(HOOK);
  }

  @Test
  void changesMembersAndTakesAwayThoseThatAreNull() {
    Hook before = made(HOOK.replace("'name'", "'tolerance_seconds':60,'name'"));
    rig.clock.advance(Duration.ofHours(1));

    Hook after =
        written(
            hooks.change(
                "acme", before.id().text(), body("{'name':'m','tolerance_seconds':null}")));

    assertEquals(
        new Hook(
            before.id(),
            2,
            Definitions.json(HOOK.replace("'n'", "'m'")),
            before.createdAt(),
            rig.clock.instant()),
        after);
    assertEquals(Optional.of(after), hooks.find("acme", before.id().text()));
  }

  @Test
  void leavesAHookAsItWasIfTheChangeIsNone() {
    Hook before = made(HOOK);
    String id = before.id().text();

    assertEquals(
        List.of("/secret"), rejected(hooks.change("acme", id, body("{'secret':'T'}"))).pointers());
    assertEquals(ProblemCode.MALFORMED_JSON, rejected(hooks.change("acme", id, body("{"))).code());
    assertEquals(Optional.of(before), hooks.find("acme", id));
  }

  @Test
  void changesWhatOthersHaveChangedMeanwhile() {
    Hook before = made(HOOK);
    for (int i = 0; i < 4; i++) {
      store.contested(hook -> enabled(hook, before, false));
    }

    Hook after = written(hooks.change("acme", before.id().text(), body("{'name':'m'}")));

    assertEquals("m", after.definition().path("name").textValue());
    assertFalse(after.definition().path("enabled").booleanValue(), "theirs");
    assertEquals(6, after.version());
  }

  @Test
  void givesUpWhileOthersKeepChangingAHook() {
    Hook before = made(HOOK);
    for (int i = 0; i < 5; i++) {
      store.contested(hook -> enabled(hook, before, false));
    }

    assertThrows(
        PortUnavailable.class,
        () -> hooks.change("acme", before.id().text(), body("{'name':'m'}")));
  }

  @Test
  void deletesAHookOnce() {
    Hook made = made(HOOK);

    assertTrue(hooks.delete("acme", made.id().text()));

    assertFalse(hooks.delete("acme", made.id().text()));
    assertEquals(Optional.empty(), hooks.find("acme", made.id().text()));
    assertInstanceOf(
        Hooks.Result.Absent.class, hooks.change("acme", made.id().text(), body("{'name':'m'}")));
  }

  @Test
  void showsNoTenantTheHooksOfAnother() {
    Hook made = made(HOOK);
    String id = made.id().text();

    assertEquals(Optional.empty(), hooks.find("other", id));
    assertEquals(List.of(), hooks.list("other"));
    assertInstanceOf(Hooks.Result.Absent.class, hooks.change("other", id, body("{'name':'m'}")));
    assertFalse(hooks.delete("other", id));
    assertEquals(Optional.of(made), hooks.find("acme", id));
  }

  private static String hook(String run) {
    return "{'name':'n','sender':'github','secret':'S','run':%s}".formatted(run);
  }

  private Hook made(String hook) {
    return written(hooks.create("acme", hooks.drawnToken(), body(hook)));
  }

  private static Hook written(Hooks.Result result) {
    return assertInstanceOf(Hooks.Result.Written.class, result, result.toString()).hook();
  }

  private static Problem rejected(Hooks.Result result) {
    return assertInstanceOf(Hooks.Result.Rejected.class, result).problem();
  }

  private static Hook named(Hook hook, String name) {
    return with(hook, hook.definition().deepCopy().put("name", name));
  }

  /// What somebody else writes who read the hook before.
  private static Hook enabled(Hook next, Hook before, boolean enabled) {
    return with(next, before.definition().deepCopy().put("enabled", enabled));
  }

  private static Hook with(Hook hook, ObjectNode definition) {
    Instant now = hook.updatedAt();
    return new Hook(hook.id(), hook.version(), definition, hook.createdAt(), now);
  }
}
