package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.message.Message;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A client's message as the decision of an action: a permission is granted by the text `approve`
/// and refused by `deny`, a question is answered by the text, and a message by the whole message.
public record AcpAnswer(ActionDecision decision, @Nullable JsonNode payload) {

  /// The decision; empty when the message decides nothing.
  public static Optional<AcpAnswer> of(ActionType type, Message message) {
    return switch (type) {
      case MESSAGE -> Optional.of(new AcpAnswer(ActionDecision.ANSWER, AcpMessages.json(message)));
      case QUESTION ->
          Optional.of(
              new AcpAnswer(
                  ActionDecision.ANSWER, JsonNodeFactory.instance.textNode(message.text())));
      case PERMISSION ->
          switch (message.text().strip().toLowerCase(Locale.ROOT)) {
            case "approve" -> Optional.of(new AcpAnswer(ActionDecision.APPROVE, null));
            case "deny" -> Optional.of(new AcpAnswer(ActionDecision.DENY, null));
            case String _ -> Optional.empty();
          };
    };
  }
}
