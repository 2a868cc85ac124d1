package dev.runyard.runner.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.NetworkAccess;
import dev.runyard.core.event.SandboxApplied;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.isolation.AttemptLimits;
import dev.runyard.runner.isolation.Cell;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.isolation.IsolationChoice;
import dev.runyard.runner.isolation.IsolationLevel;
import dev.runyard.runner.isolation.IsolationRefused;
import dev.runyard.runner.isolation.NotEnforced;
import dev.runyard.runner.network.AgentNetworks.Limited;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Stdin;
import dev.runyard.runner.workspace.Workspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentNetworksTest {
  private static final NetworkAccess HOSTS =
      new NetworkAccess.Hosts(List.of("*.example.com", "git.example.net:8443"));

  @TempDir private Path folder;

  @Test
  @Needs(Outside.OWN_USERS)
  void leaveAnAgentWithoutNetworkThisMachineAlone() throws Exception {
    Isolation isolation = users();
    Cell cell = limited(isolation, NetworkAccess.Hosts.NONE);
    try (ServerSocket here = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      AgentProcess agent = start(cell, attack(here.getLocalPort()));
      try (Socket said = here.accept()) {
        assertEquals(
            "hello\n", new String(said.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      }
      assertEquals(List.of("bound no udp", "proxy none"), lines(agent));
      SandboxApplied told = cell.told().orElseThrow();
      assertEquals("none", told.network());
      assertFalse(told.notEnforced().contains(NotEnforced.NETWORK), told::toString);
      agent.kill();
    } finally {
      assertTrue(cell.close());
    }
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void leadAnAgentToItsHostsByAProxyOfItsOwn() throws Exception {
    Isolation isolation = users();
    Cell cell = limited(isolation, HOSTS);
    AgentProcess agent = start(cell, "echo $HTTPS_PROXY; echo $no_proxy");
    List<String> said = lines(agent);
    URI proxy = URI.create(said.getFirst());
    assertEquals("attempt:token", proxy.getUserInfo());
    assertEquals("127.0.0.1,localhost,::1", said.getLast());
    assertEquals("hosts", cell.told().orElseThrow().network());
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.getPort())) {
      agent.kill();

      assertTrue(cell.close());

      assertTrue(isEnded(client));
    }
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void haveAnAgentGiveWayAsOthersDo() throws Exception {
    Cell cell = limited(users(), NetworkAccess.Hosts.NONE);

    assertEquals(List.of("19"), lines(start(cell, "nice")));

    assertTrue(cell.close());
  }

  /// Whether the proxy ended the connection; its port may be somebody else's by now.
  private static boolean isEnded(Socket client) throws IOException {
    try {
      return client.getInputStream().read() < 0;
    } catch (SocketException _) {
      return true;
    }
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void leaveAnOpenNetworkAsItIs() throws IOException {
    Cell cell = users().cell("run.1", List.of());

    assertEquals(
        new Limited.To(cell), AgentNetworks.UNLIMITED.limited(cell, new NetworkAccess.Open()));
  }

  @Test
  void startNothingThatTheyCannotLimit() throws IOException {
    Limited.NotEnforced refused =
        assertInstanceOf(
            Limited.NotEnforced.class, AgentNetworks.UNLIMITED.limited(Cell.OPEN, HOSTS));
    assertEquals("network_not_enforced", refused.failure().code());
  }

  @Test
  void refuseToBeEnforcedWithoutUsers() throws IOException {
    Isolation none = isolation(IsolationLevel.NONE);
    IsolationRefused refused =
        assertThrows(IsolationRefused.class, () -> AgentNetworks.enforced(none, () -> "token"));
    assertTrue(String.valueOf(refused.getMessage()).contains("the isolation is none"));
  }

  /// Says hello to a port of this machine, and tries to undo the confinement.
  private static String attack(int port) {
    return """
    exec 3<>/dev/tcp/127.0.0.1/%1$d && echo hello >&3
    perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0) or print "no socket ";
      print setsockopt(S, 1, 25, "\\0") ? "free" : "bound";
      print socket(U, AF_INET, SOCK_DGRAM, 0) ? " udp\\n" : " no udp\\n"'
    echo "proxy ${HTTPS_PROXY:-none}"
    """
        .formatted(port);
  }

  private Isolation users() throws IOException {
    return isolation(IsolationLevel.UID);
  }

  private Isolation isolation(IsolationLevel level) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    return Isolation.decide(
        new Isolation.Setting(
            new IsolationChoice(Optional.of(level)),
            "stack",
            folder.resolve("work"),
            AttemptLimits.of("{}", 8L << 30),
            System.getenv("PATH"),
            List.of()));
  }

  private Cell limited(Isolation isolation, NetworkAccess access) throws IOException {
    RunMark mark = new RunMark("run", "1");
    Workspace home = Workspace.create(folder.resolve("work/homes"), mark);
    Workspace workspace = Workspace.create(folder.resolve("work/workspaces"), mark);
    Cell apart = isolation.cell(mark.value(), List.of(home.path(), workspace.path()));
    return assertInstanceOf(
            Limited.To.class,
            AgentNetworks.enforced(isolation, () -> "token").limited(apart, access))
        .cell();
  }

  private AgentProcess start(Cell cell, String script) {
    AgentCommand command =
        new AgentCommand(
            List.of("bash", "-c", script),
            folder.resolve("work/workspaces/run.1"),
            Map.of("PATH", "/usr/bin:/bin"),
            new Stdin.Closed());
    return assertInstanceOf(
        AgentProcess.class,
        ProcessLauncher.onThisMachine().in(cell).start(command, new RunMark("run", "1")));
  }

  private static List<String> lines(AgentProcess agent) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Optional<Line> line = agent.stdout().next();
        line.isPresent();
        line = agent.stdout().next()) {
      lines.add(assertInstanceOf(Line.Text.class, line.get()).text());
    }
    assertFalse(lines.isEmpty(), agent::stderrTail);
    return lines;
  }
}
