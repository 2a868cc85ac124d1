package dev.runyard.runner.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.change.LeftOut;
import dev.runyard.runner.checkout.Origin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
final class HostileWorkspaceTest {
  private static final int WORKSPACES = 50;
  private static final String OUTSIDE = "nobody may read this through a link";

  @TempDir private static Path shared;
  private static OriginRepository first;

  @TempDir private Path folder;

  @BeforeAll
  static void make() throws IOException {
    first = new OriginRepository(shared);
  }

  static Stream<Long> seeds() {
    return Stream.iterate(1L, seed -> seed + 1).limit(WORKSPACES);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void runsNoCommandReadsNothingOutsideAndTakesTheWholeChange(long seed) throws Exception {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("secret"), OUTSIDE);
    Path foreign = Files.writeString(outside.resolve("foreign"), OUTSIDE);
    Files.setAttribute(foreign, "unix:uid", 12345);
    Path marker = folder.resolve("marker");
    OriginRepository repository = first.in(folder);
    Origin base = repository.base("ws");
    new HostileWorkspaces(base.workspace(), outside, marker, seed).leave();

    Path scratch = Files.createDirectory(folder.resolve("scratch"));
    Deadline deadline = Deadline.in(Duration.ofHours(1), InstantSource.system());
    TakenChange taken = ChangeTaking.take(base, List.of(), scratch, Secrets.NONE, deadline);
    FilesTaking files = new FilesTaking(base.workspace(), Secrets.NONE, deadline);
    Path archive = files.archive(folder.resolve("all.tar.gz")).orElseThrow();
    Path copies = Files.createDirectory(folder.resolve("copies"));
    files.artifacts(List.of("**"), copies, new ArrayList<>());

    assertFalse(Files.exists(marker));
    assertEquals(OUTSIDE, read(outside.resolve("secret")));
    Path patch = taken.patch().orElseThrow();
    assertFalse(read(patch).contains(OUTSIDE));
    try (Stream<Path> each = Files.list(copies)) {
      for (Path copy : each.toList()) {
        assertFalse(read(copy).contains(OUTSIDE));
      }
    }
    String tree = repository.applied(patch, "clean");
    Set<String> left =
        taken.leftOut().stream().map(LeftOut::path).collect(Collectors.toCollection(TreeSet::new));
    Path check = Files.createDirectory(folder.resolve("check"));
    Origin clean = new Origin(folder.resolve("clean/.git"), base.commit(), base.workspace());
    Map<String, String> applied = new TreeMap<>();
    OriginTree.read(OwnGit.make(check, clean, deadline), tree)
        .files()
        .forEach((path, leaf) -> applied.put(path, leaf.mode() + " " + leaf.id()));
    applied.keySet().removeIf(path -> isLeft(path, left));
    assertEquals(entries(base.workspace(), left, true), applied);

    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    OriginRepository.run(unpacked, List.of("tar", "xzf", archive.toString()));
    assertFalse(Files.exists(unpacked.resolve(".git"), LinkOption.NOFOLLOW_LINKS));
    files.leftOut().forEach(out -> left.add(out.path()));
    assertEquals(entries(base.workspace(), left, false), entries(unpacked, left, false));
  }

  /// The modes of what is in a folder, and the ids of the contents, without what is left out.
  ///
  /// @param stored whether as the base's rules say, and without what they ignore
  private static Map<String, String> entries(Path root, Set<String> left, boolean stored)
      throws IOException {
    Map<String, String> entries = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.toList()) {
        String name = root.relativize(path).toString();
        PosixFileAttributes attributes =
            Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean ignored = stored && (name.startsWith("ignored/") || name.equals("some.log"));
        if (!ignored && !isLeft(name, left) && !attributes.isDirectory() && !attributes.isOther()) {
          entries.put(name, entry(path, attributes, stored));
        }
      }
    }
    return entries;
  }

  private static boolean isLeft(String name, Set<String> left) {
    return name.isEmpty()
        || name.equals(".git")
        || name.startsWith(".git/")
        || left.stream().anyMatch(out -> name.equals(out) || name.startsWith(out + "/"));
  }

  private static String entry(Path path, PosixFileAttributes attributes, boolean stored)
      throws IOException {
    if (attributes.isSymbolicLink()) {
      return "120000 " + id(Files.readSymbolicLink(path).toString().getBytes(UTF_8));
    }
    byte[] content = Files.readAllBytes(path);
    boolean text = stored && path.toString().matches("(?s).*\\.(txt|cmd)");
    boolean program = attributes.permissions().contains(PosixFilePermission.OWNER_EXECUTE);
    return (program ? "100755 " : "100644 ")
        + id(text ? OriginAttributes.stored(content) : content);
  }

  private static String id(byte[] content) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    digest.update(("blob " + content.length + "\0").getBytes(UTF_8));
    return HexFormat.of().formatHex(digest.digest(content));
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }
}
