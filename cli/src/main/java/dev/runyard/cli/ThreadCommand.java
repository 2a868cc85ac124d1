package dev.runyard.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ThreadsClient;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "thread",
    description =
        "Show a thread of a session: its turn, those that wait, and its newest turns; or have it go"
            + " on from an earlier turn.")
final class ThreadCommand extends CommandGroup {
  private final Terminal terminal;

  @Parameters(arity = "0..1", paramLabel = "THREAD", description = "Id of the thread to show.")
  private @Nullable String threadId;

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  ThreadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  List<Callable<Integer>> commands() {
    return List.of(new Resume(terminal), new Rollback(terminal));
  }

  @Override
  public Integer call() {
    String named = threadId;
    if (named == null) {
      return super.call();
    }
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json())
          .show(new ThreadsClient(client).thread(named), new ThreadText(terminal)::history);
    }
  }

  @Command(
      name = "resume",
      description =
          "Go on from what a turn left, even if it was taken back or later ones are lost.")
  private static final class Resume extends OfThread {
    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "TURN",
        description = "Name of the turn, or its run; without it the newest that is kept.")
    private @Nullable String turnId;

    Resume(Terminal terminal) {
      super(terminal);
    }

    @Override
    public Integer call() {
      ObjectNode params = params();
      if (turnId != null) {
        params.put("turn_id", turnId);
      }
      return sent("resume_thread", params, new ThreadText(terminal)::base);
    }
  }

  @Command(
      name = "rollback",
      description = "Take the turns after one back: the next begins with what that one left.")
  private static final class Rollback extends OfThread {
    @Parameters(index = "1", paramLabel = "TURN", description = "Name of the turn, or its run.")
    private String turnId = "";

    Rollback(Terminal terminal) {
      super(terminal);
    }

    @Override
    public Integer call() {
      return sent(
          "rollback_thread", params().put("turn_id", turnId), new ThreadText(terminal)::base);
    }
  }
}
