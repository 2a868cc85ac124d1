package dev.runyard.cli;

import dev.runyard.cli.client.ClientEvent;
import dev.runyard.cli.client.LiveEvents;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.LiveText;
import dev.runyard.cli.show.RunText;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Shows a run live until it ends, then how it ended. Interrupting it only detaches: the run
/// continues.
final class Watch {
  private final Terminal terminal;
  private final RunyardClient client;
  private final boolean json;

  Watch(Terminal terminal, RunyardClient client, boolean json) {
    this.terminal = terminal;
    this.client = client;
    this.json = json;
  }

  /// Follows the run after sequence `after`; returns the exit status for its end.
  int follow(String runId, long after) throws InterruptedException {
    AtomicLong seen = new AtomicLong(after);
    LiveText live =
        new LiveText(
            text -> {
              terminal.out().print(text);
              terminal.flushed();
            },
            terminal.style());
    Consumer<ClientEvent> print = json ? event -> terminal.json(event.body()) : live::print;
    WatchingPerson person = new WatchingPerson(terminal, client);
    Consumer<ClientEvent> show = terminal.answers() && !json ? print.andThen(person::see) : print;
    LiveEvents.End end;
    try (Interruption _ = Interruption.says(() -> terminal.note(detached(runId, seen.get())))) {
      end =
          new LiveEvents(client)
              .follow(
                  runId,
                  after,
                  LiveEvents.NATIVE_VIEW,
                  event -> {
                    show.accept(event);
                    seen.set(event.sequence());
                  });
    }
    live.endText();
    return switch (end) {
      case LiveEvents.Closed _ -> ended(runId);
      case LiveEvents.Refused refused -> new Answers(terminal, json).refused(refused.problem());
      case LiveEvents.Lost lost -> {
        terminal.note("runyard: lost the stream: " + lost.message());
        terminal.note(detached(runId, lost.lastSequence()));
        yield ExitCode.FAILED;
      }
    };
  }

  private int ended(String runId) {
    return new Answers(terminal, json)
        .on(
            client.run(runId),
            run -> {
              if (json) {
                terminal.json(run);
              } else {
                RunText.ending(run, terminal.style()).forEach(terminal::line);
              }
              return ExitCode.ofStatus(run.path("status").asText());
            });
  }

  private static String detached(String runId, long sequence) {
    return """

    Detached; the run continues.
      come back:  ./runyard watch %1$s --after %2$d
      cancel it:  ./runyard cancel %1$s\
    """
        .formatted(runId, sequence);
  }
}
