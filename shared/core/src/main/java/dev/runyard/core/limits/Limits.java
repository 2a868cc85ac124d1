package dev.runyard.core.limits;

/// Bounds of a run, unit last.
public final class Limits {
  /// Design bound: longest run time, inside the 12 h a queue message can stay in flight.
  public static final int RUN_SECONDS_MAX = 11 * 3600;

  /// Run time when the caller names none.
  public static final int RUN_SECONDS_DEFAULT = 3600;

  /// Longest wait for a runner before a run fails as `not_started`.
  public static final int QUEUED_SECONDS_MAX = 12 * 3600;

  /// A waiting run ends after starts of runners have failed for this long, for whatever causes.
  public static final int BLOCKED_SECONDS_MAX = 15 * 60;

  /// The same once a second start in a row has failed for a cause that only the operator can
  /// remove. If a task stops within two minutes, its run gets the cause and ends within five.
  public static final int BROKEN_SECONDS_MAX = 90;

  /// A message of a run that this release cannot execute is hidden for this long.
  public static final int NEWER_SECONDS = 300;

  /// After this long without a claim, a run's queue message is sent again; the pause doubles each
  /// time.
  public static final int RESEND_SECONDS = 60;

  public static final int RESEND_SECONDS_MAX = 3600;

  /// Most attempts of a run, including those that runners gave back before they started the agent.
  public static final int ATTEMPTS_HANDED_BACK_MAX = 100;

  /// How long a runner takes as a rule to end a process tree and report it. One that takes longer
  /// and shows signs of life is waited for, [#CLOSE_SECONDS_MAX] at most.
  public static final int STOP_SECONDS = 30;

  /// How long after the end of its time a run waits at most for a runner that shows signs of life:
  /// it ends the agent, and takes, stores and publishes what that left. The bounds of these
  /// together are no longer.
  public static final int CLOSE_SECONDS_MAX = 900;

  /// An agent that has to end and is still there after this long is abandoned: its attempt ends,
  /// and its runner takes no further run. Longer than it takes to kill a process tree. One that is
  /// paused has [#CLOSE_SECONDS_MAX], because it ends once its files are stored.
  public static final int LEAVE_SECONDS_MAX = 120;

  /// A cancelled run whose runner does not answer is closed after this long.
  public static final int CANCEL_SECONDS_MAX = 120;

  /// The lease: visibility timeout of a queue message. Extended after half of it.
  public static final int LEASE_SECONDS = 45;

  /// An attempt that writes nothing for this long is dead: it writes at least every third of a
  /// lease. Measured by one clock alone, the queue's.
  public static final int ALIVE_SECONDS = 25;

  /// How long an attempt may hold back what nobody waits for. An event's time is that of its
  /// origin, so what an attempt wrote last may look older by this much than the write is.
  public static final int GATHER_SECONDS_MAX = 10;

  /// How far the clock of a runner or a function may be from the true time, either way.
  public static final int CLOCK_ERROR_SECONDS_MAX = 60;

  /// How far two of these clocks may differ: one is late and the other early.
  public static final int CLOCK_SKEW_SECONDS_MAX = 2 * CLOCK_ERROR_SECONDS_MAX;

  /// A runner that cannot reach the log for this long ends its agent.
  public static final int CUT_OFF_SECONDS = 150;

  /// An open attempt that wrote nothing for this long is dead, even if its queue message never
  /// comes back. Its runner has given up after half of that, whatever their clocks say; the other
  /// half saves looks at attempts that are well.
  public static final int SILENT_SECONDS =
      2 * (CUT_OFF_SECONDS + STOP_SECONDS + GATHER_SECONDS_MAX + CLOCK_SKEW_SECONDS_MAX);

  public static final int HEARTBEAT_SECONDS = LEASE_SECONDS / 3;

  /// An open attempt that wrote nothing for this long is dead if its message has come back,
  /// whatever the clocks say: no copy of its message ends it sooner, which is sent when the lease
  /// is over.
  public static final int SURELY_DEAD_SECONDS =
      HEARTBEAT_SECONDS
          + LEASE_SECONDS
          + ALIVE_SECONDS
          + GATHER_SECONDS_MAX
          + CLOCK_SKEW_SECONDS_MAX;

  /// How long it takes at most that a runner that reaches nothing has killed its agent, which does
  /// nothing more from then on: it waits for the answer to a call first.
  public static final int GIVE_UP_SECONDS = 10;

  /// How long a run waits for a person if the agent sets no time.
  public static final int AWAIT_SECONDS_DEFAULT = 24 * 3600;

  public static final int AWAIT_SECONDS_MAX = 7 * 24 * 3600;

  /// How long before the log removes its first events a run waits for nothing any more: longer than
  /// an attempt that has begun by then may take.
  public static final int LIFE_SPARE_SECONDS = 24 * 3600;

