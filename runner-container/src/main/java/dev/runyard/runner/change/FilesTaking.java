package dev.runyard.runner.change;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.LeftOut;
import dev.runyard.runner.workspace.GitNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/// Copies files out of a workspace as they are, whether git ignores them or not: those that
/// patterns name, or all of them into an archive. Git directories and files with secrets are left
/// out, links are kept as links and never followed.
final class FilesTaking {
  private final Path workspace;
  private final Secrets secrets;
  private final Deadline deadline;
  private final List<LeftOut> leftOut = new ArrayList<>();

  FilesTaking(Path workspace, Secrets secrets, Deadline deadline) {
    this.workspace = workspace;
    this.secrets = secrets;
    this.deadline = deadline;
  }

  /// A copy of a file.
  ///
  /// @param name its path in the workspace
  record Copy(String name, Path copy) {}

  /// What was left out so far.
  List<LeftOut> leftOut() {
    return leftOut;
  }

  /// Copies the files that one of the patterns names into an empty folder of the runner's own.
  ///
  /// @param copies gets each one that is complete, also if the time is over before the rest is
  void artifacts(List<String> patterns, Path into, List<Copy> copies)
      throws IOException, TakingFailed {
    List<ArtifactGlob> globs = patterns.stream().map(ArtifactGlob::new).toList();
    WorkspaceWalk.walk(
        workspace,
        deadline,
        new Copying() {
          private long bytes;

          @Override
          public void file(
              String path, PosixFileAttributes attributes, WorkspaceWalk.Content content)
              throws IOException, TakingFailed {
            if (globs.stream().noneMatch(glob -> glob.matches(path))) {
              return;
            }
            if (copies.size() >= ChangeBounds.ARTIFACTS_MAX) {
              leaveOut(path, LeftOut.Reason.TOO_MANY);
            } else if (attributes.size() > ChangeBounds.ARTIFACT_BYTES_MAX
                || bytes + attributes.size() > ChangeBounds.ARTIFACTS_BYTES_MAX) {
              leaveOut(path, LeftOut.Reason.TOO_LARGE);
            } else if (taken(path, content)) {
              Path copy = into.resolve("artifact-" + copies.size());
              try (InputStream in = content.open();
                  OutputStream out = Files.newOutputStream(copy)) {
                TarWriter.copy(in, out, attributes.size(), deadline);
              }
              bytes += attributes.size();
              copies.add(new Copy(path, copy));
            }
          }

          @Override
          public void folder(PosixFileAttributes attributes, String path) {
            // Only files are artifacts.
          }

          @Override
          public void link(String path, String target) {
            if (globs.stream().anyMatch(glob -> glob.matches(path))) {
              leaveOut(path, LeftOut.Reason.SPECIAL);
            }
          }

          @Override
          public void leftOut(String path, LeftOut.Reason reason) {
            if (globs.stream().anyMatch(glob -> glob.matches(path))) {
              leaveOut(path, reason);
            }
          }
        });
  }

  /// Writes all files, folders and links into an archive; empty if it is too large.
  Optional<Path> archive(Path into) throws IOException, TakingFailed {
    try (OutputStream file = Files.newOutputStream(into);
        OutputStream out = new GZIPOutputStream(file, 64 * 1024)) {
      TarWriter tar = new TarWriter(out);
      WorkspaceWalk.walk(
          workspace,
          deadline,
          new Copying() {
            private long bytes;

            @Override
            public void file(
                String path, PosixFileAttributes attributes, WorkspaceWalk.Content content)
                throws IOException, TakingFailed {
              if (Files.size(into) > ChangeBounds.ARCHIVE_BYTES_MAX) {
                throw new OwnGit.TooMuch();
              }
              if (bytes + attributes.size() > ChangeBounds.ARCHIVE_CONTENT_BYTES_MAX) {
                leaveOut(path, LeftOut.Reason.TOO_LARGE);
              } else if (taken(path, content)) {
                bytes += attributes.size();
                try (InputStream in = content.open()) {
                  tar.file(path, attributes, in, deadline);
                }
              }
            }

            @Override
            public void folder(PosixFileAttributes attributes, String path) throws IOException {
              tar.folder(path, attributes);
            }

            @Override
            public void link(String path, String target) throws IOException {
              if (isRepository(path)) {
                leaveOut(path, LeftOut.Reason.REPOSITORY);
              } else if (!secrets.altered(path)
                  && secrets.without(path + target).equals(path + target)) {
                tar.link(path, target);
              } else {
                leaveOut(path, LeftOut.Reason.SECRET);
              }
            }

            @Override
            public void leftOut(String path, LeftOut.Reason reason) {
              leaveOut(path, reason);
            }
          });
      tar.end();
    } catch (OwnGit.TooMuch _) {
      return Optional.empty();
    }
    return Files.size(into) > ChangeBounds.ARCHIVE_BYTES_MAX ? Optional.empty() : Optional.of(into);
  }

  private void leaveOut(String path, LeftOut.Reason reason) {
    leftOut.add(new LeftOut(secrets.without(path), reason));
  }

  /// False for a file that cannot be read, or has a secret.
  private boolean taken(String path, WorkspaceWalk.Content content) {
    if (isRepository(path)) {
      if (!path.equals(".git")) {
        leaveOut(path, LeftOut.Reason.REPOSITORY);
      }
      return false;
    }
    try {
      if (secrets.without(path).equals(path)
          && !secrets.altered(path)
          && !secrets.in(content::open)) {
        return true;
      }
      leaveOut(path, LeftOut.Reason.SECRET);
    } catch (IOException _) {
      leaveOut(path, LeftOut.Reason.UNREADABLE);
    }
    return false;
  }

  private static boolean isRepository(String path) {
    return GitNames.isRepository(path.substring(path.lastIndexOf('/') + 1));
  }

  /// Goes into every folder that is no git directory.
  private abstract class Copying implements WorkspaceWalk.Each {
    abstract void folder(PosixFileAttributes attributes, String path) throws IOException;

    @Override
    public boolean folder(String path, PosixFileAttributes attributes) throws IOException {
      boolean repository = isRepository(path);
      if (repository && !path.equals(".git")) {
        leaveOut(path, LeftOut.Reason.REPOSITORY);
      }
      if (!repository) {
        folder(attributes, path);
      }
      return !repository;
    }
  }
}
