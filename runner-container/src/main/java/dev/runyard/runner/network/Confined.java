package dev.runyard.runner.network;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The process that becomes an agent whose network is confined: it installs the [SocketFilter] on
/// itself, lets the runner take the filter's descriptor, and then is the agent's program.
///
/// It has the runner's rights until then, so nothing of the agent's may affect it: what to become
/// arrives by a socket in the runner's own folder, not by arguments and environment.
public final class Confined {
  private static final int SET_NO_NEW_PRIVILEGES = 38;
  private static final int SET_FILTER = 1;
  private static final int NEW_LISTENER = 8;
  private static final int FAILED = 126;

  private Confined() {}

  /// @param arguments the path of the socket
  public static void main(String[] arguments) throws IOException {
    List<String> argv;
    List<String> environment;
    try (SocketChannel runner =
        SocketChannel.open(UnixDomainSocketAddress.of(Path.of(arguments[0])))) {
      DataInputStream in = new DataInputStream(Channels.newInputStream(runner));
      DataOutputStream out = new DataOutputStream(Channels.newOutputStream(runner));
      argv = texts(in);
      environment = texts(in);
      out.writeInt(filter());
      out.flush();
      if (!in.readBoolean()) {
        System.exit(FAILED);
      }
    }
    int error = SystemCalls.become(argv.getFirst(), argv, environment);
    System.err.println("the agent's program could not be executed: error " + error);
    System.exit(FAILED);
  }

  /// The filter's descriptor, or the negative error number.
  private static int filter() {
    KernelNumbers numbers = KernelNumbers.here().orElseThrow();
    try (Arena arena = Arena.ofConfined()) {
      long refused = SystemCalls.call(numbers.prctl(), SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0);
      return (int)
          (refused < 0
              ? refused
              : SystemCalls.call(
                  numbers.seccomp(),
                  SET_FILTER,
                  NEW_LISTENER,
                  SocketFilter.program(numbers, arena).address()));
    }
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    int count = in.readInt();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
    }
    return texts;
  }
}
