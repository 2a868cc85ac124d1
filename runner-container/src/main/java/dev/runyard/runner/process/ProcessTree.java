package dev.runyard.runner.process;

import dev.runyard.runner.isolation.AgentUser;
import dev.runyard.runner.process.Membership.Members;
import dev.runyard.runner.process.ProcessEntry.Identity;
import dev.runyard.runner.process.ProcessEntry.State;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// All processes of an attempt, wherever they are, and the way to end them.
///
/// Agents start tools in sessions of their own, relaunch themselves and outlive their launchers, so
/// neither the main process nor its group is enough to end one. Where an attempt has a user of its
/// own, nothing is out of reach. Elsewhere, a process is that clears its environment, creates its
/// own session and loses its parent between two scans, or one that escapes every scan by forking
/// and exiting all the time; calling [#live()] now and then makes the first window smaller.
/// Thread-safe; one caller at a time ends the tree.
public final class ProcessTree {

  /// How long an agent may take to stop by itself.
  public static final int GRACE_SECONDS = 10;

  /// How long processes may take to stop when their main process is gone.
  public static final int LEFTOVER_GRACE_SECONDS = 2;

  /// How long and how often a surviving tree is killed before the rest is reported, whoever asks
  /// for it. What is killed does nothing more, but needs a processor to end, and an agent gives way
  /// to all others: one of 300 MB took 7 s beside eight processes that never rest, on two
  /// processors, and 36 s where it was of a crowd.
  public static final int KILL_SECONDS_MAX = 60;

  /// The same for what dead runners left, for which a living attempt waits.
  static final int SWEEP_SECONDS_MAX = 5;

  static final int KILL_ROUNDS_MAX = 2_000;

  /// How long looks are repeated for a process that shows no mark since it is becoming another
  /// program; that takes it microseconds, and longer where the machine is busy.
  static final int CHANGING_MILLIS_MAX = 1_000;

  private static final int PAUSE_MILLIS_MIN = 1;
  private static final int PAUSE_MILLIS_MAX = 50;

  private final ProcessTable table;
  private final Pacer pacer;
  private final Membership membership;
  private final Optional<AgentUser> user;
  private final Duration killing;
  private final ReentrantLock ending = new ReentrantLock();
  private final Set<Identity> mute = new HashSet<>();
  private long bornSinceTicks;
  private Optional<Identity> first = Optional.empty();
  private OptionalLong killedUntil = OptionalLong.empty();
  private volatile boolean unasked;

  ProcessTree(ProcessTable table, Pacer pacer, Predicate<String> marks) {
    this(table, pacer, marks, Optional.empty(), KILL_SECONDS_MAX);
  }

  /// @param user who has all of the tree and nothing else, so that it can be killed in one step
  private ProcessTree(
      ProcessTable table,
      Pacer pacer,
      Predicate<String> marks,
      Optional<AgentUser> user,
      int killSeconds) {
    this.table = table;
    this.pacer = pacer;
    this.membership = new Membership(marks, table.self());
    this.user = user;
    this.killing = Duration.ofSeconds(killSeconds);
  }

  /// All processes of a user, which no process can leave.
  static ProcessTree of(AgentUser user, Pacer pacer) {
    return new ProcessTree(
        LinuxProcessTable.markedByOwner(),
        pacer,
        Integer.toString(user.uid())::equals,
        Optional.of(user),
        KILL_SECONDS_MAX);
  }

  /// Ends what dead runners left on this machine: every process whose mark (`<runId>.<attemptId>`)
  /// is one of `marks`, with everything that belongs to it.
  public static Reaping sweep(Predicate<String> marks) {
    return sweep(marks, Pacer.system());
  }

  static Reaping sweep(Predicate<String> marks, Pacer pacer) {
    return sweep(new LinuxProcessTable(), pacer, marks);
  }

  static Reaping sweep(ProcessTable table, Pacer pacer, Predicate<String> marks) {
    return new ProcessTree(table, pacer, marks, Optional.empty(), SWEEP_SECONDS_MAX)
        .terminate(Duration.ofSeconds(LEFTOVER_GRACE_SECONDS));
  }

