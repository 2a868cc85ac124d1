package dev.runyard.local.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenFolderTest {
  private static final URI STACK = URI.create("http://127.0.0.1:7070");

  @TempDir private Path parent = Path.of("");

  private final AccessToken token = AccessToken.drawn(new SecureRandom());

  @Test
  void isForItsUserAlone() throws Exception {
    TokenFolder folder = folder();
    folder.leave(7070, token);
    assertEquals("rwx------", mode(folder.path()));
    assertEquals("rw-------", mode(folder.file(7070)));
    assertEquals(Optional.of(token.text()), folder.find(STACK));
  }

  @Test
  void closesAFolderAndAFileThatWereOpen() throws Exception {
    TokenFolder folder = folder();
    Files.createDirectories(folder.path());
    Files.setPosixFilePermissions(folder.path(), PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.writeString(folder.file(7070), "older");
    Files.setPosixFilePermissions(folder.file(7070), PosixFilePermissions.fromString("rw-rw-rw-"));
    folder.leave(7070, token);
    assertEquals("rwx------", mode(folder.path()));
    assertEquals("rw-------", mode(folder.file(7070)));
    assertEquals(Optional.of(token.text()), folder.find(STACK));
  }

  /// A link that somebody put at the file's place is replaced, not followed.
  @Test
  void writesNoOtherFile() throws Exception {
    TokenFolder folder = folder();
    Files.createDirectories(folder.path());
    Path other = Files.writeString(parent.resolve("other"), "other");
    Files.createSymbolicLink(folder.file(7070), other);
    folder.leave(7070, token);
    assertEquals("other", Files.readString(other));
    assertFalse(Files.isSymbolicLink(folder.file(7070)));
  }

  @Test
  void takesAwayOnlyItsOwnToken() throws Exception {
    TokenFolder folder = folder();
    TokenFolder.Left first = folder.leave(7070, token);
    TokenFolder.Left second = folder.leave(7070, AccessToken.drawn(new SecureRandom()));
    first.close();
    assertTrue(folder.find(STACK).isPresent());
    second.close();
    second.close();
    assertEquals(Optional.empty(), folder.find(STACK));
    assertEquals(0, Objects.requireNonNull(folder.path().toFile().list()).length);
  }

  @Test
  void tellsNoOtherAddress() throws Exception {
    TokenFolder folder = folder();
    folder.leave(7070, token);
    folder.leave(80, AccessToken.drawn(new SecureRandom()));
    assertEquals(Optional.of(token.text()), folder.find(URI.create("http://localhost:7070/")));
    assertNotEquals(folder.find(STACK), folder.find(URI.create("http://127.0.0.1")));
    for (String other :
        new String[] {
          "http://127.0.0.1:7071",
          "https://127.0.0.1:7070",
          "http://[::1]:7070",
          "http://127.0.0.2:7070",
          "http://example.invalid:7070",
          "http://127.0.0.1.example.invalid:7070"
        }) {
      assertEquals(Optional.empty(), folder.find(URI.create(other)), other);
    }
  }

  @Test
  void saysThatATokenCannotBeRead() throws Exception {
    TokenFolder folder = folder();
    Files.createDirectories(folder.file(7070));
    assertThrows(IOException.class, () -> folder.find(STACK));
  }

  @Test
  void saysThatATokenCannotBeLeft() throws Exception {
    Path file = Files.writeString(parent.resolve("file"), "");
    TokenFolder folder = new TokenFolder(file.resolve("tokens"));
    UncheckedIOException refused =
        assertThrows(UncheckedIOException.class, () -> folder.leave(7070, token));
    assertTrue(String.valueOf(refused.getMessage()).contains("RUNYARD_CACHE"));
    assertFalse(String.valueOf(refused.getMessage()).contains(token.text()));
  }

  @Test
  void aTokenIsDifferentEachTimeAndNotToldByAccident() {
    assertEquals(43, token.text().length());
    assertNotEquals(token.text(), AccessToken.drawn(new SecureRandom()).text());
    assertFalse(token.toString().contains(token.text()));
  }

  private TokenFolder folder() {
    return new TokenFolder(parent.resolve("cache").resolve("tokens"));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
