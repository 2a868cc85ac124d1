package dev.runyard.core.job;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Recent;
import dev.runyard.core.log.StreamLog;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.JobItem;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunState;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Advances a job: ends the items whose runs have ended, starts the next ones, and ends the runs of
/// a job that is being ended. What happens to items is appended first, all at once; then the runs
/// that were named there are written. An append at a run's first place is the claim of it, so
/// whoever repeats a lost step does no harm, and it may be called twice, late, or unnecessarily.
///
/// A call starts a bounded number of items, since others' runs may wait for its end. What it
/// appended then tells of the job again, which brings the next call.
public final class AdvanceJob {
  /// Most changes of a job that one call makes.
  private static final int MOVES_MAX = 4;

  /// Most items that one call starts.
  static final int STARTS_MAX = 20;

  /// Begins the name of the thread that a run has in its job's session.
  private static final String ITEM_THREAD = "item-";

  /// In whose name a job is cancelled that nobody in particular created.
  private static final String NOBODY = "job";

  /// Tells in a run's log why it was cancelled.
  private static final String STOPPED = "The job was ended: ";

  private final JobLog jobs;
  private final ItemRequests requests;
  private final ItemRuns runs;
  private final JobTasks tasks;
  private final InstantSource clock;
  private final Ids ids;
  private final Recent<JobKey, Known> known = new Recent<>();

  public AdvanceJob(
      JobLog jobs,
      ItemRequests requests,
      ItemRuns runs,
      JobTasks tasks,
      InstantSource clock,
      Ids ids) {
    this.jobs = jobs;
    this.tasks = tasks;
    this.requests = requests;
    this.runs = runs;
    this.clock = clock;
    this.ids = ids;
  }

  /// What this process did about the runs of a job: they need no second look until their ends are
  /// told.
  private static final class Known {
    private final Map<String, Boolean> cancelled = new LinkedHashMap<>();
    private boolean taskKnown;

    synchronized boolean has(String runId, boolean stopping) {
      Boolean there = cancelled.get(runId);
      return there != null && (there || !stopping);
    }

    synchronized void add(String runId, boolean stopping) {
      cancelled.put(runId, stopping);
    }

    /// True the first time.
    synchronized boolean asksForTask() {
      boolean first = !taskKnown;
      taskKnown = true;
      return first;
    }

    synchronized void asksAgain() {
      taskKnown = false;
    }

    synchronized void only(Collection<JobProgress.Active> active) {
      List<String> running = active.stream().map(JobProgress.Active::runId).toList();
      cancelled.keySet().retainAll(running);
    }
  }

  /// Advances the job, of which some runs have ended.
  public void advance(JobKey job, Collection<RunState.Closed> ended) {
    advance(job, ended, known.get(job).orElseGet(Known::new), STARTS_MAX);
  }

  /// Advances jobs whose task was paused, and starts no more items than a call does of one. What it
  /// starts of each tells of that job again; where it starts none, `sweep` does.
  void goOn(List<JobKey> all) {
    List<JobKey> waiting = all.stream().filter(this::waits).limit(STARTS_MAX).toList();
    int most = STARTS_MAX / Math.clamp(waiting.size(), 1, STARTS_MAX);
    waiting.forEach(job -> advance(job, List.of(), known.get(job).orElseGet(Known::new), most));
  }

  /// True for a job with items that may start.
  private boolean waits(JobKey job) {
    return jobs.load(job) instanceof JobState.Open open
        && open.starts()
        && open.facts().items().pending() > 0;
  }

  /// Advances the job of a run that has ended, if it has one.
  public void told(RunState state) {
    if (state instanceof RunState.Closed run) {
      JobItem item = run.facts().request().item();
      if (item != null) {
        advance(new JobKey(run.facts().run().tenant(), item.jobId()), List.of(run));
      }
    }
  }

  /// The same by a look at each of the job's runs: what was lost is found.
  public void check(JobKey job) {
    advance(job, List.of(), new Known(), STARTS_MAX);
  }

