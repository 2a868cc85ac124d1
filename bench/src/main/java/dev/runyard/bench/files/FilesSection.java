package dev.runyard.bench.files;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.section.Section;
import dev.runyard.bench.stack.Project;
import dev.runyard.cli.demo.Folders;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.KeptLedger;
import dev.runyard.core.artifact.LeftWorkspace;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.Quotas;
import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.embedded.StoreSettings;
import dev.runyard.runner.change.Beginnings;
import dev.runyard.runner.change.Secrets;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.left.LeftFiles;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// The files of a session as a run finds and leaves them: restored, told what they are so that
/// their change can be told later, and stored again with a hundredth of them changed. In this
/// process, with the store of one machine.
public final class FilesSection implements Section {
  private static final String NAME = "files";
  private static final int FILES = 2_000;
  private static final int FOLDERS = 50;
  private static final int FILE_BYTES = 50_000;
  private static final int CHANGED = FILES / 100;
  private static final int ROUNDS = 7;
  private static final int WARM_UP = 2;
  private static final Duration RETENTION = Duration.ofDays(30);

  private final Random random = new Random(1);
  private final InstantSource clock = InstantSource.system();

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    StoreSettings settings = new StoreSettings(folder.resolve("store"), RETENTION, false);
    try (EmbeddedStore store = EmbeddedStore.open(settings, clock, new RandomIds(random))) {
      return measured(folder, store.artifacts());
    } finally {
      Folders.delete(folder);
    }
  }

  private List<Figure> measured(Path folder, ArtifactStore store) throws Exception {
    Path first = Files.createDirectory(folder.resolve("first"));
    for (int i = 0; i < FILES; i++) {
      write(first, i);
    }
    long began = System.nanoTime();
    leave(store, 0, new Origin(folder, "none", first));
    double all = millisSince(began);
    List<Double> restores = new ArrayList<>();
    List<Double> bases = new ArrayList<>();
    List<Double> packs = new ArrayList<>();
    List<Double> together = new ArrayList<>();
    for (int round = 1; round <= ROUNDS + WARM_UP; round++) {
      Path files = Files.createDirectory(folder.resolve("round-" + round));
      Path own = Files.createDirectory(folder.resolve("own-" + round));
      LeftFiles left = files(store, round);
      began = System.nanoTime();
      LeftWorkspace last = left.ofSession().orElseThrow();
      left.restore(last, files);
      double restored = millisSince(began);
      Origin empty = EmptyRepository.in(own, files);
      began = System.nanoTime();
      new Beginnings(List.of(), Secrets.NONE, own, clock)
          .of(empty, Beginnings.Told.nothing(List.of()));
      double based = millisSince(began);
      for (int i = 0; i < CHANGED; i++) {
        write(files, random.nextInt(FILES));
      }
      began = System.nanoTime();
      leave(store, round, new Origin(folder, "none", files));
      double packed = millisSince(began);
      if (round > WARM_UP) {
        restores.add(restored);
        bases.add(based);
        packs.add(packed);
        together.add(restored + packed);
      }
      Folders.delete(files);
      Folders.delete(own);
    }
    String note = ROUNDS + " rounds";
    return List.of(
        new Figure(NAME, "stored at first", all, "ms", "once"),
        new Figure(NAME, "restored, median", Samples.of(restores).median(), "ms", note),
        new Figure(NAME, "told what they are, median", Samples.of(bases).median(), "ms", note),
        new Figure(NAME, "stored with 1 % changed, median", Samples.of(packs).median(), "ms", note),
        new Figure(
            NAME,
            "restored and stored, median",
            Samples.of(together).median(),
            "ms",
            "goal 1,500 ms; the slowest %.0f ms".formatted(Samples.of(together).percentile(100))));
  }

  private void leave(ArtifactStore store, int round, Origin base) {
    LeftFiles files = files(store, round);
    if (!files.settle(files.keep(1, "attempt", base, StoredFiles.AS_THEY_ARE))) {
      throw new IllegalStateException("the files were not kept");
    }
  }

  private LeftFiles files(ArtifactStore store, int round) {
    RunKey run = new RunKey("bench", "00000000-0000-7000-8000-%012d".formatted(round));
    return new LeftFiles(store, new KeptLedger(store, Quotas.NONE, clock), clock, run, "session");
  }

  /// Half of a file can be compressed, as much of what people keep.
  private void write(Path folder, int number) throws IOException {
    byte[] content = new byte[FILE_BYTES];
    random.nextBytes(content);
    Arrays.fill(content, FILE_BYTES / 2, FILE_BYTES, (byte) 'a');
    Path in = Files.createDirectories(folder.resolve("folder-" + number % FOLDERS));
    Files.write(in.resolve("file-" + number), content);
  }

  private static double millisSince(long began) {
    return (System.nanoTime() - began) / 1e6;
  }
}
