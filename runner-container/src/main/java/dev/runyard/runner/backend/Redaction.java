package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.message.OutputPart;
import dev.runyard.runner.workspace.AlteredFiles;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Cuts values known as secret out of what an attempt's agent says, before anything of it is
/// written: an agent can print whatever its tools can read. A secret is told by its name the first
/// time it was cut out, and once more at the end if that was not the only time.
///
/// The end of a streamed text, or of a piece of a long message part, that may be the beginning of a
/// secret is held back until more comes. Not thread-safe.
public final class Redaction {
  private static final int FILE_READ_BYTES = 64 * 1024;

  private final SecretSearch search = new SecretSearch();
  private final SecretSearch bytes = new SecretSearch();
  private final AlteredFiles altered = new AlteredFiles();
  private final Map<String, Long> found = new TreeMap<>();
  private final Map<String, Long> told = new TreeMap<>();
  private String held = "";
  private boolean reasoning;

  /// Whether more of a message part follows, with which what is held belongs together.
  private boolean open;

  /// From now on this value is cut out, unless it is shorter than [SecretForms#SECRET_BYTES_MIN].
  ///
  /// @param name what it is told by
  public void know(String name, String value) {
    for (String digits : SecretForms.digits(value)) {
      SecretSearch.Form known = new SecretSearch.Form(digits, name);
      search.addDigits(known);
      bytes.addDigits(known);
    }
    for (String form : SecretForms.of(value)) {
      SecretSearch.Form known = new SecretSearch.Form(form, name);
      search.add(known);
      byte[] encoded = form.getBytes(StandardCharsets.UTF_8);
      bytes.add(
          encoded.length == form.length()
              ? known
              : new SecretSearch.Form(new String(encoded, StandardCharsets.ISO_8859_1), name));
    }
  }

  /// The events to write for a reported one.
  List<RunEvent> of(RunEvent event) {
    if (search.isEmpty()) {
      return List.of(event);
    }
    List<RunEvent> events = new ArrayList<>();
    switch (event) {
      case RunEvent.ModelDelta delta when open || delta.part() != null -> piece(delta, events);
      case RunEvent.ModelDelta delta -> stream(delta.text(), false, events);
      case RunEvent.ReasoningDelta delta -> stream(delta.text(), true, events);
      case RunEvent other -> {
        flush(events);
        events.add(whole(other));
      }
    }
    tell(events);
    return events;
  }

  /// The events to write for one that is no part of the agent's output.
  List<RunEvent> beside(RunEvent event) {
    if (search.isEmpty()) {
      return List.of(event);
    }
    List<RunEvent> events = new ArrayList<>(List.of(whole(event)));
    tell(events);
    return events;
  }

  /// A question without secrets.
  Question of(Question question) {
    return search.isEmpty()
        ? question
        : new Question(
            question.actionId(),
            question.actionType(),
            text(question.prompt()),
            json(question.schema()),
            question.choices().stream().map(this::text).toList(),
            question.timeoutSeconds(),
            json(question.payload()),
            question.toolCallId());
  }

  /// What is left to write before something that is no event, such as the agent's end.
  ///
  /// @param last whether nothing follows
  List<RunEvent> rest(boolean last) {
    List<RunEvent> events = new ArrayList<>();
    flush(events);
    tell(events);
    if (last) {
      found.forEach(
          (secret, count) -> {
            if (!count.equals(told.put(secret, count))) {
              events.add(new RunEvent.OutputRedacted(secret, count));
            }
          });
    }
    return events;
  }

  /// A whole text without secrets. If it was cut already, its end is left out as far as it may be
  /// the beginning of one.
  public String text(String text) {
    if (search.isEmpty()) {
      return text;
    }
    if (text.endsWith(Bounds.TRUNCATED)) {
      String kept = text.substring(0, text.length() - Bounds.TRUNCATED.length());
      return search.replace(kept, true, this::instead).text() + Bounds.TRUNCATED;
    }
    return search.replace(text, false, this::instead).text();
  }

