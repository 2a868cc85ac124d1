package dev.runyard.core.session;

import static dev.runyard.core.session.ThreadRig.BY;
import static dev.runyard.core.session.ThreadRig.THREAD;
import static dev.runyard.core.session.ThreadRig.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.session.GoOnFrom.How;
import dev.runyard.core.session.GoOnFrom.Result;
import dev.runyard.core.thread.StoredThreadEvent;
import dev.runyard.core.thread.ThreadEvent;
import dev.runyard.core.thread.ThreadOrigin;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/// A thread that goes on from what one of its turns left.
final class GoOnFromTest {
  private final ThreadRig rig = new ThreadRig();
  private final LeavingTurns leaving = new LeavingTurns(rig);
  private final GoOnFrom goOn = crossed(_ -> {});

  @Test
  void takesLaterTurnsBackOnce() {
    RunKey a = leaving.kept("a");
    RunKey b = leaving.kept("b");
    RunKey c = leaving.kept("c");
    ThreadOrigin from = from("a", a, c, b);
    long before = goOn.sequence(THREAD);

    assertEquals(from("c", c), unchanged(wish(c, How.BACK)), "there is no later one");
    assertEquals(before, rig.events().size());
    assertEquals(from, done(wish(a, How.BACK)));
    List<StoredThreadEvent> events = rig.events();
    assertEquals(
        List.of(
            new ThreadEvent.RollbackStarted("a", a.runId()),
            new ThreadEvent.RollbackCompleted(from)),
        events.subList(events.size() - 2, events.size()).stream()
            .map(StoredThreadEvent::event)
            .toList());
    assertEquals(BY, events.getLast().by());
    assertEquals(events.size(), goOn.sequence(THREAD));
    assertEquals(from, unchanged(wish(a, How.BACK)));
    assertEquals(events.size(), rig.events().size());
  }

  @Test
  void aTurnThatWasTakenBackIsThereAgain() {
    RunKey a = leaving.kept("a");
    RunKey b = leaving.kept("b");
    RunKey c = leaving.kept("c");
    done(wish(a, How.BACK));

    assertEquals(from("b", b, c), done(wish(b, How.TO)));
    assertEquals(new ThreadEvent.Reconstructed(from("b", b, c)), rig.events().getLast().event());
    assertEquals(from("c", c), done(wish(c, How.TO)));
    assertEquals(from("c", c), unchanged(wish(c, How.TO)));
  }

  @Test
  void laterTurnsAreUndoneBesideThoseThatWereBefore() {
    RunKey a = leaving.kept("a");
    RunKey b = leaving.kept("b");
    done(wish(a, How.BACK));
    RunKey c = leaving.kept("c");
    RunKey d = leaving.kept("d");

    assertEquals(from("c", c, d, b), done(wish(c, How.BACK)));
    assertEquals(new Result.Gone(), goOn.goOn(THREAD, wish(b, How.BACK)), "it is forgotten");
    assertEquals(from("a", a, d, c, b), done(wish(a, How.BACK)));
  }

  @Test
  void aThreadThatHasATurnIsLeftAsItIs() {
    RunKey a = leaving.kept("a");
    leaving.kept("b");
    RunKey c = rig.submitted("c");
    int events = rig.events().size();

    assertEquals(new Result.Busy(), goOn.goOn(THREAD, wish(a, How.BACK)));
    assertEquals(new Result.Busy(), goOn.goOn(THREAD, wish(c, How.BACK)));
    assertEquals(events, rig.events().size());
  }

  @Test
  void aTurnOfWhichNothingIsKeptIsGone() {
    RunKey a = leaving.ended("a");
    assertEquals(new Result.Gone(), goOn.goOn(THREAD, wish(a, How.BACK)));
    leaving.kept("b");
    RunKey c = leaving.lost("c");
    assertEquals(new Result.Gone(), goOn.goOn(THREAD, wish(a, How.BACK)));
    assertEquals(new Result.Gone(), goOn.goOn(THREAD, wish(c, How.BACK)));
  }

  @Test
  void theFilesOfAnAgentThatRemembersNothingAreEnough() {
    RunKey a = leaving.ended("a");
    RunKey b = leaving.ended("b");
    leaving.leave(a, true);
    leaving.leave(b, false);

    assertEquals(new Result.Gone(), goOn.goOn(THREAD, wish(b, How.BACK)));
    assertEquals(from("a", a, b), done(wish(a, How.BACK)));
  }

  @Test
  void aTurnThatListsDoNotShowAsEndedIsUndoneToo() {
    RunKey a = leaving.kept("a");
    RunKey b = rig.submitted("b");
    rig.cases.cancelRun().cancel(b, "test", "somebody");
    rig.cases.advanceRun().advance(b);

    assertEquals(from("a", a, b), done(wish(a, How.BACK)));
  }

