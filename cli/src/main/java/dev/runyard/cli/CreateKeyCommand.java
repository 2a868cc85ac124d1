package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.NewKey;
import dev.runyard.cli.client.RunyardClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "create",
    description = "Make a key and print it, once: nobody can show it again.",
    footer = {
      "",
      "You can give scopes that you have yourself, in your own tenant; only the operator of a",
      "stack gives keys to others. The first key of a deployed stack is made with AWS credentials",
      "that may write its views table, the output ViewsTableName: --stack-table."
    })
final class CreateKeyCommand implements Callable<Integer> {
  private static final Pattern TIME = Pattern.compile("([1-9][0-9]{0,8})([smhd])");

  private final Terminal terminal;

  @Option(names = "--name", paramLabel = "NAME", description = "What the key is for.")
  private @Nullable String name;

  @Option(names = "--tenant", paramLabel = "TENANT", description = "Whose it is. Default: yours.")
  private @Nullable String tenant;

  @Option(
      names = "--scopes",
      paramLabel = "SCOPE",
      split = ",",
      required = true,
      description =
          "What it opens, with commas: runs:read, runs:write, actions:decide, agents:read,"
              + " webhooks:manage, keys:manage.")
  private List<String> scopes = List.of();

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = "How long it is valid, such as 12h or 30d. Default: until it is revoked.")
  private @Nullable String expires;

  @Option(
      names = "--stack-table",
      paramLabel = "TABLE",
      description = "Write it to this table of a deployed stack, with your AWS credentials.")
  private @Nullable String table;

  @Option(
      names = "--region",
      paramLabel = "REGION",
      description = "AWS region of the table. Default: as AWS's own tools find it.")
  private @Nullable String region;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  CreateKeyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    NewKey key = new NewKey(name, tenant, scopes, expires == null ? null : seconds(expires));
    Answers answers = new Answers(terminal, output.json());
    if (table != null) {
      return answers.show(new StackTable(table, region).create(key), this::print);
    }
    try (RunyardClient client = server.client(terminal)) {
      return answers.show(client.createKey(key), this::print);
    }
  }

  /// Only the key goes to the output, so that a pipe or a file gets it and nothing else.
  private int print(JsonNode key) {
    terminal.note(
        "runyard: made %s of tenant %s with %s; keep it now, nobody can show it again"
            .formatted(
                key.path("id").asText(),
                key.path("tenant").asText(),
                String.join(", ", ListKeysCommand.texts(key.path("scopes")))));
    terminal.line(key.path("key").asText());
    return ExitCode.DONE;
  }

  private long seconds(String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      throw new ParameterException(
          spec.commandLine(), "--expires takes a number with s, m, h or d, such as 30d");
    }
    long amount = Long.parseLong(time.group(1));
    return switch (time.group(2)) {
      case "s" -> amount;
      case "m" -> Duration.ofMinutes(amount).toSeconds();
      case "h" -> Duration.ofHours(amount).toSeconds();
      default -> Duration.ofDays(amount).toSeconds();
    };
  }
}
