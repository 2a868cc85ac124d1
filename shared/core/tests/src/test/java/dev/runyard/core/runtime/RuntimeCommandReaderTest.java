package dev.runyard.core.runtime;

import static dev.runyard.core.runtime.Commands.command;
import static dev.runyard.core.runtime.Commands.object;
import static dev.runyard.core.runtime.Commands.problem;
import static dev.runyard.core.runtime.Commands.read;
import static dev.runyard.core.runtime.Commands.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RuntimeCommandReaderTest {
  private static final RuntimeCommand.Window WINDOW =
      new RuntimeCommand.Window(20, Optional.empty(), "runtime");

  static List<String> unavailable() {
    return CommandNames.UNAVAILABLE;
  }

  static List<String> built() {
    return CommandNames.BUILT;
  }

  @Test
  void refusesABodyThatIsNoCommand() {
    assertEquals(ProblemCode.MALFORMED_JSON, problem(read("[]")).code());
    assertEquals(
        Problem.at(ProblemCode.INVALID_REQUEST, "/command", "command is required"),
        problem(read("{}")));
    assertEquals(List.of("/commands"), problem(read("{'commands':'get_job'}")).pointers());
    assertEquals(List.of("/params"), problem(read("{'command':'get_job','params':[]}")).pointers());
  }

  @Test
  void namesTheCommandsThatDoSomethingToWhoeverNamesNone() {
    Problem problem = problem(read("nonsense", "{}"));

    assertEquals(List.of("/command"), problem.pointers());
    assertTrue(problem.detail().contains("submit_turn, interrupt_turn"), problem.detail());
    assertFalse(problem.detail().contains("spawn_subagent"), problem.detail());
  }

  @ParameterizedTest
  @MethodSource("unavailable")
  void knowsCommandsThatDoNothingWhateverTheyAsk(String name) {
    assertEquals(new RuntimeCommand.Unavailable(name), command(name, "{'anything':1}"));
  }

  @ParameterizedTest
  @MethodSource("built")
  void readsNoCommandThatDoesSomethingAsUnavailable(String name) {
    if (read(name, "{}") instanceof RuntimeCommandReader.Result.Read(_, RuntimeCommand command)) {
      assertFalse(command instanceof RuntimeCommand.Unavailable, name);
    }
  }

  @Test
  void takesACommandWithoutParams() {
    assertEquals(
        new RuntimeCommandReader.Result.Read(
            "list_jobs", new RuntimeCommand.OfJob(new RuntimeJobCommand.ListJobs(WINDOW))),
        read("{'command':'list_jobs'}"));
    assertEquals(
        List.of("/params/session_id"), problem(read("{'command':'get_session'}")).pointers());
  }

  @Test
  void readsASubmitAsTheRequestOfARun() {
    String params = "{'agent':'echo','prompt':'hi','session_id':'s-1'}";
    RuntimeCommand.SubmitTurn submit =
        assertInstanceOf(RuntimeCommand.SubmitTurn.class, command("submit_turn", params));

    assertEquals("hi", submit.request().prompt());
    assertEquals("s-1", submit.request().sessionId());
    assertEquals(object(params), submit.params());
    refused("submit_turn", "{'agent':'echo'}", "/params/prompt");
  }

  @Test
  void readsADecisionOfAnAction() {
    assertEquals(
        new RuntimeCommand.RespondAction("a-1", ActionDecision.DENY, null),
        command("respond_action", "{'action_id':'a-1','decision':'deny'}"));
    assertEquals(
        new RuntimeCommand.RespondAction("a-1", ActionDecision.ANSWER, TextNode.valueOf("blue")),
        command("respond_action", "{'action_id':'a-1','decision':'answer','payload':'blue'}"));

    refused("respond_action", "{'decision':'deny'}", "/params/action_id", "action_id is required");
    refused(
        "respond_action",
        "{'action_id':7,'decision':'deny'}",
        "/params/action_id",
        "action_id must be a string");
    refused("respond_action", "{'action_id':'a-1','decision':'perhaps'}", "/params/decision");
  }

  @Test
  void interruptsTheTurnOfAThread() {
    assertEquals(
        new RuntimeCommand.InterruptTurn("t-1", Optional.empty(), false, Optional.empty()),
        command("interrupt_turn", "{'thread_id':'t-1'}"));
    assertEquals(
        new RuntimeCommand.InterruptTurn("t-1", Optional.empty(), false, Optional.empty()),
        command("interrupt_turn", "{'thread_id':'t-1','queued':'keep'}"));
    assertEquals(
        new RuntimeCommand.InterruptTurn("t-1", Optional.of("u-1"), true, Optional.of("enough")),
        command(
            "interrupt_turn",
            "{'thread_id':'t-1','turn_id':'u-1','queued':'clear','reason':'enough'}"));

    refused(
        "interrupt_turn",
        "{'thread_id':'t-1','queued':'all'}",
        "/params/queued",
        "queued must be one of: keep | clear");
    refused("interrupt_turn", "{'thread_id':'t-1','turn_id':''}", "/params/turn_id");
  }

  @Test
  void takesAReasonThatIsNeitherBlankNorTooLong() {
    String longest = "é".repeat(Limits.REASON_BYTES_MAX / 2);

    assertEquals(
        new RuntimeCommand.InterruptTurn("t-1", Optional.empty(), false, Optional.of(longest)),
        command("interrupt_turn", "{'thread_id':'t-1','reason':'%s'}".formatted(longest)));
    for (String reason : List.of("", " ", longest + "a")) {
      refused(
          "interrupt_turn",
          "{'thread_id':'t-1','reason':'%s'}".formatted(reason),
          "/params/reason",
          "reason must not be blank and must have at most 4096 bytes");
    }
  }

  @Test
  void readsWhatBecomesOfATurn() {
    String params = "{'thread_id':'t-1','turn_id':'u-1'}";

    assertEquals(
        new RuntimeCommand.RemoveQueuedTurn("t-1", "u-1"), command("remove_queued_turn", params));
    assertEquals(
        new RuntimeCommand.PromoteQueuedTurn("t-1", "u-1"), command("promote_queued_turn", params));
    assertEquals(
        new RuntimeCommand.RollbackThread("t-1", "u-1"), command("rollback_thread", params));
    assertEquals(
        new RuntimeCommand.ResumeThread("t-1", Optional.of("u-1")),
        command("resume_thread", params));
    assertEquals(
        new RuntimeCommand.ResumeThread("t-1", Optional.empty()),
        command("resume_thread", "{'thread_id':'t-1'}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"remove_queued_turn", "promote_queued_turn", "rollback_thread"})
  void needsATurn(String name) {
    refused(name, "{'thread_id':'t-1'}", "/params/turn_id", "turn_id is required");
    refused(
        name,
        "{'thread_id':'t-1','turn_id':'u/1'}",
        "/params/turn_id",
        "turn_id is not the name of a turn");
    refused(name, "{'thread_id':'t-1','turn_id':'u-1','reason':'x'}", "/params/reason");
  }

  @ParameterizedTest
  @ValueSource(strings = {"interrupt_turn", "resume_thread", "get_thread_read"})
  void needsEitherAThreadOrASession(String name) {
    refused(name, "{}", "/params/thread_id", "thread_id is required, or session_id");
    refused(
        name,
        "{'thread_id':'t-1','session_id':'s-1'}",
        "/params/session_id",
        "Name the thread or the session, not both");
    refused(name, "{'thread_id':'t/1'}", "/params/thread_id", "This is not a valid id");
    refused(name, "{'session_id':'s/1'}", "/params/session_id", "This is not a valid id");
  }

  @Test
  void takesTheThreadThatASessionHasByItself() {
    assertEquals(
        new RuntimeCommand.GetThreadRead("thread-s-1", WINDOW),
        command("get_thread_read", "{'session_id':'s-1'}"));
  }

  @Test
  void readsThePartOfAHistoryThatIsAskedFor() {
    RuntimeCommand.Window asked = new RuntimeCommand.Window(100, Optional.of("c"), "lime");
    String members = "'limit':100,'cursor':'c','view':'lime'";

    assertEquals(
        new RuntimeCommand.GetSession("s-1", asked),
        command("get_session", "{'session_id':'s-1',%s}".formatted(members)));
    assertEquals(
        new RuntimeCommand.GetThreadRead("t-1", asked),
        command("get_thread_read", "{'thread_id':'t-1',%s}".formatted(members)));
    assertTrue(asked.strict());
    assertFalse(WINDOW.strict());
  }

  @Test
  void refusesAPartOfAHistoryThatThereIsNot() {
    refused(
        "get_session",
        "{'session_id':'s-1','view':'raw'}",
        "/params/view",
        "view must be one of: runtime | lime");
    refused("get_session", "{'session_id':'s-1','limit':0}", "/params/limit");
    refused("get_session", "{'session_id':'s-1','limit':101}", "/params/limit");
    refused("get_session", "{'session_id':'s-1','cursor':1}", "/params/cursor");
  }

  @Test
  void readsCommandsAboutJobs() {
    assertEquals(
        new RuntimeJobCommand.CreateJob(object("{'name':'n'}")),
        Commands.job("create_job", "{'name':'n'}"));
    assertEquals(
        new RuntimeJobCommand.AddJobItems("j-1", object("{'items':[]}")),
        Commands.job("add_job_items", "{'job_id':'j-1','items':[]}"));
    assertEquals(
        new RuntimeJobCommand.StartJob("j-1"), Commands.job("start_job", "{'job_id':'j-1'}"));
    assertEquals(new RuntimeJobCommand.GetJob("j-1"), Commands.job("get_job", "{'job_id':'j-1'}"));
    assertEquals(
        new RuntimeJobCommand.CancelJob("j-1", "enough"),
        Commands.job("cancel_job", "{'job_id':'j-1','reason':'enough'}"));
    assertEquals(
        new RuntimeJobCommand.RetryJobItem("j-1", 7),
        Commands.job("retry_job_item", "{'job_id':'j-1','item':7}"));
    assertEquals(
        new RuntimeJobCommand.ReportJobItem("j-1", 7, "flaky"),
        Commands.job("report_job_item", "{'job_id':'j-1','item':7,'note':'flaky'}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"add_job_items", "start_job", "get_job", "cancel_job"})
  void needsAJob(String name) {
    refused(name, "{}", "/params/job_id", "job_id is required");
  }

  @ParameterizedTest
  @ValueSource(strings = {"retry_job_item", "report_job_item"})
  void needsAnItemOfAJob(String name) {
    String note = name.startsWith("report") ? ",'note':'flaky'" : "";

    refused(name, "{'item':1%s}".formatted(note), "/params/job_id");
    refused(name, "{'job_id':'j-1'%s}".formatted(note), "/params/item", "item is required");
    refused(name, "{'job_id':'j-1','item':0%s}".formatted(note), "/params/item");
  }
}
