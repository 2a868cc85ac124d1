package dev.runyard.local.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/// The folder in which stacks leave their access tokens for the clients of the same user: a file
/// for each stack, named after its port, that nobody else can read.
///
/// @param path made when the first token is left
public record TokenFolder(Path path) {
  private static final Set<PosixFilePermission> OWN_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<Set<PosixFilePermission>> OWN_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final int HTTP_PORT = 80;

  /// A token that was left; closing takes it away again.
  public interface Left extends AutoCloseable {
    @Override
    void close();
  }

  /// The file of the stack at a port.
  public Path file(int port) {
    return path.resolve(Integer.toString(port));
  }

  /// Leaves the token of the stack at a port, in place of one of a stack that ended without taking
  /// it away.
  public Left leave(int port, AccessToken token) {
    Path file = file(port);
    try {
      Files.createDirectories(path);
      Files.setPosixFilePermissions(path, OWN_FOLDER);
      Path draft = Files.createTempFile(path, "token-", ".draft", OWN_FILE);
      Files.writeString(draft, token.text() + "\n");
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot keep the stack's access token in %s; let RUNYARD_CACHE name a folder of your own"
              .formatted(path),
          e);
    }
    return () -> takeAway(file, token);
  }

  private static void takeAway(Path file, AccessToken token) {
    try {
      if (Files.readString(file).strip().equals(token.text())) {
        Files.delete(file);
      }
    } catch (NoSuchFileException _) {
      return;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot take away " + file, e);
    }
  }

  /// The token for a server, if it is a stack of this user. Stacks listen on 127.0.0.1 alone:
  /// whoever listens on another address of this machine is told nothing.
  ///
  /// @throws IOException when there is a token that cannot be read
  public Optional<String> find(URI server) throws IOException {
    if (!"http".equalsIgnoreCase(server.getScheme()) || !isHere(server)) {
      return Optional.empty();
    }
    try {
      Path file = file(server.getPort() < 0 ? HTTP_PORT : server.getPort());
      return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  private static boolean isHere(URI server) {
    String host = String.valueOf(server.getHost());
    try {
      return host.equals("127.0.0.1")
          || (host.equalsIgnoreCase("localhost")
              && InetAddress.getByName(host).equals(InetAddress.getLoopbackAddress()));
    } catch (UnknownHostException _) {
      return false;
    }
  }
}
