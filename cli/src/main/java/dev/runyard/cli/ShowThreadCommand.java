package dev.runyard.cli;

import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ThreadsClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "thread",
    description = "Show a thread of a session: its turn, those that wait, and its newest turns.")
final class ShowThreadCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "THREAD", description = "Id of the thread.")
  private String threadId = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  ShowThreadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json())
          .show(new ThreadsClient(client).thread(threadId), new ThreadText(terminal)::history);
    }
  }
}
