package dev.runyard.cli;

import dev.runyard.cli.profile.Profile;
import dev.runyard.cli.profile.Profiles;
import dev.runyard.cli.show.SafeText;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "profiles", description = "List the servers you are logged in to, without keys.")
final class ProfilesCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private OutputOption output = new OutputOption();

  ProfilesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Collection<Profile> profiles = Profiles.of(terminal.env()).all();
    if (output.json()) {
      terminal.json(Map.of("profiles", profiles.stream().map(ProfilesCommand::members).toList()));
    } else if (profiles.isEmpty()) {
      terminal.note("no profiles; make one with: ./runyard login --url URL");
    } else {
      profiles.forEach(profile -> terminal.line(SafeText.line(row(profile))));
    }
    return ExitCode.DONE;
  }

  private static Map<String, String> members(Profile profile) {
    return Map.of(
        "name", profile.name(),
        "url", profile.server().toString(),
        "authentication", profile.authentication().text());
  }

  private static String row(Profile profile) {
    return "%-16s %s  %s"
        .formatted(profile.name(), profile.server(), profile.authentication().text());
  }
}
