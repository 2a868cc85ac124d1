package dev.runyard.cli;

import dev.runyard.cli.show.Style;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
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
      "Environment: RUNYARD_URL (server), RUNYARD_CACHE (cache folder), NO_COLOR (no colours)."
    })
public final class Runyard implements Runnable {
  /// If set, failures have their stack traces and the stack shows its log.
  static final String TRACE_VARIABLE = "RUNYARD_TRACE";

  @Spec private CommandSpec spec = CommandSpec.create();

  /// The whole command line; commands print to `terminal`, and `stacks` starts what `up` and `demo`
  /// need.
  public static CommandLine line(Terminal terminal, Stack.Starter stacks) {
    CommandLine line =
        new CommandLine(new Runyard())
            .addSubcommand(new UpCommand(terminal, stacks))
            .addSubcommand(new BackupCommand(terminal))
            .addSubcommand(new RunAgentCommand(terminal))
            .addSubcommand(new WatchCommand(terminal))
            .addSubcommand(new ListCommand(terminal))
            .addSubcommand(new GetCommand(terminal))
            .addSubcommand(new EventsCommand(terminal))
            .addSubcommand(new OutputCommand(terminal))
            .addSubcommand(new CancelCommand(terminal))
            .addSubcommand(new ActionsCommand(terminal))
            .addSubcommand(new ApproveCommand(terminal))
            .addSubcommand(new DenyCommand(terminal))
            .addSubcommand(new AnswerCommand(terminal))
            .addSubcommand(new MessageCommand(terminal))
            .addSubcommand(new AgentsCommand(terminal))
            .addSubcommand(new InstallCommand(terminal))
            .addSubcommand(new DoctorCommand(terminal))
            .addSubcommand(new DemoCommand(terminal, stacks))
            .addSubcommand(new CompletionCommand(terminal));
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
