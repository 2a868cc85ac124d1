package dev.runyard.runner.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfinementTest {
  private static final KernelNumbers NUMBERS = KernelNumbers.here().orElseThrow();
  private static final int GETSOCKOPT = NUMBERS.second() ? 55 : 209;
  private static final int SOL_SOCKET = 1;
  private static final int SO_BINDTODEVICE = 25;
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir private Path folder;

  @Test
  void makesOnlySocketsThatReachThisMachine() throws Exception {
    Path given = folder.resolve("given");
    try (Confinement confinement = Confinement.in(folder, "begin");
        ServerSocket here = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Descriptor listening = Descriptor.listen(NUMBERS, given)) {
      Process process = start(confinement);
      confinement.serve(
          process,
          List.of(
              JAVA,
              "-XX:TieredStopAtLevel=1",
              "--enable-native-access=ALL-UNNAMED",
              "-cp",
              System.getProperty("java.class.path"),
              Reaching.class.getName(),
              String.valueOf(here.getLocalPort()),
              given.toString()),
          Map.of("OWN", "1"));

      try (Socket said = here.accept()) {
        assertEquals('h', said.getInputStream().read());
      }
      assertTrue(listening.readable(Math.toIntExact(TestPatience.LONG.toMillis())));
      try (Descriptor agent = listening.accept()) {
        assertEquals("lo", device(agent.take().orElseThrow()));
        assertEquals("lo", device(agent.take().orElseThrow()));
      }
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(
          List.of(
              "variables [OWN]",
              "udp -13",
              "udp6 -13",
              "raw -13",
              "packet -13",
              "ring -38",
              "done"),
          printed.lines().toList());
      assertEquals(0, process.waitFor());
    }
  }

  @Test
  void saysThatTheProgramCannotBeExecuted() throws Exception {
    try (Confinement confinement = Confinement.in(folder, "begin")) {
      Process process = start(confinement);
      confinement.serve(process, List.of("/no/such/program"), Map.of());

      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(
          Confinement.PREFIX + "the program cannot be executed: error 2", printed.stripTrailing());
      assertEquals(Confined.FAILED, process.waitFor());
    }
  }

  @Test
  void failsIfTheProcessDoesNotBegin() throws Exception {
    try (Confinement confinement = Confinement.in(folder, "begin")) {
      Process other = new ProcessBuilder("/bin/true").start();
      assertThrows(
          IOException.class, () -> confinement.serve(other, List.of("/bin/true"), Map.of()));
    }
  }

  @Test
  void refusesAPathThatNoSocketCanHave() {
    assertThrows(IOException.class, () -> Confinement.in(folder, "x".repeat(108)));
  }

  private static Process start(Confinement confinement) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(confinement.command()).redirectErrorStream(true);
    builder.environment().clear();
    return builder.start();
  }

  /// The device that a socket is bound to.
  private static String device(Descriptor socket) {
    try (socket;
        Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(16);
      MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, 16);
      assertEquals(
          0,
          socket.call(GETSOCKOPT, SOL_SOCKET, SO_BINDTODEVICE, name.address(), length.address()));
      return name.getString(0);
    }
  }
}
