package dev.runyard.embedded;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.log.Chunk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/// A process of its own that opens a store and says so, and then what it was acknowledged, for as
/// long as it is let: a line for each chunk and for each object.
final class ChildStore implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int TEXT_CHARS = 600;

  /// Chunks of each run that it writes.
  static final int CHUNKS = 10;

  /// The object it puts again and again: one number, repeated to more than one part.
  static final String OBJECT = "acme/object";

  private static final int OBJECT_BYTES = SqliteArtifactStore.PART_BYTES_MAX + 40_000;

  private final Process process;
  private final BufferedReader lines;

  ChildStore(Path folder) throws IOException {
    this(folder, 1);
  }

  /// @param first number of the first run and of the first object that it writes
  ChildStore(Path folder, int first) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ChildStore.class.getName(),
                folder.toString(),
                Integer.toString(first))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /// The chunk it appends to a run at a sequence.
  static Chunk chunk(int run, int at) {
    String text = "%08x".formatted(run * 31 + at).repeat(TEXT_CHARS / 8);
    return SampleRun.output(SampleRun.key(run), at, text);
  }

  private static byte[] object(int number) {
    ByteBuffer content = ByteBuffer.allocate(OBJECT_BYTES);
    while (content.hasRemaining()) {
      content.putInt(number);
    }
    return content.array();
  }

  /// What it says first; it is killed then.
  String firstLine() throws IOException {
    try (this) {
      return String.valueOf(lines.readLine());
    }
  }

  /// What it says until it is killed, which happens once it has said `enough` lines.
  ///
  /// @param meanwhile is done when it has said the first
  List<String> linesUntilKilled(int enough, Runnable meanwhile) throws IOException {
    try (this) {
      List<String> said = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
        if (said.size() == 1) {
          meanwhile.run();
        }
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
    int first = Integer.parseInt(arguments[1]);
    Ids ids = new RandomIds(new Random(first));
    StoreSettings settings = new StoreSettings(Path.of(arguments[0]), StoreRig.RETENTION);
    try {
      EmbeddedStore store = EmbeddedStore.open(settings, InstantSource.system(), ids);
      System.out.println("open");
      AtomicInteger runs = new AtomicInteger(first);
      for (int i = 0; i < THREADS; i++) {
        Thread.ofPlatform().start(() -> append(store, runs));
      }
      Thread.ofPlatform().start(() -> put(store, first));
    } catch (StoreRefused e) {
      System.out.println("refused: " + e.getMessage());
    }
  }

  /// Appends to new streams for ever.
  private static void append(EmbeddedStore store, AtomicInteger runs) {
    while (true) {
      int run = runs.getAndIncrement();
      for (int at = 1; at <= CHUNKS; at++) {
        store.events().append(chunk(run, at));
        System.out.println(new Acknowledged(Acknowledged.Kind.CHUNK, run, at));
      }
    }
  }

  /// Replaces the object by the next one for ever.
  private static void put(EmbeddedStore store, int first) {
    for (int number = first; true; number++) {
      store.artifacts().put(OBJECT, object(number));
      System.out.println(new Acknowledged(Acknowledged.Kind.OBJECT, number, 1));
    }
  }

  /// What a line says.
  ///
  /// @param number of the run or the object
  /// @param at which chunk of the run; 1 for an object
  record Acknowledged(Kind kind, int number, int at) {
    /// At the end of each line: the last one may have been cut.
    private static final String END = "acknowledged";

    enum Kind {
      CHUNK,
      OBJECT
    }

    /// What of these lines was acknowledged.
    static List<Acknowledged> in(List<String> lines) {
      return lines.stream()
          .map(line -> line.split(" ", -1))
          .filter(words -> words.length == 4 && words[3].equals(END))
          .map(
              words ->
                  new Acknowledged(
                      Kind.valueOf(words[0]),
                      Integer.parseInt(words[1]),
                      Integer.parseInt(words[2])))
          .toList();
    }

    @Override
    public String toString() {
      return "%s %d %d %s".formatted(kind, number, at, END);
    }
  }
}
