package dev.runyard.functions.stream;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.read.EventRenderer;
import dev.runyard.core.stream.StreamEvent;
import dev.runyard.core.view.RenderedEvent;
import dev.runyard.functions.http.Reply;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/// Events as a JSON page. `next_after` is the `after` of the next request; `closed` says that
/// nothing will follow the page. A protocol that reports how a run ended separately from its events
/// does so in `completion`, on the closed page.
final class EventPages {
  /// A page ends here even if `limit` allows more events, so that it passes any proxy.
  static final int PAGE_CHARS_MAX = 4 * 1024 * 1024;

  private EventPages() {}

  static Reply page(EventsRequest request, RunReader by, Instant until)
      throws InterruptedException {
    Tail tail = by.tail();
    EventRenderer reader = by.renderer();
    List<StoredEvent> events = tail.next().events();
    while (events.isEmpty() && !tail.ended() && tail.pause(until)) {
      events = tail.next().events();
    }
    List<RenderedEvent> told = told(by, events);
    StringBuilder page = new StringBuilder("{\"events\":[");
    int start = page.length();
    long after = request.feed().after();
    int count = 0;
    boolean full = false;
    while (!events.isEmpty() && !full) {
      for (StoredEvent event : events) {
        full = count == request.feed().limit() || page.length() > PAGE_CHARS_MAX;
        if (full) {
          break;
        }
        for (RenderedEvent rendered : reader.render(event)) {
          page.append(page.length() == start ? "" : ",").append(rendered.json());
        }
        count++;
        after = event.sequence();
      }
      full |= count == request.feed().limit() && !tail.ended();
      events = full ? events : tail.next().events();
    }
    boolean closed = !full && tail.ended();
    tail.interrupted();
    page.append("],\"next_after\":").append(after);
    page.append(",\"closed\":").append(closed);
    if (reader.tellsCompletion()) {
      String completion =
          closed ? reader.completion().map(RenderedEvent::json).orElse("null") : "null";
      page.append(",\"completion\":").append(completion);
    }
    return Reply.json(200, page.append(member(told)).append('}').toString());
  }

  private static List<RenderedEvent> told(RunReader by, List<StoredEvent> events) {
    return by.told().map(facts -> told(facts, events, by.tail().cameAhead())).orElse(List.of());
  }

  /// What the reader of a page is told: only that it does not follow what the reader has.
  static <E extends StreamEvent> List<RenderedEvent> told(
      ToldFacts<E> facts, List<E> events, boolean ahead) {
    return events.isEmpty() && ahead ? facts.ahead() : facts.before(events);
  }

  /// The member of a page with what its reader is told, if that is anything.
  static String member(List<RenderedEvent> told) {
    return told.isEmpty()
        ? ""
        : told.stream()
            .map(RenderedEvent::json)
            .collect(Collectors.joining(",", ",\"told\":[", "]"));
  }
}
