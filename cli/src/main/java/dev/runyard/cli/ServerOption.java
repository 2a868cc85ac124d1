package dev.runyard.cli;

import dev.runyard.cli.client.RunyardClient;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `--url` and `--profile`, on every command that talks to a server.
final class ServerOption {
  static final int PORT_DEFAULT = 7070;
  static final String URL_DEFAULT = "http://127.0.0.1:" + PORT_DEFAULT;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "Server to talk to; default: $RUNYARD_URL, then the profile 'default', then "
              + URL_DEFAULT
              + ".")
  private String url = "";

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "Server of a login (see: runyard login); default: $RUNYARD_PROFILE.")
  private String profile = "";

  RunyardClient client(Terminal terminal) {
    return target(terminal).client();
  }

  Target target(Terminal terminal) {
    try {
      return new Targets(terminal).choose(url, profile);
    } catch (IllegalArgumentException e) {
      throw command == null ? e : new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }
}
