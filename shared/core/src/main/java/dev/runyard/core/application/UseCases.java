package dev.runyard.core.application;

import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agentcommunication.ReadRun;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.fleet.FleetLog;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.hook.HookMapping;
import dev.runyard.core.hook.HookSecrets;
import dev.runyard.core.hook.Hooks;
import dev.runyard.core.hook.ReceiveHook;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.inbox.SendMessage;
import dev.runyard.core.job.ItemRuns;
import dev.runyard.core.job.ProjectJob;
import dev.runyard.core.log.RecentStates;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.projection.ModelSnapshots;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.SettledSnapshots;
import dev.runyard.core.projection.WholeSnapshots;
import dev.runyard.core.quota.QuotaRepair;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.quota.RunAdmission;
import dev.runyard.core.quota.RunPlaces;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.ChangeQueue;
import dev.runyard.core.session.GoOnFrom;
import dev.runyard.core.session.ReadThread;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.session.TurnOrder;
import dev.runyard.core.submit.BriefKeys;
import dev.runyard.core.submit.FindTurn;
import dev.runyard.core.submit.RunningTurn;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.sweep.OpenRuns;
import dev.runyard.core.sweep.SweepRuns;
import dev.runyard.core.task.AdvanceTask;
import dev.runyard.core.task.TaskStream;
import dev.runyard.core.thread.ThreadKey;
import dev.runyard.core.thread.ThreadLog;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.core.wakeup.WakeRunner;
import dev.runyard.core.webhook.DeliverWebhook;
import dev.runyard.core.webhook.ManageWebhooks;
import dev.runyard.core.webhook.SweepDeliveries;
import dev.runyard.core.webhook.TellWebhooks;
import dev.runyard.core.webhook.ToldModels;
import dev.runyard.core.webhook.WebhookSecret;
import dev.runyard.core.webhook.WebhookSender;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The use cases of one process, built from its ports. Functions, runners, benchmarks and the
/// simulator are all wired here, so that tests use the same wiring as deployed code.
public final class UseCases {
  private final Ports ports;
  private final StackTerms terms;
  private final InstantSource clock;
  private final Ids ids;
  private final String writer;
  private final @Nullable UseCases same;
  private @Nullable Snapshots<RunState> states;
  private @Nullable RunLog runs;
  private @Nullable JobCases jobs;
  private @Nullable ProjectJob projectJob;
  private @Nullable TaskCases tasks;

  /// @param writer names the process in what it appends
  public UseCases(Ports ports, InstantSource clock, Ids ids, String writer) {
    this(ports, StackTerms.of(Quotas.NONE), clock, ids, writer);
  }

  /// Use cases on other terms than those of a stack without limits.
  public UseCases(Ports ports, StackTerms terms, InstantSource clock, Ids ids, String writer) {
    this.ports = ports;
    this.terms = terms;
    this.clock = clock;
    this.ids = ids;
    this.writer = writer;
    this.same = null;
  }

  private UseCases(UseCases same, String writer) {
    this.ports = same.ports;
    this.terms = same.terms;
    this.clock = same.clock;
    this.ids = same.ids;
    this.writer = writer;
    this.same = same;
  }

  /// The same use cases in the name of another writer. What one of both has seen of a run, the
  /// other need not read again.
  public UseCases of(String otherWriter) {
    return new UseCases(this, otherWriter);
  }

  /// Runs, read from the state this process saw last or from their snapshots on.
  public synchronized RunLog runs() {
    RunLog known = runs;
    if (known == null) {
      known = runs(states());
      runs = known;
    }
    return known;
  }

  private synchronized Snapshots<RunState> states() {
    if (same != null) {
      return same.states();
    }
    Snapshots<RunState> known = states;
    if (known == null) {
      known = new RecentStates<>(settled(new ModelSnapshots(ports.models())), clock);
      states = known;
    }
    return known;
  }

