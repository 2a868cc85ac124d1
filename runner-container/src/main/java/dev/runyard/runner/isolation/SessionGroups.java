package dev.runyard.runner.isolation;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The kernel's groups of processes by session, where it has them switched on. It shares the
/// processors among groups and not among processes, so that what a process gives way by counts
/// within its session only: whoever opens many sessions would get as much for each as the runner
/// gets. So each session of an attempt gives way as a group, and the more sessions it has, the
/// further each does.
final class SessionGroups {
  /// As far as the kernel lets a group give way.
  static final int NICE_MAX = 19;

  /// One step of giving way divides a group's share by this.
  private static final double STEP = 1.25;

  /// Of an attempt with one session: about a tenth of the share of what else runs.
  static final int NICE_FIRST = 10;

  private static final Path HERE = Path.of("/proc/self/autogroup");

  /// The runner's own session, whose leader may be gone.
  private static final int OWN = SystemCalls.session(0);

  private static final String NICE = " nice ";

  private SessionGroups() {}

  /// How far each of so many sessions gives way, so that all together get what one would.
  static int nice(int sessions) {
    double more = Math.log(sessions) / Math.log(STEP);
    return (int) Math.min(NICE_MAX, NICE_FIRST + Math.ceil(more));
  }

  /// Whether the kernel has such groups.
  static boolean there() {
    return Files.exists(HERE);
  }

  /// Makes an attempt's sessions give way, if they do not yet. A session that somebody else leads
  /// is not the attempt's, whoever has a process in it: the runner, or another program of its
  /// operator, would give way to those it looks after.
  ///
  /// @param uid the attempt's user
  /// @param sessions a process of each, by the session's id
  static void giveWay(int uid, Map<Integer, Integer> sessions) {
    if (!there()) {
      return;
    }
    Map<Integer, Integer> own = new HashMap<>(sessions);
    own.keySet().remove(OWN);
    own.keySet().removeIf(session -> isOfAnother(session, uid));
    int nice = nice(own.size());
    own.values().forEach(process -> giveWay(process, nice));
  }

  private static boolean isOfAnother(int session, int uid) {
    int leader = UserProcesses.owner(session);
    return leader != UserProcesses.GONE && leader != uid;
  }

  /// Whoever does not administer the machine, as the runner in a container, may change one group in
  /// a tenth of a second: the kernel says "again" to the other writes, and the next look tries. A
  /// channel would take that answer for its own bug (`Files.write`); a plain stream says it.
  private static void giveWay(int process, int nice) {
    Path group = Path.of("/proc", Integer.toString(process), "autogroup");
    try {
      String now = Files.readString(group, StandardCharsets.US_ASCII).strip();
      int at = now.lastIndexOf(NICE);
      if (at >= 0 && Integer.parseInt(now.substring(at + NICE.length())) < nice) {
        try (FileOutputStream out = new FileOutputStream(group.toFile())) {
          out.write(Integer.toString(nice).getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException _) {
      return;
    }
  }
}
