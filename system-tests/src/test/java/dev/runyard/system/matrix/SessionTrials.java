package dev.runyard.system.matrix;

import dev.runyard.core.agent.Capabilities;
import dev.runyard.system.matrix.Stand.Ran;
import java.util.List;

/// Continuing a conversation from another runner.
final class SessionTrials {
  private static final String SESSION = "session";
  private static final String CONVERSATION = "conversation";
  private static final String NOBODY = "01000000-0000-4000-8000-000000000000";

  private SessionTrials() {}

  /// A first run, which the trials continue; not a trial itself.
  static Cell begin(Stand stand) throws Exception {
    Ran ran = stand.run("[[say One.]]");
    stand.kept().put(SESSION, ran.view().path("session_id").asText());
    stand.kept().put(CONVERSATION, ran.nativeSession());
    return Trial.check(ran.status().equals("completed"), ran.end());
  }

  static List<Trial> all() {
    return List.of(
        trial("continues in the same `session_id`", SessionTrials::sameSession),
        trial("continues by the conversation's id", SessionTrials::byId),
        trial("copy of a conversation", SessionTrials::fork),
        trial("unknown conversation: `session_not_found`", SessionTrials::unknown));
  }

  private static Trial trial(String title, Trial.Course course) {
    return new Trial(Trial.Group.SESSIONS, title, course);
  }

  private static Cell sameSession(Stand stand) throws Exception {
    return goesOn(stand, "", "\"session_id\":\"%s\"".formatted(stand.kept().get(SESSION)));
  }

  private static Cell byId(Stand stand) throws Exception {
    return goesOn(stand, selected(Capabilities.SESSION_RESUME, conversation(stand)), "");
  }

  private static Cell goesOn(Stand stand, String extension, String more) throws Exception {
    if (!stand.offers(Capabilities.SESSION_RESUME)) {
      return new Cell.NotOffered();
    }
    Ran ran = stand.ended(stand.submit("[[say Two.]]", extension, more));
    return ran.text().equals("Two.")
        ? Trial.check(ran.nativeSession().equals(conversation(stand)), "another conversation")
        : new Cell.Fails(ran.end());
  }

  private static Cell fork(Stand stand) throws Exception {
    if (!stand.offers(Capabilities.SESSION_FORK)) {
      return new Cell.NotOffered();
    }
    String extension = selected(Capabilities.SESSION_FORK, conversation(stand));
    Ran ran = stand.ended(stand.submit("[[say Three.]]", extension, ""));
    return ran.text().equals("Three.")
        ? Trial.check(!ran.nativeSession().equals(conversation(stand)), "no copy")
        : new Cell.Fails(ran.end());
  }

  private static Cell unknown(Stand stand) throws Exception {
    if (!stand.offers(Capabilities.SESSION_RESUME)) {
      return new Cell.NotOffered();
    }
    String extension = selected(Capabilities.SESSION_RESUME, NOBODY);
    Ran ran = stand.failed(stand.submit("[[say Never.]]", extension, ""), "session_not_found");
    return Trial.check(ran.code().equals("session_not_found"), ran.end());
  }

  private static String selected(String capability, String id) {
    return "\"%s\":{\"selector\":\"id\",\"id\":\"%s\"}".formatted(capability, id);
  }

  private static String conversation(Stand stand) {
    return stand.kept().getOrDefault(CONVERSATION, "");
  }
}
