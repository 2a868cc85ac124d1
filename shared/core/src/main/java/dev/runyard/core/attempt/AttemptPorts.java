package dev.runyard.core.attempt;

import dev.runyard.core.log.RunLog;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.wakeup.Wakeups;

/// What an attempt calls.
public record AttemptPorts(RunLog runs, RunQueue queue, Wakeups wakeups) {}
