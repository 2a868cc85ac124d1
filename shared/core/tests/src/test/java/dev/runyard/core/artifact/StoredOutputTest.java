package dev.runyard.core.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.core.ids.RunKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StoredOutputTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");

  @Test
  void isAKeyOfItsRun() {
    String key = new StoredOutput(RUN, "out1-Ab_9").key();
    assertEquals("acme/runs/019c0000-0000-7000-8000-000000000001/outputs/out1-Ab_9", key);
    assertEquals(key, ArtifactStore.checked(key));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "../x", "a.b", "ä", "a b", "a\nb"})
  void hasNoPathInItsId(String id) {
    assertFalse(StoredOutput.isId(id));
    assertThrows(IllegalArgumentException.class, () -> new StoredOutput(RUN, id));
  }
}
