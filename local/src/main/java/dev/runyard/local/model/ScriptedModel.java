package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.local.model.Conversation.Entry;
import dev.runyard.local.model.ModelReply.Ending;
import dev.runyard.local.model.ModelReply.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The model: a pure function from a conversation to a reply.
///
/// The script is the newest user text with directives; the step is the number of rounds of tool
/// results after it. A result that says that its command still runs is waited for and ends no
/// round, nor does one that says that its call was interrupted. A request for JSON of some shape
/// that offers no tools comes from the agent itself, and gets a sample. Nothing is kept between
/// requests, so any number of agents can use one model, and a repeated request gets the same reply.
public final class ScriptedModel {

  static final int TOKEN_CHARS = 4;
  static final String DONE = "The script is done.";

  /// How agents record an interrupted call.
  private static final Pattern INTERRUPTED = Pattern.compile("^aborted$|\\naborted by user$");

  private ScriptedModel() {}

  /// What the model answers.
  ///
  /// @param failed how many times this conversation was already answered with an error
  public static ModelReply reply(Conversation conversation, int failed) {
    Optional<ModelReply> shaped =
        conversation.tools().isEmpty()
            ? conversation.shape().map(schema -> shaped(conversation, schema))
            : Optional.empty();
    return shaped
        .or(() -> located(conversation).map(located -> scripted(conversation, located, failed)))
        .orElseGet(() -> guide(conversation));
  }

  /// The answer to a prompt without directives.
  static String guideText() {
    return "This is a scripted model: it does what directives in the prompt say. Directives: "
        + String.join(" ", DirectiveForm.usages());
  }

  private record Located(Script script, int step) {}

  private static Optional<Located> located(Conversation conversation) {
    List<Entry> entries = conversation.entries();
    Toolbox toolbox = new Toolbox(conversation.tools());
    int rounds = 0;
    for (int i = entries.size() - 1; i >= 0; i--) {
      switch (entries.get(i)) {
        case Entry.User(String text) -> {
          Script script = Script.parse(text);
          if (!script.isEmpty()) {
            return Optional.of(new Located(script, rounds));
          }
        }
        case Entry.ToolResult(String text) ->
            rounds += startsRound(entries, i) && came(toolbox, text) ? 1 : 0;
        case Entry.Model() -> {}
      }
    }
    return Optional.empty();
  }

  /// False for a placeholder of a result: the call still runs, or its agent was interrupted and may
  /// make it again.
  private static boolean came(Toolbox toolbox, String result) {
    return toolbox.waitFor(result).isEmpty() && !INTERRUPTED.matcher(result.strip()).find();
  }

  private static boolean startsRound(List<Entry> entries, int at) {
    return at == 0 || !(entries.get(at - 1) instanceof Entry.ToolResult);
  }

  /// An agent's own request is answered whatever the script says.
  private static ModelReply shaped(Conversation conversation, JsonNode schema) {
    List<Part> parts = List.of(text(SampleJson.of(schema).toString()));
    return new ModelReply.Answer(
        0, "", 0, parts, estimate(conversation, parts), new Ending.Complete());
  }

  private static ModelReply guide(Conversation conversation) {
    List<Part> parts = List.of(text(guideText()));
    return new ModelReply.Answer(
        0, "", 0, parts, estimate(conversation, parts), new Ending.Complete());
  }

  private static ModelReply scripted(Conversation conversation, Located located, int failed) {
    List<List<Directive>> steps = located.script().steps();
    List<Directive> step =
        located.step() < steps.size() ? steps.get(located.step()) : List.<Directive>of();
    String source =
        step.stream().map(d -> "[[" + d.source() + "]]").collect(Collectors.joining(" "));
    int delay =
        step.stream().mapToInt(d -> d instanceof Directive.Delay(_, int millis) ? millis : 0).sum();
    Optional<Integer> status = status(step, failed);
    if (status.isPresent()) {
      return new ModelReply.Failure(located.step(), source, delay, status.get());
    }
    Toolbox toolbox = new Toolbox(conversation.tools());
    Optional<Part.ToolCall> waiting = waiting(conversation, toolbox);
    if (waiting.isPresent()) {
      List<Part> parts = List.of(waiting.get());
      Tokens tokens = estimate(conversation, parts);
      return new ModelReply.Answer(located.step(), source, 0, parts, tokens, new Ending.Complete());
    }
    return answer(conversation, located.step(), source, delay, step);
  }

