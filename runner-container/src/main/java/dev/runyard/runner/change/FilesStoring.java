package dev.runyard.runner.change;

import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.LeftOut;
import dev.runyard.core.problem.PortUnavailable;
import java.io.IOException;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Stores the files of a workspace that are kept besides its change. What cannot be copied or
/// stored, or not in time, is left out: the change is worth more than they.
final class FilesStoring {
  private static final String ARCHIVE = "workspace";
  private static final String ARCHIVE_NAME = "workspace.tar.gz";

  private final WorkspaceKeeping of;
  private final FilesTaking files;
  private final Deadline deadline;
  private final List<KeptObject> artifacts = new ArrayList<>();
  private final List<LeftOut> leftOut = new ArrayList<>();
  private Optional<KeptObject> archive = Optional.empty();

  /// @param deadline for copying and storing together
  FilesStoring(WorkspaceKeeping of, FilesTaking files, Deadline deadline) {
    this.of = of;
    this.files = files;
    this.deadline = deadline;
  }

  List<KeptObject> artifacts() {
    return artifacts;
  }

  Optional<KeptObject> archive() {
    return archive;
  }

  /// What was left out, each once.
  List<LeftOut> leftOut() {
    return Stream.concat(leftOut.stream(), files.leftOut().stream()).distinct().toList();
  }

  /// Stores what is wanted.
  ///
  /// @param scratch an empty folder of the runner's own
  /// @param archived whether all files are kept
  void store(Path scratch, boolean archived) {
    if (!archived && of.wanted().artifacts().isEmpty()) {
      return;
    }
    if (!of.store().hasRoom(of.of())) {
      leavePatternsOut(LeftOut.Reason.QUOTA);
      if (archived) {
        leftOut.add(new LeftOut(ARCHIVE_NAME, LeftOut.Reason.QUOTA));
      }
      return;
    }
    try {
      storeArtifacts(scratch);
      if (archived) {
        storeArchive(scratch.resolve(ARCHIVE));
      }
    } finally {
      of.store().count(of.of(), Stream.concat(artifacts.stream(), archive.stream()).toList());
    }
  }

  private void storeArtifacts(Path scratch) {
    if (of.wanted().artifacts().isEmpty()) {
      return;
    }
    List<FilesTaking.Copy> copies = new ArrayList<>();
    try {
      files.artifacts(of.wanted().artifacts(), scratch, copies);
    } catch (TakingFailed _) {
      leavePatternsOut(LeftOut.Reason.TOO_LARGE);
    } catch (IOException _) {
      leavePatternsOut(LeftOut.Reason.UNREADABLE);
    }
    for (FilesTaking.Copy copy : copies) {
      String object = String.valueOf(copy.copy().getFileName());
      stored(object, new ChangeStore.As(copy.name(), contentType(copy.name())), copy.copy())
          .ifPresent(artifacts::add);
    }
  }

  private void storeArchive(Path into) {
    Optional<Path> packed;
    try {
      packed = files.archive(into);
    } catch (TakingFailed | IOException _) {
      packed = Optional.empty();
    }
    if (packed.isEmpty()) {
      leftOut.add(new LeftOut(ARCHIVE_NAME, LeftOut.Reason.TOO_LARGE));
      return;
    }
    archive = stored(ARCHIVE, new ChangeStore.As(ARCHIVE_NAME, "application/gzip"), packed.get());
  }

  /// Stores a file and removes it. Empty if it is left out.
  private Optional<KeptObject> stored(String object, ChangeStore.As as, Path file) {
    try {
      deadline.check();
      KeptObject stored = of.store().put(of.of(), object, as, file, deadline);
      Files.delete(file);
      return Optional.of(stored);
    } catch (TakingFailed _) {
      leftOut.add(new LeftOut(as.name(), LeftOut.Reason.TOO_LARGE));
    } catch (PortUnavailable | IOException e) {
      of.store().log().failed("file_not_stored", e);
      leftOut.add(
          new LeftOut(
              as.name(), deadline.isOver() ? LeftOut.Reason.TOO_LARGE : LeftOut.Reason.UNREADABLE));
    }
    return Optional.empty();
  }

  private void leavePatternsOut(LeftOut.Reason reason) {
    of.wanted().artifacts().forEach(pattern -> leftOut.add(new LeftOut(pattern, reason)));
  }

  /// By the name alone: what a client makes of the content is its own decision.
  private static String contentType(String name) {
    String type = URLConnection.getFileNameMap().getContentTypeFor(name);
    return type == null ? "application/octet-stream" : type;
  }
}
