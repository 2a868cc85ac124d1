package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The names that the users of attempts have on this machine.
///
/// @param own users named for attempts, as in the runner's image
/// @param foreign users of the range that have another name, and so belong to somebody
record AgentNames(Set<Integer> own, Set<Integer> foreign) {
  /// Followed by the number of the user.
  static final String PREFIX = "runyard-";

  private static final int UID = 2;

  /// Reads the file that most programs ask, in effect.
  static AgentNames in(Path passwd) {
    Set<Integer> own = new HashSet<>();
    Set<Integer> foreign = new HashSet<>();
    try {
      for (String line : Files.readAllLines(passwd)) {
        List<String> fields = List.of(line.split(":", -1));
        if (fields.size() > UID && fields.get(UID).matches("[0-9]{1,9}")) {
          int uid = Integer.parseInt(fields.get(UID));
          (fields.getFirst().equals(PREFIX + uid) ? own : foreign).add(uid);
        }
      }
    } catch (IOException _) {
      return new AgentNames(Set.of(), Set.of());
    }
    return new AgentNames(own, foreign);
  }
}
