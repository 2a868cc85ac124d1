package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// What the kernel keeps for a user that has no process any more: System V memory, semaphores and
/// message queues, and keys. Whoever is that user next could read them.
enum IpcObjects {
  MEMORY("shm", "shmid"),
  SEMAPHORES("sem", "semid"),
  MESSAGES("msg", "msqid");

  private static final int USER_KEYS = -4;
  private static final int USER_SESSION_KEYS = -5;

  private final String table;
  private final String id;

  IpcObjects(String table, String id) {
    this.table = table;
    this.id = id;
  }

  /// Loads what removing takes, before somebody has taken every descriptor there is.
  static void load() {
    AgentUser none = new AgentUser(AgentUser.UID_FIRST);
    removed(none, List.of());
    for (IpcObjects kind : values()) {
      kind.of(none.uid());
    }
  }

  /// Removes all of a user's; false if something is left. Only the owner may, so that no right
  /// beyond those of the runner is needed.
  static boolean removed(AgentUser user) {
    return removed(user, Arrays.asList(values()));
  }

  private static boolean removed(AgentUser user, List<IpcObjects> kinds) {
    AtomicBoolean forgotten = new AtomicBoolean(true);
    user.as(
        () -> {
          for (IpcObjects kind : kinds) {
            kind.of(user.uid()).forEach(kind::remove);
          }
          if (!kinds.isEmpty()) {
            forgotten.set(keysForgotten());
          }
        });
    return forgotten.get() && kinds.stream().allMatch(kind -> kind.of(user.uid()).isEmpty());
  }

  /// The keyring of sessions comes first: it is found through that of the user, which may have to
  /// be given up.
  private static boolean keysForgotten() {
    int lasting = SystemCalls.lastingKeys();
    boolean all = lasting < 0 || SystemCalls.forgetKeys(lasting);
    all &= SystemCalls.forgetKeys(USER_SESSION_KEYS);
    all &= SystemCalls.forgetKeys(USER_KEYS);
    return all;
  }

  private void remove(int one) {
    switch (this) {
      case MEMORY -> SystemCalls.removeMemory(one);
      case SEMAPHORES -> SystemCalls.removeSemaphores(one);
      case MESSAGES -> SystemCalls.removeMessages(one);
    }
  }

  /// The ids of what a user has or has made; none where the kernel has no such objects.
  private List<Integer> of(int uid) {
    List<Integer> ids = new ArrayList<>();
    Path all = Path.of("/proc/sysvipc", table);
    List<String> lines;
    try {
      lines = Files.exists(all) ? Files.readAllLines(all) : List.of();
    } catch (IOException e) {
      throw new IllegalStateException("the kernel's objects cannot be read", e);
    }
    List<String> names = lines.isEmpty() ? List.of() : words(lines.getFirst());
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      List<String> values = words(line);
      if (is(uid, values.get(names.indexOf("uid"))) || is(uid, values.get(names.indexOf("cuid")))) {
        ids.add(Integer.valueOf(values.get(names.indexOf(id))));
      }
    }
    return ids;
  }

  private static boolean is(int uid, String value) {
    return value.equals(Integer.toString(uid));
  }

  private static List<String> words(String line) {
    return List.of(line.strip().split(" +", -1));
  }
}
