package dev.runyard.local.emulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// The process ids of the running tasks, in a file, so that processes left by a killed stack are
/// ended at the next start.
final class TaskPids {
  private final Path file;
  private final Map<String, Long> pids = new LinkedHashMap<>();

  TaskPids(Path file) {
    this.file = file;
  }

  /// Kills what an earlier stack left. A process is touched only if it is still that task.
  synchronized void sweep() {
    if (!Files.exists(file)) {
      return;
    }
    try {
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split(" ", 2);
        if (parts.length == 2 && parts[0].matches("[0-9]{1,18}")) {
          ProcessHandle.of(Long.parseLong(parts[0]))
              .filter(process -> TaskLaunch.isTask(process, parts[1]))
              .ifPresent(TaskPids::killTree);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    save();
  }

  synchronized void add(String taskId, long pid) {
    pids.put(taskId, pid);
    save();
  }

  synchronized void remove(String taskId) {
    pids.remove(taskId);
    save();
  }

  static void killTree(ProcessHandle process) {
    var descendants = process.descendants().toList();
    process.destroyForcibly();
    descendants.forEach(ProcessHandle::destroyForcibly);
  }

  private void save() {
    StringBuilder lines = new StringBuilder();
    pids.forEach((taskId, pid) -> lines.append(pid).append(' ').append(taskId).append('\n'));
    try {
      Files.writeString(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
