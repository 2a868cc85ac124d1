package dev.runyard.bench.peers;

import dev.runyard.bench.stack.Project;
import dev.runyard.cli.install.Npm;
import dev.runyard.cli.install.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A peer's folder below `bench/peers`, and what npm installs by its lock file: into the folder of
/// the build, once for each state of the lock file.
record PeerPackage(String name) {
  private static final String MANIFEST = "package.json";
  private static final String LOCK = "package-lock.json";

  /// A copy of the lock file whose packages are installed.
  private static final String DONE = "installed.json";

  /// @throws IOException if npm is missing or fails
  void install() throws IOException, InterruptedException {
    Path from = folder();
    Path done = installed().resolve(DONE);
    if (Files.exists(done) && Files.mismatch(done, from.resolve(LOCK)) < 0) {
      return;
    }
    Files.createDirectories(installed());
    Files.deleteIfExists(done);
    for (String file : List.of(MANIFEST, LOCK)) {
      Files.copy(
          from.resolve(file), installed().resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    Npm.find(new Programs(System.getenv()), System.err::println).install(installed(), name);
    Files.copy(from.resolve(LOCK), done);
  }

  Path folder() {
    return Project.peers().resolve(name);
  }

  /// The program that a package has for this kind of machine.
  ///
  /// @param prefix of the package's name, before system and architecture
  /// @throws IOException if there is none
  Path program(String prefix, String file) throws IOException {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch", "");
    String platform =
        "%s-%s"
            .formatted(
                system.startsWith("mac") ? "darwin" : system,
                processor.equals("aarch64") ? "arm64" : "x64");
    Path program = installed().resolve("node_modules/" + prefix + platform + "/bin/" + file);
    if (!Files.exists(program) || !program.toFile().setExecutable(true)) {
      throw new IOException(prefix + " has no program for " + platform);
    }
    return program;
  }

  Path installed() {
    return Project.target().resolve("peers").resolve(name);
  }

  /// Ports of the loopback interface at which nothing listens now.
  static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return held.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }
}
