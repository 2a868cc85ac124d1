package dev.runyard.cli;

import dev.runyard.cli.show.Style;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "runyard",
    description = "Durable runs of coding-agent CLIs.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = CommandLine.ScopeType.INHERIT,
    footer = {
      "",
      "Exit status: 0 done or completed, 1 failed, 2 wrong usage or request, 130 cancelled.",
      "Environment: RUNYARD_PROFILE or RUNYARD_URL (server), RUNYARD_TOKEN (key or token for it),",
      "RUNYARD_CONFIG (folder of profiles), RUNYARD_CACHE (cache folder), NO_COLOR (no colours)."
    })
public final class Runyard implements Runnable {
  /// If set, failures have their stack traces and the stack shows its log.
  static final String TRACE_VARIABLE = "RUNYARD_TRACE";

  @Spec private CommandSpec spec = CommandSpec.create();

  /// The whole command line; commands print to `terminal`, and `stacks` starts what `up` and `demo`
  /// need.
  public static CommandLine line(Terminal terminal, Stack.Starter stacks) {
    CommandLine line = new CommandLine(new Runyard());
    commands(terminal, stacks).forEach(command -> add(line, command));
    return configured(line, terminal);
  }

  /// What these arguments need of it, since reading the annotations of all commands takes longer
  /// than executing most: the named command alone; for help and version, what the commands are for.
  static CommandLine line(Terminal terminal, Stack.Starter stacks, String... arguments) {
    String first = arguments.length == 0 ? "-" : arguments[0];
    CommandLine line = new CommandLine(new Runyard());
    for (Callable<Integer> command : commands(terminal, stacks)) {
      Command described = command.getClass().getAnnotation(Command.class);
      if (described.name().equals(first)) {
        add(line, command);
        return configured(line, terminal);
      }
      if (first.startsWith("-")) {
        CommandSpec summary = CommandSpec.create();
        summary.usageMessage().description(described.description());
        line.addSubcommand(described.name(), summary);
      }
    }
    return first.startsWith("-") ? configured(line, terminal) : line(terminal, stacks);
  }

  private static List<Callable<Integer>> commands(Terminal terminal, Stack.Starter stacks) {
    return List.of(
        new UpCommand(terminal, stacks),
        new BackupCommand(terminal),
        new LoginCommand(terminal),
        new LogoutCommand(terminal),
        new ProfilesCommand(terminal),
        new KeysCommand(terminal),
        new RunAgentCommand(terminal),
        new WatchCommand(terminal),
        new ListCommand(terminal),
        new GetCommand(terminal),
        new ThreadCommand(terminal),
        new QueueCommand(terminal),
        new EventsCommand(terminal),
        new OutputCommand(terminal),
        new ChangesCommand(terminal),
        new PatchCommand(terminal),
        new ApplyCommand(terminal),
        new PublishCommand(terminal),
        new ArtifactsCommand(terminal),
        new DownloadCommand(terminal),
        new VerifyCommand(terminal),
        new CancelCommand(terminal),
        new ActionsCommand(terminal),
        new ApproveCommand(terminal),
        new DenyCommand(terminal),
        new AnswerCommand(terminal),
        new MessageCommand(terminal),
        new JobsCommand(terminal),
        new TasksCommand(terminal),
        new WebhooksCommand(terminal),
        new HooksCommand(terminal),
        new AgentsCommand(terminal),
        new QuotaCommand(terminal),
        new InstallCommand(terminal),
        new DoctorCommand(terminal),
        new DemoCommand(terminal, stacks),
        new CompletionCommand(terminal, () -> line(terminal, stacks)));
  }

  private static void add(CommandLine line, Callable<Integer> command) {
    CommandLine added = new CommandLine(command);
    line.addSubcommand(added);
    if (command instanceof CommandGroup group) {
      group.commands().forEach(added::addSubcommand);
    }
  }

  private static CommandLine configured(CommandLine line, Terminal terminal) {
    line.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            terminal.style() == Style.COLOURED
                ? CommandLine.Help.Ansi.ON
                : CommandLine.Help.Ansi.OFF));
    line.setParameterExceptionHandler((wrong, _) -> misused(terminal, wrong));
    line.setExecutionExceptionHandler((failure, _, _) -> failed(terminal, failure));
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private static int misused(Terminal terminal, ParameterException wrong) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    String message = Objects.requireNonNullElse(wrong.getMessage(), "this is not a command");
    terminal.note("runyard: " + message.replace("option option", "option"));
    terminal.note("see: " + command + " --help");
    return ExitCode.USAGE;
  }

  private static int failed(Terminal terminal, Exception failure) {
    if (failure instanceof Terminal.OutputClosed) {
      return ExitCode.OUTPUT_CLOSED;
    }
    if (failure instanceof InterruptedException) {
      return ExitCode.CANCELLED;
    }
    String message = failure.getMessage();
    terminal.note("runyard: " + (message == null ? failure.getClass().getSimpleName() : message));
    if (terminal.env().containsKey(TRACE_VARIABLE)) {
      failure.printStackTrace(terminal.err());
    }
    return ExitCode.FAILED;
  }
}
