package dev.runyard.embedded;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/// A process of its own that opens a store and says so, and then what it was acknowledged, for as
/// long as it is let: a line for each append.
final class ChildStore implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int TEXT_CHARS = 600;

  /// At the end of each line that says what was acknowledged: the last one may have been cut.
  static final String END = " appended";

  private final Process process;
  private final BufferedReader lines;

  ChildStore(Path folder) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ChildStore.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /// What it says first; it is killed then.
  String firstLine() throws IOException {
    try (this) {
      return String.valueOf(lines.readLine());
    }
  }

  /// What it says until it is killed, which happens once it has said `enough` lines.
  List<String> linesUntilKilled(int enough) throws IOException {
    try (this) {
      List<String> said = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
        if (said.size() == enough) {
          process.toHandle().destroyForcibly();
        }
      }
      return said;
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    lines.close();
    process.onExit().join();
  }

  public static void main(String[] arguments) {
    Ids ids = new RandomIds(new Random(11));
    StoreSettings settings = new StoreSettings(Path.of(arguments[0]), StoreRig.RETENTION);
    try {
      EmbeddedStore store = EmbeddedStore.open(settings, InstantSource.system(), ids);
      System.out.println("open");
      AtomicInteger runs = new AtomicInteger();
      for (int i = 0; i < THREADS; i++) {
        Thread.ofPlatform().start(() -> append(store, runs));
      }
    } catch (StoreRefused e) {
      System.out.println("refused: " + e.getMessage());
    }
  }

  /// Appends to new streams, ten chunks each, for ever.
  private static void append(EmbeddedStore store, AtomicInteger runs) {
    while (true) {
      int run = runs.incrementAndGet();
      for (int at = 1; at <= 10; at++) {
        String text = Integer.toHexString(run * 31 + at).repeat(TEXT_CHARS / 4);
        store.events().append(SampleRun.output(SampleRun.key(run), at, text));
        System.out.println(run + " " + at + END);
      }
    }
  }
}
