package dev.runyard.runner.isolation;

import dev.runyard.runner.files.Removal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// Gives users back whose attempts have ended, once nothing of them is left.
///
/// Somebody else's folder may have something of a user and be too large to be searched. Then the
/// attempt has ended all the same, and its user waits until that folder's owner has ended too. So
/// an attempt can keep users waiting, and is itself ended when too many do.
final class UserReturns {
  /// How many users may wait before that is somebody's end.
  static final int WAITING_MAX = AgentUser.USERS_MAX / 2;

  private final ClaimFolder claims;
  private final SharedRemains shared;

  /// For who returns what waits: nobody else has to do with these users then.
  private final ReentrantLock returning = new ReentrantLock();

  /// Claims of this process whose attempts have ended, each with who is in the way; for who has the
  /// lock of the claims.
  private final Map<UserClaim, Set<Integer>> waiting = new HashMap<>();

  UserReturns(ClaimFolder claims, SharedRemains shared) {
    this.claims = claims;
    this.shared = shared;
  }

  /// Ends what the user still has, and gives it back at once or when that is safe; false if
  /// something is left that is the user's own.
  boolean giveBack(UserClaim claim) throws IOException {
    if (claims.locked(() -> waits(claim))) {
      finish(new UserKill.Brief());
      return claims.locked(() -> !waits(claim));
    }
    if (!claims.locked(() -> claims.has(claim))) {
      return true;
    }
    if (!couldEmpty(claim, UserKill::patiently)) {
      waits(claim, Set.of());
      return false;
    }
    UserClaim emptied = emptied(claim);
    try {
      SharedRemains.Found found = shared.remove(Set.of(claim.uid()), SharedRemains.ENTRIES_MAX);
      returned(emptied, found);
      return !found.left().contains(claim.uid());
    } catch (IOException e) {
      waits(emptied, Set.of());
      throw e;
    }
  }

  private boolean waits(UserClaim claim) {
    return waiting.containsKey(claim) || waiting.containsKey(claim.emptied());
  }

  /// Its folders have been taken back, so nobody does that again: they may be another attempt's by
  /// the time at which the user is given back.
  private UserClaim emptied(UserClaim claim) throws IOException {
    UserClaim emptied = claim.emptied();
    claims.locked(
        () -> {
          claims.write(emptied);
          Set<Integer> inTheWay = waiting.remove(claim);
          return inTheWay != null && waiting.put(emptied, inTheWay) == null;
        });
    return emptied;
  }

  /// Gives back what waits, and what is left of dead runners, as far as nobody is in the way.
  void finish(UserKill.Brief brief) throws IOException {
    returning.lock();
    try {
      giveBackWaiting(brief);
    } finally {
      returning.unlock();
    }
  }

  /// The same, unless somebody is doing so.
  void finishUnlessBusy() throws IOException {
    if (returning.tryLock()) {
      try {
        giveBackWaiting(new UserKill.Brief());
      } finally {
        returning.unlock();
      }
    }
  }

  /// All are killed before one is waited for, which would otherwise wait for those that are not.
  private void giveBackWaiting(UserKill.Brief brief) throws IOException {
    Map<Integer, UserClaim> bare = new HashMap<>();
    Set<UserClaim> due = claims.locked(this::due);
    due.forEach(claim -> claim.user().killAll());
    for (UserClaim claim : due) {
      if (couldEmpty(claim, brief::kill)) {
        bare.put(claim.uid(), emptied(claim));
      }
    }
    if (bare.isEmpty()) {
      return;
    }
    boolean tooMany = claims.locked(waiting::size) > WAITING_MAX;
    SharedRemains.Found found =
        shared.remove(
            bare.keySet(), tooMany ? SharedRemains.WHOLE_ENTRIES_MAX : SharedRemains.ENTRIES_MAX);
    for (UserClaim claim : bare.values()) {
      returned(claim, found);
    }
    if (tooMany) {
      end(found.inTheWay());
    }
  }

  /// What waits and may be given back by now. The claims of dead runners become this one's, so that
  /// no other has to do with them.
  private Set<UserClaim> due() throws IOException {
    Set<Integer> taken = new HashSet<>();
    for (UserClaim claim : claims.all()) {
      taken.add(claim.uid());
      if (!claim.runner().isAlive()) {
        UserClaim own = claim.taken();
        claims.write(own);
        waiting.put(own, Set.of());
      }
    }
    boolean tooMany = waiting.size() > WAITING_MAX;
    Set<UserClaim> due = new HashSet<>(waiting.keySet());
    due.removeIf(
        claim -> {
          Set<Integer> inTheWay = waiting.getOrDefault(claim, Set.of());
          return !tooMany && !inTheWay.isEmpty() && taken.containsAll(inTheWay);
        });
    return due;
  }

  /// Ends attempts whose folders keep too many users from being given back.
  private void end(Set<Integer> inTheWay) throws IOException {
    claims.locked(
        () -> {
          for (UserClaim claim : claims.all()) {
            if (inTheWay.contains(claim.uid())) {
              claim.user().killAll();
            }
          }
          return true;
        });
  }

  private void returned(UserClaim claim, SharedRemains.Found found) throws IOException {
    if (!found.nothingOf(claim.uid())) {
      waits(claim, found.inTheWay());
      return;
    }
    claims.locked(
        () -> {
          claims.remove(claim);
          return waiting.remove(claim) == null;
        });
  }

  private void waits(UserClaim claim, Set<Integer> inTheWay) throws IOException {
    claims.locked(() -> waiting.put(claim, inTheWay) == null);
  }

  /// True when the user has nothing left but what may be in places that users share.
  ///
  /// @param kill patient only where the user's own attempt ends: what waits is looked at when
  ///   another attempt begins, and again with the next
  private static boolean couldEmpty(UserClaim claim, Predicate<AgentUser> kill) {
    AgentUser user = claim.user();
    try {
      if (!kill.test(user) || !IpcObjects.removed(user)) {
        return false;
      }
      for (Path left : claim.folders()) {
        Removal.finish(left);
        user.takeBack(left);
      }
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
