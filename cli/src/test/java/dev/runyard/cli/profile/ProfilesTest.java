package dev.runyard.cli.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.client.Identification;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProfilesTest {
  private static final URI SERVER = URI.create("https://api.example.com/live");

  @TempDir private Path folder = Path.of("");

  @Test
  void keepsEachKindForThisUserAlone() throws IOException {
    Profile key = new Profile("a", SERVER, new Identification.Bearer("ry_secret"));
    Profile aws =
        new Profile("b", SERVER, new Identification.Aws(Optional.of("work"), "eu-central-1"));
    Profile none = new Profile("c", SERVER, new Identification.None());
    List.of(none, aws, key).forEach(profiles()::put);
    assertEquals(List.of(key, aws, none), List.copyOf(profiles().all()));
    assertEquals("rw-------", rights(profiles().file()));
    assertEquals("rwx------", rights(folder.resolve("config")));
  }

  @Test
  void replacesAndForgetsByName() {
    profiles().put(new Profile("a", SERVER, new Identification.Bearer("one")));
    profiles().put(new Profile("a", SERVER, new Identification.Bearer("two")));
    assertEquals(
        Optional.of(new Identification.Bearer("two")),
        profiles().find("a").map(Profile::authentication));
    assertTrue(profiles().remove("a"));
    assertFalse(profiles().remove("a"));
    assertEquals(Optional.empty(), profiles().find("a"));
  }

  @Test
  void takesNoFileThatOthersMayUse() throws IOException {
    profiles().put(new Profile("a", SERVER, new Identification.Bearer("ry_secret")));
    Files.setPosixFilePermissions(profiles().file(), PosixFilePermissions.fromString("rw-r-----"));
    assertTrue(refusal().contains("chmod 600"), refusal());
  }

  @Test
  void repeatsNoKeyOfABrokenFile() throws IOException {
    profiles().put(new Profile("a", SERVER, new Identification.Bearer("ry_secret")));
    for (String broken :
        List.of(
            "{\"profiles\":{\"a\":{\"key\":\"ry_secret\" oops",
            "{\"profiles\":{\"a\":{\"url\":\"https://x\",\"authentication\":\"key\",\"key\":\"ry_sec ret\"}}}",
            "{\"profiles\":{\"a\":{\"url\":\"ry_secret\",\"authentication\":\"key\"}}}",
            "{\"profiles\":{\"a\":{\"url\":\"https://x\",\"authentication\":\"odd\"}}}")) {
      Files.writeString(profiles().file(), broken);
      assertFalse(refusal().contains("ry_sec"), refusal());
    }
  }

  @Test
  void isForOneServerOnly() {
    Profile profile = new Profile("a", SERVER, new Identification.None());
    for (String same :
        List.of("https://api.example.com/live", "https://API.example.com:443/live")) {
      assertTrue(profile.isFor(URI.create(same)), same);
    }
    for (String other :
        List.of(
            "http://api.example.com/live",
            "https://api.example.com",
            "https://api.example.com:8443/live",
            "https://api.example.com.evil.example/live")) {
      assertFalse(profile.isFor(URI.create(other)), other);
    }
  }

  @Test
  void readsAddressesAndTheirRegions() {
    assertEquals(
        Optional.of("eu-central-1"),
        ServerAddress.read("https://abc.execute-api.eu-central-1.amazonaws.com/live/")
            .flatMap(ServerAddress::region));
    assertEquals(
        Optional.empty(),
        ServerAddress.read("https://abc.execute-api.eu-central-1.amazonaws.com.evil.example")
            .flatMap(ServerAddress::region));
    for (String unusable :
        List.of(
            "ftp://x", "x", "https:///x", "https://u:p@x", "https://x?y", "https://x#y", "h t")) {
      assertEquals(Optional.empty(), ServerAddress.read(unusable), unusable);
    }
  }

  private String refusal() {
    return String.valueOf(
        assertThrows(IllegalStateException.class, () -> profiles().all()).getMessage());
  }

  private Profiles profiles() {
    return Profiles.of(Map.of("RUNYARD_CONFIG", folder.resolve("config").toString()));
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
