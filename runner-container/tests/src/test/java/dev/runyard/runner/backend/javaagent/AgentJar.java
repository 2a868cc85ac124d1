package dev.runyard.runner.backend.javaagent;

import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.host.InstalledAgent;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/// Packs an agent of these tests into a jar, as its author would.
public final class AgentJar {
  private AgentJar() {}

  /// The agent, from a jar in the folder.
  public static InstalledAgent of(AgentDefinition agent, Path folder) {
    Class<?> type = agent.getClass();
    return new InstalledAgent(
        type.getName(),
        agent.name(),
        agent.description(),
        agent.card(),
        List.of(jar(type, folder)));
  }

  static Path jar(Class<?> type, Path folder) {
    Path jar = folder.resolve(type.getSimpleName() + ".jar");
    String path = type.getName().replace('.', '/');
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> beside = Files.list(classes(type).resolve(path).getParent())) {
      out.putNextEntry(new JarEntry("META-INF/services/" + AgentDefinition.class.getName()));
      out.write(type.getName().getBytes(StandardCharsets.UTF_8));
      for (Path file : (Iterable<Path>) beside::iterator) {
        String name = file.getFileName().toString();
        if (name.equals(type.getSimpleName() + ".class")
            || name.startsWith(type.getSimpleName() + "$")) {
          out.putNextEntry(new JarEntry(path.substring(0, path.lastIndexOf('/') + 1).concat(name)));
          out.write(Files.readAllBytes(file));
        }
      }
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException("the agent cannot be packed", e);
    }
    return jar;
  }

  private static Path classes(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
