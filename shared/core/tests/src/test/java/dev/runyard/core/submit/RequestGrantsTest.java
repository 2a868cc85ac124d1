package dev.runyard.core.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SecretRef;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What a request may do only where the operator allows it.
final class RequestGrantsTest {
  @Test
  void takesOnlyVariablesThatTheOperatorLists() {
    RunRequestReader reader =
        reader("{'echo':{'request_env':['FOO','CI_*','NODE_OPTIONS','MY_*']},'pi':{}}");
    String allowed = "{'FOO':'1','CI_JOB':'2','NODE_OPTIONS':'3','MY_VAR':'4'}".replace('\'', '"');

    assertInstanceOf(
        RunRequestReader.Result.Accepted.class,
        reader.read(with("\"env\":" + allowed).getBytes(StandardCharsets.UTF_8)));
    for (String name : List.of("FOO_1", "foo", "CI", "CIRCLE", "MY_PROXY", "MY_BASE_URL", "PATH")) {
      Problem problem = rejected(reader, with("\"env\":{\"" + name + "\":\"x\"}"));
      assertEquals(List.of("/env/" + name), problem.pointers());
      assertEquals(
          "Requests to echo may set only variables that the operator lists as request_env in the"
              + " agents file",
          problem.detail());
    }
  }

  @Test
  void takesOnlySecretsThatTheOperatorLists() {
    RunRequestReader reader =
        reader("{'echo':{'request_env':['A','B'],'secrets':{'TOKEN':'env:RUNNERS'}}}");
    String named = with("\"env\":{\"A\":{\"secret\":\"TOKEN\"},\"B\":\"b\"}");
    RunRequest request =
        assertInstanceOf(
                RunRequestReader.Result.Accepted.class,
                reader.read(named.getBytes(StandardCharsets.UTF_8)))
            .request();
    assertEquals(Map.of("A", SecretRef.value("TOKEN"), "B", "b"), request.env());

    for (String wrong :
        List.of(
            "{\"A\":{\"secret\":\"OTHER\"}}",
            "{\"A\":{\"secret\":\"\"}}",
            "{\"A\":\"\\u0000secret:TOKEN\"}")) {
      assertEquals(ProblemCode.INVALID_REQUEST, rejected(reader, with("\"env\":" + wrong)).code());
    }
    Problem other = rejected(reader, with("\"env\":{\"A\":{\"secret\":\"OTHER\"}}"));
    assertEquals(List.of("/env/A"), other.pointers());
    assertEquals(
        "Requests to echo may name only secrets that the operator lists as secrets in the agents"
            + " file",
        other.detail());
    rejected(reader, with("\"env\":{\"C\":{\"secret\":\"TOKEN\"}}"));
    rejected(reader, with("\"env\":{\"A\":{\"secret\":\"TOKEN\",\"x\":1}}"));
  }

  @Test
  void takesNoVariableByDefault() {
    RunRequestReader reader = new RunRequestReader(AgentCatalog.builtIn());
    for (String agent : List.of("echo", "codex", "claude_code", "pi")) {
      assertEquals(
          List.of("/env/FOO"),
          rejected(
                  reader,
                  "{\"agent\":\"%s\",\"prompt\":\"x\",\"env\":{\"FOO\":\"1\"}}".formatted(agent))
              .pointers());
    }
  }

  @Test
  void takesWhatIsDangerousOnlyWhereTheOperatorAllowsIt() {
    String[][] wide = {
      {"codex", "backend.codex.exec.sandbox_mode", "danger-full-access"},
      {"pi", "backend.pi.exec.approval", "all"},
      {"gemini_acp", "backend.gemini_acp.exec.approval", "all"},
      {"own", "backend.own.exec.approval", "all"}
    };
    for (String[] each : wide) {
      String body =
          "{\"agent\":\"%s\",\"prompt\":\"x\",\"extensions\":{\"%s\":\"%s\"}}"
              .formatted(each[0], each[1], each[2]);
      String grant = each[1] + "=" + each[2];
      Problem problem = rejected(reader("{" + own("") + "}"), body);
      assertEquals(ProblemCode.INVALID_REQUEST, problem.code());
      assertEquals(List.of("/extensions/" + each[1]), problem.pointers());
      assertEquals(
          "%s may be %s only where the operator has put \"%s\" into allow in the agents file"
              .formatted(each[1], each[2], grant),
          problem.detail());

      String allow = "'allow':['%s']".formatted(grant);
      RunRequestReader granted =
          reader(
              each[0].equals("own")
                  ? "{" + own("," + allow) + "}"
                  : "{'%s':{%s}}".formatted(each[0], allow));
      assertInstanceOf(
          RunRequestReader.Result.Accepted.class,
          granted.read(body.getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static String with(String member) {
    return "{\"agent\":\"echo\",\"prompt\":\"hi\"," + member + "}";
  }

  private static String own(String more) {
    return "'own':{'program':'own','acp':{}" + more + "}";
  }

  /// A reader with these agents of the operator.
  private static RunRequestReader reader(String agents) {
    AgentCatalog builtIn = AgentCatalog.builtIn();
    String document = "{\"agents\":" + agents.replace('\'', '"') + "}";
    return new RunRequestReader(builtIn.granted(AgentSettings.parse(document, builtIn)));
  }

  private static Problem rejected(RunRequestReader reader, String json) {
    return assertInstanceOf(
            RunRequestReader.Result.Rejected.class,
            reader.read(json.getBytes(StandardCharsets.UTF_8)))
        .problem();
  }
}
