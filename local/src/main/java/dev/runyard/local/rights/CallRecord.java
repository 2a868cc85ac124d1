package dev.runyard.local.rights;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// The different calls that the stack's roles have made since it started. Each is written to a file
/// as soon as it was made, so that a killed stack leaves them too. They name roles, actions and
/// resources, but no keys, values or secrets.
public final class CallRecord {
  /// The file's name in the stack's work folder.
  public static final String FILE = "calls";

  private static final String GRANTED = "granted ";
  private static final String REFUSED = "refused ";

  private final Path file;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  /// Begins an empty record.
  ///
  /// @param folder created if it is missing
  public CallRecord(Path folder) {
    file = folder.resolve(FILE);
    try {
      Files.createDirectories(folder);
      Files.writeString(file, "");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /// Whether the call is new to the record.
  boolean add(Call call, boolean granted) {
    String line = (granted ? GRANTED : REFUSED) + call.text();
    if (!seen.add(line)) {
      return false;
    }
    append(line + "\n");
    return true;
  }

  private synchronized void append(String line) {
    try {
      Files.writeString(file, line, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /// The calls of a stored record.
  public record Calls(Set<Call> granted, Set<Call> refused) {

    /// Merges the records in these files.
    public static Calls read(List<Path> files) {
      Set<String> granted = new TreeSet<>();
      Set<String> refused = new TreeSet<>();
      for (Path file : files) {
        for (String line : lines(file)) {
          if (line.startsWith(GRANTED)) {
            granted.add(line.substring(GRANTED.length()));
          } else if (line.startsWith(REFUSED)) {
            refused.add(line.substring(REFUSED.length()));
          } else {
            throw new IllegalArgumentException("not a record of calls: " + file);
          }
        }
      }
      return new Calls(calls(granted), calls(refused));
    }

    private static List<String> lines(Path file) {
      try {
        return Files.readAllLines(file);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + file, e);
      }
    }

    private static Set<Call> calls(Set<String> lines) {
      return lines.stream().map(Call::parse).collect(Collectors.toUnmodifiableSet());
    }
  }
}
