package dev.runyard.runner.change;

import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.isolation.GitCell;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Git in a git directory made for one change, without any file of the agent: no work tree, no
/// configuration but the one given here, and no environment. Objects of the base are read from its
/// own git directory, which stays as it is.
final class OwnGit {
  private static final int LOOK_MILLIS = 20;
  private static final int STDERR_TAIL_BYTES = 4_096;
  private static final int SHA256_DIGITS = 64;

  private static final List<String> SETTINGS =
      List.of(
          "core.bigFileThreshold=16m",
          "core.hooksPath=/dev/null",
          "core.fsmonitor=false",
          "core.attributesFile=/dev/null",
          "core.excludesFile=/dev/null",
          "core.protectHFS=true",
          "core.protectNTFS=true",
          "core.quotePath=true",
          "diff.renameLimit=1000",
          "gc.auto=0",
          "maintenance.auto=false",
          "protocol.allow=never");

  private final Path folder;
  private final Origin base;
  private final Deadline deadline;
  private int calls;

  private OwnGit(Path folder, Origin base, Deadline deadline) {
    this.folder = folder;
    this.base = base;
    this.deadline = deadline;
  }

  /// Makes the git directory in an empty folder of the runner's own.
  static OwnGit make(Path folder, Origin base, Deadline deadline) throws IOException, TakingFailed {
    OwnGit git = new OwnGit(folder, base, deadline);
    String format = base.commit().length() == SHA256_DIGITS ? "sha256" : "sha1";
    Files.createDirectory(folder.resolve("empty"));
    git.run("init", "--quiet", "--bare", "--template=", "--object-format=" + format);
    return git;
  }

  /// The name of the hash that names objects.
  String digest() {
    return base.commit().length() == SHA256_DIGITS ? "SHA-256" : "SHA-1";
  }

  /// How long a name of an object is.
  int idDigits() {
    return base.commit().length();
  }

  /// The git directory, which from now on has the base's objects too.
  Path joined() throws IOException {
    Path git = folder.resolve("git");
    Path info = Files.createDirectories(git.resolve("objects/info"));
    Files.writeString(info.resolve("alternates"), quoted(base.gitDirectory()) + "\n");
    return git;
  }

  /// A new empty file next to the git directory.
  Path spare(String name) {
    return folder.resolve(name);
  }

  /// A new file with these, each of which ends with a zero, to be the input of git. They may be
  /// many, so they are never together in memory.
  Path asked(String name, Iterator<String> records) throws IOException {
    Path asked = spare(name);
    try (BufferedWriter out = Files.newBufferedWriter(asked, StandardCharsets.UTF_8)) {
      while (records.hasNext()) {
        out.write(records.next());
        out.write('\0');
      }
    }
    return asked;
  }

  /// Runs git without input.
  Path run(String... arguments) throws IOException, TakingFailed {
    return run(Path.of("/dev/null"), Long.MAX_VALUE, arguments);
  }

  /// Runs git.
  ///
  /// @param bytesMax most bytes of what it may print
  /// @return the file with what it printed
  /// @throws TooMuch if it prints more
  /// @throws NoMemory if it needs more memory than it may have
  Path run(Path input, long bytesMax, String... arguments) throws IOException, TakingFailed {
    List<String> command = new ArrayList<>(GitCell.limits());
    command.add("git");
    SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("out" + calls++);
    Path errors = folder.resolve("errors");
    ProcessBuilder process =
        new ProcessBuilder(command)
            .directory(folder.resolve("empty").toFile())
            .redirectInput(input.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    Map<String, String> environment = process.environment();
    String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
    environment.clear();
    environment.put("PATH", path);
    environment.put("LC_ALL", "C");
    environment.put("HOME", folder.resolve("empty").toString());
    environment.put("GIT_DIR", folder.resolve("git").toString());
    environment.put("GIT_ALTERNATE_OBJECT_DIRECTORIES", quoted(base.gitDirectory()));
    environment.put("GIT_CONFIG_NOSYSTEM", "1");
    environment.put("GIT_CONFIG_SYSTEM", "/dev/null");
    environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
    environment.put("GIT_ATTR_NOSYSTEM", "1");
    environment.put("GIT_NO_REPLACE_OBJECTS", "1");
    environment.put("GIT_NO_LAZY_FETCH", "1");
    environment.put("GIT_TERMINAL_PROMPT", "0");
    int status = status(process, output, bytesMax);
    boolean nothingFound = status == 1 && List.of(arguments).contains("check-ignore");
    if (status != 0 && tail(errors).contains("fatal: Out of memory")) {
      throw new NoMemory();
    }
    if (status != 0 && !nothingFound) {
      throw new TakingFailed("git " + named(arguments) + " failed");
    }
    return output;
  }

  private static String named(String... arguments) {
    return Stream.of(arguments)
        .filter(argument -> argument.chars().allMatch(c -> c == '-' || Character.isLetter(c)))
        .filter(argument -> !argument.startsWith("-"))
        .findFirst()
        .orElse("");
  }

  private int status(ProcessBuilder builder, Path output, long bytesMax)
      throws IOException, TakingFailed {
    Process process = GitCell.start(builder);
    try {
      while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        deadline.check();
        bound(output, bytesMax);
      }
      bound(output, bytesMax);
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TakingFailed("the runner is being stopped", e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static void bound(Path output, long bytesMax) throws IOException, TooMuch {
    if (Files.size(output) > bytesMax) {
      throw new TooMuch();
    }
  }

  private static String tail(Path errors) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(errors.toFile(), "r")) {
      file.seek(Math.max(0, file.length() - STDERR_TAIL_BYTES));
      byte[] tail = new byte[(int) (file.length() - file.getFilePointer())];
      file.readFully(tail);
      return new String(tail, StandardCharsets.UTF_8);
    }
  }

  /// A colon would separate two folders.
  private static String quoted(Path gitDirectory) {
    String objects = gitDirectory.toAbsolutePath().resolve("objects").toString();
    return '"' + objects.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /// Git needs more memory than it may have.
  static final class NoMemory extends TakingFailed {
    private static final long serialVersionUID = 1L;

    NoMemory() {
      super("it is too large");
    }
  }

  /// Git printed more than it may.
  static final class TooMuch extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
