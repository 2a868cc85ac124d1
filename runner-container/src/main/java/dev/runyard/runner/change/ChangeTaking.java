package dev.runyard.runner.change;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.ChangedFile;
import dev.runyard.core.change.LeftOut;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.workspace.GitNames;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Takes what differs between a workspace and its base. Used once.
final class ChangeTaking {
  private final Origin base;
  private final OwnGit git;
  private final OriginTree tree;
  private final NewTree now;
  private final Secrets secrets;
  private final Deadline deadline;
  private final ContentIds ids;
  private final List<String> sparse;
  private final Set<String> there = new HashSet<>();
  private final Set<String> closed = new TreeSet<>();
  private final Set<String> kept = new HashSet<>();
  private final List<LeftOut> leftOut = new ArrayList<>();
  private Optional<IgnoredFiles.Rules> rules = Optional.empty();

  private ChangeTaking(
      Origin base,
      List<String> sparse,
      OwnGit git,
      NewTree.Bounds bounds,
      Secrets secrets,
      Deadline deadline)
      throws IOException, TakingFailed {
    this.base = base;
    this.git = git;
    this.tree = OriginTree.read(git, base.commit());
    this.now = new NewTree(git, bounds);
    this.secrets = secrets;
    this.deadline = deadline;
    this.ids = new ContentIds(git.digest(), deadline);
    this.sparse = sparse;
  }

  /// Takes it.
  ///
  /// @param sparse the only folders and files of the base that the workspace began with; empty for
  ///   all
  /// @param scratch an empty folder of the runner's own
  static TakenChange take(
      Origin base, List<String> sparse, Path scratch, Secrets secrets, Deadline deadline)
      throws IOException, TakingFailed {
    OwnGit git = OwnGit.make(scratch, base, deadline);
    return new ChangeTaking(base, sparse, git, NewTree.Bounds.OF_A_CHANGE, secrets, deadline)
        .taken();
  }

  /// Makes a tree of what the files are now, and keeps the rules that they have.
  ///
  /// @param base what was tracked before, with an empty folder for the rules
  /// @param scratch an empty folder of the runner's own, in which the tree stays
  static Origin now(
      Origin base, List<String> sparse, Secrets secrets, Path scratch, Deadline deadline)
      throws IOException, TakingFailed {
    OwnGit git = OwnGit.make(scratch, base, deadline);
    ChangeTaking taking =
        new ChangeTaking(base, sparse, git, NewTree.Bounds.OF_A_STATE, secrets, deadline);
    taking.rules = base.earlier().map(Origin.Earlier::rules).map(IgnoredFiles.Rules::new);
    taking.compare();
    if (!taking.now.fits()) {
      throw new TakingFailed("it is too large");
    }
    return base.as(git.joined(), taking.now.write(), base.earlier());
  }

  private TakenChange taken() throws IOException, TakingFailed {
    compare();
    if (now.fits() && now.comparesTo(tree)) {
      try {
        return compared();
      } catch (OwnGit.NoMemory _) {
        // Told like one that is too large to compare.
      }
    }
    return new TakenChange(
        Differences.uncounted(now, tree), Optional.empty(), leftOut, Optional.empty());
  }

  private TakenChange compared() throws IOException, TakingFailed {
    String written = now.write();
    List<ChangedFile> files = Differences.files(git, base.commit(), written);
    return new TakenChange(
        files, Differences.patch(git, base.commit(), written), leftOut, whole(written));
  }

  private Optional<WholeTaking> whole(String written) throws IOException, TakingFailed {
    Optional<Origin.Earlier> earlier = base.earlier();
    Optional<String> told = earlier.flatMap(Origin.Earlier::told);
    return told.isEmpty()
        ? Optional.empty()
        : Optional.of(
            WholeTaking.of(git, earlier.get().start(), told.get(), base.commit(), written));
  }

