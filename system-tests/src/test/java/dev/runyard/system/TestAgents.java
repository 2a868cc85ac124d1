package dev.runyard.system;

import dev.runyard.agent.AgentDefinition;
import dev.runyard.system.agents.Impatient;
import dev.runyard.system.agents.Mender;
import dev.runyard.system.agents.Scribe;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A folder with the jar of the demo agents and one of the agents of these tests.
final class TestAgents {
  private static final Path DEMO =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home")))
          .resolve("demo-agents/target/agents");

  private TestAgents() {}

  static String in(Path folder) throws IOException {
    Path jars = Files.createDirectories(folder.resolve("agent-jars"));
    try (Stream<Path> demo = Files.list(DEMO)) {
      for (Path jar : (Iterable<Path>) demo::iterator) {
        Files.copy(jar, jars.resolve(jar.getFileName()));
      }
    }
    List<Class<? extends AgentDefinition>> agents =
        List.of(Scribe.class, Impatient.class, Mender.class);
    String names = agents.stream().map(Class::getName).collect(Collectors.joining("\n", "", "\n"));
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(jars.resolve("tests.jar")))) {
      jar.putNextEntry(new JarEntry("META-INF/services/" + AgentDefinition.class.getName()));
      jar.write(names.getBytes(StandardCharsets.UTF_8));
      for (Class<?> agent : agents) {
        String file = agent.getName().replace('.', '/') + ".class";
        jar.putNextEntry(new JarEntry(file));
        try (InputStream code = agent.getClassLoader().getResourceAsStream(file)) {
          Objects.requireNonNull(code).transferTo(jar);
        }
      }
    }
    return jars.toString();
  }
}