  /// Files without secrets, for one purpose.
  public StoredFiles files() {
    return new RedactedFiles(bytes, altered);
  }

  /// The files of the attempt's workspace that are not as an agent left them.
  public AlteredFiles altered() {
    return altered;
  }

  /// Whether a file has a secret. Reads it up to the first one, and closes it.
  public boolean isIn(InputStream in) throws IOException {
    StoredFiles found = files();
    try (InputStream file = found.content(in)) {
      byte[] buffer = new byte[FILE_READ_BYTES];
      boolean more = !bytes.isEmpty();
      while (more && found.changed() == 0) {
        more = file.read(buffer, 0, buffer.length) >= 0;
      }
      return found.changed() > 0;
    }
  }

  private void stream(String text, boolean thought, List<RunEvent> events) {
    if (thought != reasoning) {
      flush(events);
      reasoning = thought;
    }
    String all = held + text;
    SecretSearch.Result result = search.replace(all, true, this::instead);
    held = all.substring(result.read());
    add(result.text(), events);
  }

  /// A part is written even if nothing of its text is left: what describes it counts too.
  private void piece(RunEvent.ModelDelta delta, List<RunEvent> events) {
    if (!open) {
      flush(events);
      reasoning = false;
    }
    OutputPart part = delta.part();
    open = part != null && part.goesOn();
    String all = held + delta.text();
    SecretSearch.Result result = search.replace(all, open, this::instead);
    held = all.substring(result.read());
    RunEvent about = texts(new RunEvent.ModelDelta("", part));
    events.add(
        about instanceof RunEvent.ModelDelta clean
            ? new RunEvent.ModelDelta(result.text(), clean.part())
            : about);
  }

  private void flush(List<RunEvent> events) {
    String rest = text(held);
    held = "";
    add(rest, events);
  }

  private void add(String text, List<RunEvent> events) {
    if (!text.isEmpty()) {
      events.add(
          reasoning
              ? new RunEvent.ReasoningDelta(text)
              : new RunEvent.ModelDelta(text, open ? OutputPart.CONTINUED : null));
    }
  }

  private RunEvent whole(RunEvent event) {
    if (event instanceof RunEvent.ToolEnd tool && tool.preview() != null) {
      return texts(tool.showing("", tool.outputRef())) instanceof RunEvent.ToolEnd bare
          ? bare.showing(text(tool.preview()), tool.outputRef())
          : event;
    }
    return texts(event);
  }

  /// An event with all of its texts redacted.
  private RunEvent texts(RunEvent event) {
    JsonNode json = JsonFormat.JSON.valueToTree(event);
    JsonNode clean = json(json);
    return clean == null || clean.equals(json)
        ? event
        : JsonFormat.JSON.convertValue(clean, event.getClass());
  }

  private @Nullable JsonNode json(@Nullable JsonNode json) {
    return switch (json) {
      case null -> null;
      case ObjectNode object -> {
        ObjectNode clean = JsonNodeFactory.instance.objectNode();
        object
            .properties()
            .forEach(member -> clean.set(text(member.getKey()), json(member.getValue())));
        yield clean;
      }
      case ArrayNode array -> {
        ArrayNode clean = JsonNodeFactory.instance.arrayNode();
        array.forEach(element -> clean.add(json(element)));
        yield clean;
      }
      case JsonNode text when text.isTextual() ->
          JsonNodeFactory.instance.textNode(text(text.textValue()));
      case JsonNode other -> other;
    };
  }

  private String instead(SecretSearch.Form form) {
    found.merge(form.secret(), 1L, Long::sum);
    return "[redacted " + form.secret() + "]";
  }

  private void tell(List<RunEvent> events) {
    found.forEach(
        (secret, count) -> {
          if (!told.containsKey(secret)) {
            told.put(secret, count);
            events.add(new RunEvent.OutputRedacted(secret, count));
          }
        });
  }
}
