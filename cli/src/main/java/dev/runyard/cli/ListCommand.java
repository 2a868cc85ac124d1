package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.RunText;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List runs, newest first.")
final class ListCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--status", paramLabel = "STATUS", description = "Only runs in this status.")
  private String status = "";

  @Option(names = "--agent", paramLabel = "KIND", description = "Only runs of this agent kind.")
  private String agent = "";

  @Option(names = "--session", paramLabel = "ID", description = "Only runs of this session.")
  private String session = "";

  @Option(names = "--limit", paramLabel = "N", description = "At most this many runs (1 to 100).")
  private int limit = 20;

  @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue where a list ended.")
  private String cursor = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  ListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Map<String, String> filters =
        Map.of(
            "status", status,
            "agent", agent,
            "session_id", session,
            "limit", Integer.toString(limit),
            "cursor", cursor);
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.list(filters), this::print);
    }
  }

  private int print(JsonNode page) {
    if (page.path("runs").isEmpty()) {
      terminal.note("no runs");
      return ExitCode.DONE;
    }
    terminal.line(RunText.header(terminal.style()));
    page.path("runs").forEach(run -> terminal.line(RunText.row(run, terminal.style())));
    String next = page.path("next_cursor").asText("");
    if (!next.isEmpty() && !next.equals("null")) {
      terminal.note("more: ./runyard list --cursor " + next);
    }
    return ExitCode.DONE;
  }
}
