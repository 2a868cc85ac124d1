package dev.runyard.cli;

import dev.runyard.cli.client.RunyardClient;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `--url`, on every command that talks to a server.
final class ServerOption {
  static final int PORT_DEFAULT = 7070;
  static final String URL_DEFAULT = "http://127.0.0.1:" + PORT_DEFAULT;
  static final String URL_VARIABLE = "RUNYARD_URL";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Server to talk to; default: $RUNYARD_URL, then " + URL_DEFAULT + ".")
  private @Nullable String url;

  RunyardClient client(Terminal terminal) {
    String named = url == null ? terminal.env().getOrDefault(URL_VARIABLE, "") : url;
    URI server = server(named.isEmpty() ? URL_DEFAULT : named);
    return new RunyardClient(server, StackTokens.find(terminal, server));
  }

  private URI server(String address) {
    try {
      URI server = URI.create(address);
      String scheme = server.getScheme() == null ? "" : server.getScheme().toLowerCase(Locale.ROOT);
      if (server.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
        return server;
      }
    } catch (IllegalArgumentException _) {
      throw unusable(address);
    }
    throw unusable(address);
  }

  private RuntimeException unusable(String address) {
    String message = "not an http or https URL: '" + address + "'";
    return command == null
        ? new IllegalArgumentException(message)
        : new ParameterException(command.commandLine(), message);
  }
}
