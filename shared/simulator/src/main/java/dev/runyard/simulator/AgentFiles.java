package dev.runyard.simulator;

import dev.runyard.core.artifact.SessionSnapshots;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// What a scripted agent has at its machine: how far its work has come, as the files of its
/// workspace, and the runs of its session that it remembers.
final class AgentFiles implements SessionSnapshots.Memory {
  private final Map<String, String> runs = new LinkedHashMap<>();
  private int done;

  /// Acts of the script that are done.
  int done() {
    return done;
  }

  void didOne() {
    done++;
  }

  /// The runs the agent remembers, oldest first, each with the attempt that was its last.
  Map<String, String> runs() {
    return new LinkedHashMap<>(runs);
  }

  /// From now on the agent remembers this attempt of the run.
  void remember(String run, String attemptId) {
    runs.put(run, attemptId);
  }

  void pack(OutputStream archive) throws IOException {
    archive.write(Integer.toString(done).getBytes(StandardCharsets.UTF_8));
    archive.close();
  }

  void unpack(InputStream archive) throws IOException {
    String text = new String(archive.readAllBytes(), StandardCharsets.UTF_8);
    if (text.isEmpty()) {
      throw new IOException("an archive that holds nothing");
    }
    done = Integer.parseInt(text);
  }

  @Override
  public byte[] pack(int bytesMax) {
    return runs.entrySet().stream()
        .map(run -> run.getKey() + " " + run.getValue())
        .collect(Collectors.joining("\n"))
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void unpack(byte[] archive) {
    new String(archive, StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.split(" "))
        .forEach(run -> remember(run[0], run[1]));
  }
}
