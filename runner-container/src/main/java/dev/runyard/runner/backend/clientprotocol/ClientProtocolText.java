package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.core.event.RunEvent;
import java.util.ArrayList;
import java.util.List;

/// The messages an agent writes, in pieces. A piece that may be an error instead of a message is
/// held back until more comes, because some agents report errors in the same place, in text that
/// must not be stored. Not thread-safe.
final class ClientProtocolText {
  private static final String GAVE_UP = "Info: Operation cancelled";

  private final ClientProtocolQuirks manners;
  private String message = "";
  private String held = "";
  private boolean open;
  private boolean gaveUp;

  ClientProtocolText(ClientProtocolQuirks manners) {
    this.manners = manners;
  }

  /// A piece of a message.
  ///
  /// @param messageId empty if the agent names none
  List<RunEvent> piece(String messageId, String text) {
    List<RunEvent> events = new ArrayList<>();
    if (!messageId.equals(message)) {
      events.addAll(close());
      message = messageId;
    }
    if (manners.isNotice(text)) {
      gaveUp |= text.startsWith(GAVE_UP);
      return events;
    }
    if (text.isEmpty()) {
      return events;
    }
    events.addAll(release());
    if (!open || manners.isError(text)) {
      held = text;
    } else {
      events.add(new RunEvent.ModelDelta(text));
    }
    return events;
  }

  /// The held-back piece was a message after all.
  List<RunEvent> release() {
    String text = held;
    held = "";
    open |= !text.isEmpty();
    return text.isEmpty() ? List.of() : List.of(new RunEvent.ModelDelta(text));
  }

  /// The end of the open message, if there is one.
  List<RunEvent> close() {
    List<RunEvent> events = new ArrayList<>(release());
    if (open) {
      events.add(new RunEvent.ModelCompleted());
    }
    open = false;
    return events;
  }

  /// The held-back piece if it is an error; empty if it is a message.
  String error() {
    return manners.isError(held) ? held : "";
  }

  /// True once the agent said that it gives up.
  boolean gaveUp() {
    return gaveUp;
  }

  /// Forgets the held-back piece if the reason of a failure repeats it.
  void forget(String reason) {
    if (reason.contains(held)) {
      held = "";
    }
  }
}
