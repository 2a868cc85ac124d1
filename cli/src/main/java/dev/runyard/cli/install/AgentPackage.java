package dev.runyard.cli.install;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.core.agent.AgentCli;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The package with an agent CLI's program, as its folder below `runner-container/agents` describes
/// it: `package.json` names the package at the version it was tested with, and the lock file has
/// the hashes of every file. The CLI's manifest, [AgentCli], describes the CLI.
///
/// @param name of the CLI and of the folder
/// @param kinds of agents that its program can be
/// @param command the program's name on a search path
/// @param program path of the program itself in the package: a pattern, since packages name the
///   platform in their folders. Not npm's wrapper, because ending a wrapper leaves some agents
///   running
/// @param keys variables that may contain the key of its model provider
/// @param logins files below the user's home that a login leaves
public record AgentPackage(
    String name,
    String title,
    List<String> kinds,
    String npmPackage,
    String version,
    String command,
    String program,
    List<String> keys,
    List<String> logins) {
  private static final int LOGIN_BYTES_MIN = 8;
  static final List<String> FILES = List.of("package.json", "package-lock.json");

  public AgentPackage {
    kinds = List.copyOf(kinds);
    keys = List.copyOf(keys);
    logins = List.copyOf(logins);
  }

  /// All of them, the more common first.
  public static List<AgentPackage> all() {
    return AgentCli.all().stream().map(AgentPackage::read).toList();
  }

  /// The one with the program of a kind of agent.
  public static Optional<AgentPackage> find(String kind) {
    return all().stream().filter(agent -> agent.kinds().contains(kind)).findFirst();
  }

  /// One that is known to exist.
  public static AgentPackage of(String kind) {
    return find(kind).orElseThrow();
  }

  /// Its folder in the cache.
  public Path folder(Path cache) {
    return cache.resolve(name).resolve(version);
  }

  /// The program, if it was installed in this cache.
  public Optional<Path> installed(Path cache) throws IOException {
    List<Path> found = List.of(folder(cache));
    for (Path part : Path.of(program)) {
      List<Path> next = new ArrayList<>();
      for (Path parent : found) {
        next.addAll(children(parent, part.toString()));
      }
      found = next;
    }
    return found.stream()
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  private static List<Path> children(Path parent, String pattern) throws IOException {
    var matcher = parent.getFileSystem().getPathMatcher("glob:" + pattern);
    if (!Files.isDirectory(parent)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(parent)) {
      return children.filter(child -> matcher.matches(child.getFileName())).sorted().toList();
    }
  }

  /// True if a key variable or a login of the user exists; neither is read.
  public boolean loggedIn(Map<String, String> env) {
    String home = env.getOrDefault("HOME", "");
    return keys.stream().anyMatch(key -> !env.getOrDefault(key, "").isEmpty())
        || (!home.isEmpty() && logins.stream().anyMatch(file -> isLogin(Path.of(home, file))));
  }

  /// Some CLIs write an empty object before anybody has logged in.
  private static boolean isLogin(Path file) {
    try {
      return Files.isReadable(file) && Files.size(file) >= LOGIN_BYTES_MIN;
    } catch (IOException _) {
      return false;
    }
  }

  static InputStream resource(String name, String file) throws IOException {
    InputStream in = AgentPackage.class.getResourceAsStream(name + "/" + file);
    if (in == null) {
      throw new IOException("the resource %s of %s is missing".formatted(file, name));
    }
    return in;
  }

  private static AgentPackage read(AgentCli cli) {
    try (InputStream in = resource(cli.name(), "package.json")) {
      JsonNode json = JsonMapper.builder().build().readTree(in);
      JsonNode own = json.path("runyard");
      String npmPackage = own.path("package").asText();
      JsonNode version =
          json.path(json.has("dependencies") ? "dependencies" : "optionalDependencies")
              .path(npmPackage);
      return new AgentPackage(
          cli.name(),
          cli.title(),
          cli.agents().stream().map(agent -> agent.kind().name()).toList(),
          npmPackage,
          version.asText(),
          own.path("command").asText(),
          own.path("program").asText(),
          texts(own.path("keys")),
          texts(own.path("logins")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
