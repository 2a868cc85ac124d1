package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.hook.Hook;
import dev.runyard.core.hook.HookId;
import dev.runyard.core.hook.HookStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [HookStore] promises.
public abstract class HookStoreContract {
  private HookStore hooks;
  private String tenant = "";

  /// The store under test; it may hold hooks of other tenants.
  protected abstract HookStore hookStore();

  @BeforeEach
  void open() {
    hooks = hookStore();
    tenant = SampleRuns.tenant();
  }

  @Test
  void hasWhatWasWritten() {
    Hook hook = hook("a", 1, "größe \"x\" {{/a}}");

    assertEquals(Optional.empty(), hooks.find(hook.id()));
    assertTrue(hooks.write(hook));
    assertEquals(Optional.of(hook), hooks.find(hook.id()));
    assertEquals(List.of(hook), hooks.list(tenant));
  }

  @Test
  void writesOnlyAfterTheVersionBefore() {
    Hook first = hook("a", 1, "one");
    Hook second = hook("a", 2, "two");

    assertFalse(hooks.write(second));
    assertTrue(hooks.write(first));
    assertFalse(hooks.write(first));
    assertTrue(hooks.write(second));
    assertFalse(hooks.write(second));
    assertEquals(Optional.of(second), hooks.find(first.id()));
  }

  @Test
  void letsOneOfManyWritersWin() throws Exception {
    hooks.write(hook("a", 1, "first"));
    List<Boolean> won = Race.run(i -> hooks.write(hook("a", 2, "by " + i)));

    assertEquals(1, won.stream().filter(Boolean::booleanValue).count());
    assertEquals(Optional.of(hook("a", 2, "by " + won.indexOf(true))), hooks.find(id("a")));
  }

  @Test
  void forgetsWhatIsDeletedForGood() {
    Hook hook = hook("a", 1, "one");
    hooks.write(hook);

    assertTrue(hooks.delete(hook.id()));
    assertFalse(hooks.delete(hook.id()));
    assertEquals(Optional.empty(), hooks.find(hook.id()));
    assertEquals(List.of(), hooks.list(tenant));
    assertFalse(hooks.write(hook("a", 2, "two")));
  }

  @Test
  void listsTheHooksOfOneTenantInOrder() {
    List<Hook> written = IntStream.range(0, 5).mapToObj(i -> hook("h" + i, 1, "n")).toList();
    written.reversed().forEach(hooks::write);
    hooks.write(
        new Hook(
            new HookId(SampleRuns.tenant(), "h0"),
            1,
            JsonNodeFactory.instance.objectNode(),
            SampleRuns.START,
            SampleRuns.START));

    assertEquals(written, hooks.list(tenant));
  }

  private HookId id(String token) {
    return new HookId(tenant, token);
  }

  private Hook hook(String token, long version, String name) {
    return new Hook(
        id(token),
        version,
        JsonNodeFactory.instance.objectNode().put("name", name),
        SampleRuns.START,
        SampleRuns.START.plusSeconds(version));
  }
}
