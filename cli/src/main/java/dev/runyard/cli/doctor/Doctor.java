package dev.runyard.cli.doctor;

import dev.runyard.cli.install.AgentPackage;
import dev.runyard.cli.install.Programs;
import dev.runyard.cli.show.SafeText;
import dev.runyard.runner.checkout.GitProgram;
import dev.runyard.runner.checkout.SshProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Checks everything Runyard uses on this machine. Programs are asked for their versions in
/// parallel, since some take seconds to answer.
public final class Doctor {
  static final int JAVA_RELEASE = 25;

  private final Map<String, String> env;
  private final Programs programs;
  private final Path cache;

  public Doctor(Map<String, String> env, Path cache) {
    this.env = Map.copyOf(env);
    this.programs = new Programs(env);
    this.cache = cache;
  }

  public List<Check> examine() throws InterruptedException {
    List<Check> checks = new ArrayList<>();
    checks.add(java());
    checks.add(cache());
    checks.add(new IsolationCheck(cache, env).examine());
    try (var threads = Executors.newCachedThreadPool()) {
      List<Future<Check>> answers = new ArrayList<>();
      for (Wanted wanted : Wanted.PROGRAMS) {
        answers.add(threads.submit(() -> program(wanted)));
      }
      AgentChecks agents = new AgentChecks(programs, cache, env);
      for (AgentPackage agent : AgentPackage.all()) {
        answers.add(threads.submit(() -> agents.check(agent)));
      }
      for (Future<Check> answer : answers) {
        checks.add(answer.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    return List.copyOf(checks);
  }

  private static Check java() {
    Wanted wanted = new Wanted("java", true, "runs Runyard", "install a JDK " + JAVA_RELEASE);
    String where = System.getProperty("java.home");
    String version = Runtime.version().toString();
    return Runtime.version().feature() == JAVA_RELEASE
        ? Check.found(wanted, where, version)
        : Check.missing(wanted, where, version);
  }

  private Check cache() {
    Wanted wanted =
        new Wanted(
            "cache",
            true,
            "keeps installed agent CLIs",
            "make the folder writable, or name another one in RUNYARD_CACHE");
    try {
      Files.createDirectories(cache);
      Files.delete(Files.createTempFile(cache, "doctor", ".tmp"));
      return Check.found(wanted, cache.toString(), null);
    } catch (IOException _) {
      return Check.missing(wanted, cache.toString(), null);
    }
  }

  private Check program(Wanted wanted) throws InterruptedException {
    Optional<Path> file = programs.find(wanted.name());
    if (file.isEmpty()) {
      return Check.missing(wanted, null, null);
    }
    Optional<String> version =
        programs.firstLine(
            file.get(), wanted.name().equals(SshProgram.NAME) ? SshProgram.ASKED : "--version");
    String where = file.get().toString();
    boolean old =
        wanted.name().equals(GitProgram.NAME) && !version.map(GitProgram::isNewEnough).orElse(true);
    return version.isPresent() && !old
        ? Check.found(wanted, where, SafeText.line(version.get()))
        : Check.missing(wanted, where, version.map(SafeText::line).orElse(null));
  }
}
