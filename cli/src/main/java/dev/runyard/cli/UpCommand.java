package dev.runyard.cli;

import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "up",
    description = "Run the whole stack of template.yaml on this machine until interrupted.",
    footer = {
      "",
      "Prints 'ready URL' when it serves. Data lives in memory unless --data is given."
    })
final class UpCommand implements Callable<Integer> {
  private static final String JARS_PARAMETER = "AgentJars";

  private final Terminal terminal;
  private final Stack.Starter stacks;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port on 127.0.0.1; 0 for a free one. Default: " + ServerOption.PORT_DEFAULT)
  private int port = ServerOption.PORT_DEFAULT;

  @Option(names = "--data", paramLabel = "DIR", description = "Keep data in this folder.")
  private @Nullable Path data;

  @Option(
      names = "--agents",
      paramLabel = "FILE",
      description = "How to start the agent CLIs (see docs/agents-file.md).")
  private @Nullable Path agents;

  @Option(
      names = "--agent-jars",
      paramLabel = "DIR",
      description = "Run the Java agents in the jars of this folder too (see docs/agents.md).")
  private @Nullable Path agentJars;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "The runners' folder; workspaces stay in its work/workspaces, one per attempt.")
  private @Nullable Path work;

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description = "Put tables and queues on this AWS emulator instead of the embedded one.")
  private @Nullable URI endpoint;

  @Option(
      names = "--set",
      paramLabel = "Name=Value",
      description = "Set a parameter of template.yaml; may be repeated.")
  private Map<String, String> parameters = new LinkedHashMap<>();

  UpCommand(Terminal terminal, Stack.Starter stacks) {
    this.terminal = terminal;
    this.stacks = stacks;
  }

  @Override
  public Integer call() throws Exception {
    Map<String, String> all = new LinkedHashMap<>();
    if (agentJars != null) {
      all.put(JARS_PARAMETER, agentJars.toAbsolutePath().toString());
    }
    all.putAll(parameters);
    Stack.Settings settings = new Stack.Settings(port, data, agents, endpoint, work, all, false);
    try (Interruption _ = Interruption.unwinds();
        Stack stack = stacks.start(settings)) {
      terminal.line("ready " + stack.uri());
      new CountDownLatch(1).await();
    }
    return ExitCode.DONE;
  }
}
