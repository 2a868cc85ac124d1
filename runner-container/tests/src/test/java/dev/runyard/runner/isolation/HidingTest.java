package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What bubblewrap is told to hide, of a machine whose files are in a folder.
final class HidingTest {
  @TempDir Path folder;

  private Path root;
  private Path home;
  private Path work;

  @BeforeEach
  void makeTheMachine() throws IOException {
    root = folder.toRealPath();
    home = Files.createDirectories(root.resolve("home/jo"));
    work = Files.createDirectories(home.resolve(".cache/runyard/work"));
    Files.createDirectories(root.resolve("tmp"));
    Files.createDirectories(root.resolve("run/user/1000"));
    Files.createDirectories(root.resolve("var"));
    Files.createSymbolicLink(root.resolve("var/run"), root.resolve("run"));
    Files.createDirectories(root.resolve("proc/net"));
  }

  @Test
  void emptiesWhereSocketsOfSessionsAndServicesAre() throws IOException {
    Path resolver = Files.createDirectories(root.resolve("run/systemd/resolve"));
    Path stub = Files.createFile(resolver.resolve("stub-resolv.conf"));
    assertEquals(
        List.of(
            "--tmpfs",
            root.resolve("run").toString(),
            "--ro-bind",
            stub.toString(),
            stub.toString(),
            "--tmpfs",
            root.resolve("tmp").toString(),
            "--tmpfs",
            work.toString()),
        hiding().options());
  }

  @Test
  void showsTheResolversSettingsWhereverTheyAre() throws IOException {
    Files.createDirectory(root.resolve("etc"));
    Path other = Files.createFile(root.resolve("run/other.conf"));
    Files.createSymbolicLink(root.resolve("etc/resolv.conf"), other);
    assertEquals(
        List.of("--ro-bind", other.toString(), other.toString()), hiding().options().subList(2, 5));
  }

  @Test
  void emptiesAFolderThatIsNoLinkToTheSame() throws IOException {
    Files.delete(root.resolve("var/run"));
    Files.createDirectory(root.resolve("var/run"));
    assertTrue(hiding().options().contains(root.resolve("var/run").toString()));
  }

  @Test
  void emptiesNamedFoldersAndCoversNamedFiles() throws IOException {
    Path tokens = Files.createDirectories(home.resolve(".cache/runyard/tokens"));
    Path token = Files.createFile(tokens.resolve("7070"));
    Path secrets = Files.createFile(home.resolve("secrets.json"));
    Path link = Files.createSymbolicLink(home.resolve("link"), secrets);
    List<String> options = hiding(token, tokens, link, home.resolve("none")).options();
    assertEquals(
        List.of("--ro-bind", "/dev/null", secrets.toString(), "--tmpfs", tokens.toString()),
        options.subList(4, options.size() - 2));
    assertEquals(work.toString(), options.getLast(), "what is in it is shown after that");
  }

  @Test
  void coversSocketsWhereverTheyAre() throws IOException {
    Path agent = home.resolve(".agent.sock");
    Path session = root.resolve("run/user/1000/bus");
    Path own = work.resolve("s");
    Path gone = home.resolve("gone.sock");
    Path file = Files.createFile(home.resolve("file"));
    try (ServerSocketChannel one = listening(agent);
        ServerSocketChannel other = listening(session);
        ServerSocketChannel third = listening(own)) {
      assertTrue(one.isOpen() && other.isOpen() && third.isOpen());
      Files.writeString(
          root.resolve("proc/net/unix"),
          """
          Num       RefCount Protocol Flags    Type St Inode Path
          00000000fe8ae71d: 00000002 00000000 00010000 0001 01 6551814 %s
          00000000fe8ae71e: 00000002 00000000 00010000 0001 01    15 %s
          00000000fe8ae71f: 00000002 00000000 00010000 0001 01    16 %s
          00000000fe8ae720: 00000002 00000000 00010000 0001 01    17 %s
          00000000fe8ae721: 00000002 00000000 00010000 0001 01    18 %s
          00000000fe8ae722: 00000003 00000000 00000000 0001 03    19 @/tmp/.X11-unix/X0
          00000000fe8ae723: 00000003 00000000 00000000 0001 03    20
          """
              .formatted(agent, session, own, gone, file));
      List<String> options = hiding().options();
      assertEquals(
          List.of("--ro-bind", "/dev/null", agent.toString()),
          options.subList(4, options.size() - 2));
    }
  }

  @Test
  void coversSocketsThatHaveAnotherNameThanTheyBegan() throws IOException {
    Path shared = Files.createDirectory(home.resolve(".ssh")).resolve("to-a-host");
    try (ServerSocketChannel one = listening(shared)) {
      assertTrue(one.isOpen());
      Files.writeString(
          root.resolve("proc/net/unix"),
          """
          00000000fe8ae71d: 00000002 00000000 00010000 0001 01 6551814 %s.Tmp8
          00000000fe8ae71e: 00000002 00000000 00010000 0001 01    15 /no\0name
          """
              .formatted(shared));
      assertTrue(hiding().options().contains(shared.toString()));
    }
  }

  @Test
  void showsProgramsThatAreInWhatItHides() throws IOException {
    Path data = Files.createDirectories(home.resolve("data"));
    Hiding hiding = hiding(data);
    assertTrue(hiding.hides(data.resolve("bin/agent")));
    assertTrue(hiding.hides(root.resolve("run/wrappers/agent")));
    assertFalse(hiding.hides(home.resolve("bin/agent")));
    assertFalse(hiding.hides(root.resolve("run/current-system/sw/bin/agent")), "that is shown");
  }

  private Hiding hiding(Path... named) {
    return new Hiding(work, List.of(named), root);
  }

  private static ServerSocketChannel listening(Path path) throws IOException {
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(path));
  }
}
