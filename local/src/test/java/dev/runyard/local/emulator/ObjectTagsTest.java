package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.core.ids.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectTagsTest {
  private final ObjectTags tags = new ObjectTags();
  @TempDir Path folder;

  private static byte[] hash(String content) {
    return Digest.begun().digest(content.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void areKnownFromThePutOnWithoutReadingTheObject() throws IOException {
    Path never = folder.resolve("never written");
    assertEquals(tags.put(never, hash("first")), tags.of(never));
    String second = tags.put(never, hash("second"));
    assertEquals(second, tags.of(never));
    assertNotEquals(tags.put(folder.resolve("other"), hash("first")), second);
  }

  @Test
  void areThoseOfThePutForAServerStartedLater() throws IOException {
    Path object = Files.writeString(folder.resolve("object"), "content");
    String put = tags.put(object, hash("content"));
    assertEquals(put, new ObjectTags().of(object));
  }

  @Test
  void areForgottenWithTheObject() {
    Path never = folder.resolve("never written");
    tags.put(never, hash("first"));
    tags.remove(never);
    assertThrows(NoSuchFileException.class, () -> tags.of(never));
  }
}
