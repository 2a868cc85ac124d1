package dev.runyard.bench.cost;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.aws.RequestMeter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The counts of this process, by caller. A process that is told a folder keeps them there in a
/// file of its own, for the process that started it.
public final class Ledger {
  /// System property that names the folder.
  public static final String FOLDER_PROPERTY = "runyard.bench.ledger";

  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final Map<String, Page> PAGES = new ConcurrentHashMap<>();
  private static final @Nullable String FOLDER = System.getProperty(FOLDER_PROPERTY);

  private Ledger() {}

  static Page of(String caller) {
    return PAGES.computeIfAbsent(caller, _ -> new Page());
  }

  /// Forgets what was counted in this process.
  static void begin() {
    PAGES.clear();
  }

  /// What was counted in this process so far.
  public static Map<String, Counts> counts() {
    Map<String, Counts> counts = new TreeMap<>();
    PAGES.forEach((caller, page) -> counts.put(caller, page.counts()));
    return counts;
  }

  /// Adds what other processes left in the folder.
  public static Map<String, Counts> counts(Path folder) throws IOException {
    Map<String, Counts> counts = counts();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(name -> name.toString().endsWith(".json")).toList()) {
        JSON.readValue(file.toFile(), new TypeReference<Map<String, Counts>>() {})
            .forEach((caller, more) -> counts.merge(caller, more, Counts::plus));
      }
    }
    return counts;
  }

  static synchronized void keep() {
    if (FOLDER == null) {
      return;
    }
    Path file = Path.of(FOLDER, ProcessHandle.current().pid() + ".json");
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    try {
      Files.write(draft, JSON.writeValueAsBytes(counts()));
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The counts of one caller.
  static final class Page {
    private final RequestMeter meter = new RequestMeter();
    private final DoubleAdder refusedUnits = new DoubleAdder();
    private final DoubleAdder unreportedReads = new DoubleAdder();
    private final DoubleAdder storedBytes = new DoubleAdder();
    private final Set<Long> threads = ConcurrentHashMap.newKeySet();

    RequestMeter meter() {
      return meter;
    }

    void enteredOn(Thread thread) {
      threads.add(thread.threadId());
    }

    void refused(double units) {
      refusedUnits.add(units);
    }

    void unreportedRead(double units) {
      unreportedReads.add(units);
    }

    void stored(double bytes) {
      storedBytes.add(bytes);
    }

    Counts counts() {
      Map<String, Double> requests = new TreeMap<>();
      meter.requests().forEach((name, count) -> requests.put(name, (double) count));
      return new Counts(
          threads.size(),
          requests,
          meter.readUnits() + unreportedReads.sum(),
          meter.writeUnits() + refusedUnits.sum(),
          storedBytes.sum());
    }
  }
}
