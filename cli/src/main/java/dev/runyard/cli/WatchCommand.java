package dev.runyard.cli;

import dev.runyard.cli.client.RunyardClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "watch",
    description = "Show a run live until it ends; the exit status says how it ended.",
    footer = {"", "0 completed, 1 failed, 130 cancelled. Ctrl-C detaches, the run continues."})
final class WatchCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Option(names = "--after", paramLabel = "N", description = "Start after this sequence.")
  private long after;

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  WatchCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (RunyardClient client = server.client(terminal)) {
      return new Watch(terminal, client, output.json()).follow(runId, after);
    }
  }
}
