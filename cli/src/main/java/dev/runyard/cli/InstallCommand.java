package dev.runyard.cli;

import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.cli.install.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "install",
    description = "Install agent CLIs at the versions Runyard was tested with.",
    footer = {
      "",
      "Without a name, lists what can be installed and what is there. Nothing is installed outside",
      "the cache folder; 'up' finds an agent there when the agents file names no program for it."
    })
final class InstallCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Agents, or 'all' of them.")
  private List<String> names = new ArrayList<>();

  @Mixin private OutputOption output = new OutputOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  InstallCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    AgentInstall install =
        new AgentInstall(
            new Programs(terminal.env()), CacheFolder.of(terminal.env()), terminal::note);
    if (names.isEmpty()) {
      for (AgentPackage agent : AgentPackage.all()) {
        show(agent, install.find(agent));
      }
    }
    for (AgentPackage agent : wanted()) {
      show(agent, Optional.of(install.program(agent)));
    }
    return ExitCode.DONE;
  }

  private List<AgentPackage> wanted() {
    return names.equals(List.of("all"))
        ? AgentPackage.all()
        : names.stream()
            .map(
                name ->
                    AgentPackage.find(name)
                        .orElseThrow(
                            () ->
                                new ParameterException(
                                    spec.commandLine(), "no agent is called " + name)))
            .toList();
  }

  private void show(AgentPackage agent, Optional<Path> program) throws IOException {
    if (output.json()) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("name", agent.name());
      line.put("version", agent.version());
      program.ifPresent(path -> line.put("program", path.toString()));
      terminal.json(line);
    } else {
      terminal.line(
          "%s  %-9s  %s"
              .formatted(
                  terminal.style().name("%-16s".formatted(agent.name())),
                  agent.version(),
                  program.map(Path::toString).orElse("not installed")));
    }
  }
}