  private void compare() throws IOException, TakingFailed {
    git.run("read-tree", base.commit());
    Set<String> found = new TreeSet<>();
    walk(new Listing(found));
    List<String> added = found.stream().filter(path -> !tree.files().containsKey(path)).toList();
    Set<String> wanted = new HashSet<>(found);
    wanted.removeAll(
        base.earlier().isPresent()
            ? IgnoredFiles.among(added, base.earlier().get().rules(), git)
            : IgnoredFiles.among(added, tree, git));
    OriginAttributes attributes =
        OriginAttributes.of(base.asTheyWere() ? Set.of() : wanted, tree, git);
    walk(new Reading(wanted, attributes, LfsPointers.of(wanted, attributes, tree, git)));
    for (String path : tree.files().keySet()) {
      if (wasThere(path) && !there.contains(path) && !kept.contains(path) && !isClosed(path)) {
        gone(path);
      }
    }
    for (String path : tree.submodules().keySet()) {
      boolean replaced = there.contains(path) || OriginTree.isWithin(there, path);
      if (wasThere(path) && !kept.contains(path) && !isClosed(path) && !replaced) {
        leaveOut(path, LeftOut.Reason.SUBMODULE);
      }
    }
  }

  /// A name with a secret is not kept while a run is paused, so its absence tells nothing.
  private void gone(String path) {
    if (secrets.without(path).equals(path) && !secrets.altered(path)) {
      now.gone(path);
    } else {
      leaveOut(path, LeftOut.Reason.SECRET);
    }
  }

  private boolean wasThere(String path) {
    return sparse.isEmpty()
        || sparse.stream().anyMatch(it -> path.equals(it) || path.startsWith(it + "/"));
  }

  private void walk(WorkspaceWalk.Each each) throws IOException, TakingFailed {
    WorkspaceWalk.walk(base.workspace(), deadline, each);
  }

  /// True inside a folder that was not looked into: what the base has there stays.
  private boolean isClosed(String path) {
    return OriginTree.isWithin(closed, path);
  }

  private void leaveOut(String path, LeftOut.Reason reason) {
    kept.add(path);
    leftOut.add(new LeftOut(secrets.without(path), reason));
  }

  /// Lists the files and links, and tells of everything else.
  private final class Listing implements WorkspaceWalk.Each {
    private final Set<String> found;

    Listing(Set<String> found) {
      this.found = found;
    }

    @Override
    public boolean folder(String path, PosixFileAttributes attributes) {
      if (isRepository(path)) {
        if (path.indexOf('/') >= 0 || !path.equals(".git")) {
          ChangeTaking.this.leaveOut(path, LeftOut.Reason.REPOSITORY);
        }
        return false;
      }
      if (tree.submodules().containsKey(path)) {
        ChangeTaking.this.leaveOut(path, LeftOut.Reason.SUBMODULE);
        return false;
      }
      return true;
    }

    @Override
    public void file(String path, PosixFileAttributes attributes, WorkspaceWalk.Content content)
        throws TakingFailed {
      entry(path);
      try {
        if (rules.isPresent()) {
          rules.get().see(path, attributes.size(), content);
        }
      } catch (IOException _) {
        ChangeTaking.this.leaveOut(path, LeftOut.Reason.UNREADABLE);
      }
    }

    @Override
    public void link(String path, String target) {
      entry(path);
    }

    private void entry(String path) {
      if (!isRepository(path)) {
        found.add(path);
      } else if (!path.equals(".git")) {
        ChangeTaking.this.leaveOut(path, LeftOut.Reason.REPOSITORY);
      }
    }

    /// What stands in place of a file of the base that is no file any more is told, and the file is
    /// gone.
    @Override
    public void leftOut(String path, LeftOut.Reason reason) {
      ChangeTaking.this.leftOut.add(new LeftOut(secrets.without(path), reason));
      if (reason != LeftOut.Reason.SPECIAL) {
        kept.add(path);
        closed.add(path);
      }
    }

    private static boolean isRepository(String path) {
      return GitNames.isRepository(path.substring(path.lastIndexOf('/') + 1));
    }
  }

  /// Reads what is wanted, and compares it with the base.
  private final class Reading implements WorkspaceWalk.Each {
    private final Set<String> wanted;
    private final OriginAttributes attributes;
    private final Map<String, String> pointers;

    Reading(Set<String> wanted, OriginAttributes attributes, Map<String, String> pointers) {
      this.wanted = wanted;
      this.attributes = attributes;
      this.pointers = pointers;
    }

