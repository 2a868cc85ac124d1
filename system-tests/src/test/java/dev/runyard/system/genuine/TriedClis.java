package dev.runyard.system.genuine;

import dev.runyard.cli.CacheFolder;
import dev.runyard.core.agent.AgentCli;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.runner.isolation.AttemptLimits;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.isolation.IsolationChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The genuine CLIs that a build tries, and where it does.
final class TriedClis {
  private static final boolean ALL = System.getProperty("runyard.agents", "").equals("all");

  private static final long MEMORY_BYTES = 8L << 30;

  private TriedClis() {}

  /// Those of every build; with `-Drunyard.agents=all` the others too.
  static List<AgentCli> ofThisBuild() {
    return ALL ? AgentCli.all() : ofEveryBuild();
  }

  static List<AgentCli> ofEveryBuild() {
    return AgentCli.all().stream()
        .filter(cli -> cli.trial().path("every_build").asBoolean())
        .toList();
  }

  /// A new folder where `runyard up` keeps its own: the users of attempts can reach it.
  static Path folder(String prefix) throws IOException {
    Path work = CacheFolder.of(System.getenv()).resolve("work");
    return Files.createTempDirectory(Files.createDirectories(work), prefix);
  }

  /// A CLI whose runs are users of their own.
  static AgentTrial apart(AgentCli cli, Path folder, ScriptedModelServer model) throws Exception {
    boolean origin = cli.trial().path("endpoint").asText().equals("origin");
    AgentTrial trial =
        new AgentTrial(
            cli.agents().getFirst().kind(),
            folder,
            origin ? model.origin() : model.baseUrl(),
            cli.trial().path("model").asText("scripted-model"),
            false);
    trial.apart(
        Isolation.decide(
            new Isolation.Setting(
                IsolationChoice.of("uid"),
                "",
                folder,
                AttemptLimits.of("{}", MEMORY_BYTES),
                System.getenv("PATH"),
                List.of())));
    return trial;
  }
}
