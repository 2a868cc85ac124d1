package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// What bubblewrap hides of a machine whose files an attempt may otherwise read. To be unable to
/// change a file is not enough of two kinds of them: what opens the stack or another account, and
/// sockets, to which a process connects whoever may write the folder they are in. Behind those of a
/// person's session are programs that run commands outside of every namespace.
///
/// @param work the folder of all attempts
/// @param named files and folders that an operator's setting names
/// @param root of the machine's files
record Hiding(Path work, List<Path> named, Path root) {
  /// Everybody may write there, so an attempt has one of its own.
  private static final String SHARED = "tmp";

  /// Where the sockets of a person's session and of the machine's services are.
  private static final String RUN = "run";

  /// What is shown of that all the same: where names are looked up, and on some systems all
  /// programs.
  private static final List<String> SHOWN =
      List.of(
          "run/systemd/resolve/resolv.conf",
          "run/systemd/resolve/stub-resolv.conf",
          "run/resolvconf/resolv.conf",
          "run/NetworkManager/resolv.conf",
          "run/connman/resolv.conf",
          "run/nscd",
          "run/current-system");

  private static final String RESOLVER = "etc/resolv.conf";

  /// The kernel's table of sockets, in whose last column is the path of each that has one.
  private static final String SOCKETS = "proc/net/unix";

  private static final int PATH_COLUMN = 8;
  private static final String NOTHING = "/dev/null";
  private static final String EMPTY = "--tmpfs";
  private static final String BIND = "--ro-bind";

  Hiding {
    named = List.copyOf(named);
  }

  Hiding(Path work, List<Path> named) {
    this(work, named, Path.of("/"));
  }

  /// As options, with what there is now. They come after the one that shows the machine's files.
  List<String> options() {
    List<String> options = new ArrayList<>();
    List<Path> folders = new ArrayList<>();
    for (String run : List.of(RUN, "var/run")) {
      Path folder = root.resolve(run);
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        options.addAll(List.of(EMPTY, folder.toString()));
        folders.add(folder);
      }
    }
    shown().stream()
        .filter(Files::exists)
        .map(Path::toString)
        .forEach(shown -> options.addAll(List.of(BIND, shown, shown)));
    Path shared = root.resolve(SHARED);
    options.addAll(List.of(EMPTY, shared.toString()));
    folders.add(shared);
    for (Path path : real(named)) {
      if (!covers(folders, path)) {
        if (Files.isDirectory(path)) {
          options.addAll(List.of(EMPTY, path.toString()));
          folders.add(path);
        } else {
          options.addAll(List.of(BIND, NOTHING, path.toString()));
        }
      }
    }
    folders.add(work);
    folders.addAll(real(work));
    for (Path socket : real(sockets())) {
      if (!covers(folders, socket)) {
        options.addAll(List.of(BIND, NOTHING, socket.toString()));
      }
    }
    options.addAll(List.of(EMPTY, work.toString()));
    return options;
  }

  /// Whether a program would not be seen although it is there.
  boolean hides(Path program) {
    return !covers(shown(), program)
        && Stream.concat(
                Stream.of(root.resolve(SHARED), root.resolve(RUN), work), real(named).stream())
            .anyMatch(program::startsWith);
  }

  /// With the resolver's settings, wherever the usual link to them leads.
  private List<Path> shown() {
    return Stream.concat(
            real(root.resolve(RESOLVER)).stream()
                .filter(settings -> settings.startsWith(root.resolve(RUN))),
            SHOWN.stream().map(root::resolve))
        .distinct()
        .toList();
  }

  private static boolean covers(List<Path> folders, Path path) {
    return folders.stream().anyMatch(path::startsWith);
  }

  /// Those that are there, by the paths that no link leads to, outer ones first.
  private static List<Path> real(List<Path> paths) {
    return paths.stream()
        .flatMap(path -> real(path).stream())
        .distinct()
        .sorted(Comparator.comparing(Path::getNameCount).thenComparing(Path::toString))
        .toList();
  }

  private static List<Path> real(Path path) {
    try {
      return List.of(path.toRealPath());
    } catch (IOException _) {
      return List.of();
    }
  }

  /// Sockets that programs of this machine have in folders.
  private List<Path> sockets() {
    try {
      return Files.readAllLines(root.resolve(SOCKETS), StandardCharsets.ISO_8859_1).stream()
          .map(line -> line.strip().split(" +", PATH_COLUMN))
          .filter(columns -> columns.length == PATH_COLUMN)
          .map(columns -> columns[PATH_COLUMN - 1])
          .filter(path -> path.startsWith("/"))
          .flatMap(Hiding::path)
          .flatMap(Hiding::sockets)
          .distinct()
          .toList();
    } catch (IOException _) {
      return List.of();
    }
  }

  /// A name that this system's encoding does not have is no socket that a program could be told of.
  private static Stream<Path> path(String bytes) {
    try {
      return Stream.of(
          Path.of(new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)));
    } catch (InvalidPathException _) {
      return Stream.empty();
    }
  }

  /// The socket at a path. One that is not there may have been given another name in its folder, as
  /// `ssh` does with those of connections that it shares: then all that are in there.
  private static Stream<Path> sockets(Path path) {
    Path folder = path.getParent();
    if (isSocket(path)) {
      return Stream.of(path);
    }
    if (folder == null || Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return Stream.empty();
    }
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.filter(Hiding::isSocket).toList().stream();
    } catch (IOException _) {
      return Stream.empty();
    }
  }

  private static boolean isSocket(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).isOther();
    } catch (IOException _) {
      return false;
    }
  }
}
