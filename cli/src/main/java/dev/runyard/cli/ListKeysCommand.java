package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List keys, oldest first; none of them is shown.")
final class ListKeysCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--tenant", paramLabel = "TENANT", description = "Whose. Default: yours.")
  private String tenant = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  ListKeysCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.keys(tenant), this::print);
    }
  }

  private int print(JsonNode page) {
    if (page.path("keys").isEmpty()) {
      terminal.note("no keys");
    }
    page.path("keys").forEach(key -> terminal.line(SafeText.line(row(key))));
    return ExitCode.DONE;
  }

  private static String row(JsonNode key) {
    return "%s  %s  %s  made %s, %s%s"
        .formatted(
            key.path("id").asText(),
            key.path("name").asText("-"),
            String.join(",", texts(key.path("scopes"))),
            key.path("created_at").asText(),
            key.path("last_used_at").isTextual()
                ? "last used " + key.path("last_used_at").asText()
                : "never used",
            end(key));
  }

  private static String end(JsonNode key) {
    if (key.path("revoked_at").isTextual()) {
      return ", revoked " + key.path("revoked_at").asText();
    }
    return key.path("expires_at").isTextual()
        ? ", good until " + key.path("expires_at").asText()
        : "";
  }

  static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).toList();
  }
}
