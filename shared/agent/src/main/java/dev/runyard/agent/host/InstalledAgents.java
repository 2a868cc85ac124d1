package dev.runyard.agent.host;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.ExtensionDefinition;
import dev.runyard.core.agent.ExtensionType;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The Java agents in the jars of a folder. The API and the runner search the same folder, so what
/// is accepted can be run. Their code is loaded in a process of its own, here as in a run.
public final class InstalledAgents {
  /// How long the agents of a folder may take to describe themselves.
  static final int DESCRIBE_SECONDS_MAX = 60;

  private InstalledAgents() {}

  /// Finds them. The folder is read once.
  ///
  /// @param folder empty for no agents
  /// @throws IllegalStateException when the folder or an agent in it cannot be used
  public static List<InstalledAgent> find(Optional<Path> folder) {
    try {
      List<Path> jars = folder.isEmpty() ? List.of() : jars(folder.get());
      return jars.isEmpty() ? List.of() : AgentDescriptions.read(described(jars), jars);
    } catch (IOException e) {
      throw new IllegalStateException("The agents' folder cannot be read: " + e.getMessage(), e);
    }
  }

  private static String described(List<Path> jars) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(AgentJvm.describing(jars)).redirectError(Redirect.DISCARD);
    builder.environment().clear();
    Process process = builder.start();
    process.getOutputStream().close();
    CompletableFuture.delayedExecutor(DESCRIBE_SECONDS_MAX, TimeUnit.SECONDS)
        .execute(process::destroyForcibly);
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (printed.isBlank()) {
      throw new IllegalStateException(
          "An agent cannot be loaded: its process ended with "
              + process.onExit().join().exitValue()
              + " while agents were created.");
    }
    return printed;
  }

  /// What a Java agent offers.
  public static AgentManifest manifest(InstalledAgent agent) {
    if (!AgentKind.isKind(agent.name())) {
      throw new IllegalStateException(
          "An agent's name is lower case letters, digits and underscores: " + agent.type());
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
                Capabilities.FINAL_TEXT,
                Capabilities.PAUSE,
                Capabilities.WORKSPACE)),
        List.of(
            new ExtensionDefinition(
                Capabilities.NON_INTERACTIVE,
                new ExtensionType.Flag(),
                JsonNodeFactory.instance.booleanNode(false),
                "Whether the agent works without asking anybody.")),
        List.of(),
        agent.card());
  }

  private static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }
}
