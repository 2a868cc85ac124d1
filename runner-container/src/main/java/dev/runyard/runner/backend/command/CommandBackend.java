package dev.runyard.runner.backend.command;

import dev.runyard.core.agent.CommandTemplate;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.cli.PromptedCli;
import dev.runyard.runner.process.Stdin;
import java.nio.file.Path;
import java.util.List;

/// A program that takes a prompt and prints its answer, started as its description says. No shell
/// interprets the arguments.
public final class CommandBackend extends PromptedCli {
  private final CommandTemplate template;

  public CommandBackend(CommandTemplate template) {
    super(template.manifest());
    this.template = template;
  }

  @Override
  public List<Path> sessionState() {
    return template.resumeArgs().isEmpty()
        ? List.of()
        : template.sessions().stream().map(Path::of).toList();
  }

  @Override
  protected Stdin stdin(String prompt) {
    return promptIsArgument() ? new Stdin.Closed() : Stdin.text(prompt);
  }

  @Override
  protected Started prepare(CliLaunch launch) {
    List<String> argv = launch.argv(template.kind().name());
    add(argv, template.args(), CommandTemplate.PROMPT, launch.request().prompt());
    launch
        .model()
        .ifPresent(model -> add(argv, template.modelArgs(), CommandTemplate.MODEL, model));
    switch (launch.resume()) {
      case SessionChoice.Fresh _ -> {}
      case SessionChoice.Last _ ->
          add(argv, template.resumeArgs(), CommandTemplate.SESSION, "last");
      case SessionChoice.ById(String id, _) ->
          add(argv, template.resumeArgs(), CommandTemplate.SESSION, id);
    }
    return new Started(
        argv, launch.environment(launch.keyName("API_KEY"), launch.modelVariables()), dialect());
  }

  private OutputParser dialect() {
    return switch (template.output()) {
      case CommandTemplate.Output.Text _ -> new TextLines(template.title());
      case CommandTemplate.Output.JsonLines lines -> new PointedLines(template.title(), lines);
    };
  }

  private boolean promptIsArgument() {
    return template.args().stream().anyMatch(arg -> arg.contains(CommandTemplate.PROMPT));
  }

  private static void add(List<String> argv, List<String> args, String hole, String value) {
    args.forEach(arg -> argv.add(arg.replace(hole, value)));
  }
}
