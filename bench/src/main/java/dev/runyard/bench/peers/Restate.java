package dev.runyard.bench.peers;

import dev.runyard.cli.install.Programs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.OptionalDouble;

/// Restate's server with its own defaults, which sync what they write, and the service of
/// `bench/peers/restate`: a durable workflow of two steps. A piece of work is a one-way send,
/// acknowledged, and a request for the result.
final class Restate implements Product {
  private static final PeerPackage PACKAGE = new PeerPackage("restate");
  private static final String SERVICE = "service.js";
  private static final String HOST = "127.0.0.1";

  @Override
  public String name() {
    return "restate";
  }

  @Override
  public void install() throws IOException, InterruptedException {
    PACKAGE.install();
    Files.copy(
        PACKAGE.folder().resolve(SERVICE),
        PACKAGE.installed().resolve(SERVICE),
        StandardCopyOption.REPLACE_EXISTING);
    server();
  }

  private static Path server() throws IOException {
    return PACKAGE.program("@restatedev/restate-server-", "restate-server");
  }

  @Override
  public Started start(Path folder) throws IOException, InterruptedException {
    List<Integer> ports = PeerPackage.freePorts(4);
    Path settings = Files.writeString(folder.resolve("restate.toml"), settings(folder, ports));
    return new Running(folder, ports, node(), settings).started();
  }

  private static Path node() throws IOException {
    return new Programs(System.getenv())
        .find("node")
        .orElseThrow(() -> new IOException("Node.js is not there"));
  }

  private static URI uri(int port) {
    return URI.create("http://" + HOST + ":" + port);
  }

  private static String settings(Path folder, List<Integer> ports) {
    return """
    listen-mode = "tcp"
    bind-ip = "%1$s"
    bind-port = %3$d
    advertised-host = "%1$s"
    base-dir = "%2$s"
    disable-telemetry = true
    [ingress]
    bind-port = %4$d
    [admin]
    bind-port = %5$d
    """
        .formatted(HOST, folder.resolve("data"), ports.get(0), ports.get(1), ports.get(2));
  }

  private static final class Running extends RunningPeer {
    private final List<Integer> ports;
    private final Path node;
    private final Path settings;
    private final URI ingress;
    private int works;

    Running(Path folder, List<Integer> ports, Path node, Path settings) {
      super(folder);
      this.ports = ports;
      this.node = node;
      this.settings = settings;
      this.ingress = uri(ports.get(1));
    }

    @Override
    void start() throws IOException, InterruptedException {
      int service = ports.get(3);
      processes()
          .start(
              "service",
              new ProcessBuilder(
                  node.toString(),
                  PACKAGE.installed().resolve(SERVICE).toString(),
                  Integer.toString(service)));
      processes()
          .start(
              "server",
              new ProcessBuilder(
                  server().toString(), "--no-logo", "--config-file", settings.toString()));
      client()
          .awaitPost(
              uri(ports.get(2)).resolve("/deployments"),
              "{\"uri\":\"" + uri(service) + "\"}",
              processes());
      client().awaitGet(ingress.resolve("/restate/health"), processes());
    }

    @Override
    public Work work() throws IOException, InterruptedException {
      String workflow = "TwoSteps/work-" + works++;
      long begin = System.nanoTime();
      client().post(ingress.resolve("/" + workflow + "/run/send"), TEXT);
      double accepted = millisSince(begin);
      String result = client().get(ingress.resolve("/restate/workflow/" + workflow + "/attach"));
      double ended = millisSince(begin);
      if (!result.contains("one two")) {
        throw new IOException("the workflow returned " + result);
      }
      return new Work(OptionalDouble.of(accepted), ended);
    }
  }
}