  @Test
  void aWishThatComesAgainIsForTheThreadAsItWas() {
    RunKey a = leaving.kept("a");
    RunKey b = leaving.kept("b");
    long meant = goOn.sequence(THREAD);

    assertEquals(from("a", a, b), done(wish(a, How.BACK, meant)));
    assertEquals(from("a", a, b), unchanged(wish(a, How.BACK, meant)));
    assertEquals(new Result.Late(), goOn.goOn(THREAD, wish(b, How.BACK, meant)));
    leaving.kept("c");
    assertEquals(from("a", a, b), unchanged(wish(a, How.BACK, meant)), "and what came then stays");
    long later = goOn.sequence(THREAD);
    leaving.kept("d");
    assertEquals(new Result.Late(), goOn.goOn(THREAD, wish(a, How.BACK, later)));
  }

  @Test
  void knowsTheNewestTurnThatIsKept() {
    assertEquals(Optional.empty(), newest());
    leaving.ended("none");
    assertEquals(Optional.empty(), newest());
    RunKey a = leaving.kept("a");
    RunKey b = leaving.kept("b");
    leaving.lost("lost");
    RunKey open = rig.submitted("open");
    assertEquals(Optional.of(b), newest());

    rig.end(open);
    done(wish(a, How.BACK));
    assertEquals(Optional.of(a), newest(), "the other was taken back");
  }

  @Test
  void goesOnFromTheNewestWithoutWhatIsLost() {
    RunKey a = leaving.kept("a");
    leaving.ended("nothing");
    RunKey b = leaving.lost("b");

    assertEquals(from("a", a, b), done(wish(a, How.NEWEST)));
    assertEquals(from("a", a, b), unchanged(wish(a, How.NEWEST)));
  }

  @Test
  void anotherAgentForgetsWhatIsLostToo() {
    leaving.kept("a");
    RunKey b = leaving.lost("b");
    RunKey c = leaving.kept("c", "codex");

    assertEquals(from("c", c, b), done(wish(c, How.NEWEST)));
  }

  @Test
  void anAgentOfWhichNothingIsKeptForgetsNothing() {
    leaving.lost("a");
    RunKey b = leaving.kept("b", "codex");

    assertEquals(from("b", b), unchanged(wish(b, How.NEWEST)));
  }

  @Test
  void undoesOnlySoManyTurns() {
    RunKey a = leaving.kept("a");
    RunKey later = leaving.ended("later");
    leaving.listed(later, ThreadOrigin.UNDONE_MAX - 1);
    assertEquals(ThreadOrigin.UNDONE_MAX, done(wish(a, How.BACK)).undone().size());

    leaving.listed(later, 1);
    assertEquals(new Result.Gone(), goOn.goOn(THREAD, wish(a, How.BACK)));
  }

  /// What is lost is looked up between the read of the thread and the write.
  @Test
  void looksAgainWhenTheThreadHasChangedMeanwhile() {
    RunKey a = leaving.kept("a");
    leaving.lost("b");
    GoOnFrom crossed =
        crossed(
            look -> {
              if (look == 2) {
                rig.submitted("c");
              }
            });

    assertEquals(new Result.Busy(), crossed.goOn(THREAD, wish(a, How.NEWEST)));
    assertTrue(rig.events().stream().noneMatch(e -> e.event() instanceof ThreadEvent.Based));
  }

  @Test
  void givesUpOnAThreadThatAlwaysChanges() {
    RunKey a = leaving.kept("a");
    leaving.lost("b");
    GoOnFrom crossed = crossed(look -> leaving.ended("c-" + look));

    assertThrows(IllegalStateException.class, () -> crossed.goOn(THREAD, wish(a, How.NEWEST)));
  }

  private GoOnFrom crossed(IntConsumer meanwhile) {
    AtomicInteger looks = new AtomicInteger();
    return rig.cases
        .threadCases(
            () -> {
              meanwhile.accept(looks.incrementAndGet());
              return leaving.store;
            })
        .goOn();
  }

  private GoOnFrom.Wish wish(RunKey turn, How how, Long... meant) {
    return new GoOnFrom.Wish(rig.state(turn), how, BY, List.of(meant).stream().findFirst());
  }

  private ThreadOrigin done(GoOnFrom.Wish wish) {
    return assertInstanceOf(Result.Done.class, goOn.goOn(THREAD, wish)).from();
  }

  private ThreadOrigin unchanged(GoOnFrom.Wish wish) {
    return assertInstanceOf(Result.Unchanged.class, goOn.goOn(THREAD, wish)).from();
  }

  private static ThreadOrigin from(String turn, RunKey run, RunKey... undone) {
    return new ThreadOrigin(turn, run.runId(), ids(undone));
  }

  private Optional<RunKey> newest() {
    return goOn.newest(THREAD).map(run -> run.facts().run());
  }
}
