package dev.runyard.cli;

import dev.runyard.cli.profile.Profile;
import dev.runyard.cli.profile.Profiles;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "logout",
    description = "Forget a server and its key. The key stays good: see 'runyard keys revoke'.")
final class LogoutCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "The profile. Default: " + Profile.DEFAULT + ".")
  private String profile = Profile.DEFAULT;

  LogoutCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (!Profiles.of(terminal.env()).remove(profile)) {
      terminal.note("runyard: there is no profile " + profile);
      return ExitCode.FAILED;
    }
    return ExitCode.DONE;
  }
}