  /// Runs as a runner reads them: with what snapshots leave out.
  public RunLog attemptedRuns() {
    return runs(settled(new WholeSnapshots(ports.models(), ports.events())));
  }

  private Snapshots<RunState> settled(Snapshots<RunState> kept) {
    return new SettledSnapshots(kept, clock);
  }

  private RunLog runs(Snapshots<RunState> snapshots) {
    return new RunLog(ports.events(), snapshots, terms.rules(), clock, ids, writer);
  }

  /// Submits without a look at what requests name.
  public SubmitRun submitRun() {
    return submitRun((_, _) -> Optional.empty());
  }

  public SubmitRun submitRun(SubmitRun.Check check) {
    return submitRun(RunningTurn.NONE, check);
  }

  /// Submits what may also tell or end the turn that its thread has.
  ///
  /// @param running what new turns may do to that
  public SubmitRun submitRun(RunningTurn running, SubmitRun.Check check) {
    RunAdmission quota = new RunAdmission(terms.quotas(), ports.uses(), clock);
    SubmitRun.Admission admission =
        new SubmitRun.Admission(
            turnOrder(), running, check, quota, tasks().startTask(), ports.models()::save);
    BriefKeys keys = new BriefKeys(ports.keys(), terms.turnSeconds());
    return new SubmitRun(runs(), ports.events(), admission, keys, clock, ids);
  }

  /// Hooks as their tenants manage them.
  ///
  /// @param mapping what deliveries are made into
  public Hooks hooks(HookSecrets secrets, HookMapping mapping) {
    return new Hooks(ports.hooks(), secrets, mapping, ids, clock);
  }

  /// Takes what other systems deliver.
  ///
  /// @param submit takes what deliveries are made into
  public ReceiveHook receiveHook(HookSecrets secrets, HookMapping mapping, SubmitRun submit) {
    return new ReceiveHook(ports.hooks(), ports.hookDeliveries(), secrets, mapping, submit, clock);
  }

  public CancelRun cancelRun() {
    return new CancelRun(runs(), wakeRunner());
  }

  /// What new turns may do to the one that their thread has.
  public RunningTurn runningTurn(AgentCatalog catalog) {
    return new InterruptTurn(sendMessage(catalog), cancelRun());
  }

  public SendMessage sendMessage(AgentCatalog catalog) {
    return new SendMessage(runs(), catalog, ids, wakeRunner());
  }

  public ResolveAction resolveAction() {
    return new ResolveAction(runs(), clock, wakeRunner());
  }

  public WakeRunner wakeRunner() {
    return new WakeRunner(ports.wakeups(), ids);
  }

  public SessionHistory sessionHistory() {
    return new SessionHistory(ports.models(), ports.events());
  }

  /// Also tells webhooks.
  public ProjectRun projectRun() {
    return projectRun(false);
  }

  /// Also tells webhooks, and the bus.
  ///
  /// @param bus whether there is one
  public ProjectRun projectRun(boolean bus) {
    return new ProjectRun(runs(), told(bus));
  }

  public ReadRun readRun() {
    return new ReadRun(ports.events(), projectForReader());
  }

  /// For who shows a run. A reader tells nobody: what it saves, `project` still comes to.
  public ProjectRun projectForReader() {
    return new ProjectRun(runs(), ports.models());
  }

  private ReadModels told(boolean bus) {
    return new ToldModels(ports.models(), new TellWebhooks(ports.webhooks(), bus, clock));
  }

  /// What tenants do with their webhooks.
  ///
  /// @param secrets draws a new one with each call
  public ManageWebhooks manageWebhooks(Supplier<WebhookSecret> secrets) {
    return new ManageWebhooks(ports.webhooks(), clock, ids, secrets);
  }

  public DeliverWebhook deliverWebhook(WebhookSender sender) {
    return new DeliverWebhook(ports.webhooks(), sender, clock);
  }

  public AdvanceRun advanceRun() {
    return new AdvanceRun(runs(), turnOrder(), clock);
  }

