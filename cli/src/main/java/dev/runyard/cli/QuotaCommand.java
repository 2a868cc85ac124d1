package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "quota", description = "Show what you may use, and what you use now.")
final class QuotaCommand implements Callable<Integer> {
  private static final String MOST = "_max";

  private final Terminal terminal;

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  QuotaCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.quota(), this::print);
    }
  }

  private int print(JsonNode body) {
    terminal.line("tenant " + terminal.style().name(SafeText.line(body.path("tenant").asText())));
    for (Map.Entry<String, JsonNode> limit : body.path("limits").properties()) {
      String name = limit.getKey().replace(MOST, "");
      JsonNode used = body.path("used").path(name);
      String most = limit.getValue().isNumber() ? limit.getValue().asText() : "no limit";
      terminal.line(
          used.isNumber()
              ? "%-16s  %s of %s".formatted(SafeText.line(name), used.asText(), most)
              : "%-16s  %s".formatted(SafeText.line(name), most));
    }
    return ExitCode.DONE;
  }
}
