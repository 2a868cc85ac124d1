package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/// An agent CLI that Runyard knows, as its manifest describes it: `cli/<name>.json` in this
/// package, listed in `cli/index.json`. The manifest holds all that must be known about a CLI
/// before it is started, for the catalogue, the runner, the installer and the tests with the
/// genuine program.
///
/// @param name of the manifest, and of the folder with the package that contains the program
/// @param agents the kinds of agents that its program can be, the plain CLI first
/// @param trial what else tests with the genuine program must know: an object
public record AgentCli(String name, String title, List<Agent> agents, JsonNode trial) {
  private static final List<AgentCli> ALL = index().stream().map(AgentCli::read).toList();

  public AgentCli {
    agents = List.copyOf(agents);
  }

  /// One kind of agent that a CLI's program can be.
  ///
  /// @param manifest what requests may ask of it
  /// @param grantable what it understands but offers only where the operator allows it
  /// @param workspaceSettings files and folders of a workspace that would configure it and that it
  ///   cannot be told to ignore
  /// @param backend name of the runner's class that starts it
  /// @param provider where its models are; empty if that cannot be set
  public record Agent(
      AgentManifest manifest,
      List<ExtensionDefinition> grantable,
      List<String> workspaceSettings,
      String backend,
      Optional<Provider> provider) {
    public Agent {
      grantable = List.copyOf(grantable);
      workspaceSettings = List.copyOf(workspaceSettings);
    }

    public AgentKind kind() {
      return manifest.kind();
    }
  }

  /// Where the models of an agent are.
  ///
  /// @param api what it speaks with an endpoint of the operator
  /// @param endpoint the provider it uses with a key alone; empty if it may be one of several
  public record Provider(ModelApi api, Optional<String> endpoint) {}

  /// All of them, the more common first.
  public static List<AgentCli> all() {
    return ALL;
  }

  /// The agents of all of them.
  public static List<Agent> allAgents() {
    return ALL.stream().flatMap(cli -> cli.agents().stream()).toList();
  }

  /// The agent of a kind; empty if no CLI has it.
  public static Optional<Agent> find(AgentKind kind) {
    return allAgents().stream().filter(agent -> agent.kind().equals(kind)).findFirst();
  }

  private static List<String> index() {
    return StreamSupport.stream(json("index").spliterator(), false)
        .map(JsonNode::textValue)
        .toList();
  }

  private static AgentCli read(String name) {
    return AgentCliReader.read(name, json(name));
  }

  private static JsonNode json(String name) {
    try (InputStream in = AgentCli.class.getResourceAsStream("cli/" + name + ".json")) {
      if (in == null) {
        throw new IllegalStateException("the manifest of " + name + " is missing");
      }
      return JsonFormat.JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
