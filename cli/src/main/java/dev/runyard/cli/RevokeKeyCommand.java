package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "revoke", description = "Revoke a key for good; it opens nothing a minute later.")
final class RevokeKeyCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "ID", description = "Id of the key, as listed.")
  private String keyId = "";

  @Option(names = "--tenant", paramLabel = "TENANT", description = "Whose. Default: yours.")
  private String tenant = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  RevokeKeyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json())
          .show(client.revokeKey(keyId, tenant), this::print);
    }
  }

  private int print(JsonNode key) {
    terminal.line("revoked " + key.path("id").asText(keyId));
    return ExitCode.DONE;
  }
}
