package dev.runyard.runner.gateway;

import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.usage.Usage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The calls of one attempt: which are open, what all have used, and what the run's log is to say
/// of them. Thread-safe.
final class CallLedger {
  /// Most calls at once.
  static final int CALLS_MAX = 32;

  /// How many events may wait for the log before further calls wait.
  static final int EVENTS_MAX = 256;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Spending spending;
  private final Set<ForwardedCall> open = new HashSet<>();
  private final Map<ForwardedCall, Optional<String>> models = new HashMap<>();
  private final Deque<RunEvent> events = new ArrayDeque<>();
  private long failedCall;
  private int failures;
  private boolean closed;

  CallLedger(Spending spending) {
    this.spending = spending;
  }

  /// Waits until the log has taken what there is to say.
  void awaitRoom() throws InterruptedException {
    lock.lock();
    try {
      while (events.size() >= EVENTS_MAX && !closed) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Begins a call, or says why it must not be made. One that would go over a bound only together
  /// with those under way waits until enough of them have ended: one that fails uses nothing.
  Optional<Refusal> begin(ForwardedCall call, @Nullable String model) throws InterruptedException {
    lock.lock();
    try {
      while (!closed && mayFit()) {
        changed.await();
      }
      if (closed) {
        return Optional.of(Refusal.noSuchEndpoint());
      }
      if (open.size() >= CALLS_MAX) {
        return Optional.of(Refusal.busy("The agent makes too many calls of its model at once."));
      }
      Optional<String> bound = spending.blocks(Usage.NONE);
      if (bound.isPresent()) {
        add(new ModelNotice.QuotaBlocked(bound.get(), CallEvents.named(model)));
        return bound.map(Refusal::spent);
      }
      open.add(call);
      models.put(call, Optional.ofNullable(model));
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private boolean mayFit() {
    return spending.blocks(soFar()).isPresent() && spending.blocks(Usage.NONE).isEmpty();
  }

  /// What calls that have not ended have used so far. Each is a turn: an answer is under way.
  private Usage soFar() {
    Usage all = Usage.NONE;
    for (Map.Entry<ForwardedCall, Optional<String>> call : models.entrySet()) {
      all = all.plus(spending.priced(call.getKey().soFar(), call.getValue().orElse(null)));
    }
    return all;
  }

  /// Begins a request that costs nothing.
  Optional<Refusal> beginAside(ForwardedCall call) {
    lock.lock();
    try {
      if (closed) {
        return Optional.of(Refusal.noSuchEndpoint());
      }
      open.add(call);
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /// How a call of a model is counted.
  ///
  /// @param digest of its body
  ForwardedCall.Account measured(@Nullable String model, long digest) {
    return new ForwardedCall.Account() {
      @Override
      public boolean exceeded() {
        lock.lock();
        try {
          return spending.exceeded(soFar());
        } finally {
          lock.unlock();
        }
      }

      @Override
      public void ended(ForwardedCall call, CallEnd end) {
        end(call, end, model, digest);
      }
    };
  }

  /// How a request that costs nothing is counted.
  ForwardedCall.Account aside() {
    return new ForwardedCall.Account() {
      @Override
      public boolean exceeded() {
        return false;
      }

      @Override
      public void ended(ForwardedCall call, CallEnd end) {
        lock.lock();
        try {
          open.remove(call);
          changed.signalAll();
        } finally {
          lock.unlock();
        }
      }
    };
  }

  /// A call was refused by the gateway itself.
  void refused(Refusal why, @Nullable String model, String api) {
    lock.lock();
    try {
      add(CallEvents.refused(why, model, api));
    } finally {
      lock.unlock();
    }
  }

  /// How many times in a row the same call has failed.
  ///
  /// @param digest of its body
  int failures(long digest) {
    lock.lock();
    try {
      return digest == failedCall ? failures : 0;
    } finally {
      lock.unlock();
    }
  }

  private void end(ForwardedCall call, CallEnd end, @Nullable String model, long digest) {
    lock.lock();
    try {
      open.remove(call);
      models.remove(call);
      boolean failed = end.failed().isPresent();
      failures = failed ? (digest == failedCall ? failures + 1 : 1) : 0;
      failedCall = digest;
      if (end.usage().isPresent()) {
        Usage used = spending.priced(end.usage().get(), model);
        add(new RunEvent.CostRecorded(used, CallEvents.named(model), end.call(), null));
        spending.add(used).forEach(this::add);
      } else {
        add(CallEvents.failed(end, model));
      }
    } finally {
      lock.unlock();
    }
  }

  /// The next events for the log, without waiting.
  List<RunEvent> take(int max) {
    List<RunEvent> taken = new ArrayList<>();
    lock.lock();
    try {
      while (taken.size() < max && !events.isEmpty()) {
        taken.add(events.remove());
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return taken;
  }

  /// Ends every call, and begins none any more. Returns when all have ended, or after `wait`.
  void close(Duration wait) {
    long nanos = wait.toNanos();
    List<ForwardedCall> ending;
    lock.lock();
    try {
      closed = true;
      ending = List.copyOf(open);
    } finally {
      lock.unlock();
    }
    ending.forEach(call -> call.cancel(CallCut.ATTEMPT_ENDED));
    lock.lock();
    try {
      changed.signalAll();
      while (!open.isEmpty() && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private void add(RunEvent event) {
    events.add(event);
    changed.signalAll();
  }
}
