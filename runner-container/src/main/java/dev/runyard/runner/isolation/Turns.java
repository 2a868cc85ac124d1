package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/// The order in which users were given back, so that the one that is longest unused is taken next
/// and whatever was overlooked of a user is nobody's for as long as possible.
///
/// @param folder of the claims; only who has its lock may use this
record Turns(Path folder) {
  private static final String FILE = "turns";

  /// All users, in the order in which they are to be taken.
  List<Integer> all() throws IOException {
    List<Integer> used = used();
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < AgentUser.USERS_MAX; i++) {
      all.add(AgentUser.UID_FIRST + i);
    }
    all.removeAll(java.util.Set.copyOf(used));
    all.addAll(used);
    return all;
  }

  /// A user was given back.
  void last(int uid) throws IOException {
    List<Integer> used = used();
    used.remove((Integer) uid);
    used.add(uid);
    Path draft = folder.resolve(FILE + ".draft");
    Files.write(draft, used.stream().map(String::valueOf).toList());
    Files.move(draft, folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
  }

  private List<Integer> used() throws IOException {
    Path file = folder.resolve(FILE);
    List<Integer> used = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        used.add(Integer.valueOf(line));
      }
    }
    return used;
  }
}