  private static Optional<Part.ToolCall> waiting(Conversation conversation, Toolbox toolbox) {
    return conversation.entries().getLast() instanceof Entry.ToolResult(String text)
        ? toolbox.waitFor(text)
        : Optional.empty();
  }

  private static Optional<Integer> status(List<Directive> step, int failed) {
    int before = failed;
    for (Directive directive : step) {
      if (directive instanceof Directive.Status status) {
        if (status.always() || before < status.times()) {
          return Optional.of(status.code());
        }
        before -= status.times();
      }
    }
    return Optional.empty();
  }

  private static ModelReply answer(
      Conversation conversation, int number, String source, int delay, List<Directive> step) {
    Toolbox toolbox = new Toolbox(conversation.tools());
    List<Part> parts = new ArrayList<>();
    Ending ending = new Ending.Complete();
    Optional<Tokens> tokens = Optional.empty();
    for (Directive directive : step) {
      switch (directive) {
        case Directive.Sh sh ->
            parts.add(toolbox.shell(sh.command()).<Part>map(c -> c).orElse(missing(sh, toolbox)));
        case Directive.Write write ->
            parts.add(
                toolbox
                    .write(write.file(), write.text())
                    .<Part>map(call -> call)
                    .orElse(missing(write, toolbox)));
        case Directive.Call call ->
            parts.add(
                toolbox
                    .named(call.tool(), call.arguments())
                    .<Part>map(named -> named)
                    .orElse(missing(call, toolbox)));
        case Directive.Say say -> parts.add(text(say.text()));
        case Directive.Slow slow ->
            parts.add(new Part.Text(pieces(slow.text(), slow.deltas()), slow.pauseMillis()));
        case Directive.Think think -> parts.add(new Part.Reasoning(think.text()));
        case Directive.Usage usage -> tokens = Optional.of(usage.tokens());
        case Directive.Unclear unclear -> parts.add(text(explained(unclear)));
        case Directive.Fail fail -> ending = new Ending.Fail(fail.code());
        case Directive.Hang _ -> ending = new Ending.Hang();
        case Directive.Drop _ -> ending = new Ending.Drop();
        case Directive.Delay _, Directive.Status _ -> {}
      }
    }
    if (ending instanceof Ending.Complete
        && parts.stream().allMatch(Part.Reasoning.class::isInstance)) {
      parts.add(text(DONE));
    }
    return new ModelReply.Answer(
        number, source, delay, parts, tokens.orElse(estimate(conversation, parts)), ending);
  }

  private static Part missing(Directive directive, Toolbox toolbox) {
    String offered = toolbox.names();
    return text(
        "No offered tool fits [[%s]]. Offered: %s."
            .formatted(directive.source(), offered.isEmpty() ? "none" : offered));
  }

  private static String explained(Directive.Unclear unclear) {
    return "[[%s]] cannot be read; write it as %s.".formatted(unclear.source(), unclear.expected());
  }

  private static Part.Text text(String text) {
    return new Part.Text(List.of(text), 0);
  }

  /// Cuts at code points into `count` pieces whose sizes differ by one at most; fewer if the text
  /// is shorter than that.
  static List<String> pieces(String text, int count) {
    int points = text.codePointCount(0, text.length());
    int pieces = Math.max(1, Math.min(count, points));
    List<String> result = new ArrayList<>(pieces);
    int at = 0;
    for (int i = 0; i < pieces; i++) {
      int size = (int) ((long) points * (i + 1) / pieces - (long) points * i / pieces);
      int end = text.offsetByCodePoints(at, size);
      result.add(text.substring(at, end));
      at = end;
    }
    return result;
  }

  private static Tokens estimate(Conversation conversation, List<Part> parts) {
    long output = 0;
    long reasoning = 0;
    for (Part part : parts) {
      switch (part) {
        case Part.Text text -> output += text.whole().length();
        case Part.ToolCall call -> output += call.arguments().length();
        case Part.Reasoning(String text) -> reasoning += text.length();
      }
    }
    return new Tokens(
        conversation.size() / TOKEN_CHARS,
        (output + reasoning) / TOKEN_CHARS,
        0,
        reasoning / TOKEN_CHARS);
  }
}
