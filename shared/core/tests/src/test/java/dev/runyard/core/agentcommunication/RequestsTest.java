package dev.runyard.core.agentcommunication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.submit.RunRequestReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RequestsTest {
  private static final String ID = "019a0000-0000-7000-8000-000000000002";
  private static final String HI =
      "[{'role':'user','parts':[{'content_type':'text/plain','content':'hi'}]}]";
  private final CreateRequestReader creates =
      new CreateRequestReader(new RunRequestReader(AgentCatalog.builtIn()), AgentCatalog.builtIn());

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private CreateRequestReader.Result.Accepted accepted(String text) {
    return switch (creates.read(json(text))) {
      case CreateRequestReader.Result.Accepted accepted -> accepted;
      case CreateRequestReader.Result.Rejected rejected ->
          throw new AssertionError(rejected.error());
    };
  }

  private AcpError rejected(String text) {
    return switch (creates.read(json(text))) {
      case CreateRequestReader.Result.Accepted accepted -> throw new AssertionError(accepted);
      case CreateRequestReader.Result.Rejected rejected -> rejected.error();
    };
  }

  @Test
  void readsTheSmallestRequestAsSync() {
    CreateRequestReader.Result.Accepted create =
        accepted("{'agent_name':'echo','input':" + HI + "}");

    assertEquals(RunMode.SYNC, create.mode());
    assertEquals("hi", create.request().prompt());
    assertEquals(
        List.of(new Message("user", List.of(MessagePart.text("hi")), null, null)),
        create.request().input());
  }

  @Test
  void keepsPartsOfEveryKindAndTheTextOfTimes() {
    RunRequest request =
        accepted(
                """
                {'agent_name':'echo','mode':'stream','session_id':'019A0000-0000-7000-8000-000000000002',
                 'input':[{'role':'agent/x_y-1','created_at':'2025-06-04T22:16:53.123456Z',
                  'completed_at':'2025-06-05T00:16:54+02:00','parts':[
                   {'content':'a'},
                   {'content_type':'image/png','content':'aGk=','content_encoding':'base64','name':'p'},
                   {'content_type':'text/html','content_url':'https://example.org/',
                    'metadata':{'kind':'citation','url':'https://example.org/','extra':1}}]},
                  {'role':'user','parts':[]}],'unknown':true}
                """)
            .request();

    assertEquals(ID, request.sessionId());
    assertEquals("a\n[image/png p]\n[text/html https://example.org/]", request.prompt());
    Message first = request.input().getFirst();
    assertEquals("2025-06-04T22:16:53.123456Z", first.createdAt());
    assertEquals("2025-06-04T22:16:54Z", first.completedAt());
    assertEquals("base64", first.parts().get(1).contentEncoding());
    assertTrue(Optional.ofNullable(first.parts().get(2).metadata()).orElseThrow().has("extra"));
    assertEquals(2, request.input().size());
  }

  @Test
  void configHoldsExtensionsAndRequiredCapabilities() {
    RunRequest request =
        accepted(
                "{'agent_name':'echo','input':%s,'config':{'extensions':{'backend.echo.events':3},'requires':['agent_api.run'],'timeout_seconds':5}}"
                    .formatted(HI))
            .request();

    assertEquals(Map.of("backend.echo.events", IntNode.valueOf(3)), request.extensions());
    assertEquals(List.of("agent_api.run"), request.requires());
    assertEquals(5, request.timeoutSeconds());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          422 | invalid_input | {
          422 | invalid_input | {'input':HI}
          422 | invalid_input | {'agent_name':'Echo','input':HI}
          404 | not_found     | {'agent_name':'slow_nothing','input':HI}
          422 | invalid_input | {'agent_name':'-echo','input':HI}
          404 | not_found     | {'agent_name':'echo-nothing','input':HI}
          422 | invalid_input | {'agent_name':'echo'}
          422 | invalid_input | {'agent_name':'echo','input':[]}
          422 | invalid_input | {'agent_name':'echo','input':['hi']}
          422 | invalid_input | {'agent_name':'echo','input':[{'role':'robot','parts':[]}]}
          422 | invalid_input | {'agent_name':'echo','input':[{'role':'user','parts':[{'content':'a','content_url':'http://a/'}]}]}
          422 | invalid_input | {'agent_name':'echo','input':[{'role':'user','parts':[{'content_url':'a b'}]}]}
          422 | invalid_input | {'agent_name':'echo','input':[{'role':'user','parts':[{'content_encoding':'hex'}]}]}
          422 | invalid_input | {'agent_name':'echo','input':[{'role':'user','parts':[{'metadata':{'kind':'x'}}]}]}
          422 | invalid_input | {'agent_name':'echo','input':[{'role':'user','parts':[],'created_at':'now'}]}
          422 | invalid_input | {'agent_name':'echo','input':HI,'mode':'later'}
          422 | invalid_input | {'agent_name':'echo','input':HI,'session_id':'s-1'}
          400 | invalid_input | {'agent_name':'echo','input':HI,'session_id':'ID','session':{'id':'019a0000-0000-7000-8000-000000000003','history':[]}}
          422 | invalid_input | {'agent_name':'echo','input':HI,'session':{'id':'ID','history':['http://127.0.0.1/resources/a']}}
          422 | invalid_input | {'agent_name':'echo','input':HI,'config':{'prompt':'other'}}
          422 | invalid_input | {'agent_name':'echo','input':HI,'config':{'extensions':{'backend.codex.x':1}}}
          """)
  void refusesWithStatusAndCode(int status, String code, String body) {
    AcpError error = rejected(body.replace("HI", HI).replace("'ID'", "'" + ID + "'"));

    assertEquals(status, error.status());
    assertEquals(code, error.json().path("code").asText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          /agent_name                  | {'agent_name':7,'input':HI}
          /input                       | {'agent_name':'echo','input':'hi'}
          /input/0                     | {'agent_name':'echo','input':['hi']}
          /input/0/role                | {'agent_name':'echo','input':[{'parts':[]}]}
          /input/0/parts               | {'agent_name':'echo','input':[{'role':'user'}]}
          /input/0/parts/1             | {'agent_name':'echo','input':[{'role':'user','parts':[{'content':'a'},'b']}]}
          /input/0/parts/0/content_url | {'agent_name':'echo','input':[{'role':'user','parts':[{'content_url':'a b'}]}]}
          /input/0/parts/0/metadata    | {'agent_name':'echo','input':[{'role':'user','parts':[{'content':'a','metadata':1}]}]}
          /session                     | {'agent_name':'echo','input':HI,'session':1}
          /session/id                  | {'agent_name':'echo','input':HI,'session':{}}
          /session/history             | {'agent_name':'echo','input':HI,'session':{'id':'ID','history':1}}
          /session/state               | {'agent_name':'echo','input':HI,'session':{'id':'ID','state':'http://a/'}}
          /input/0/parts/0/metadata/kind | {'agent_name':'echo','input':[{'role':'user','parts':[{'metadata':{}}]}]}
          """)
  void pointsToWhatIsWrong(String pointer, String body) {
    AcpError error = rejected(body.replace("HI", HI).replace("'ID'", "'" + ID + "'"));

    assertEquals(pointer, error.json().at("/data/pointers/0").asText());
  }

  @Test
  void readsASessionWithTheHistoryOfItsOwnRuns() {
    String address = "http://127.0.0.1/agents/resources/" + ID + ".3";
    CreateRequestReader.Result.Accepted create =
        accepted(
            "{'agent_name':'echo','input':%s,'session':{'id':'%s','history':['%s']}}"
                .formatted(HI, ID, address));

    assertEquals(ID, create.request().sessionId());
    assertEquals(Set.of(ID), create.history());
  }

  @Test
  void aMistakeInConfigIsPointedTo() {
    AcpError error =
        rejected("{'agent_name':'echo','input':%s,'config':{'timeout_seconds':-1}}".formatted(HI));

    assertEquals("/config/timeout_seconds", error.json().at("/data/pointers/0").asText());
  }

  @Test
  void readsAResumeWithAndWithoutTheRunId() {
    for (String named : List.of("", "'run_id':'" + ID + "',")) {
      ResumeRequestReader.Result result =
          ResumeRequestReader.read(
              ID,
              json(
                  "{%s'mode':'async','await_resume':{'type':'message','message':{'role':'user','parts':[]}}}"
                      .formatted(named)));
      assertEquals(
          new ResumeRequestReader.Result.Accepted(
              new Message("user", List.of(), null, null), RunMode.ASYNC),
          result);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          422 | {'await_resume':{'type':'message','message':{'role':'user','parts':[]}}}
          422 | {'mode':'sync'}
          422 | {'mode':'sync','await_resume':{'type':'message'}}
          403 | {'mode':'sync','await_resume':{'type':'other'}}
          422 | {'mode':'sync','run_id':'019a0000-0000-7000-8000-000000000009','await_resume':{'type':'message','message':{'role':'user','parts':[]}}}
          """)
  void refusesABrokenResume(int status, String body) {
    switch (ResumeRequestReader.read(ID, json(body))) {
      case ResumeRequestReader.Result.Accepted accepted -> throw new AssertionError(accepted);
      case ResumeRequestReader.Result.Rejected rejected ->
          assertEquals(status, rejected.error().status());
    }
  }

  @Test
  void aMessageDecidesEachKindOfAction() {
    assertEquals(
        Optional.of(new AcpAnswer(ActionDecision.APPROVE, null)),
        AcpAnswer.of(ActionType.PERMISSION, Message.text("user", " Approve\n")));
    assertEquals(
        Optional.empty(), AcpAnswer.of(ActionType.PERMISSION, Message.text("user", "perhaps")));
    assertEquals(
        "blue",
        Optional.ofNullable(
                AcpAnswer.of(ActionType.QUESTION, Message.text("user", "blue"))
                    .orElseThrow()
                    .payload())
            .orElseThrow()
            .textValue());
  }
}
