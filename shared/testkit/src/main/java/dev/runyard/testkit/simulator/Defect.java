package dev.runyard.testkit.simulator;

/// A deliberate defect: the simulator has to find each of them, or it proves nothing.
public enum Defect {
  NONE,
  /// The log's put has no condition: the later of two writers overwrites the earlier.
  PUT_WITHOUT_CONDITION,
  /// The rules let a second message claim a run whose attempt is alive.
  CLAIM_NOT_CHECKED,
  /// A closing chunk is written a second time behind the first.
  TERMINAL_WRITTEN_TWICE,
  /// The agent's last output is told after its end.
  OUTPUT_AFTER_EXIT,
  /// A run whose queue message was never sent is not sent again.
  ENQUEUE_NEVER_REPEATED,
  /// An agent that is executed again takes the messages of its interactions a second time.
  MESSAGE_TAKEN_TWICE,
  /// An agent that goes on in another attempt says again what it said.
  OUTPUT_REPEATED,
  /// A client is told of a run's end that its session does not have yet.
  SESSION_LEFT_BEHIND,
  /// The rules let a second decision on an action count.
  SECOND_DECISION_COUNTS,
  /// A paused run is not queued again when all is decided.
  PAUSED_NEVER_RESUMED,
  /// An attempt whose runner died while its agent waited for a person is taken for lost.
  LOST_WHILE_WAITING,
  /// The order of a session's turns is written without looking whether somebody else wrote.
  TURNS_WRITTEN_WITHOUT_CONDITION,
  /// `advance` may not read the order of a session's turns.
  TURNS_REFUSED_TO_DRIVER,
  /// A message that came while its attempt lives is hidden again, each time for one more receive,
  /// and a dead letter ends whatever run it is of.
  DEAD_LETTER_ENDS_LIVING_ATTEMPT,
  /// An attempt waits for what its agent needs, and shows no sign of life meanwhile.
  START_BLOCKS_ATTEMPT,
  /// Whoever finds a runner gone begins the next attempt at once, whatever pause was asked for.
  TAKEN_OVER_IN_PLACE,
  /// A runner that wrote later than now, by another clock, is taken for gone.
  CLOCK_BEHIND_MEANS_LOST,
  /// A run whose runner was told to stop before it had started the agent fails.
  DRAIN_FAILS_UNSTARTED_RUN
}
