package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.ArtifactStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [ArtifactStore] promises.
public abstract class ArtifactStoreContract {
  private static final int LARGE_BYTES = 5 * 1024 * 1024;
  private ArtifactStore store;
  private String tenant = "";

  /// The store under test; it may hold objects of other tenants.
  protected abstract ArtifactStore artifactStore();

  @BeforeEach
  void open() {
    store = artifactStore();
    tenant = SampleRuns.tenant();
  }

  @Test
  void hasNothingThatWasNotPut() {
    assertEquals(Optional.empty(), store.get(tenant + "/a/b"));
  }

  @Test
  void givesBackWhatWasPut() {
    store.put(tenant + "/a/b.zip", bytes("one"));
    store.put(tenant + "/a", bytes("two"));

    assertEquals("one", text(tenant + "/a/b.zip"));
    assertEquals("two", text(tenant + "/a"));
  }

  @Test
  void keepsTheLastPut() {
    store.put(tenant + "/a", bytes("a longer one"));
    store.put(tenant + "/a", bytes("short"));

    assertEquals("short", text(tenant + "/a"));
  }

  @Test
  void keepsNothingAndMuch() {
    byte[] much = new byte[LARGE_BYTES];
    new Random(1).nextBytes(much);
    store.put(tenant + "/nothing", new byte[0]);
    store.put(tenant + "/much", much);

    assertEquals("", text(tenant + "/nothing"));
    assertArrayEquals(much, store.get(tenant + "/much").orElseThrow());
  }

  @Test
  void deletesOnceAndAgain() {
    store.put(tenant + "/a", bytes("one"));
    store.delete(tenant + "/a");
    store.delete(tenant + "/a");

    assertEquals(Optional.empty(), store.get(tenant + "/a"));
  }

  @Test
  void replacesWhatIsStillThere() {
    String key = tenant + "/a";
    assertTrue(store.replace(key, Optional.empty(), bytes("one")));
    Optional<String> first = version(key);
    assertTrue(store.replace(key, first, bytes("two")));

    assertFalse(store.replace(key, first, bytes("three")));
    assertFalse(store.replace(key, Optional.empty(), bytes("four")));
    assertEquals("two", text(key));
    assertTrue(store.replace(key, version(key), bytes("five")));
    assertEquals("five", text(key));
  }

  @Test
  void replacesNothingThatIsGone() {
    String key = tenant + "/a";
    assertEquals(Optional.empty(), version(key));
    store.put(key, bytes("one"));
    Optional<String> first = version(key);
    store.delete(key);

    assertFalse(store.replace(key, first, bytes("two")));
    assertEquals(Optional.empty(), store.get(key));
    assertTrue(store.replace(key, Optional.empty(), bytes("three")));
    assertEquals("three", text(key));
  }

  @Test
  void recognisesItsOwnEarlierTry() {
    String key = tenant + "/a";
    store.put(key, bytes("one"));
    Optional<String> first = version(key);
    assertTrue(store.replace(key, first, bytes("two")));

    assertTrue(store.replace(key, first, bytes("two")));
  }

  @Test
  void letsExactlyOneOfManyReplaceAnObject() throws Exception {
    String key = tenant + "/a";
    store.put(key, bytes("one"));
    Optional<String> first = version(key);

    List<Boolean> replaced =
        Race.run(number -> store.replace(key, first, bytes("writer " + number)));

    assertEquals(1, replaced.stream().filter(won -> won).count());
  }

  @Test
  void keepsTenantsApart() {
    store.put(tenant + "/a", bytes("one"));

    assertEquals(Optional.empty(), store.get(SampleRuns.tenant() + "/a"));
  }

  @Test
  void refusesWhatIsNoKey() {
    for (String key :
        List.of(
            "",
            "a",
            "/a",
            "a/",
            tenant + "//a",
            tenant + "/../b",
            tenant + "/a b",
            "x/é",
            tenant + "/./a",
            tenant + "/" + "a".repeat(1024))) {
      assertThrows(IllegalArgumentException.class, () -> store.get(key), key);
      assertThrows(IllegalArgumentException.class, () -> store.put(key, new byte[1]), key);
      assertThrows(IllegalArgumentException.class, () -> store.delete(key), key);
    }
  }

  private Optional<String> version(String key) {
    return store.find(key).map(ArtifactStore.Versioned::version);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String text(String key) {
    return new String(store.get(key).orElseThrow(), StandardCharsets.UTF_8);
  }
}