  private void advance(JobKey job, Collection<RunState.Closed> ended, Known seen, int most) {
    known.put(job, seen);
    JobState state = withTask(jobs.load(job), seen);
    List<JobCommand.End> ends = new ArrayList<>();
    for (RunState.Closed run : ended) {
      Optional.ofNullable(run.facts().request().item())
          .ifPresent(of -> ends.add(ItemRuns.end(of.item(), run)));
    }
    int starts = most;
    for (int i = 0; i < MOVES_MAX && state instanceof JobState.Open open; i++) {
      look(open, ends, seen);
      List<Starting> starting = starting(open, ends, starts);
      if (!starting.isEmpty() && held(open)) {
        starting = List.of();
        starts = 0;
      }
      starts -= starting.size();
      StreamLog.Result<JobState, JobDecision, StoredJobEvent> done =
          jobs.execute(job, open, command(ends, starting));
      state = done.state();
      withdraw(job, done.appended(), starting);
      if (done.appended().isEmpty()) {
        return;
      }
      begin(state, done.appended(), starting, seen);
      ends.clear();
    }
  }

  /// The job, which is cancelled if its task was before the job was there: that could not tell it.
  private JobState withTask(JobState state, Known seen) {
    if (!(state instanceof JobState.Open(JobFacts facts))
        || facts.terms().taskId() == null
        || facts.stop() != null
        || !seen.asksForTask()) {
      return state;
    }
    try {
      return tasks
          .cancelled(facts.job(), facts.terms().taskId())
          .map(why -> cancelled(state, facts, why))
          .orElse(state);
    } catch (RuntimeException e) {
      seen.asksAgain();
      throw e;
    }
  }

  /// True for a job whose task is paused. It is asked right before items start; a pause that comes
  /// after that finds these at work.
  private boolean held(JobState.Open job) {
    String taskId = job.facts().terms().taskId();
    return taskId != null && tasks.paused(job.facts().job(), taskId);
  }

  private JobState cancelled(JobState state, JobFacts facts, String why) {
    Requester by = Requester.of(Objects.requireNonNullElse(facts.actor(), NOBODY));
    return jobs.execute(facts.job(), state, new JobCommand.Cancel(why, by)).state();
  }

  /// Gives back what runs were counted for that another process left no room for.
  private void withdraw(JobKey job, List<StoredJobEvent> appended, List<Starting> starting) {
    Set<String> started =
        appended.stream()
            .map(StoredJobEvent::event)
            .flatMap(
                event -> event instanceof JobEvent.ItemStarted one ? Stream.of(one) : Stream.of())
            .map(JobEvent.ItemStarted::runId)
            .collect(Collectors.toSet());
    starting.stream()
        .filter(one -> one.request() != null && !started.contains(one.begin().runId()))
        .forEach(one -> runs.withdraw(new RunKey(job.tenant(), one.begin().runId())));
  }

  private JobCommand.Advance command(List<JobCommand.End> ends, List<Starting> starting) {
    return new JobCommand.Advance(
        ends, starting.stream().map(Starting::begin).toList(), clock.instant());
  }

  /// An item that may start, with its request unless it can never be a run.
  private record Starting(JobCommand.Begin begin, @Nullable RunRequest request) {}

  /// Looks at the runs of which this process knows nothing: writes one that is not there, ends one
  /// of a job that is being ended, and notices one that has ended.
  private void look(JobState.Open job, List<JobCommand.End> ends, Known seen) {
    seen.only(job.facts().items().active().values());
    boolean stopping = job.facts().stop() != null;
    job.facts()
        .items()
        .active()
        .forEach(
            (item, active) -> {
              boolean told = ends.stream().anyMatch(end -> end.runId().equals(active.runId()));
              if (!told && !seen.has(active.runId(), stopping)) {
                look(job, item, active).ifPresent(ends::add);
                seen.add(active.runId(), stopping);
              }
            });
  }

  private Optional<JobCommand.End> look(JobState.Open job, int item, JobProgress.Active active) {
    JobFacts facts = job.facts();
    RunKey run = new RunKey(facts.job().tenant(), active.runId());
    RunState state = runs.look(run);
    if (state instanceof RunState.Absent) {
      Optional<RunRequest> request = request(facts, item, active.attempt(), run);
      if (request.isEmpty()) {
        return Optional.of(new JobCommand.End(item, active.runId(), notKept(), JobUsage.NONE));
      }
      runs.begin(run, request.get(), facts.actor());
    } else if (state instanceof RunState.Closed closed) {
      return Optional.of(ItemRuns.end(item, closed));
    }
    if (facts.stop() != null) {
      runs.cancel(run, STOPPED + facts.stop().message(), facts.actor());
    }
    return Optional.empty();
  }