  void adopt(int root) {
    synchronized (membership) {
      membership.adoptSession(root);
      table
          .find(root)
          .ifPresent(
              entry -> {
                membership.adopt(entry);
                first = Optional.of(entry.identity());
                bornSinceTicks = entry.startTicks();
              });
    }
  }

  /// The ids of the processes alive now, oldest first.
  public List<Long> live() {
    return pids(look().live());
  }

  /// Asks all processes to stop, waits for that, then kills the rest until nothing is left.
  ///
  /// Returns as soon as two scans in a row find nothing, which catches a process that started after
  /// the first scan. An interrupt cuts the grace short and is preserved.
  public Reaping terminate(Duration grace) {
    return end(
        (found, patience) -> {
          ask(found);
          return goneWithin(grace, patience);
        });
  }

  /// Ends an agent without notice: kills all of its processes until nothing is left. A grace that
  /// is under way is over.
  ///
  /// What dies as a whole is only asked whether something is left, as long as something is: to read
  /// each of many dying processes takes more of the processors than their end.
  public Reaping kill() {
    unasked = true;
    ending.lock();
    try {
      Patience patience = new Patience();
      long deadline = killDeadline();
      killAll();
      while (user.filter(AgentUser::hasProcess).isPresent() && pacer.nanoTime() < deadline) {
        patience.pause(Duration.ofMillis(PAUSE_MILLIS_MAX));
        killAll();
      }
      patience.restoreInterrupt();
      return end((_, _) -> false);
    } finally {
      ending.unlock();
    }
  }

  /// The first kill sets it for all that follow: what was given its time is not given it again.
  private long killDeadline() {
    if (killedUntil.isEmpty()) {
      killedUntil = OptionalLong.of(pacer.nanoTime() + killing.toNanos());
    }
    return killedUntil.getAsLong();
  }

  private void killAll() {
    user.ifPresent(AgentUser::killAll);
  }

  /// @param leave whether the found processes ended without being killed
  private Reaping end(BiPredicate<Members, Patience> leave) {
    ending.lock();
    try {
      Members found = settled();
      if (found.live().isEmpty()) {
        killAll();
        return Reaping.NOTHING_FOUND;
      }
      Patience patience = new Patience();
      boolean forced = !leave.test(found, patience);
      killAll();
      List<Long> left = forced ? kill(patience) : List.of();
      patience.restoreInterrupt();
      return new Reaping(found.live().size(), forced, left);
    } finally {
      ending.unlock();
    }
  }

  /// Processes that leave their group while it is signalled are asked one by one. What has started
  /// since then is not asked: another one may need it to end well.
  private void ask(Members found) {
    Set<Identity> alone = signal(found, Signal.TERM);
    Map<Identity, Integer> groups =
        found.live().stream()
            .collect(Collectors.toMap(ProcessEntry::identity, ProcessEntry::group));
    look().live().stream()
        .filter(entry -> !alone.contains(entry.identity()))
        .filter(entry -> groups.getOrDefault(entry.identity(), entry.group()) != entry.group())
        .forEach(entry -> table.signal(entry.pid(), Signal.TERM));
  }

  /// A suspended process, even one that is suspended only now, is continued so that it can react.
  private boolean goneWithin(Duration grace, Patience patience) {
    long deadline = pacer.nanoTime() + grace.toNanos();
    for (Members left = settled(); !left.live().isEmpty(); left = settled()) {
      if (left.live().stream().anyMatch(entry -> entry.state() == State.STOPPED)) {
        signal(left, Signal.CONT);
      }
      long rest = deadline - pacer.nanoTime();
      if (rest <= 0 || patience.interrupted || unasked) {
        return false;
      }
      patience.pause(Duration.ofNanos(rest));
    }
    return true;
  }