  /// How long an agent may produce no output while it waits for nobody and none of its tools runs,
  /// if the request sets no time.
  public static final int IDLE_SECONDS_DEFAULT = 1800;

  /// Highest bounds a request may set on turns, tokens and US dollars.
  public static final int TURNS_MAX = 100_000;

  public static final long TOKENS_MAX = 1_000_000_000_000L;
  public static final int COST_USD_MAX = 1_000_000;

  /// A run that waits for a person longer than this gives up its place at the runner.
  public static final int AWAIT_GRACE_SECONDS = 60;

  /// Actions of one run, and those of them that wait for a decision at once.
  public static final int ACTIONS_MAX = 200;

  public static final int ACTIONS_PENDING_MAX = 4;

  /// An action's schema, and its payload, as compact JSON.
  public static final int ACTION_JSON_BYTES_MAX = 8 * 1024;

  public static final int CHOICES_MAX = 32;
  public static final int CHOICE_BYTES_MAX = 256;

  /// The payload of a decision, as compact JSON.
  public static final int DECISION_BYTES_MAX = 64 * 1024;

  /// Messages one run accepts, and the content of one.
  public static final int MESSAGES_MAX = 500;

  public static final int MESSAGE_CONTENT_BYTES_MAX = 32 * 1024;

  /// Messages a run may begin with, and the parts of one.
  public static final int INPUT_MESSAGES_MAX = 256;

  public static final int INPUT_PARTS_MAX = 256;
  public static final int CONTENT_TYPE_BYTES_MAX = 128;

  public static final int PROMPT_BYTES_MAX = 256 * 1024;
  public static final int ENV_ENTRIES_MAX = 64;
  public static final int ENV_VALUE_BYTES_MAX = 4 * 1024;
  public static final int EXTENSION_KEYS_MAX = 32;
  public static final int EXTENSIONS_BYTES_MAX = 64 * 1024;
  public static final int REQUIRES_MAX = 32;
  public static final int TAGS_MAX = 32;
  public static final int TAG_BYTES_MAX = 256;
  public static final int WORKING_DIR_BYTES_MAX = 1024;
  public static final int SESSION_ID_BYTES_MAX = 128;

  /// Address of a repository, and the branch, tag or commit of it.
  public static final int GIT_URL_BYTES_MAX = 2048;

  public static final int GIT_REF_BYTES_MAX = 255;

  /// Commits of history a request may ask for by number.
  public static final int GIT_DEPTH_MAX = 100_000;

  /// Folders of a repository that are checked out, if not all.
  public static final int SPARSE_PATHS_MAX = 64;

  public static final int SPARSE_PATH_BYTES_MAX = 1024;

  /// Commands that make a workspace ready, one of them, and the time for all.
  public static final int SETUP_COMMANDS_MAX = 16;

  public static final int SETUP_COMMAND_BYTES_MAX = 4096;
  public static final int SETUP_SECONDS_MAX = 3600;

  /// The same if the request sets no time.
  public static final int SETUP_SECONDS_DEFAULT = 600;

  /// Patterns of the files a request wants to be kept, and one of them.
  public static final int ARTIFACT_PATTERNS_MAX = 32;

  public static final int ARTIFACT_PATTERN_BYTES_MAX = 256;

  /// Message of the commit that is published, name and address of its author.
  public static final int COMMIT_MESSAGE_BYTES_MAX = 16 * 1024;

  public static final int AUTHOR_BYTES_MAX = 128;

  /// Title and text of a pull request.
  public static final int PULL_TITLE_BYTES_MAX = 256;

  public static final int PULL_BODY_BYTES_MAX = 32 * 1024;
  public static final int REASON_BYTES_MAX = 4096;

  /// Most bytes of an upload.
  public static final int UPLOAD_BYTES_MAX = 64 * 1024 * 1024;

  /// Most uploads of a tenant that runs may name.
  public static final int UPLOADS_MAX = 200;

  /// Most uploads of a tenant that a look-up reads, and so that it may have.
  public static final int UPLOADS_LISTED_MAX = 5_000;

  /// How long runs may name an upload, at most an hour less.
  public static final int UPLOAD_SECONDS = 86_400;

  /// How long a client that is told of stored bytes may at least name them.
  public static final int UPLOAD_SURE_SECONDS = 3600;

  /// How long a place for an upload is open.
  public static final int UPLOAD_PUT_SECONDS = 900;

  /// How long the bytes of an upload are kept: longer than a run that names them may wait for a
  /// runner and for one answer, each as long as may be.
  public static final int UPLOAD_DAYS = 9;

  public static final int BODY_BYTES_MAX = 1024 * 1024;
  public static final int BODY_DEPTH_MAX = 64;
  public static final int RETRY_CODES_MAX = 32;
  public static final int RETRY_CODE_BYTES_MAX = 64;

  /// Text of one event, and of a run's final text; longer text is split or cut on a code point.
  public static final int TEXT_BYTES_MAX = 65_536;

  private Limits() {}
}
