package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Requests that come again, after others undid what they had done.
final class AskedBeforeTest {
  private final TaskRig rig = new TaskRig();
  private final AskedBefore asked = rig.manage.askedBefore();

  @BeforeEach
  void create() {
    rig.created("t1");
    rig.created("t2");
  }

  private String mark(TaskWant want) {
    return asked.mark(rig.task("t1"), Optional.of(want));
  }

  private boolean done(String mark, TaskWant want) {
    return asked.isDone(rig.task("t1"), mark, want);
  }

  /// Whether it is known that it was done, before and after, and after it was undone.
  private void assertKnown(TaskWant want, Runnable does, Runnable undoes) {
    String mark = mark(want);
    assertFalse(done(mark, want), "not done yet");
    does.run();
    assertTrue(done(mark, want), "done");
    String again = mark(want);
    undoes.run();
    assertTrue(done(mark, want), "undone since");
    assertTrue(
        want instanceof TaskWant.Progress || done(again, want), "it was so when this was asked");
    assertFalse(done(mark(want), want), "asked for once more");
  }

  @Test
  void knowsWhatOthersUndid() {
    assertKnown(
        new TaskWant.Paused(),
        () -> TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later")),
        () -> TaskRig.done(rig.manage.resume(TaskRig.BY, "t1")));
    TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later"));
    assertKnown(
        new TaskWant.Resumed(),
        () -> TaskRig.done(rig.manage.resume(TaskRig.BY, "t1")),
        () -> TaskRig.done(rig.manage.pause(TaskRig.BY, "t1", "later")));
    TaskRig.done(rig.manage.resume(TaskRig.BY, "t1"));
    assertKnown(
        new TaskWant.Edge(EdgeKind.BLOCKED_BY, "t2", true),
        () -> TaskRig.done(rig.link("t1", EdgeKind.BLOCKED_BY, "t2")),
        () -> TaskRig.done(rig.unlink("t1", EdgeKind.BLOCKED_BY, "t2")));
    TaskRig.done(rig.link("t1", EdgeKind.EVIDENCE, "e"));
    assertKnown(
        new TaskWant.Edge(EdgeKind.EVIDENCE, "e", false),
        () -> TaskRig.done(rig.unlink("t1", EdgeKind.EVIDENCE, "e")),
        () -> TaskRig.done(rig.link("t1", EdgeKind.EVIDENCE, "e")));
    TaskProgress half = new TaskProgress("half", 50);
    assertKnown(
        new TaskWant.Progress(half),
        () -> TaskRig.done(rig.manage.progress(TaskRig.BY, "t1", half)),
        () -> TaskRig.done(rig.manage.progress(TaskRig.BY, "t1", new TaskProgress("all", 99))));
    assertKnown(
        new TaskWant.Failed(),
        () -> TaskRig.done(rig.manage.fail(TaskRig.BY, "t1", "no")),
        () -> TaskRig.done(rig.manage.retry(TaskRig.BY, "t1", "again", null, null)));
  }

  @Test
  void knowsUpdates() {
    assertKnown(new TaskWant.Terms(TaskRig.json("{\"title\":\"new\"}")), "{\"title\":\"old\"}");
    assertKnown(
        new TaskWant.Terms(TaskRig.json("{\"priority\":7,\"owner\":null}")), "{\"priority\":6}");
    String request = "{\"request\":{\"agent\":\"echo\",\"prompt\":\"%s\"}}";
    TaskWant asks = new TaskWant.Terms(TaskRig.json(request.formatted("one")));
    String mark = mark(asks);
    update(request.formatted("other"));
    assertFalse(done(mark, asks));
    update(request.formatted("one"));
    update(request.formatted("other"));
    assertTrue(done(mark, asks));
  }

  @Test
  void knowsThatADraftWasFinished() {
    rig.created("t3", "\"draft\":true");
    TaskWant finished = new TaskWant.Terms(TaskRig.json("{\"draft\":false}"));
    TaskWant renamed = new TaskWant.Terms(TaskRig.json("{\"draft\":false,\"title\":\"new\"}"));
    String mark = asked.mark(rig.task("t3"), Optional.of(finished));
    assertFalse(asked.isDone(rig.task("t3"), mark, finished));

    TaskRig.done(rig.manage.update(TaskRig.BY, "t3", TaskRig.json("{\"draft\":false}")));

    assertTrue(asked.isDone(rig.task("t3"), mark, finished));
    assertFalse(asked.isDone(rig.task("t3"), mark, renamed));
    String again = asked.mark(rig.task("t3"), Optional.of(finished));
    assertTrue(asked.isDone(rig.task("t3"), again, finished));
  }

  @Test
  void whatNoUpdateMayBeIsNeverDone() {
    TaskWant nameless = new TaskWant.Terms(TaskRig.json("{\"title\":\"\"}"));
    String mark = mark(nameless);
    update("{\"title\":\"new\"}");

    assertFalse(done(mark, nameless));
  }

  private void assertKnown(TaskWant.Terms want, String other) {
    update(other);
    assertKnown(want, () -> update(want.body().toString()), () -> update(other));
  }

  private void update(String body) {
    var _ = TaskRig.done(rig.manage.update(TaskRig.BY, "t1", TaskRig.json(body)));
  }

  @Test
  void aPauseThatCouldNotBeIsTriedAgain() {
    TaskRig.done(rig.manage.start(TaskRig.BY, "t1", null));
    RunKey run = rig.run("t1");
    rig.claim(run);
    TaskWant want = new TaskWant.Paused();
    String mark = mark(want);
    assertEquals("unavailable", TaskRig.code(rig.manage.pause(TaskRig.BY, "t1", "later")));

    assertFalse(done(mark, want));
  }

  /// The key of an earlier release is bound to a number of runs.
  @Test
  void readsEarlierMarks() {
    assertEquals(3, AskedBefore.runs("3"));
    assertEquals(3, AskedBefore.runs("3@17"));
    assertEquals(3, AskedBefore.runs("3@17="));
    assertFalse(done("3", new TaskWant.Resumed()));
  }
}
