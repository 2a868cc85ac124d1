package dev.runyard.bench.peers;

import dev.runyard.cli.install.BuildTool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// sandbox-agent with its own mock agent, a process for each session. A piece of work is a new
/// session and a prompt in it, three requests of the Agent Client Protocol over HTTP.
final class SandboxAgent implements Product {
  private static final PeerPackage PACKAGE = new PeerPackage("sandbox-agent");

  private static final List<String> REQUESTS =
      List.of(
          """
          {"jsonrpc":"2.0","id":1,"method":"initialize",
           "params":{"protocolVersion":1,"clientCapabilities":{}}}\
          """,
          """
          {"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}\
          """,
          """
          {"jsonrpc":"2.0","id":3,"method":"session/prompt",
           "params":{"sessionId":"one","prompt":[{"type":"text","text":%s}]}}\
          """
              .formatted(RunningPeer.TEXT));

  @Override
  public String name() {
    return "sandbox-agent";
  }

  @Override
  public void install() throws IOException, InterruptedException {
    PACKAGE.install();
    program();
  }

  private static Path program() throws IOException {
    return PACKAGE.program("@sandbox-agent/cli-", "sandbox-agent");
  }

  @Override
  public Started start(Path folder) throws IOException, InterruptedException {
    if (!new BuildTool(_ -> {}).succeeds(command(folder, "install-agent", "mock"))) {
      throw new IOException("its mock agent does not install");
    }
    return new Running(folder, PeerPackage.freePorts(1).getFirst()).started();
  }

  /// It keeps its files in the home, and finds the program of its mock agent by a variable.
  private static ProcessBuilder command(Path home, String... arguments) throws IOException {
    String program = program().toString();
    ProcessBuilder command =
        new ProcessBuilder(Stream.concat(Stream.of(program), Stream.of(arguments)).toList());
    command.environment().put("HOME", home.toString());
    command.environment().put("SANDBOX_AGENT_BIN", program);
    return command;
  }

  private static final class Running extends RunningPeer {
    private final Path folder;
    private final int port;
    private final URI server;
    private int works;

    Running(Path folder, int port) {
      super(folder);
      this.folder = folder;
      this.port = port;
      this.server = URI.create("http://127.0.0.1:" + port);
    }

    @Override
    void start() throws IOException, InterruptedException {
      String on = Integer.toString(port);
      processes()
          .start("server", command(folder, "server", "--port", on, "--no-token", "--no-telemetry"));
      client().awaitGet(server.resolve("/v1/health"), processes());
    }

    @Override
    public Work work() throws IOException, InterruptedException {
      URI session = server.resolve("/v1/acp/work-" + works++ + "?agent=mock");
      long begin = System.nanoTime();
      for (String request : REQUESTS) {
        String answer = client().post(session, request);
        if (!answer.contains("\"result\"")) {
          throw new IOException("the agent answered " + answer);
        }
      }
      return Work.ended(millisSince(begin));
    }
  }
}
