package dev.runyard.agent.host;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.event.RunEvent;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How the JVM of agents is started: the JDK of this process, the classes a host of agents needs
/// and no others of this process, and the agents' jars.
public final class AgentJvm {
  /// Heap of one agent, unless its operator's arguments say otherwise.
  public static final int HEAP_MEGABYTES_MAX = 256;

  /// The exit code of a JVM that has run out of memory.
  public static final int OUT_OF_MEMORY_EXIT = 3;

  /// What such a JVM prints.
  public static final String OUT_OF_MEMORY = "java.lang.OutOfMemoryError";

  /// A jar with the classes a host needs, where a process has all of its classes in one jar: it
  /// lies beside that one.
  static final String HOST_JAR = "agent-host.jar";

  /// The folder of copies of classes.
  private static final String COPIES = "classes";

  static final String DESCRIBE = "describe";
  static final String REHEARSE = "rehearse";

  /// The descriptors of the channel. Standard input and output are not used for it, so that
  /// whatever an agent or a program it starts prints or reads does not get between the messages.
  private static final int INPUT = 3;

  private static final int OUTPUT = 4;

  private static final String MOVE_CHANNEL =
      "exec %d<&0 %d>&1 </dev/null >&2; exec \"$@\"".formatted(INPUT, OUTPUT);

  private static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:-CreateCoredumpOnCrash",
          "-Xmx" + HEAP_MEGABYTES_MAX + "m");

  private static final Path FOLDER = HostCache.folder();
  private static final HostCache CACHE =
      new HostCache(FOLDER, Thread.ofPlatform().daemon().name("host-cache")::start);

  private AgentJvm() {}

  /// Starts a process that executes an agent. The channel is at its standard input and output,
  /// where its parent sees them; what the agent prints goes to standard error.
  ///
  /// @param jars the agents'
  /// @param options of the JVM, which override its own
  /// @param home a folder of the attempt, for copies of jars that its user does not reach
  public static List<String> executing(List<Path> jars, List<String> options, Path home) {
    List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", MOVE_CHANNEL, "sh"));
    argv.addAll(cached(ClassCopies.reached(home.resolve(COPIES), jars), options));
    return argv;
  }

  /// Starts a process that describes the agents in jars on its standard output.
  static List<String> describing(List<Path> jars) {
    List<String> argv = cached(jars, List.of());
    argv.add(DESCRIBE);
    return argv;
  }

  /// Starts a process that executes an agent of the host's own and leaves a cache of its classes.
  static List<String> rehearsing(List<Path> host, Path cache) {
    List<String> argv = java(host, List.of(), List.of("-XX:ArchiveClassesAtExit=" + cache));
    argv.add(REHEARSE);
    return argv;
  }

  /// The file of the channel's beginning or end in this process.
  static String input() {
    return descriptor(INPUT);
  }

  static String output() {
    return descriptor(OUTPUT);
  }

  private static String descriptor(int number) {
    return "/proc/self/fd/" + number;
  }

  private static List<String> cached(List<Path> jars, List<String> options) {
    List<Path> host = ClassCopies.reached(FOLDER.resolve(COPIES), host());
    List<String> all = new ArrayList<>();
    CACHE.find(host).ifPresent(cache -> all.add("-XX:SharedArchiveFile=" + cache));
    all.addAll(options);
    return java(host, jars, all);
  }

  private static List<String> java(List<Path> host, List<Path> jars, List<String> options) {
    List<String> argv = new ArrayList<>();
    argv.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    argv.addAll(OPTIONS);
    argv.addAll(options);
    argv.add("-cp");
    argv.add(
        Stream.concat(host.stream(), jars.stream())
            .map(path -> path.toAbsolutePath().toString())
            .collect(Collectors.joining(":")));
    argv.add(Main.class.getName());
    return argv;
  }

  /// Where the host's classes come from.
  static List<Path> host() {
    Path alone = source(Main.class).resolveSibling(HOST_JAR);
    return Files.isRegularFile(alone)
        ? List.of(alone)
        : Stream.of(
                Main.class,
                RunEvent.class,
                ObjectMapper.class,
                JsonFactory.class,
                JsonInclude.class)
            .map(AgentJvm::source)
            .distinct()
            .toList();
  }

  private static Path source(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IllegalStateException("nothing says where this class is from: " + type.getName());
    }
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("not a file: " + source.getLocation(), e);
    }
  }
}
