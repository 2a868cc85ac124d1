package dev.runyard.local.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.model.Conversation.Entry;
import dev.runyard.local.model.ModelReply.Ending;
import dev.runyard.local.model.ModelReply.Part;
import dev.runyard.local.model.OfferedTool.Form;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScriptedModelTest {

  private static final OfferedTool SHELL =
      tool(
          "exec_command",
          "{\"properties\":{\"cmd\":{\"type\":\"string\"}},\"required\":[\"cmd\"]}");

  @Test
  void explainsItselfWithoutADirective() {
    ModelReply.Answer answer = answer(new Entry.User("Fix the build"));
    assertEquals(List.of(new Part.Text(List.of(ScriptedModel.guideText()), 0)), answer.parts());
    DirectiveForm.usages().forEach(form -> assertTrue(ScriptedModel.guideText().contains(form)));
  }

  @Test
  void takesTheStepFromTheRoundsOfToolResults() {
    Entry prompt = new Entry.User("[[sh one]] [[sh two]] [[say three]]");
    Entry model = new Entry.Model();
    Entry result = new Entry.ToolResult("ok");
    assertEquals("{\"cmd\":\"one\"}", call(answer(prompt)).arguments());
    assertEquals("{\"cmd\":\"two\"}", call(answer(prompt, model, result)).arguments());
    assertEquals("three", text(answer(prompt, model, result, model, model, result)));
    assertEquals(
        ScriptedModel.DONE, text(answer(prompt, model, result, model, result, model, result)));
  }

  @Test
  void countsParallelResultsAsOneRound() {
    Entry prompt = new Entry.User("[[sh one]] [[say two]]");
    Entry result = new Entry.ToolResult("ok");
    assertEquals(1, answer(prompt, new Entry.Model(), result, result).step());
  }

  @Test
  void waitsForACommandThatStillRuns() {
    OfferedTool stdin =
        tool("write_stdin", "{\"properties\":{\"session_id\":{\"type\":\"number\"}}}");
    Entry prompt = new Entry.User("[[sh sleep 99]] [[say over]]");
    Entry running = new Entry.ToolResult("Process running with session ID 7");
    Entry model = new Entry.Model();
    Conversation waiting =
        new Conversation(
            "c", "m", List.of(prompt, model, running), List.of(SHELL, stdin), Optional.empty(), 0);
    assertEquals(
        new Part.ToolCall(stdin, "{\"session_id\":7,\"yield_time_ms\":300000}"),
        call(assertInstanceOf(ModelReply.Answer.class, ScriptedModel.reply(waiting, 0))));
    List<Entry> ended = List.of(prompt, model, running, model, new Entry.ToolResult("ended"));
    Conversation later =
        new Conversation("c", "m", ended, List.of(SHELL, stdin), Optional.empty(), 0);
    assertEquals(
        "over", text(assertInstanceOf(ModelReply.Answer.class, ScriptedModel.reply(later, 0))));
  }

  @Test
  void callsOnceMoreWhereItsCallWasInterrupted() {
    Entry prompt = new Entry.User("[[sh one]] [[say two]]");
    Entry model = new Entry.Model();
    Entry goOn = new Entry.User("Go on.");
    for (String interrupted : List.of("aborted", "Wall time: 1.6 seconds\naborted by user")) {
      Entry none = new Entry.ToolResult(interrupted);
      assertEquals("{\"cmd\":\"one\"}", call(answer(prompt, model, none, goOn)).arguments());
      assertEquals(
          "two", text(answer(prompt, model, none, goOn, model, new Entry.ToolResult("ok"))));
    }
  }

  @Test
  void startsAgainAtTheNewestScript() {
    ModelReply.Answer answer =
        answer(
            new Entry.User("[[sh one]] [[say old]]"),
            new Entry.Model(),
            new Entry.ToolResult("ok"),
            new Entry.User("[[say new]]"),
            new Entry.User("a note the agent adds"));
    assertEquals(0, answer.step());
    assertEquals("new", text(answer));
  }

  @Test
  void failsAsOftenAsTheScriptSays() {
    Conversation conversation = conversation(new Entry.User("[[status 503 x2]] [[say back]]"));
    assertEquals(
        503,
        assertInstanceOf(ModelReply.Failure.class, ScriptedModel.reply(conversation, 1)).status());
    ModelReply later = ScriptedModel.reply(conversation, 2);
    assertEquals("back", text(assertInstanceOf(ModelReply.Answer.class, later)));
  }

  @Test
  void failsEveryTimeWithoutACount() {
    Conversation conversation = conversation(new Entry.User("[[status 401]]"));
    assertInstanceOf(ModelReply.Failure.class, ScriptedModel.reply(conversation, 10_000));
  }

  @Test
  void joinsModifiersToTheirStep() {
    ModelReply.Answer answer =
        answer(new Entry.User("[[think t]] [[delay 9]] [[usage 4 3 2 1]] [[say x]] [[hang]]"));
    assertEquals(
        new ModelReply.Answer(
            0,
            "[[think t]] [[delay 9]] [[usage 4 3 2 1]] [[say x]] [[hang]]",
            9,
            List.of(new Part.Reasoning("t"), new Part.Text(List.of("x"), 0)),
            new Tokens(4, 3, 2, 1),
            new Ending.Hang()),
        answer);
  }

  @Test
  void cutsASlowTextAtCodePoints() {
    assertEquals(List.of("a", "😀", "bc"), ScriptedModel.pieces("a😀bc", 3));
    assertEquals(List.of("é"), ScriptedModel.pieces("é", 5));
    assertEquals("1 2 3", text(answer(new Entry.User("[[slow 3 5]]"))));
  }

  @Test
  void saysWhenNoToolFits() {
    String text = text(answer(new Entry.User("[[call nothing {}]]")));
    assertEquals("No offered tool fits [[call nothing {}]]. Offered: exec_command.", text);
  }

  @Test
  void saysHowToWriteAnUnclearDirective() {
    assertEquals(
        "[[delay soon]] cannot be read; write it as [[delay MS]].",
        text(answer(new Entry.User("[[delay soon]]"))));
  }

  private static ModelReply.Answer answer(Entry... entries) {
    return assertInstanceOf(ModelReply.Answer.class, ScriptedModel.reply(conversation(entries), 0));
  }

  private static Conversation conversation(Entry... entries) {
    return new Conversation("c", "m", List.of(entries), List.of(SHELL), Optional.empty(), 400);
  }

  private static Part.ToolCall call(ModelReply.Answer answer) {
    return assertInstanceOf(Part.ToolCall.class, answer.parts().getLast());
  }

  private static String text(ModelReply.Answer answer) {
    return assertInstanceOf(Part.Text.class, answer.parts().getLast()).whole();
  }

  static OfferedTool tool(String name, String schema) {
    try {
      return new OfferedTool("", name, Form.FUNCTION, new ObjectMapper().readTree(schema));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
