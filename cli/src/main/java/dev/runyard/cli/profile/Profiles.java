package dev.runyard.cli.profile;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The profiles of a user, in one file that only this user may use. No message repeats a key.
///
/// @param file may be absent: then there are none
public record Profiles(Path file) {
  static final String VARIABLE = "RUNYARD_CONFIG";
  private static final int FILE_BYTES_MAX = 1024 * 1024;
  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rw-------");
  private static final FileAttribute<Set<PosixFilePermission>> OWN_FILE =
      PosixFilePermissions.asFileAttribute(OWNERS);
  private static final Set<PosixFilePermission> OWN_FOLDER =
      PosixFilePermissions.fromString("rwx------");

  /// Those of the user with these variables.
  public static Profiles of(Map<String, String> env) {
    String own = env.getOrDefault(VARIABLE, "");
    String settings = env.getOrDefault("XDG_CONFIG_HOME", "");
    Path folder =
        !own.isEmpty()
            ? Path.of(own)
            : !settings.isEmpty()
                ? Path.of(settings, "runyard")
                : Path.of(
                    env.getOrDefault("HOME", System.getProperty("user.home")),
                    ".config",
                    "runyard");
    return new Profiles(folder.toAbsolutePath().normalize().resolve("profiles.json"));
  }

  /// All of them, by name.
  ///
  /// @throws IllegalStateException saying what to change
  public Collection<Profile> all() {
    return List.copyOf(read().values());
  }

  public Optional<Profile> find(String name) {
    return Optional.ofNullable(read().get(name));
  }

  /// Those for a server.
  public List<Profile> of(URI server) {
    return all().stream().filter(profile -> profile.isFor(server)).toList();
  }

  /// Keeps a profile, in place of one of its name.
  public void put(Profile profile) {
    Map<String, Profile> all = read();
    all.put(profile.name(), profile);
    write(all);
  }

  /// Forgets a profile; false if there is none.
  public boolean remove(String name) {
    Map<String, Profile> all = read();
    if (all.remove(name) == null) {
      return false;
    }
    write(all);
    return true;
  }

  private Map<String, Profile> read() {
    try {
      if (!OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
        throw new IllegalStateException(
            "the keys in %s may be used by others; chmod 600 it".formatted(file));
      }
      byte[] bytes;
      try (var in = Files.newInputStream(file)) {
        bytes = in.readNBytes(FILE_BYTES_MAX);
      }
      return ProfilesJson.read(file, bytes);
    } catch (NoSuchFileException _) {
      return new TreeMap<>();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file + ": " + e, e);
    }
  }

  private void write(Map<String, Profile> all) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, OWN_FOLDER);
      Path draft = Files.createTempFile(folder, "profiles-", ".draft", OWN_FILE);
      Files.write(draft, ProfilesJson.write(all));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new IllegalStateException("cannot write " + file + ": " + e, e);
    }
  }
}