  private List<Starting> starting(JobState.Open job, List<JobCommand.End> ends, int most) {
    JobFacts facts = job.facts();
    List<Starting> starting = new ArrayList<>();
    if (!job.starts()) {
      return starting;
    }
    long ending =
        facts.items().active().values().stream()
            .filter(active -> ends.stream().anyMatch(end -> end.runId().equals(active.runId())))
            .count();
    int running = facts.items().active().size() - (int) ending;
    int room = runs.places().room(facts.terms().concurrency(), running);
    for (int item : facts.items().upNext(Math.min(room, most))) {
      Optional<Starting> next = starting(facts, item, starting);
      if (next.isEmpty()) {
        return starting;
      }
      starting.add(next.get());
    }
    return starting;
  }

  /// Empty when the tenant may have no further run now.
  private Optional<Starting> starting(JobFacts facts, int item, List<Starting> before) {
    int attempt = facts.items().attempts(item) + 1;
    RunKey run = new RunKey(facts.job().tenant(), ids.runId(clock.instant()));
    Optional<RunRequest> request = request(facts, item, attempt, run);
    if (request.isEmpty()) {
      return Optional.of(refused(item, attempt, run, notKept()));
    }
    return switch (runs.admit(run, request.get(), sharing(request.get(), before))) {
      case ItemRuns.Verdict.Waits _ -> Optional.empty();
      case ItemRuns.Verdict.Never never -> Optional.of(refused(item, attempt, run, never.why()));
      case ItemRuns.Verdict.Admitted _ ->
          Optional.of(
              new Starting(
                  new JobCommand.Begin(item, attempt, run.runId(), request.get().threadId(), null),
                  request.get()));
    };
  }

  /// How many of them are in the thread of the request.
  private static int sharing(RunRequest request, List<Starting> starting) {
    return (int)
        starting.stream()
            .flatMap(one -> Stream.ofNullable(one.request()))
            .filter(other -> other.threadId().equals(request.threadId()))
            .count();
  }

  private static Starting refused(int item, int attempt, RunKey run, Failure why) {
    return new Starting(new JobCommand.Begin(item, attempt, run.runId(), null, why), null);
  }

  private Optional<RunRequest> request(JobFacts facts, int item, int attempt, RunKey run) {
    return requests
        .of(facts.job(), facts.items(), item)
        .map(request -> request.of(new JobItem(facts.job().jobId(), item, attempt)))
        .map(request -> facts.terms().ofTask(placed(facts, run, request)));
  }

  /// The request in a session: the one that it names, else that of the job, in a thread of its own,
  /// else its own.
  private static RunRequest placed(JobFacts facts, RunKey run, RunRequest request) {
    String session = facts.terms().sessionId();
    if (!request.sessionId().isEmpty()) {
      return request;
    }
    return session.equals(facts.job().jobId())
        ? request.inSession(run.runId())
        : request.inSession(session).in(InThread.of(ITEM_THREAD + run.runId(), null, null));
  }

  private static Failure notKept() {
    return new Failure(
        "request_not_kept",
        Category.CALLER,
        "What the item asks for is not kept any more. Create a job with it.");
  }

  /// Writes the runs whose items were started by this append.
  private void begin(
      JobState job, List<StoredJobEvent> appended, List<Starting> starting, Known seen) {
    if (!(job instanceof JobState.Existing existing)) {
      return;
    }
    JobFacts facts = existing.facts();
    for (StoredJobEvent stored : appended) {
      if (stored.event() instanceof JobEvent.ItemStarted started) {
        starting.stream()
            .filter(one -> one.begin().runId().equals(started.runId()))
            .flatMap(one -> Stream.ofNullable(one.request()))
            .forEach(
                request -> {
                  RunKey run = new RunKey(facts.job().tenant(), started.runId());
                  runs.begin(run, request, facts.actor());
                  seen.add(started.runId(), false);
                });
      }
    }
  }
}
