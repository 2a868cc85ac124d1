package dev.runyard.cli.doctor;

import dev.runyard.cli.install.AgentPackage;
import dev.runyard.cli.install.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Finds an agent CLI: on the search path, then where `runyard install` puts it.
record AgentChecks(Programs programs, Path cache, Map<String, String> env) {
  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+");

  Check check(AgentPackage agent) throws InterruptedException, IOException {
    Optional<Path> known = programs.find(agent.command());
    Optional<Path> file = known.isPresent() ? known : agent.installed(cache);
    Optional<String> version =
        file.isPresent() ? version(agent, file.get()) : Optional.<String>empty();
    return new Check(
        agent.command(),
        version.isPresent(),
        false,
        file.map(Path::toString).orElse(null),
        version.orElse(null),
        version.map(agent.version()::equals).orElse(null),
        agent.loggedIn(env),
        "%s, as %s".formatted(agent.title(), String.join(" and ", agent.kinds())),
        "runyard install " + agent.name());
  }

  /// The version of an installed CLI is known without starting it, which takes some CLIs seconds.
  private Optional<String> version(AgentPackage agent, Path file)
      throws InterruptedException, IOException {
    if (file.toRealPath().startsWith(agent.folder(cache).toAbsolutePath())) {
      return Optional.of(agent.version());
    }
    return programs
        .firstLine(file, "--version")
        .flatMap(line -> VERSION.matcher(line).results().map(MatchResult::group).findFirst());
  }
}
