package dev.runyard.runner.change;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.ChangedFile;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.LeftOut;
import dev.runyard.core.change.WholeChange;
import dev.runyard.core.ids.RunKey;
import dev.runyard.runner.checkout.AgentRepository;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.files.Removal;
import java.io.IOException;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Takes what an attempt changed, and stores it.
///
/// @param wanted what of the workspace is kept besides the change
/// @param work the runner's own folder
public record WorkspaceKeeping(
    ChangeStore store, InstantSource clock, Of of, Wanted wanted, Secrets secrets, Path work) {
  private static final String PATCH = "patch";
  private static final String WHOLE = "whole";
  private static final String PATCH_NAME = "changes.patch";
  private static final String PATCH_TYPE = "text/x-patch";
  private static final String ARCHIVE = "workspace";
  private static final String ARCHIVE_NAME = "workspace.tar.gz";

  /// Whose change it is.
  ///
  /// @param attempt its number
  public record Of(RunKey run, int attempt, String attemptId) {}

  /// What is kept.
  ///
  /// @param sparse the only folders of the base that the workspace began with; empty for all
  /// @param artifacts patterns of files
  /// @param archive whether all files are kept
  public record Wanted(List<String> sparse, List<String> artifacts, boolean archive) {
    public Wanted {
      sparse = List.copyOf(sparse);
      artifacts = List.copyOf(artifacts);
    }
  }

  /// Stores it; no list names it yet.
  ///
  /// @throws IOException if something in the workspace or of the runner's own cannot be read
  public KeptChange keep(Origin base) throws IOException, TakingFailed {
    Deadline deadline = Deadline.in(Duration.ofSeconds(ChangeBounds.TAKING_SECONDS_MAX), clock);
    Path scratch = Files.createTempDirectory(Files.createDirectories(work), "change-");
    try {
      return kept(base, scratch, deadline);
    } finally {
      Removal.of(scratch);
    }
  }

  /// Removes what was stored.
  public void forget(KeptChange change) {
    Stream.concat(
            Stream.concat(change.patches().stream(), Stream.ofNullable(change.archive())),
            change.artifacts().stream())
        .forEach(object -> store.changes().forget(of.run(), of.attemptId(), object.object()));
  }

  private KeptChange kept(Origin base, Path scratch, Deadline deadline)
      throws IOException, TakingFailed {
    Path own = Files.createDirectory(scratch.resolve("own"));
    TakenChange taken = ChangeTaking.take(base, wanted.sparse(), own, secrets, deadline);
    FilesTaking files =
        new FilesTaking(
            base.workspace(),
            secrets,
            Deadline.in(Duration.ofSeconds(ChangeBounds.FILES_SECONDS_MAX), clock));
    List<LeftOut> leftOut = new ArrayList<>(taken.leftOut());
    boolean archived = wanted.archive() || taken.patch().isEmpty();
    List<KeptObject> artifacts = new ArrayList<>();
    Optional<KeptObject> archive = Optional.empty();
    if ((archived || !wanted.artifacts().isEmpty()) && !store.hasRoom(of)) {
      leftOut.addAll(noRoom(archived));
    } else {
      try {
        artifacts(files, scratch, artifacts, leftOut);
        archive = archived ? archive(files, scratch, leftOut) : archive;
      } finally {
        store.count(of, Stream.concat(artifacts.stream(), archive.stream()).toList());
      }
    }
    Optional<KeptObject> patch = Optional.empty();
    if (taken.patch().isPresent()) {
      patch = Optional.of(stored(PATCH, PATCH_NAME, PATCH_TYPE, taken.patch().get()));
    }
    for (LeftOut one : files.leftOut()) {
      if (!leftOut.contains(one)) {
        leftOut.add(one);
      }
    }
    return new KeptChange(
        of.attempt(),
        of.attemptId(),
        base.commit(),
        listed(taken.files()),
        taken.files().size(),
        taken.files().stream().mapToLong(file -> orZero(file.linesAdded())).sum(),
        taken.files().stream().mapToLong(file -> orZero(file.linesRemoved())).sum(),
        patch.orElse(null),
        archive.orElse(null),
        artifacts,
        leftOut.subList(0, Math.min(leftOut.size(), ChangeBounds.LEFT_OUT_MAX)),
        leftOut.size(),
        whole(base, taken).orElse(null));
  }

  private List<LeftOut> noRoom(boolean archived) {
    List<LeftOut> none = patterns(LeftOut.Reason.QUOTA);
    if (archived) {
      none.add(new LeftOut(ARCHIVE_NAME, LeftOut.Reason.QUOTA));
    }
    return none;
  }

  private List<LeftOut> patterns(LeftOut.Reason reason) {
    return new ArrayList<>(
        wanted.artifacts().stream().map(pattern -> new LeftOut(pattern, reason)).toList());
  }

  /// Those that there is no time or no room on the disk for are left out: the change is worth more
  /// than they.
  private void artifacts(
      FilesTaking files, Path scratch, List<KeptObject> stored, List<LeftOut> leftOut)
      throws IOException {
    if (wanted.artifacts().isEmpty()) {
      return;
    }
    List<FilesTaking.Copy> copies = new ArrayList<>();
    try {
      files.artifacts(wanted.artifacts(), scratch, copies);
    } catch (TakingFailed _) {
      leftOut.addAll(patterns(LeftOut.Reason.TOO_LARGE));
    } catch (IOException _) {
      leftOut.addAll(patterns(LeftOut.Reason.UNREADABLE));
    }
    for (FilesTaking.Copy copy : copies) {
      String object = String.valueOf(copy.copy().getFileName());
      stored.add(stored(object, copy.name(), contentType(copy.name()), copy.copy()));
      Files.delete(copy.copy());
    }
  }

  private Optional<KeptObject> archive(FilesTaking files, Path scratch, List<LeftOut> leftOut)
      throws IOException {
    Optional<Path> packed;
    try {
      packed = files.archive(scratch.resolve(ARCHIVE));
    } catch (TakingFailed | IOException _) {
      packed = Optional.empty();
    }
    if (packed.isEmpty()) {
      leftOut.add(new LeftOut(ARCHIVE_NAME, LeftOut.Reason.TOO_LARGE));
      return Optional.empty();
    }
    return Optional.of(stored(ARCHIVE, ARCHIVE_NAME, "application/gzip", packed.get()));
  }

  /// What is told of several runs together, also where their patch is not known.
  private Optional<WholeChange> whole(Origin base, TakenChange taken) throws IOException {
    if (base.earlier().isEmpty()) {
      return Optional.empty();
    }
    Optional<Path> patch = taken.whole().flatMap(WholeTaking::patch);
    Optional<KeptObject> object =
        patch.isEmpty()
            ? Optional.empty()
            : Optional.of(stored(WHOLE, PATCH_NAME, PATCH_TYPE, patch.get()));
    Optional<AgentRepository.Head> head = base.fetched().map(Origin.Fetched::head);
    List<String> runs = new ArrayList<>(base.earlier().get().runs());
    runs.add(of.run().runId());
    return Optional.of(
        new WholeChange(
            head.map(AgentRepository.Head::url).orElse(""),
            head.flatMap(AgentRepository.Head::name).orElse(null),
            base.earlier().get().start(),
            head.map(AgentRepository.Head::sparse).orElse(List.of()),
            base.fetched().flatMap(Origin.Fetched::credential).orElse(null),
            runs,
            taken.whole().map(WholeTaking::files).orElse(0L),
            object.orElse(null)));
  }

  private KeptObject stored(String object, String name, String type, Path file) throws IOException {
    return store.put(of, object, new ChangeStore.As(name, type), file);
  }

  private static List<ChangedFile> listed(List<ChangedFile> files) {
    long bytes = 0;
    List<ChangedFile> listed = new ArrayList<>();
    for (ChangedFile file : files) {
      bytes += file.path().getBytes(StandardCharsets.UTF_8).length;
      if (listed.size() == ChangeBounds.LISTED_MAX || bytes > ChangeBounds.LISTED_BYTES_MAX) {
        break;
      }
      listed.add(file);
    }
    return listed;
  }

  /// By the name alone: what a client makes of the content is its own decision.
  private static String contentType(String name) {
    String type = URLConnection.getFileNameMap().getContentTypeFor(name);
    return type == null ? "application/octet-stream" : type;
  }

  private static long orZero(@Nullable Long lines) {
    return lines == null ? 0 : lines;
  }
}