  /// Pauses only for processes that have already been killed: new ones are killed at once.
  private List<Long> kill(Patience patience) {
    patience.restart();
    long deadline = killDeadline();
    Set<Identity> killed = new HashSet<>();
    Members left = settled();
    for (int round = 0;
        round < KILL_ROUNDS_MAX
            && !left.live().isEmpty()
            && (round == 0 || pacer.nanoTime() < deadline);
        round++) {
      signal(left, Signal.KILL);
      killAll();
      left.live().forEach(entry -> killed.add(entry.identity()));
      left = settled();
      if (left.live().stream().allMatch(entry -> killed.contains(entry.identity()))) {
        patience.pause(Duration.ofMillis(PAUSE_MILLIS_MAX));
        left = settled();
      }
    }
    return pids(left.live());
  }

  private Members settled() {
    if (isGone()) {
      return Members.NONE;
    }
    Members members = look();
    return members.live().isEmpty() ? look() : members;
  }

  /// What has a user need not be looked for, past all that others have, when the kernel says that
  /// the user has nothing. The first process is not yet its user's while it starts.
  private boolean isGone() {
    return user.isPresent() && !firstLives() && user.get().isGone();
  }

  private boolean firstLives() {
    synchronized (membership) {
      return first.flatMap(this::find).filter(now -> now.state() != State.DEAD).isPresent();
    }
  }

  /// Looks again while a process that the first look found between two programs stays so. Otherwise
  /// it would be missed, or be killed without having been asked. One that stays so is waited for
  /// once.
  private Members look() {
    synchronized (membership) {
      Members members = membership.of(table.snapshot(bornSinceTicks));
      Set<Identity> changing = new HashSet<>(members.undecided());
      changing.removeAll(mute);
      long deadline = pacer.nanoTime() + Duration.ofMillis(CHANGING_MILLIS_MAX).toNanos();
      while (!changing.isEmpty() && pacer.nanoTime() < deadline && pause()) {
        members = membership.of(table.snapshot(bornSinceTicks));
        changing.retainAll(members.undecided());
      }
      mute.addAll(changing);
      mute.retainAll(members.undecided());
      return members;
    }
  }

  private boolean pause() {
    try {
      pacer.pause(Duration.ofMillis(PAUSE_MILLIS_MIN));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Groups are signalled as a whole, and the oldest process first, so that an agent does not see
  /// its tools die before it. Since the scan, a number may have been reused or a process may have
  /// changed its group, so each is checked once more.
  ///
  /// @return those that were signalled without their group
  private Set<Identity> signal(Members members, Signal signal) {
    Set<Integer> signalled = new HashSet<>();
    Set<Identity> alone = new HashSet<>();
    for (ProcessEntry entry : members.live()) {
      Optional<ProcessEntry> now = find(entry.identity());
      if (now.isEmpty()) {
        continue;
      }
      int group = now.get().group();
      if (group != entry.group() || !members.groups().contains(group)) {
        table.signal(entry.pid(), signal);
        alone.add(entry.identity());
      } else if (signalled.add(group)) {
        table.signalGroup(group, signal);
      }
    }
    return alone;
  }

  /// The process as it is now; none if it is gone, whoever has its number.
  private Optional<ProcessEntry> find(Identity identity) {
    return table.find(identity.pid()).filter(found -> found.identity().equals(identity));
  }

  private static List<Long> pids(List<ProcessEntry> entries) {
    return entries.stream().map(entry -> (long) entry.pid()).toList();
  }

  /// Pauses that double up to a bound, so that quick deaths are seen quickly.
  private final class Patience {

    private long pauseMillis = PAUSE_MILLIS_MIN;
    private boolean interrupted;

    void restart() {
      pauseMillis = PAUSE_MILLIS_MIN;
    }

    void pause(Duration longest) {
      Duration length = Duration.ofMillis(pauseMillis);
      pauseMillis = Math.min(pauseMillis * 2, PAUSE_MILLIS_MAX);
      try {
        pacer.pause(length.compareTo(longest) < 0 ? length : longest);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }

    void restoreInterrupt() {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
