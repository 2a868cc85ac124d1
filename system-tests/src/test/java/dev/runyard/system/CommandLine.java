package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.cli.Main;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The packaged command line, started as `./runyard` starts it: from its jars, without an
/// optimising compiler, and with an archive of the classes it loads. The archive is made once for
/// all tests and halves the processor time of each start.
public final class CommandLine {
  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
  private static final Path FOLDER = HOME.resolve("system-tests/target/command-line");
  private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");

  /// Of the process and of its runners. A JVM says on its standard output what it thinks of an
  /// archive.
  private static final String EVERYWHERE =
      "-Xlog:disable -XX:TieredStopAtLevel=1 -XX:SharedArchiveFile=" + ARCHIVE;

  private static final String TRAINING = "dev.runyard.cli.Training";

  /// Its manifest puts its own folder on the class path, of which no archive can be made.
  private static final String WITH_FOLDER = "DynamoDBLocal-";

  private static final List<String> JVM =
      List.of(
          Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java")
              .toString(),
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private static List<Path> jars = List.of();

  private CommandLine() {}

  /// A process that has yet to be started.
  ///
  /// @param home the folder with the template
  public static ProcessBuilder of(Path home, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(JVM);
    command.addAll(List.of("-Drunyard.home=" + home, "-cp", classPath(), Main.class.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_TOOL_OPTIONS", EVERYWHERE);
    return builder;
  }

  private static synchronized String classPath() throws IOException, InterruptedException {
    if (jars.isEmpty()) {
      List<Path> all = packaged();
      train(all);
      jars = all;
    }
    return joined(jars);
  }

  private static List<Path> packaged() throws IOException {
    Path target = HOME.resolve("cli/target");
    Files.createDirectories(FOLDER);
    try (Stream<Path> own = Files.list(target);
        Stream<Path> others = Files.list(target.resolve("lib"))) {
      List<Path> found = new ArrayList<>();
      for (Path jar : (Iterable<Path>) Stream.concat(own, others).sorted()::iterator) {
        String name = jar.getFileName().toString();
        if (name.endsWith(".jar")) {
          found.add(name.startsWith(WITH_FOLDER) ? withoutManifest(jar) : jar);
        }
      }
      return found;
    }
  }

  private static Path withoutManifest(Path jar) throws IOException {
    Path copy = FOLDER.resolve(jar.getFileName());
    try (JarFile from = new JarFile(jar.toFile());
        OutputStream file = Files.newOutputStream(copy);
        JarOutputStream to = new JarOutputStream(file)) {
      for (JarEntry entry : (Iterable<JarEntry>) from.stream()::iterator) {
        if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
          to.putNextEntry(new JarEntry(entry.getName()));
          from.getInputStream(entry).transferTo(to);
        }
      }
    }
    return copy;
  }

  private static void train(List<Path> jars) throws IOException, InterruptedException {
    Files.deleteIfExists(ARCHIVE);
    List<String> command = new ArrayList<>(JVM);
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:ArchiveClassesAtExit=" + ARCHIVE,
            "-Drunyard.home=" + HOME,
            "-cp",
            joined(jars),
            TRAINING));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }

  private static String joined(List<Path> jars) {
    return jars.stream().map(Path::toString).collect(Collectors.joining(":"));
  }
}
