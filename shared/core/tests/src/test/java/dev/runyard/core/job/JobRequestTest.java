package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the items of a job may have in common.
final class JobRequestTest {
  private static final int BYTES_TOO_MANY = 300 * 1024;

  private final JobRig rig = new JobRig();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"agent\":\"nobody\"}; /request/agent",
        "{\"agent\":\"echo\",\"prompt\":7}; /request/prompt",
        "{\"agent\":\"echo\",\"more\":1}; /request/more",
        "{\"more\":1}; /request/more",
        "{\"agent\":\"echo\",\"thread_id\":\"t\"}; /request/thread_id",
        "{\"agent\":\"echo\",\"timeout_seconds\":-1}; /request/timeout_seconds"
      })
  void isCheckedThoughThereAreNoItemsYet(String request, String pointer) throws Exception {
    Problem problem = problem(withoutItems(request));

    assertEquals(List.of(pointer), problem.pointers());
    assertEquals(Optional.empty(), rig.jobs.manage().find("acme", "j1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"{\"agent\":\"echo\"}", "{}", "{\"agent\":\"echo\",\"prompt\":\"hi\"}"})
  void mayLackWhatItemsBring(String request) throws Exception {
    assertEquals("j1", rig.created(withoutItems(request)).jobId());
  }

  @Test
  void isStoredWholeOrNotAtAll() {
    ObjectNode body = JobRig.body(1);
    byte[] noise = new byte[BYTES_TOO_MANY];
    new Random(1).nextBytes(noise);
    ((ObjectNode) body.get("request")).put("prompt", Base64.getEncoder().encodeToString(noise));

    Problem replaced = problem(body);
    body.remove("items");

    assertEquals(ProblemCode.BODY_TOO_LARGE, replaced.code());
    assertEquals(List.of("/request"), replaced.pointers());
    assertEquals(ProblemCode.BODY_TOO_LARGE, problem(body).code());
  }

  /// A job whose session has its own id would run its items in sessions of their own.
  @Test
  void namesNoSessionByItsOwnId() {
    Problem problem = problem(JobRig.body(1).put("session_id", "j1"));

    assertEquals(List.of("/session_id"), problem.pointers());
    assertEquals(
        "s-1",
        JobRig.done(create(JobRig.body(1).put("session_id", "s-1"))).facts().terms().sessionId());
  }

  private static ObjectNode withoutItems(String request) throws Exception {
    ObjectNode body = JobRig.body(1);
    body.remove("items");
    body.set("request", JsonFormat.JSON.readTree(request));
    return body;
  }

  private Problem problem(ObjectNode body) {
    return ((ManageJobs.Result.Rejected) create(body)).problem();
  }

  private ManageJobs.Result create(ObjectNode body) {
    return rig.jobs.manage().create(JobRig.BY, rig.reader(), body, Optional.empty());
  }
}
