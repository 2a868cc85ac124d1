package dev.runyard.bench.peers;

import dev.runyard.bench.stack.Project;
import dev.runyard.cli.install.BuildTool;
import dev.runyard.cli.install.Programs;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Temporal's test server with a workflow of two activities, as `bench/peers/temporal` starts them
/// in a JVM of its own. A piece of work is a request that executes the workflow and answers its
/// result. It keeps nothing on a disk.
final class Temporal implements Product {
  private static final String READY = "ready ";

  @Override
  public String name() {
    return "temporal";
  }

  @Override
  public void install() throws IOException, InterruptedException {
    Path maven =
        new Programs(System.getenv())
            .find("mvn")
            .orElseThrow(() -> new IOException("Maven is not there"));
    ProcessBuilder command =
        new ProcessBuilder(maven.toString(), "-q", "-B", "package").directory(folder().toFile());
    command.environment().put("JAVA_HOME", System.getProperty("java.home", ""));
    if (!new BuildTool(System.err::println).succeeds(command)) {
      throw new IOException("Maven could not build it; is its repository reachable?");
    }
  }

  private static Path folder() {
    return Project.peers().resolve("temporal");
  }

  @Override
  public Started start(Path folder) throws IOException, InterruptedException {
    return new Running(folder).started();
  }

  private static ProcessBuilder command() {
    Path target = folder().resolve("target");
    return new ProcessBuilder(
        Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
        "-Dsun.net.httpserver.nodelay=true",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*",
        "dev.runyard.bench.temporal.Main");
  }

  private static final class Running extends RunningPeer {
    private @Nullable URI front;

    Running(Path folder) {
      super(folder);
    }

    @Override
    void start() throws IOException, InterruptedException {
      processes().start("server", command());
      front = URI.create(processes().awaitLine("server", READY));
    }

    @Override
    public Work work() throws IOException, InterruptedException {
      long begin = System.nanoTime();
      String result = client().post(Objects.requireNonNull(front), TEXT);
      double ended = millisSince(begin);
      if (!result.endsWith("one two")) {
        throw new IOException("the workflow returned " + result);
      }
      return Work.ended(ended);
    }
  }
}
