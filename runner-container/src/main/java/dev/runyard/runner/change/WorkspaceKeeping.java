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

  /// Removes what was stored, and what was counted of it.
  public void forget(KeptChange change) {
    List<KeptObject> counted =
        Stream.concat(change.artifacts().stream(), Stream.ofNullable(change.archive())).toList();
    Stream.concat(change.patches().stream(), counted.stream())
        .forEach(object -> store.changes().forget(of.run(), of.attemptId(), object.object()));
    store.giveBack(of, counted);
  }

  /// The patches first: nothing that happens to other files loses them.
  private KeptChange kept(Origin base, Path scratch, Deadline deadline)
      throws IOException, TakingFailed {
    Path own = Files.createDirectory(scratch.resolve("own"));
    TakenChange taken = ChangeTaking.take(base, wanted.sparse(), own, secrets, deadline);
    Deadline stored = Deadline.in(Duration.ofSeconds(ChangeBounds.FILES_SECONDS_MAX), clock);
    Optional<KeptObject> patch = Optional.empty();
    if (taken.patch().isPresent()) {
      patch = Optional.of(stored(PATCH, taken.patch().get(), stored));
    }
    Optional<WholeChange> whole = whole(base, taken, stored);
    FilesStoring files =
        new FilesStoring(this, new FilesTaking(base.workspace(), secrets, stored), stored);
    files.store(scratch, wanted.archive() || taken.patch().isEmpty());
    List<LeftOut> leftOut =
        Stream.concat(taken.leftOut().stream(), files.leftOut().stream()).distinct().toList();
    return new KeptChange(
        of.attempt(),
        of.attemptId(),
        base.commit(),
        listed(taken.files()),
        taken.files().size(),
        taken.files().stream().mapToLong(file -> orZero(file.linesAdded())).sum(),
        taken.files().stream().mapToLong(file -> orZero(file.linesRemoved())).sum(),
        patch.orElse(null),
        files.archive().orElse(null),
        files.artifacts(),
        leftOut.subList(0, Math.min(leftOut.size(), ChangeBounds.LEFT_OUT_MAX)),
        leftOut.size(),
        whole.orElse(null));
  }

  /// What is told of several runs together, also where their patch is not known.
  private Optional<WholeChange> whole(Origin base, TakenChange taken, Deadline deadline)
      throws IOException {
    if (base.earlier().isEmpty()) {
      return Optional.empty();
    }
    Optional<Path> patch = taken.whole().flatMap(WholeTaking::patch);
    Optional<KeptObject> object =
        patch.isEmpty() ? Optional.empty() : Optional.of(stored(WHOLE, patch.get(), deadline));
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

  private KeptObject stored(String object, Path file, Deadline deadline) throws IOException {
    return store.put(of, object, new ChangeStore.As(PATCH_NAME, PATCH_TYPE), file, deadline);
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

  private static long orZero(@Nullable Long lines) {
    return lines == null ? 0 : lines;
  }
}
