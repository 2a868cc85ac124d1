package dev.runyard.runner.network;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Starts programs whose network is confined to this machine.
public final class Confinement implements AutoCloseable {
  private static final long PATH_BYTES = 0;

  private final KernelNumbers numbers;
  private final Path socket;
  private final ServerSocketChannel server;

  Confinement(KernelNumbers numbers, Path folder) throws IOException {
    this.numbers = numbers;
    this.socket = folder.resolve("confined");
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
  }

  /// The command that becomes the program once [#serve] has been called.
  List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        Confined.class.getName(),
        socket.toString());
  }

  /// Lets the process become the program.
  SocketBroker serve(Process process, List<String> argv, Map<String, String> environment)
      throws IOException {
    try (SocketChannel peer = server.accept()) {
      DataInputStream in = new DataInputStream(Channels.newInputStream(peer));
      DataOutputStream out = new DataOutputStream(Channels.newOutputStream(peer));
      write(out, argv);
      write(
          out, environment.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
      out.flush();
      int descriptor = in.readInt();
      if (descriptor < 0) {
        throw new IOException("the kernel refused the filter: error " + -descriptor);
      }
      long taken = take(process.pid(), descriptor);
      if (taken < 0) {
        throw new IOException("the filter's descriptor could not be taken: error " + -taken);
      }
      SocketBroker broker = SocketBroker.start(numbers, (int) taken);
      out.writeBoolean(true);
      out.flush();
      return broker;
    }
  }

  private long take(long pid, int descriptor) {
    long process = SystemCalls.call(KernelNumbers.PIDFD_OPEN, pid, 0);
    if (process < 0) {
      return process;
    }
    long taken = SystemCalls.call(KernelNumbers.PIDFD_GETFD, process, descriptor, 0);
    SystemCalls.call(numbers.close(), process);
    return taken;
  }

  private static void write(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    Files.deleteIfExists(socket);
  }
}
