package dev.runyard.agent.host;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.ExtensionDefinition;
import dev.runyard.core.agent.ExtensionType;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The Java agents of this machine: those on the class path, and those in the jars of a folder. The
/// API and the runner search the same places, so what is accepted can be run.
public final class InstalledAgents {
  private InstalledAgents() {}

  /// Finds them. Jars are read once; they share one class loader that lives as long as the process.
  ///
  /// @throws IllegalStateException when the folder or an agent in it cannot be used
  public static List<AgentDefinition> find(Optional<Path> jars) {
    try {
      ClassLoader own = AgentDefinition.class.getClassLoader();
      ClassLoader loader =
          jars.isEmpty() ? own : new URLClassLoader("agents", urls(jars.get()), own);
      return ServiceLoader.load(AgentDefinition.class, loader).stream()
          .map(ServiceLoader.Provider::get)
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException("The agents' folder cannot be read: " + e.getMessage(), e);
    } catch (ServiceConfigurationError e) {
      throw new IllegalStateException("An agent cannot be loaded: " + e.getMessage(), e);
    }
  }

  /// What a Java agent offers.
  public static AgentManifest manifest(AgentDefinition agent) {
    if (!AgentKind.isKind(agent.name())) {
      throw new IllegalStateException(
          "An agent's name is lower case letters, digits and underscores: "
              + agent.getClass().getName());
    }
    return new AgentManifest(
        new AgentKind(agent.name()),
        agent.name(),
        agent.description(),
        new TreeSet<>(
            List.of(
                Capabilities.RUN,
                Capabilities.EVENTS,
                Capabilities.EVENTS_LIVE,
                Capabilities.CANCEL,
                Capabilities.MESSAGE,
                Capabilities.FINAL_TEXT)),
        List.of(
            new ExtensionDefinition(
                Capabilities.NON_INTERACTIVE,
                new ExtensionType.Flag(),
                JsonNodeFactory.instance.booleanNode(false),
                "Whether the agent works without asking anybody.")),
        List.of(),
        agent.card());
  }

  private static URL[] urls(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<URL> urls = new ArrayList<>();
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
        urls.add(url(jar));
      }
      return urls.toArray(URL[]::new);
    }
  }

  private static URL url(Path jar) throws MalformedURLException {
    return jar.toUri().toURL();
  }
}
