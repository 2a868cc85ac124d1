package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.interaction.Action;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.Remembered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An agent's request to use a tool, with the answers it offers.
record ClientProtocolPermission(JsonNode id, JsonNode tool, List<Option> options)
    implements CliQuestions.Request {
  private static final String OUTCOME = "outcome";
  private static final List<String> ALLOWING = List.of("allow_once", "allow_always");
  private static final List<String> REJECTING = List.of("reject_once", "reject_always");

  ClientProtocolPermission {
    options = List.copyOf(options);
  }

  /// An answer the agent offers.
  ///
  /// @param kind its meaning, whatever its name says
  record Option(String id, String name, String kind) {}

  static ClientProtocolPermission of(ClientProtocolMessage.Request request) {
    List<Option> options = new ArrayList<>();
    for (JsonNode option : request.params().path("options")) {
      options.add(
          new Option(
              option.path("optionId").asText(""),
              option.path("name").asText(""),
              option.path("kind").asText("")));
    }
    return new ClientProtocolPermission(request.id(), request.params().path("toolCall"), options);
  }

  /// As much of it as its answer needs.
  ClientProtocolPermission toAnswer() {
    return new ClientProtocolPermission(id, MissingNode.getInstance(), options);
  }

  @Override
  public int chars() {
    int chars = id.asText().length();
    for (Option option : options) {
      chars += Remembered.ENTRY_CHARS;
      chars += option.id().length() + option.name().length() + option.kind().length();
    }
    return chars;
  }

  /// Identifies the request among those that wait.
  String key() {
    return id.toString();
  }

  /// The question is recognised by what the request itself says, if it says enough: whether the
  /// agent told of the call before it asked differs from one attempt to the next.
  ///
  /// @param shown the name of the tool for people, as the agent named it earlier
  /// @param whole the call, with what the agent told of it before
  CliQuestions.Ask ask(String agent, String shown, ClientProtocolTool whole) {
    ClientProtocolTool own = ClientProtocolTool.of(tool);
    ClientProtocolTool call = own.tells() ? own : whole;
    return new CliQuestions.Ask(
        ActionType.PERMISSION,
        "%s asks to use %s: %s".formatted(agent, shown, call.telling()),
        options.stream().map(Option::name).toList(),
        call.name(),
        call.question(),
        call.id());
  }

  /// The answer for a decision. An approval permits once, unless it names another of the offered
  /// answers that permit.
  ObjectNode answer(Action action) {
    Action.Resolution resolution = action.resolution();
    if (resolution == null) {
      return rejected();
    }
    return switch (resolution.decision()) {
      case APPROVE -> approved(CliQuestions.comment(action));
      case DENY, TIMED_OUT, ANSWER -> rejected();
      case CANCELLED -> cancelled();
    };
  }

  /// True for an answer that permits.
  boolean permits(ObjectNode answer) {
    String chosen = answer.path(OUTCOME).path("optionId").asText("");
    return options.stream()
        .anyMatch(option -> option.id().equals(chosen) && ALLOWING.contains(option.kind()));
  }

  ObjectNode permitted() {
    return find(ALLOWING)
        .map(ClientProtocolPermission::selected)
        .orElseGet(ClientProtocolPermission::cancelled);
  }

  /// A refusal if the agent offers one; otherwise the request is cancelled.
  ObjectNode rejected() {
    return find(REJECTING)
        .map(ClientProtocolPermission::selected)
        .orElseGet(ClientProtocolPermission::cancelled);
  }

  static ObjectNode cancelled() {
    ObjectNode result = ClientProtocolLines.object();
    result.putObject(OUTCOME).put(OUTCOME, "cancelled");
    return result;
  }

  private ObjectNode approved(String name) {
    for (Option option : options) {
      if (option.name().equals(name)) {
        return ALLOWING.contains(option.kind()) ? selected(option) : rejected();
      }
    }
    return permitted();
  }

  private Optional<Option> find(List<String> kinds) {
    return kinds.stream()
        .flatMap(kind -> options.stream().filter(option -> option.kind().equals(kind)))
        .findFirst();
  }

  private static ObjectNode selected(Option option) {
    ObjectNode result = ClientProtocolLines.object();
    result.putObject(OUTCOME).put(OUTCOME, "selected").put("optionId", option.id());
    return result;
  }
}