    @Override
    public boolean folder(String path, PosixFileAttributes attributes) {
      return !GitNames.isRepository(path.substring(path.lastIndexOf('/') + 1))
          && !tree.submodules().containsKey(path);
    }

    @Override
    public void link(String path, String target) throws IOException, TakingFailed {
      if (wanted.contains(path)) {
        there.add(path);
        entry(path, OriginTree.LINK, target.getBytes(StandardCharsets.UTF_8));
      }
    }

    @Override
    public void leftOut(String path, LeftOut.Reason reason) {
      // Listed before.
    }

    @Override
    public void file(String path, PosixFileAttributes attributes, WorkspaceWalk.Content content)
        throws TakingFailed {
      if (!wanted.contains(path)) {
        return;
      }
      there.add(path);
      try {
        file(path, mode(attributes), attributes.size(), content);
      } catch (IOException _) {
        ChangeTaking.this.leaveOut(path, LeftOut.Reason.UNREADABLE);
      }
    }

    private void file(String path, String mode, long bytes, WorkspaceWalk.Content content)
        throws IOException, TakingFailed {
      OriginTree.Leaf before = tree.files().get(path);
      if (before != null && isSame(path, before, bytes, content)) {
        if (!before.mode().equals(mode)) {
          now.mode(path, new OriginTree.Leaf(mode, before.id(), before.bytes()));
        }
      } else if (pointers.containsKey(path)) {
        ChangeTaking.this.leaveOut(path, LeftOut.Reason.LFS);
      } else if (bytes > ChangeBounds.FILE_BYTES_MAX) {
        ChangeTaking.this.leaveOut(path, LeftOut.Reason.TOO_LARGE);
      } else {
        entry(path, mode, stored(path, read(bytes, content)));
      }
    }

    private boolean isSame(
        String path, OriginTree.Leaf before, long bytes, WorkspaceWalk.Content content)
        throws IOException, TakingFailed {
      boolean stored = bytes == before.bytes() && ids.id(bytes, content).equals(before.id());
      return !before.link() && (stored || ids.isContentOf(pointers.get(path), content));
    }

    private void entry(String path, String mode, byte[] content) throws IOException, TakingFailed {
      OriginTree.Leaf before = tree.files().get(path);
      OriginTree.Leaf leaf = new OriginTree.Leaf(mode, ids.id(content), content.length);
      if (leaf.equals(before)) {
        return;
      }
      if (secrets.altered(path)) {
        ChangeTaking.this.leaveOut(path, LeftOut.Reason.SECRET);
      } else if (before != null && before.id().equals(leaf.id())) {
        now.mode(path, leaf);
      } else if (!secrets.without(path).equals(path)
          || secrets.in(() -> new ByteArrayInputStream(content))) {
        ChangeTaking.this.leaveOut(path, LeftOut.Reason.SECRET);
      } else {
        now.put(path, leaf, content);
      }
    }

    /// The content as the base would store it.
    private byte[] stored(String path, byte[] content) throws IOException, TakingFailed {
      if (!OriginAttributes.hasCrLf(content)) {
        return content;
      }
      return switch (attributes.rule(path)) {
        case AS_THEY_ARE -> content;
        case LF -> OriginAttributes.stored(content);
        case LF_IF_TEXT ->
            OriginAttributes.isText(content) && !hadCrLf(path)
                ? OriginAttributes.stored(content)
                : content;
      };
    }

    private boolean hadCrLf(String path) throws IOException, TakingFailed {
      OriginTree.Leaf before = tree.files().get(path);
      return before != null
          && before.bytes() <= ChangeBounds.FILE_BYTES_MAX
          && OriginAttributes.hasCrLf(Files.readAllBytes(git.run("cat-file", "blob", before.id())));
    }
  }

  private static String mode(PosixFileAttributes attributes) {
    return attributes.permissions().contains(PosixFilePermission.OWNER_EXECUTE)
        ? OriginTree.PROGRAM
        : OriginTree.FILE;
  }

  private static byte[] read(long bytes, WorkspaceWalk.Content content) throws IOException {
    try (InputStream in = content.open()) {
      byte[] read = in.readNBytes((int) bytes + 1);
      if (read.length != bytes) {
        throw new IOException("the file changed while it was read");
      }
      return read;
    }
  }
}
