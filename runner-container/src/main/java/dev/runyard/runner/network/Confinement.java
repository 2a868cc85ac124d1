package dev.runyard.runner.network;

import dev.runyard.runner.machine.SmallJvm;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Starts a program whose sockets of the internet reach nothing but this machine.
///
/// A filter in the kernel must be installed by the process that it is for, before that is the
/// program. Java's process builder cannot do so in between, so a small Java process does, and then
/// becomes the program: [Confined].
public final class Confinement implements AutoCloseable {
  /// How long that process may take to begin.
  static final int BEGIN_SECONDS_MAX = 30;

  /// Put before what that process says if it fails.
  static final String PREFIX = "confinement: ";

  private static final int LOOK_MILLIS = 50;

  private final Path path;
  private final Descriptor listening;

  private Confinement(Path path, Descriptor listening) {
    this.path = path;
    this.listening = listening;
  }

  /// Waits in a folder for one process that is to be confined.
  ///
  /// @param folder only the runner may enter it
  /// @param name unused in the folder
  /// @throws IOException also where this machine's architecture is not known
  public static Confinement in(Path folder, String name) throws IOException {
    KernelNumbers numbers =
        KernelNumbers.here().orElseThrow(() -> new IOException("unknown architecture"));
    Path path = folder.resolve(name);
    return new Confinement(path, Descriptor.listen(numbers, path));
  }

  /// The command of the process that becomes the program once [#serve] is called. It is to be
  /// started with nothing of the agent's in its environment.
  public List<String> command() {
    List<String> command = new ArrayList<>(SmallJvm.command(Confined.class));
    command.add(path.toString());
    return List.copyOf(command);
  }

  /// Lets the process become the program, and makes the sockets of all that this starts.
  public void serve(Process process, List<String> argv, Map<String, String> environment)
      throws IOException {
    await(process);
    try (Descriptor peer = listening.accept()) {
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(peer.output()));
      write(out, argv);
      write(
          out,
          environment.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList());
      out.flush();
      Descriptor filter =
          peer.take().orElseThrow(() -> new IOException("the kernel has no such filter"));
      SocketBroker.start(filter);
      out.writeBoolean(true);
      out.flush();
    }
  }

  private void await(Process process) throws IOException {
    int looks = BEGIN_SECONDS_MAX * 1000 / LOOK_MILLIS;
    while (!listening.readable(LOOK_MILLIS)) {
      looks--;
      if (looks == 0 || !process.isAlive()) {
        throw new IOException("the process that confines itself did not begin");
      }
    }
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
    listening.close();
    Files.deleteIfExists(path);
  }
}
