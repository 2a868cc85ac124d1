package dev.runyard.runner.process;

import dev.runyard.runner.process.ProcessEntry.Identity;
import dev.runyard.runner.process.ProcessEntry.State;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Finds out which processes belong to a tree, and remembers them.
///
/// A process belongs when it carries the mark, when its parent belongs, when it was seen to belong
/// before, or when it is in a session of a process that belongs or belonged. So a process that
/// clears its environment is found by its parent or session, and one that changes its session by
/// its mark. Only live processes and sessions are remembered, so numbers may be used again. The
/// runner's process and its ancestors never belong. Not thread-safe.
final class Membership {

  /// The live members, oldest first, the process groups that contain only members, and the
  /// processes of which only another look can tell whether they belong.
  record Members(List<ProcessEntry> live, Set<Integer> groups, Set<Identity> undecided) {
    static final Members NONE = new Members(List.of(), Set.of(), Set.of());
  }

  private static final Comparator<ProcessEntry> OLDEST_FIRST =
      Comparator.comparingLong(ProcessEntry::startTicks).thenComparingInt(ProcessEntry::pid);

  private final Predicate<String> marks;
  private final int self;
  private final Set<Identity> seen = new HashSet<>();
  private final Set<Integer> sessions = new HashSet<>();

  Membership(Predicate<String> marks, int self) {
    this.marks = marks;
    this.self = self;
  }

  void adopt(ProcessEntry root) {
    seen.add(root.identity());
  }

  /// For a root that may already be gone; its number is not reused while its session has members.
  void adoptSession(int session) {
    sessions.add(session);
  }

  /// A look that does not show the asking process itself is no basis for a signal: nothing would
  /// tell the runner's session, with its other processes, from an agent's.
  Members of(List<ProcessEntry> snapshot) {
    Map<Integer, ProcessEntry> byPid = new HashMap<>();
    snapshot.forEach(entry -> byPid.put(entry.pid(), entry));
    ProcessEntry asking = byPid.get(self);
    if (asking == null) {
      throw new IllegalStateException("the process table lacks the process that reads it");
    }
    Set<Integer> spared = spared(asking, byPid);
    Set<Integer> members = new HashSet<>();
    boolean grown = true;
    while (grown) {
      grown = false;
      for (ProcessEntry entry : snapshot) {
        if (!members.contains(entry.pid())
            && !spared.contains(entry.pid())
            && belongs(entry, members, byPid)) {
          members.add(entry.pid());
          remember(entry, asking);
          grown = true;
        }
      }
    }
    forget(snapshot);
    List<ProcessEntry> live =
        snapshot.stream()
            .filter(entry -> members.contains(entry.pid()) && entry.state() != State.DEAD)
            .sorted(OLDEST_FIRST)
            .toList();
    Set<Identity> undecided =
        snapshot.stream()
            .filter(entry -> entry.state() == State.CHANGING)
            .filter(entry -> !members.contains(entry.pid()) && !spared.contains(entry.pid()))
            .map(ProcessEntry::identity)
            .collect(Collectors.toSet());
    return new Members(live, groups(snapshot, members, asking), undecided);
  }

  private boolean belongs(
      ProcessEntry entry, Set<Integer> members, Map<Integer, ProcessEntry> byPid) {
    boolean marked = !entry.mark().isEmpty() && marks.test(entry.mark());
    return marked
        || members.contains(entry.parent())
        || seen.contains(entry.identity())
        || (entry.mark().isEmpty() && inKnownSession(entry, members, byPid));
  }

  /// A leader never belongs by session, nor do members of the session of a leader that does not
  /// belong: then the session's number was reused.
  private boolean inKnownSession(
      ProcessEntry entry, Set<Integer> members, Map<Integer, ProcessEntry> byPid) {
    return !entry.leadsSession()
        && sessions.contains(entry.session())
        && (!byPid.containsKey(entry.session()) || members.contains(entry.session()));
  }

  /// The runner's own session does not count: a root is in it until it has created its own.
  private void remember(ProcessEntry entry, ProcessEntry asking) {
    seen.add(entry.identity());
    if (entry.session() > 0 && asking.session() != entry.session()) {
      sessions.add(entry.session());
    }
  }

  private void forget(List<ProcessEntry> snapshot) {
    Set<Identity> identities = new HashSet<>();
    Set<Integer> liveSessions = new HashSet<>();
    for (ProcessEntry entry : snapshot) {
      identities.add(entry.identity());
      liveSessions.add(entry.session());
    }
    seen.retainAll(identities);
    sessions.retainAll(liveSessions);
  }

  private static Set<Integer> spared(ProcessEntry asking, Map<Integer, ProcessEntry> byPid) {
    Set<Integer> spared = new HashSet<>(List.of(0, 1, asking.pid()));
    ProcessEntry next = asking;
    while (next != null && spared.add(next.parent())) {
      next = byPid.get(next.parent());
    }
    return spared;
  }

  private static Set<Integer> groups(
      List<ProcessEntry> snapshot, Set<Integer> members, ProcessEntry asking) {
    Set<Integer> own = new HashSet<>();
    Set<Integer> shared = new HashSet<>();
    for (ProcessEntry entry : snapshot) {
      (members.contains(entry.pid()) ? own : shared).add(entry.group());
    }
    own.removeAll(shared);
    own.removeIf(group -> group <= 1);
    own.remove(asking.group());
    return own;
  }
}
