package dev.runyard.runner.network;

import dev.runyard.runner.isolation.AgentUser;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The process that becomes an agent whose sockets are confined: it installs the [SocketFilter] on
/// itself, gives the runner the filter's descriptor, and then is the agent's program.
///
/// It has the runner's rights and its share of the processors until then, since the runner waits
/// for it, so nothing of the agent's may affect it: what to become arrives by a socket in a folder
/// of the runner, not by arguments and environment.
public final class Confined {
  /// What a shell says of a program that it cannot execute.
  static final int FAILED = 126;

  private static final int SET_NO_NEW_PRIVILEGES = 38;
  private static final int SET_FILTER = 1;
  private static final int THIS_THREAD = 0;
  private static final int NEW_LISTENER = 8;

  private Confined() {}

  /// Becomes what the runner says.
  ///
  /// @param arguments the path of the socket
  public static void main(String[] arguments) {
    try {
      become(Path.of(arguments[0]));
    } catch (IOException e) {
      System.err.println(Confinement.PREFIX + e.getMessage());
    }
    System.exit(FAILED);
  }

  /// Returns only by failing.
  private static void become(Path socket) throws IOException {
    KernelNumbers numbers =
        KernelNumbers.here().orElseThrow(() -> new IOException("unknown architecture"));
    List<String> argv;
    List<String> environment;
    try (Descriptor runner = Descriptor.connect(numbers, socket)) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(runner.input()));
      argv = texts(in);
      environment = texts(in);
      runner.give(filter(numbers));
      if (!in.readBoolean()) {
        throw new IOException("the runner does not serve the filter");
      }
    }
    long kept = KernelCalls.call(numbers.others().setpriority(), THIS_THREAD, 0, AgentUser.NICE);
    if (kept < 0) {
      throw new IOException("the kernel refused to let it give way: error " + -kept);
    }
    int error = KernelCalls.become(argv.getFirst(), argv, environment);
    throw new IOException("the program cannot be executed: error " + error);
  }

  /// Installs the filter on this thread, which is the one that becomes the program.
  private static int filter(KernelNumbers numbers) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long refused = KernelCalls.call(numbers.others().prctl(), SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0);
      long made =
          refused < 0
              ? refused
              : KernelCalls.call(
                  numbers.others().seccomp(),
                  SET_FILTER,
                  NEW_LISTENER,
                  SocketFilter.program(numbers, arena).address());
      if (made < 0) {
        throw new IOException("the kernel refused the filter: error " + -made);
      }
      return (int) made;
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
