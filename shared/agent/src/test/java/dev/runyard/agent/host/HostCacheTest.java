package dev.runyard.agent.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HostCacheTest {
  @TempDir private Path folder;
  private final List<Runnable> background = new ArrayList<>();

  @Test
  void isMadeForTheJarsAsTheyAre() throws IOException {
    List<Path> host = jars();
    HostCache cache = cache();

    cache.make(host);

    Path file = cache.find(host).orElseThrow();
    assertTrue(Files.size(file) > 1_000_000, "a cache of many classes");
    try (Stream<Path> files = Files.list(folder.resolve("cache"))) {
      assertEquals(List.of(file), files.toList());
    }
    assertEquals(List.of(), background, "there was nothing to make");
    Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
    assertEquals(Optional.empty(), cache.find(host));
    assertEquals(Optional.empty(), cache.find(host));
    assertEquals(1, background.size(), "one for the process");
    background.getFirst().run();
    assertEquals(Optional.of(file), cache.find(host));
  }

  @Test
  void isTakenFromBesideTheJar() throws IOException {
    Path beside = Files.createFile(folder.resolve(HostCache.BESIDE));

    assertEquals(Optional.of(beside), cache().find(List.of(folder.resolve("agent-host.jar"))));
  }

  @Test
  void isNotMadeForFoldersOfClasses() {
    assertEquals(Optional.empty(), cache().find(List.of(folder)));
    assertTrue(Files.notExists(folder.resolve("cache")));
  }

  private HostCache cache() {
    return new HostCache(folder.resolve("cache"), background::add);
  }

  /// The host's classes in jars, also where a build has them in folders.
  private List<Path> jars() throws IOException {
    List<Path> jars = new ArrayList<>();
    for (Path source : AgentJvm.host()) {
      Path jar = folder.resolve(jars.size() + ".jar");
      if (Files.isRegularFile(source)) {
        Files.copy(source, jar);
      } else {
        pack(source, jar);
      }
      jars.add(jar);
    }
    return jars;
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes.resolve("dev/runyard"))) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        out.write(Files.readAllBytes(file));
      }
    }
  }
}
