package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.ClientEvent;
import dev.runyard.cli.client.LiveEvents;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.show.EventRow;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "events",
    description = "Print a run's events, one per line; with --follow, until the run has ended.")
final class EventsCommand implements Callable<Integer> {
  /// Events per request.
  static final int PAGE_EVENTS = 500;

  private final Terminal terminal;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Option(names = "--follow", description = "Continue until the run has ended.")
  private boolean follow;

  @Option(names = "--after", paramLabel = "N", description = "Start after this sequence.")
  private long after;

  @Option(
      names = "--view",
      paramLabel = "VIEW",
      description = "Form of the events: runtime (the default), acp, agent_api or hub.")
  private String view = LiveEvents.NATIVE_VIEW;

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  EventsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (RunyardClient client = server.client(terminal)) {
      return follow ? stream(client) : pages(client);
    }
  }

  private int pages(RunyardClient client) {
    Answers answers = new Answers(terminal, output.json());
    long last = after;
    while (true) {
      ServerReply reply = client.events(runId, last, PAGE_EVENTS, view);
      if (!(reply instanceof ServerReply.Done(JsonNode page))) {
        return answers.on(reply, _ -> ExitCode.DONE);
      }
      page.path("events").forEach(this::printStored);
      long next = page.path("next_after").asLong(last);
      if (next <= last) {
        return ExitCode.DONE;
      }
      last = next;
    }
  }

  private int stream(RunyardClient client) throws InterruptedException {
    LiveEvents.End end = new LiveEvents(client).follow(runId, after, view, this::print);
    return switch (end) {
      case LiveEvents.Closed _ -> ExitCode.DONE;
      case LiveEvents.Refused refused ->
          new Answers(terminal, output.json()).refused(refused.problem());
      case LiveEvents.Lost lost -> {
        terminal.note("runyard: lost the stream: " + lost.message());
        terminal.note(
            "continue with: ./runyard events "
                + runId
                + " --follow --after "
                + lost.lastSequence());
        yield ExitCode.FAILED;
      }
    };
  }

  private void printStored(JsonNode event) {
    print(new ClientEvent(event.path("sequence").asLong(), event.path("type").asText(), event));
  }

  private void print(ClientEvent event) {
    if (output.json()) {
      terminal.json(event.body());
    } else {
      terminal.line(EventRow.of(event, terminal.style()));
    }
  }
}
