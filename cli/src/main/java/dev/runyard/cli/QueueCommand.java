package dev.runyard.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "queue", description = "Show and change which turns of a thread wait.")
final class QueueCommand extends CommandGroup {
  private final Terminal terminal;

  QueueCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  List<Callable<Integer>> commands() {
    return List.of(
        new Show(terminal), new Promote(terminal), new Remove(terminal), new Interrupt(terminal));
  }

  @Command(name = "show", description = "Show the turn that the thread has, and those that wait.")
  private static final class Show extends OfThread {
    Show(Terminal terminal) {
      super(terminal);
    }

    @Override
    public Integer call() {
      return shown();
    }
  }

  @Command(name = "promote", description = "Make a turn that waits the next one.")
  private static final class Promote extends OfThread {
    @Parameters(index = "1", paramLabel = "TURN", description = "Name of the turn, or its run.")
    private String turnId = "";

    Promote(Terminal terminal) {
      super(terminal);
    }

    @Override
    public Integer call() {
      return sent("promote_queued_turn", params().put("turn_id", turnId));
    }
  }

  @Command(name = "remove", description = "End a turn that waits before it begins.")
  private static final class Remove extends OfThread {
    @Parameters(index = "1", paramLabel = "TURN", description = "Name of the turn, or its run.")
    private String turnId = "";

    Remove(Terminal terminal) {
      super(terminal);
    }

    @Override
    public Integer call() {
      return sent("remove_queued_turn", params().put("turn_id", turnId));
    }
  }

  @Command(name = "interrupt", description = "End the turn that the thread has.")
  private static final class Interrupt extends OfThread {
    @Option(names = "--clear", description = "Take those that wait out of the queue too.")
    private boolean clear;

    Interrupt(Terminal terminal) {
      super(terminal);
    }

    @Override
    public Integer call() {
      return sent("interrupt_turn", params().put("queued", clear ? "clear" : "keep"));
    }
  }
}
