package dev.runyard.cli;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "up",
    description = "Run the whole stack of template.yaml on this machine until interrupted.",
    footer = {
      "",
      "Prints 'ready URL' when it serves. Data is gone with the stack unless --data",
      "is given. It is in a store made for one machine; with --emulated in emulators",
      "of the AWS services, with runners as processes of their own and roles that",
      "have the template's rights."
    })
final class UpCommand implements Callable<Integer> {
  private static final String JARS_PARAMETER = "AgentJars";
  private static final String ACCESS_PARAMETER = "Access";
  private static final String BEARER = "BEARER";
  private static final String ISOLATION_PARAMETER = "Isolation";
  private static final String ORIGINS_PARAMETER = "CorsOrigins";

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
      names = "--sync",
      paramLabel = "on|off",
      description =
          "Whether the disk has what was acknowledged; off is faster, and for throw-away stacks."
              + " Default: on.")
  private Sync sync = Sync.on;

  @Option(names = "--emulated", description = "Use emulators of the AWS services.")
  private boolean emulated;

  @Option(
      names = "--agents",
      paramLabel = "FILE",
      description = "How to start the agent CLIs (see docs/agents-file.md).")
  private @Nullable Path agents;

  @Option(
      names = "--secrets",
      paramLabel = "FILE",
      description =
          "What Secrets Manager and SSM keep: a JSON object of names and values that only you may"
              + " read (see docs/agents-file.md).")
  private @Nullable Path secrets;

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
      names = "--isolation",
      paramLabel = "auto|uid|bubblewrap|none",
      description =
          "How runs are kept apart (see docs/security.md). auto, the default, is the best that"
              + " works here; where another one does not work, the stack does not start.")
  private @Nullable IsolationWord isolation;

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description = "Put tables and queues on this AWS emulator; implies --emulated.")
  private @Nullable URI endpoint;

  @Option(
      names = "--no-token",
      description = "Take requests of every user and program of this machine, agents included.")
  private boolean open;

  @Option(
      names = "--cors-origin",
      paramLabel = "ORIGIN",
      description =
          "Let web pages of this origin, such as http://localhost:3000, call the stack; may be"
              + " repeated.")
  private List<String> origins = new ArrayList<>();

  @Option(
      names = "--access",
      paramLabel = "keys",
      description =
          "Let others in who show a key of 'runyard keys create'; whoever can read the stack's"
              + " access token is its operator (see docs/usage.md).")
  private @Nullable Access access;

  @Option(
      names = "--set",
      paramLabel = "Name=Value",
      description = "Set a parameter of template.yaml; may be repeated.")
  private Map<String, String> parameters = new LinkedHashMap<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  /// How callers show who they are.
  enum Access {
    keys
  }

  /// Whether writes wait for the disk.
  enum Sync {
    on,
    off
  }

  /// The levels, and the best of them.
  enum IsolationWord {
    auto,
    uid,
    bubblewrap,
    none
  }

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
    if (isolation != null) {
      all.put(ISOLATION_PARAMETER, isolation.name());
    }
    if (!origins.isEmpty()) {
      all.put(ORIGINS_PARAMETER, String.join(",", new LinkedHashSet<>(origins)));
    }
    if (access == Access.keys) {
      all.put(ACCESS_PARAMETER, BEARER);
    }
    all.putAll(parameters);
    if (open && BEARER.equals(all.get(ACCESS_PARAMETER))) {
      throw misuse("with --no-token nobody could make a key; leave it out");
    }
    Stack.Settings settings =
        new Stack.Settings(port, storage(), agents, work, all, false, !open, secrets);
    if (sync == Sync.off) {
      terminal.note("runyard: a power failure loses what was acknowledged last (--sync off)");
    }
    try (Interruption _ = Interruption.unwinds();
        Stack stack = stacks.start(settings)) {
      stack.isolation().ifPresent(level -> terminal.note("runyard: isolation " + level));
      terminal.note("runyard: " + access(stack.uri(), BEARER.equals(all.get(ACCESS_PARAMETER))));
      terminal.line("ready " + stack.uri());
      new CountDownLatch(1).await();
    }
    return ExitCode.DONE;
  }

  private String access(URI stack, boolean keys) {
    if (open) {
      return "every user and program of this machine may use this stack (--no-token)";
    }
    String needed = keys ? "a key, or the operator's access token" : "the access token";
    return "other clients need %s in %s"
        .formatted(needed, StackTokens.of(terminal.env()).file(stack.getPort()));
  }

  private Stack.Storage storage() {
    if (emulated || endpoint != null) {
      if (sync == Sync.off) {
        throw misuse("--sync is for the store of one machine, not for emulators");
      }
      return new Stack.Storage.Emulated(data, endpoint);
    }
    return new Stack.Storage.Embedded(data, sync == Sync.on);
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
