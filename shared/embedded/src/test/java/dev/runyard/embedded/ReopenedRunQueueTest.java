package dev.runyard.embedded;

import dev.runyard.core.queue.RunQueue;
import dev.runyard.testkit.contract.RunQueueContract;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedRunQueueTest extends RunQueueContract {
  private final StoreRig rig;

  ReopenedRunQueueTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected RunQueue queue() {
    return rig.reopening(RunQueue.class, store -> store.queue(SqliteRunQueueTest.RULE));
  }

  @Override
  protected RunQueue deadLetters() {
    return rig.reopening(RunQueue.class, store -> store.queue(SqliteRunQueueTest.DEAD));
  }

  @Override
  protected int leaseSeconds() {
    return SqliteRunQueueTest.RULE.hiddenSeconds();
  }

  @Override
  protected void advance(Duration duration) {
    rig.clock().advance(duration);
  }
}
