package dev.runyard.core.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RunRequestReaderTest {
  private static final RunRequestReader READER =
      reader("{'codex':{'request_env':['A']},'echo':{'request_env':['A','A_*','m_*']}}");

  @Test
  void readsEveryMember() {
    RunRequest request =
        accepted(
            """
            {"agent": "codex", "prompt": "Fix it", "session_id": "s-1",
             "extensions": {"agent_api.config.model.v1": " m "},
             "requires": ["agent_api.run"], "working_dir": "src/app", "timeout_seconds": 60,
             "env": {"A": "1"}, "tags": {"team": "blue"},
             "retry": {"max_attempts": 3, "on": ["runner_lost"], "backoff_seconds": 5}}
            """);

    assertEquals(
        new RunRequest(
            "codex",
            "Fix it",
            "s-1",
            Map.of("agent_api.config.model.v1", JsonNodeFactory.instance.textNode("m")),
            List.of("agent_api.run"),
            "src/app",
            60,
            Map.of("A", "1"),
            Map.of("team", "blue"),
            new RetryPolicy(3, List.of("runner_lost"), 5)),
        request);
  }

  @Test
  void fillsWhatIsAbsentOrNull() {
    RunRequest request =
        accepted("{\"agent\":\"echo\",\"prompt\":\"hi\",\"session_id\":null,\"retry\":null}");

    assertEquals("", request.sessionId());
    assertEquals(Limits.RUN_SECONDS_DEFAULT, request.timeoutSeconds());
    assertEquals(RetryPolicy.NEVER, request.retry());
    assertEquals(null, request.workingDir());
  }

  @Test
  void retriesAfterAnyFailureWhenNoneIsNamed() {
    RunRequest request =
        accepted("{\"agent\":\"echo\",\"prompt\":\"hi\",\"retry\":{\"max_attempts\":2}}");

    assertTrue(request.retry().allows(1, "anything"));
  }

  @Test
  void keepsThePromptAsItIs() {
    assertEquals(
        " a\r\n\u2028\u202e\u001b[0m\ufffe💖 ",
        accepted(
                "{\"agent\":\"echo\",\"prompt\":\" a\\r"
                    + "\\n"
                    + "\u2028\u202e\\u001b[0m\ufffe\\ud83d\\udc96 \"}")
            .prompt());
  }

  record Wrong(ProblemCode code, String pointer, String json) {
    @Override
    public String toString() {
      return code + " " + pointer + " " + json.substring(0, Math.min(60, json.length()));
    }
  }

  static List<Wrong> wrong() {
    return List.of(
        malformed(""),
        malformed("nonsense"),
        malformed("[]"),
        malformed("\"text\""),
        malformed("null"),
        malformed("{\"agent\":\"echo\",\"agent\":\"echo\",\"prompt\":\"hi\"}"),
        malformed("{\"agent\":\"echo\",\"prompt\":\"hi\"} {}"),
        malformed("{\"agent\":\"echo\",\"prompt\":\"hi\",\"timeout_seconds\":NaN}"),
        malformed("{\"a\":".repeat(65) + "1" + "}".repeat(65)),
        malformed("[".repeat(10_000)),
        malformed("\ufeff{\"agent\":\"echo\",\"prompt\":\"hi\"}"),
        malformed("{'agent':'echo','prompt':'hi'}"),
        invalid("", "{\"agent\":\"echo\",\"prompt\":\"hi\",\"\\ud800\":1}"),
        invalid("/prompt", "{\"agent\":\"echo\",\"prompt\":\"\\udc00 hi\"}"),
        invalid("/prompt", "{\"agent\":\"echo\",\"prompt\":\"a\\u0000b\"}"),
        invalid("/tags/a", "{\"agent\":\"echo\",\"prompt\":\"a\",\"tags\":{\"a\":\"\\ud800\"}}"),
        invalid("/requires/1", with("\"requires\":[\"agent_api.run\",\"\\u0000\"]")),
        invalid("/tags", "{\"agent\":\"echo\",\"prompt\":\"a\",\"tags\":{\"\\u0000\":\"a\"}}"),
        invalid("/tenantId", "{\"agent\":\"echo\",\"prompt\":\"hi\",\"tenantId\":\"x\"}"),
        invalid("/status", "{\"agent\":\"echo\",\"prompt\":\"hi\",\"status\":\"completed\"}"),
        invalid("/agent", "{\"prompt\":\"hi\"}"),
        invalid("/agent", "{\"agent\":7,\"prompt\":\"hi\"}"),
        wrong(ProblemCode.INVALID_AGENT_KIND, "/agent", "{\"agent\":\"\",\"prompt\":\"hi\"}"),
        wrong(ProblemCode.INVALID_AGENT_KIND, "/agent", "{\"agent\":\"Echo\",\"prompt\":\"hi\"}"),
        wrong(ProblemCode.UNKNOWN_BACKEND, "/agent", "{\"agent\":\"gpt\",\"prompt\":\"\"}"),
        invalid("/prompt", "{\"agent\":\"echo\"}"),
        invalid("/prompt", "{\"agent\":\"echo\",\"prompt\":\" \\n \"}"),
        invalid("/prompt", "{\"agent\":\"echo\",\"prompt\":[\"hi\"]}"),
        invalid(
            "/prompt",
            "{\"agent\":\"echo\",\"prompt\":\" \",\"extensions\":{\"agent_api.bogus\":1}}"),
        invalid("/prompt", prompt("a".repeat(Limits.PROMPT_BYTES_MAX + 1))),
        wrong(
            ProblemCode.UNSUPPORTED_CAPABILITY,
            "/extensions/backend.codex.x",
            with("\"extensions\":{\"backend.codex.x\":1,\"backend.echo.fail\":\"no\"}")),
        invalid("/extensions/backend.echo.fail", with("\"extensions\":{\"backend.echo.fail\":0}")),
        invalid(
            "/extensions/backend.echo.events",
            with("\"extensions\":{\"backend.echo.events\":1e400}")),
        invalid("/extensions", with("\"extensions\":[]")),
        invalid("/extensions", with("\"extensions\":" + members(33))),
        invalid("/extensions", with("\"extensions\":{\"a\":\"" + "x".repeat(65_536) + "\"}")),
        wrong(
            ProblemCode.UNSUPPORTED_CAPABILITY,
            "/requires/0",
            with("\"requires\":[\"agent_api.session.fork.v1\"]")),
        invalid("/requires/0", with("\"requires\":[1]")),
        invalid("/requires", with("\"requires\":\"agent_api.run\"")),
        invalid("/session_id", with("\"session_id\":\"\"")),
        invalid("/session_id", with("\"session_id\":\".hidden\"")),
        invalid("/session_id", with("\"session_id\":\"a/b\"")),
        invalid("/session_id", with("\"session_id\":\"💖\"")),
        invalid("/session_id", with("\"session_id\":\"" + "a".repeat(129) + "\"")),
        invalid("/timeout_seconds", with("\"timeout_seconds\":-1")),
        invalid("/timeout_seconds", with("\"timeout_seconds\":39601")),
        invalid("/timeout_seconds", with("\"timeout_seconds\":1.5")),
        invalid("/timeout_seconds", with("\"timeout_seconds\":9223372036854775808")),
        invalid("/timeout_seconds", with("\"timeout_seconds\":1e400")),
        invalid("/timeout_seconds", with("\"timeout_seconds\":\"60\"")),
        invalid("/working_dir", with("\"working_dir\":\"\"")),
        invalid("/working_dir", with("\"working_dir\":\"/etc\"")),
        invalid("/working_dir", with("\"working_dir\":\"..\"")),
        invalid("/working_dir", with("\"working_dir\":\"a/../b\"")),
        invalid("/working_dir", with("\"working_dir\":\"a//b\"")),
        invalid("/working_dir", with("\"working_dir\":\"a/%2e%2e\"")),
        invalid("/working_dir", with("\"working_dir\":\"a\\\\b\"")),
        invalid("/working_dir", with("\"working_dir\":\"a.\"")),
        invalid("/working_dir", with("\"working_dir\":\"--x\"")),
        invalid("/working_dir", with("\"working_dir\":\"~\"")),
        invalid("/working_dir", with("\"working_dir\":\"" + "a".repeat(1025) + "\"")),
        invalid("/env", with("\"env\":[]")),
        invalid("/env", with("\"env\":" + members(65))),
        invalid("/env/A", with("\"env\":{\"A\":1}")),
        invalid("/env/A", with("\"env\":{\"A\":null}")),
        invalid("/env/A", with("\"env\":{\"A\":\"" + "x".repeat(4097) + "\"}")),
        invalid("/env/A=B", with("\"env\":{\"A=B\":\"1\"}")),
        invalid("/env/1A", with("\"env\":{\"1A\":\"1\"}")),
        invalid("/env/", with("\"env\":{\"\":\"1\"}")),
        invalid("/tags", with("\"tags\":" + members(33))),
        invalid("/tags/ ", with("\"tags\":{\" \":\"1\"}")),
        invalid("/tags/a", with("\"tags\":{\"a\":\"" + "x".repeat(257) + "\"}")),
        invalid("/retry", with("\"retry\":3")),
        invalid("/retry/times", with("\"retry\":{\"times\":3}")),
        invalid("/retry/max_attempts", with("\"retry\":{\"max_attempts\":0}")),
        invalid("/retry/max_attempts", with("\"retry\":{\"max_attempts\":11}")),
        invalid("/retry/backoff_seconds", with("\"retry\":{\"backoff_seconds\":901}")),
        invalid("/retry/on/0", with("\"retry\":{\"on\":[\"Not A Code\"]}")),
        wrong(ProblemCode.BODY_TOO_LARGE, "", " ".repeat(Limits.BODY_BYTES_MAX + 1)));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void refusesWhatIsWrong(Wrong wrong) {
    Problem problem = rejected(wrong.json());

    assertEquals(wrong.code(), problem.code(), problem.detail());
    assertEquals(
        wrong.pointer().isEmpty() ? List.of() : List.of(wrong.pointer()),
        problem.pointers().stream().filter(pointer -> !pointer.isEmpty()).toList());
  }

  static List<String> refusedVariables() {
    return List.of(
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "ld_preload",
        "DYLD_INSERT_LIBRARIES",
        "NODE_OPTIONS",
        "BASH_ENV",
        "ENV",
        "PATH",
        "HOME",
        "GIT_SSH_COMMAND",
        "GIT_SSH",
        "GIT_CONFIG_COUNT",
        "GIT_EXEC_PATH",
        "JAVA_TOOL_OPTIONS",
        "_JAVA_OPTIONS",
        "PYTHONSTARTUP",
        "PYTHONPATH",
        "PERL5OPT",
        "PERL5LIB",
        "RUBYOPT",
        "AWS_ACCESS_KEY_ID",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        "ECS_CONTAINER_METADATA_URI",
        "RUNYARD_RUN_ID",
        "IFS",
        "SHELLOPTS",
        "PS4",
        "PROMPT_COMMAND",
        "npm_config_script_shell",
        "https_proxy",
        "LITELLM_API_BASE",
        "LESSOPEN",
        "ZDOTDIR",
        "OPENAI_BASE_URL",
        "SSL_CERT_FILE",
        "XDG_CONFIG_HOME",
        "CODEX_HOME",
        "BASH_FUNC_ls");
  }

  @ParameterizedTest
  @MethodSource("refusedVariables")
  void refusesVariablesThatTakeOverAProcess(String name) {
    Problem problem = rejected(with("\"env\":{\"" + name + "\":\"x\"}"));

    assertEquals(List.of("/env/" + name), problem.pointers());
  }

  @Test
  void refusesBytesThatAreNotUtf8() {
    for (byte[] bytes :
        List.of(
            new byte[] {'{', '"', (byte) 0xFF, '"', ':', '1', '}'},
            new byte[] {'{', '"', (byte) 0xC0, (byte) 0xAF, '"', ':', '1', '}'},
            new byte[] {'{', '"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"', ':', '1', '}'})) {
      assertEquals(
          ProblemCode.MALFORMED_JSON,
          assertInstanceOf(RunRequestReader.Result.Rejected.class, READER.read(bytes))
              .problem()
              .code());
    }
  }

  @Test
  void namesEveryUnknownMemberUpToTen() {
    Problem problem = rejected(members(80_000));

    assertEquals(ProblemCode.INVALID_REQUEST, problem.code());
    assertEquals(10, problem.pointers().size());
  }

  @Test
  void bounds() {
    accepted(prompt("a".repeat(Limits.PROMPT_BYTES_MAX)));
    accepted(with("\"session_id\":\"" + "a".repeat(128) + "\""));
    accepted(with("\"timeout_seconds\":0"));
    accepted(with("\"timeout_seconds\":39600"));
    accepted(with("\"env\":{\"A\":\"" + "x".repeat(4096) + "\"}"));
    accepted(with("\"env\":" + members(64)));
    accepted(with("\"tags\":{\"" + "n".repeat(256) + "\":\"" + "x".repeat(256) + "\"}"));
    accepted(with("\"working_dir\":\"" + "a".repeat(1024) + "\""));
    accepted(with("\"tags\":" + members(32)));
    accepted(with("\"retry\":{\"on\":[\"" + "a".repeat(64) + "\"]}"));
    String open = prompt("hi");
    accepted(open + " ".repeat(Limits.BODY_BYTES_MAX - open.length()));
  }

  @Test
  void saysHowLongSomethingMayBe() {
    assertEquals(
        "prompt must have at most 262144 bytes",
        rejected(prompt("a".repeat(Limits.PROMPT_BYTES_MAX + 1))).detail());
    assertEquals(
        "A variable's value must have at most 4096 bytes",
        rejected(with("\"env\":{\"A\":\"" + "x".repeat(4097) + "\"}")).detail());
  }

  @Test
  void refusesWhatDoesNotFitTheFirstChunk() {
    byte[] noise = new byte[96 * 1024];
    new Random(2).nextBytes(noise);
    String text = Base64.getEncoder().encodeToString(noise);
    StringBuilder env = new StringBuilder();
    Random random = new Random(3);
    for (int i = 0; i < 64; i++) {
      byte[] value = new byte[3072];
      random.nextBytes(value);
      env.append(i == 0 ? "" : ",").append("\"A_").append(i).append("\":\"");
      env.append(Base64.getEncoder().encodeToString(value)).append('"');
    }
    String fits = prompt(text);
    String tooMuch = "{\"agent\":\"echo\",\"prompt\":\"" + text + "\",\"env\":{" + env + "}}";

    accepted(fits);
    assertEquals(ProblemCode.BODY_TOO_LARGE, rejected(tooMuch).code());
  }

  @Test
  void repeatsNoValueInADetail() {
    for (Wrong wrong : wrong()) {
      assertTrue(rejected(wrong.json()).detail().length() < 300);
    }
  }

  private static Wrong wrong(ProblemCode code, String pointer, String json) {
    return new Wrong(code, pointer, json);
  }

  private static Wrong malformed(String json) {
    return wrong(ProblemCode.MALFORMED_JSON, "", json);
  }

  private static Wrong invalid(String pointer, String json) {
    return wrong(ProblemCode.INVALID_REQUEST, pointer, json);
  }

  private static String prompt(String text) {
    return "{\"agent\":\"echo\",\"prompt\":\"" + text + "\"}";
  }

  private static String with(String member) {
    return "{\"agent\":\"echo\",\"prompt\":\"hi\"," + member + "}";
  }

  private static String members(int count) {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < count; i++) {
      json.append(i == 0 ? "" : ",").append("\"m_").append(i).append("\":\"\"");
    }
    return json.append('}').toString();
  }

  /// A reader with these agents of the operator.
  private static RunRequestReader reader(String agents) {
    AgentCatalog builtIn = AgentCatalog.builtIn();
    String document = "{\"agents\":" + agents.replace('\'', '"') + "}";
    return new RunRequestReader(builtIn.granted(AgentSettings.parse(document, builtIn)));
  }

  private static RunRequest accepted(String json) {
    return switch (READER.read(json.getBytes(StandardCharsets.UTF_8))) {
      case RunRequestReader.Result.Accepted accepted -> accepted.request();
      case RunRequestReader.Result.Rejected rejected ->
          throw new AssertionError(rejected.problem().toString());
    };
  }

  private static Problem rejected(String json) {
    return assertInstanceOf(
            RunRequestReader.Result.Rejected.class,
            READER.read(json.getBytes(StandardCharsets.UTF_8)))
        .problem();
  }
}