  public TurnOrder turnOrder() {
    return new TurnOrder(threadTurns(), runs(), places());
  }

  public ThreadTurns threadTurns() {
    return new ThreadTurns(threads(), ports.turns(), runs(), clock);
  }

  public ReadThread readThread() {
    return new ReadThread(threadTurns(), runs(), ports.models());
  }

  public ChangeQueue changeQueue() {
    return new ChangeQueue(threadTurns(), cancelRun());
  }

  public FindTurn findTurn() {
    return new FindTurn(threadTurns(), runs(), ports.keys(), clock);
  }

  /// The use cases of threads.
  ///
  /// @param artifacts have what their turns left
  public ThreadCases threadCases(Supplier<ArtifactStore> artifacts) {
    return new ThreadCases(
        readThread(),
        changeQueue(),
        findTurn(),
        new GoOnFrom(threadTurns(), readThread(), runs(), artifacts));
  }

  /// What a thread goes on from.
  public ThreadOrigin threadBase(ThreadKey thread) {
    return threads().base(thread, threads().load(thread));
  }

  private ThreadLog threads() {
    return new ThreadLog(ports.events(), clock, ids, writer);
  }

  private RunPlaces places() {
    RunPlaces.Counts counts = new RunPlaces.Counts(ports.uses(), ports.held());
    return new RunPlaces(terms.quotas(), counts, runs(), ports.queue());
  }

  public QuotaRepair quotaRepair() {
    return new QuotaRepair(terms.quotas(), ports.uses(), places(), clock);
  }

  /// Brings what is stored of jobs up to their logs.
  public synchronized ProjectJob projectJob() {
    ProjectJob made = projectJob;
    if (made == null) {
      made = new ProjectJob(ports.events(), ports.jobs());
      projectJob = made;
    }
    return made;
  }

  /// The use cases of jobs.
  public synchronized JobCases jobs() {
    JobCases made = jobs;
    if (made == null) {
      RunAdmission quota = new RunAdmission(terms.quotas(), ports.uses(), clock);
      made =
          new JobCases(
              ports,
              new ItemRuns(runs(), turnOrder(), quota, cancelRun(), terms.places()),
              quota,
              tasks().startTask(),
              new JobCases.Origin(clock, ids, writer),
              terms.jobs());
      jobs = made;
    }
    return made;
  }

  /// The use cases of tasks.
  public synchronized TaskCases tasks() {
    TaskCases made = tasks;
    if (made == null) {
      made = tasks(terms.tasks());
      tasks = made;
    }
    return made;
  }

  /// The same by other rules, with which tests plant a defect.
  public TaskCases tasks(TaskStream type) {
    return new TaskCases(
        ports,
        () -> new AdvanceTask.Runs(runs(), turnOrder(), cancelRun(), submitRun(), jobs().ofTasks()),
        new TaskCases.Origin(clock, ids, writer),
        type);
  }

  /// Starts as many runners as the waiting runs need.
  public ScaleRunners scaleRunners(FleetSize size, FleetLog log) {
    return new ScaleRunners(ports.queue(), ports.slots(), ports.fleet(), size, ids, log);
  }

  public SweepRuns sweepRuns(ScaleRunners scale, Lanes lanes) {
    return sweepRuns(scale, lanes, false);
  }

  /// Also does what `project` missed.
  ///
  /// @param bus whether there is a bus that is told
  public SweepRuns sweepRuns(ScaleRunners scale, Lanes lanes, boolean bus) {
    return new SweepRuns(
            new OpenRuns(told(bus), advanceRun(), quotaRepair()::repair, this::told),
            ports.deadLetters(),
            ports.streamFailures(),
            scale,
            lanes,
            clock)
        .with(new SweepDeliveries(ports.webhooks(), clock))
        .with(jobs().sweepJobs())
        .with(tasks().sweepTasks());
  }

  private void told(RunState run) {
    jobs().advanceJob().told(run);
    tasks().advanceTask().told(run);
  }
}
