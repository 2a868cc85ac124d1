package dev.runyard.runner.checkout;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyEncryptionContext;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.jspecify.annotations.Nullable;

/// Repositories on the loopback address, served over ssh to whoever has the one key.
final class SshGitServer implements AutoCloseable {
  private final SshServer server = SshServer.setUpDefaultServer();
  private final Path root;
  private final KeyPair client = pair();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> shown = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile KeyPair host = pair();
  private volatile boolean silent;
  private volatile String lfs = "";

  /// @param root of the repositories
  SshGitServer(Path root) throws IOException {
    this.root = root;
    server.setHost("127.0.0.1");
    server.setPort(0);
    server.setKeyPairProvider(KeyPairProvider.wrap(host));
    server.setPublickeyAuthenticator((user, key, _) -> mayEnter(user, key));
    server.setCommandFactory((_, command) -> new Served(command));
    server.start();
  }

  String url(String repository) {
    return "ssh://git@" + host() + "/" + repository;
  }

  String host() {
    return "127.0.0.1:" + server.getPort();
  }

  /// The line of `known_hosts` that names its key.
  String hostKey() {
    return "[127.0.0.1]:%d %s"
        .formatted(server.getPort(), PublicKeyEntry.toString(host.getPublic()));
  }

  /// From now on it has another key.
  void changesItsKey() {
    host = pair();
    server.setKeyPairProvider(KeyPairProvider.wrap(host));
  }

  /// From now on it answers no command.
  void fallsSilent() {
    silent = true;
  }

  /// What it says to who asks where contents of Git LFS are.
  void says(String endpoint) {
    lfs = endpoint;
  }

  /// The key that it lets in.
  String key() {
    return pem(client, null);
  }

  /// The same key for which a passphrase is needed.
  String lockedKey() {
    OpenSSHKeyEncryptionContext lock = new OpenSSHKeyEncryptionContext();
    lock.setPassword("open sesame");
    lock.setCipherType("256");
    return pem(client, lock);
  }

  /// A key that it does not let in.
  static String otherKey() {
    return pem(pair(), null);
  }

  /// The commands that it was sent.
  List<String> asked() {
    return List.copyOf(asked);
  }

  /// The users who have shown it a key.
  List<String> shown() {
    return List.copyOf(shown);
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    server.stop(true);
  }

  private boolean mayEnter(String user, PublicKey key) {
    shown.add(user);
    return KeyUtils.compareKeys(key, client.getPublic());
  }

  private static KeyPair pair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(KeyPair pair, @Nullable OpenSSHKeyEncryptionContext lock) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, "test", lock, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /// Git's own program for the other side of a fetch.
  private final class Served implements Command {
    private final String command;
    private InputStream in = InputStream.nullInputStream();
    private OutputStream out = OutputStream.nullOutputStream();
    private OutputStream err = OutputStream.nullOutputStream();
    private ExitCallback exit = (_, _, _) -> {};

    Served(String command) {
      this.command = command;
    }

    @Override
    public void setInputStream(InputStream from) {
      in = from;
    }

    @Override
    public void setOutputStream(OutputStream to) {
      out = to;
    }

    @Override
    public void setErrorStream(OutputStream to) {
      err = to;
    }

    @Override
    public void setExitCallback(ExitCallback callback) {
      exit = callback;
    }

    @Override
    public void start(ChannelSession channel, Environment variables) {
      asked.add(command);
      String protocol = variables.getEnv().getOrDefault("GIT_PROTOCOL", "");
      Thread.ofPlatform().daemon().name("ssh-git").start(() -> serve(protocol));
    }

    private void serve(String protocol) {
      try {
        if (silent) {
          closed.await();
        }
        if (command.startsWith("git-lfs-authenticate ")) {
          out.write(lfs.getBytes(StandardCharsets.UTF_8));
          out.flush();
          exit.onExit(lfs.isEmpty() ? 1 : 0);
          return;
        }
        String path = command.replaceAll("^git-upload-pack '/?(.*)'$", "$1");
        ProcessBuilder builder =
            new ProcessBuilder("git", "upload-pack", root.resolve(path).toString());
        builder
            .environment()
            .putAll(
                Map.of(
                    "GIT_PROTOCOL", protocol,
                    "GIT_CONFIG_GLOBAL", "/dev/null",
                    "GIT_CONFIG_COUNT", "1",
                    "GIT_CONFIG_KEY_0", "safe.directory",
                    "GIT_CONFIG_VALUE_0", "*"));
        Process process = builder.start();
        Thread.ofPlatform().daemon().name("ssh-git-in").start(() -> feed(process));
        copy(process.getInputStream(), out);
        copy(process.getErrorStream(), err);
        exit.onExit(process.waitFor());
      } catch (IOException | InterruptedException _) {
        exit.onExit(1);
      }
    }

    private void feed(Process process) {
      try (OutputStream to = process.getOutputStream()) {
        copy(in, to);
      } catch (IOException _) {
        process.destroy();
      }
    }

    /// Whoever waits for a part of it gets it at once.
    private static void copy(InputStream from, OutputStream to) throws IOException {
      byte[] some = new byte[8192];
      for (int n = from.read(some); n >= 0; n = from.read(some)) {
        to.write(some, 0, n);
        to.flush();
      }
    }

    @Override
    public void destroy(ChannelSession channel) {
      exit = (_, _, _) -> {};
    }
  }
}
