package dev.runyard.runner.isolation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// What one attempt may take of its machine.
///
/// @param processes processes and threads at once
/// @param memoryBytes in memory at once, of all its processes
/// @param dataBytes of memory that one process may ask for
/// @param openFiles of one process
/// @param fileBytes of one file
/// @param diskBytes of its workspace, its home, and what its user has where all may write
/// @param diskEntries files and folders of these
public record AttemptLimits(
    int processes,
    long memoryBytes,
    long dataBytes,
    int openFiles,
    long fileBytes,
    long diskBytes,
    int diskEntries) {
  public static final int PROCESSES_DEFAULT = 512;
  public static final int DATA_MIB_DEFAULT = 4_096;
  public static final int OPEN_FILES_DEFAULT = 16_384;
  public static final int FILE_MIB_DEFAULT = 2_048;
  public static final int DISK_MIB_DEFAULT = 4_096;
  public static final int DISK_ENTRIES_DEFAULT = 500_000;

  /// Of the machine's memory, one attempt may take the part with this divisor.
  static final int MEMORY_PARTS_DEFAULT = 2;

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long MIB_BYTES = 1024L * 1024;
  private static final String PROCESSES = "processes";
  private static final String MEMORY = "memory_mib";
  private static final String DATA = "data_mib";
  private static final String OPEN_FILES = "open_files";
  private static final String FILE = "file_mib";
  private static final String DISK = "disk_mib";
  private static final String DISK_ENTRIES = "disk_entries";
  private static final Set<String> MEMBERS =
      Set.of(PROCESSES, MEMORY, DATA, OPEN_FILES, FILE, DISK, DISK_ENTRIES);

  /// Reads the operator's JSON object; a member that is missing has its default.
  ///
  /// @param machineBytes the memory of the machine or container
  public static AttemptLimits of(String document, long machineBytes) {
    JsonNode root;
    try {
      root = JSON.readTree(document.isBlank() ? "{}" : document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the limits of attempts are no JSON object", e);
    }
    if (!root.isObject()) {
      throw new IllegalStateException("the limits of attempts are no JSON object");
    }
    root.fieldNames()
        .forEachRemaining(
            name -> {
              if (!MEMBERS.contains(name)) {
                throw new IllegalStateException("attempts have no limit " + name);
              }
            });
    return new AttemptLimits(
        number(root, PROCESSES, PROCESSES_DEFAULT),
        root.has(MEMORY) ? mib(root, MEMORY, 0) : machineBytes / MEMORY_PARTS_DEFAULT,
        mib(root, DATA, DATA_MIB_DEFAULT),
        number(root, OPEN_FILES, OPEN_FILES_DEFAULT),
        mib(root, FILE, FILE_MIB_DEFAULT),
        mib(root, DISK, DISK_MIB_DEFAULT),
        number(root, DISK_ENTRIES, DISK_ENTRIES_DEFAULT));
  }

  /// The limits by name, as an event shows them.
  Map<String, Long> byName() {
    Map<String, Long> limits = new LinkedHashMap<>();
    limits.put(PROCESSES, (long) processes);
    limits.put("memory_bytes", memoryBytes);
    limits.put("data_bytes", dataBytes);
    limits.put(OPEN_FILES, (long) openFiles);
    limits.put("file_bytes", fileBytes);
    limits.put("disk_bytes", diskBytes);
    limits.put(DISK_ENTRIES, (long) diskEntries);
    return limits;
  }

  private static long mib(JsonNode root, String name, int otherwise) {
    return number(root, name, otherwise) * MIB_BYTES;
  }

  private static int number(JsonNode root, String name, int otherwise) {
    JsonNode value = root.get(name);
    if (value == null) {
      return otherwise;
    }
    if (!value.isInt() || value.intValue() < 1) {
      throw new IllegalStateException("the limit " + name + " is a whole number, at least 1");
    }
    return value.intValue();
  }
}
