package dev.runyard.simulator;

import java.util.EnumSet;
import java.util.Set;

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
  /// That an agent has ended is told nobody, so that its attempt waits for it until its time is
  /// over.
  END_NOT_TOLD,
  /// A run whose queue message was never sent is not sent again.
  ENQUEUE_NEVER_REPEATED,
  /// The same of a run that is to be tried again.
  RETRY_NEVER_REPEATED,
  /// A runner that does not reach the queue gives up its runs, though it reaches the log.
  CUT_OFF_BY_QUEUE,
  /// A runner that can read the log, and not write it, does not give up.
  READ_TAKEN_FOR_WRITE,
  /// An agent that is executed again takes the messages of its interactions a second time.
  MESSAGE_TAKEN_TWICE,
  /// An agent is not given what was decided.
  DECISION_NOT_HANDED_OVER,
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
  /// The same, but such a dead letter changes nothing.
  DEFERRAL_COSTS_A_RECEIVE,
  /// An attempt waits for what its agent needs, and shows no sign of life meanwhile.
  START_BLOCKS_ATTEMPT,
  /// An agent whose attempt was given up while it was prepared is started all the same.
  GIVEN_UP_AGENT_STARTED,
  /// Whoever finds a runner gone begins the next attempt at once, whatever pause was asked for.
  TAKEN_OVER_IN_PLACE,
  /// A runner that wrote later than now, by another clock, is taken for gone.
  CLOCK_BEHIND_MEANS_LOST,
  /// A run whose runner was told to stop before it had started the agent fails.
  DRAIN_FAILS_UNSTARTED_RUN,
  /// Functions fold each run from its first event.
  FOLDED_FROM_THE_BEGINNING,
  /// Runners fold a run that they claim from its first event.
  CLAIM_FOLDED_FROM_THE_BEGINNING,
  /// A dead letter of a run that waits for a runner ends it.
  DEAD_LETTER_ENDS_WAITING_RUN,
  /// What clients write to a run shows its attempt alive.
  MESSAGE_SHOWS_ATTEMPT_ALIVE,
  /// A run that waits for its turn is treated as if it waited for a runner.
  TURN_TAKEN_FOR_WAIT,
  /// A run that waits for its turn counts as one that waits for a runner.
  TURN_COUNTED_AS_WAIT,
  /// A run is tried half as often as it may be.
  RETRIES_HALVED,
  /// A claim takes the files a paused run had, before the log says that an agent starts.
  CLAIM_TAKES_FILES,
  /// An event names an output that is not stored yet.
  OUTPUT_TOLD_BEFORE_KEPT,
  /// An attempt ends while what its agent remembers is still on its way.
  MEMORY_NOT_WAITED_FOR,
  /// A run fails whose agent cannot get what it needs from the bucket while that does not answer.
  BUCKET_NOT_WAITED_FOR,
  /// What leads to a session's memory is written without looking whether somebody else wrote.
  POINTER_REPLACED_WITHOUT_CONDITION,
  /// A function takes a silent attempt for dead as if all clocks were right and agents ended at
  /// once.
  SILENCE_TOO_SHORT,
  /// A run on which a stream function's code fails is reported, and comes again with all after it.
  POISON_COMES_AGAIN,
  /// A stream function that lacks a right takes a run for handled when its call is refused.
  REFUSED_RECORD_DROPPED,
  /// A read model overwrites a newer one.
  MODEL_SAVED_WITHOUT_CONDITION,
  /// A key is read and bound in two calls.
  KEY_LOOKED_FOR_THEN_BOUND,
  /// A key is known until it is removed, whether its time is over or not.
  EXPIRED_KEY_KNOWN,
  /// A slot is written over the write of another.
  SLOTS_WRITTEN_WITHOUT_CONDITION,
  /// A slot stays claimed for a runner that never comes.
  CLAIM_NEVER_FREED,
  /// A runner whose task the service does not show yet counts as gone.
  UNSEEN_TASK_TAKEN_FOR_GONE,
  /// That starts fail is not recorded.
  TROUBLE_NOT_NOTED,
  /// A copy of an older message starts the next attempt before its pause is over.
  RETRY_BEFORE_PAUSE,
  /// The time of a run that was handed back keeps running while it waits.
  TIME_OF_HANDED_BACK_RUN_PASSES,
  /// The agent of an attempt whose runner died goes on beside the run's next one.
  LOST_AGENT_LEFT,
  /// A chunk is exchanged for another once the next one is there.
  CHUNK_REPLACED,
  /// Snapshots are stored uncompressed.
  SNAPSHOT_STORED_AS_TEXT,
  /// A tenant's run gets a place whether there is one or not.
  PLACES_NOT_COUNTED,
  /// Whoever ends a run does not look which run waits for its place.
  PLACE_NOT_PASSED_ON,
  /// A place is kept by a run that rests; where runs are not counted until they end, by any.
  PLACE_KEPT_AT_REST,
  /// `sweep` does not look whether what is counted is there.
  COUNTS_NOT_REPAIRED,
  /// A delivery that could not be kept is taken for one that was.
  UNKEPT_DELIVERY_PASSED_OVER,
  /// The id of a delivery follows from when it is told.
  DELIVERY_TOLD_BY_TIME,
  /// `sweep` does not look for deliveries whose message was lost.
  DUE_DELIVERIES_NOT_SWEPT,
  /// A receiver that did not answer is taken for one that took its delivery.
  SILENCE_TAKEN_FOR_DELIVERED,
  /// A delivery to a hook is not known again.
  DELIVERY_NOT_RECOGNISED,
  /// A process uses what it read of a key for longer than it may.
  KEY_REMEMBERED_TOO_LONG,
  /// A key that cannot be read now is refused.
  UNREAD_KEY_REFUSED,
  /// A tenant's runs are accepted, whatever the limit.
  OPEN_RUNS_NOT_COUNTED,
  /// A job is written without looking whether somebody else wrote.
  JOB_WRITTEN_WITHOUT_CONDITION,
  /// A job runs as many of its items at once as any may.
  JOB_CONCURRENCY_FORGOTTEN,
  /// Whoever did not know yet that a job is being cancelled starts items of it.
  JOB_STARTS_AFTER_CANCEL,
  /// The end of an earlier run of an item counts for its newest.
  JOB_ITEM_ENDED_BY_EARLIER_RUN,
  /// A task is written without looking whether somebody else wrote.
  TASK_WRITTEN_WITHOUT_CONDITION,
  /// Whoever waits for a task does not find that it is completed.
  TASK_COMPLETION_NOT_TOLD,
  /// Whoever did not know yet that a task is being cancelled starts a run of it.
  TASK_STARTS_AFTER_CANCEL,
  /// An edge between tasks counts before it is looked what it closes.
  TASK_EDGE_NOT_LOOKED_AT,
  /// A run that gave its place up for a pause of its task is queued at once.
  RUN_PUT_ASIDE_GOES_ON,
  /// A run that was put aside does not hear that its task was resumed.
  RESUMED_RUN_STAYS_ASIDE;

  /// False for a history in which it cannot show, so that none of that need be played.
  boolean shows(Setting setting, Set<Fault> faults) {
    return switch (this) {
      case REFUSED_RECORD_DROPPED -> setting.refused();
      case UNSEEN_TASK_TAKEN_FOR_GONE -> faults.contains(Fault.TASK_UNSEEN);
      case SLOTS_WRITTEN_WITHOUT_CONDITION ->
          faults.containsAll(EnumSet.of(Fault.START_SLOW, Fault.TWICE));
      case TROUBLE_NOT_NOTED ->
          setting.alone()
              && faults.contains(Fault.START_FAILS)
              && !faults.contains(Fault.START_SLOW);
      case JOB_WRITTEN_WITHOUT_CONDITION,
          JOB_CONCURRENCY_FORGOTTEN,
          JOB_STARTS_AFTER_CANCEL,
          JOB_ITEM_ENDED_BY_EARLIER_RUN ->
          setting.jobs();
      case TASK_WRITTEN_WITHOUT_CONDITION,
          TASK_COMPLETION_NOT_TOLD,
          TASK_STARTS_AFTER_CANCEL,
          TASK_EDGE_NOT_LOOKED_AT,
          RUN_PUT_ASIDE_GOES_ON,
          RESUMED_RUN_STAYS_ASIDE ->
          setting.tasks();
      case PLACES_NOT_COUNTED, PLACE_NOT_PASSED_ON, PLACE_KEPT_AT_REST -> setting.held();
      case COUNTS_NOT_REPAIRED -> setting.held() || setting.integrated();
      case CLAIM_NEVER_FREED -> setting.started();
      case TURN_COUNTED_AS_WAIT ->
          setting.started() && setting.alone() && !faults.contains(Fault.START_SLOW);
      case UNKEPT_DELIVERY_PASSED_OVER, UNREAD_KEY_REFUSED ->
          setting.integrated() && faults.contains(Fault.REFUSAL);
      case DUE_DELIVERIES_NOT_SWEPT -> setting.integrated() && faults.contains(Fault.CRASH);
      case DELIVERY_TOLD_BY_TIME,
          SILENCE_TAKEN_FOR_DELIVERED,
          DELIVERY_NOT_RECOGNISED,
          KEY_REMEMBERED_TOO_LONG,
          OPEN_RUNS_NOT_COUNTED ->
          setting.integrated();
      case SNAPSHOT_STORED_AS_TEXT -> setting.large();
      case FOLDED_FROM_THE_BEGINNING, CLAIM_FOLDED_FROM_THE_BEGINNING ->
          setting.loud() && faults.isEmpty();
      case MESSAGE_SHOWS_ATTEMPT_ALIVE -> setting.chatty() && faults.contains(Fault.CRASH);
      case CLOCK_BEHIND_MEANS_LOST, SILENCE_TOO_SHORT -> faults.contains(Fault.SKEW);
      case END_NOT_TOLD -> faults.contains(Fault.REFUSAL);
      case GIVEN_UP_AGENT_STARTED -> faults.contains(Fault.SLOW_START);
      case BUCKET_NOT_WAITED_FOR -> faults.contains(Fault.OUTAGE);
      case CUT_OFF_BY_QUEUE -> faults.contains(Fault.QUEUE_OUTAGE);
      case EXPIRED_KEY_KNOWN -> faults.contains(Fault.LATE_EXPIRY);
      case READ_TAKEN_FOR_WRITE -> faults.contains(Fault.WRITE_THROTTLE);
      case POISON_COMES_AGAIN -> faults.contains(Fault.POISON);
      case MODEL_SAVED_WITHOUT_CONDITION -> faults.contains(Fault.TWICE);
      case POINTER_REPLACED_WITHOUT_CONDITION -> faults.contains(Fault.STALL);
      case RETRY_BEFORE_PAUSE, DEFERRAL_COSTS_A_RECEIVE -> faults.contains(Fault.DUPLICATE);
      case LOST_AGENT_LEFT -> faults.contains(Fault.ORPHAN);
      case Defect _ -> true;
    };
  }
}
