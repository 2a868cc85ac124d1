package dev.runyard.functions.stream;

import dev.runyard.core.stream.StreamEvent;
import dev.runyard.core.stream.ToldFact;
import dev.runyard.core.view.RenderedEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What one reader of a log is told besides its events, by what it gets of them. Not thread-safe.
///
/// @param <E> events of the log
final class ToldFacts<E extends StreamEvent> {
  private final ToldForm<E> form;
  private final InstantSource clock;
  private final Supplier<Optional<E>> newest;
  private final long began;
  private @Nullable E member;
  private long last;
  private long events;
  private boolean loaded;

  /// @param after the sequence after which the reader begins
  /// @param newest reads the log's newest event
  ToldFacts(ToldForm<E> form, InstantSource clock, long after, Supplier<Optional<E>> newest) {
    this.form = form;
    this.clock = clock;
    this.began = after;
    this.last = after;
    this.newest = newest;
  }

  /// The sequence of the last event that the reader has.
  long last() {
    return last;
  }

  /// True when the reader was told that it has all that there was.
  boolean loaded() {
    return loaded;
  }

  /// What is told to a reader that has seen more than the log has.
  List<RenderedEvent> ahead() {
    Optional<E> head = newest.get();
    member = head.orElse(member);
    return head.filter(event -> event.sequence() < last)
        .map(event -> repaired(ToldFact.Reason.AHEAD, event.sequence()))
        .map(this::told)
        .orElse(List.of());
  }

  /// What is told before the next events.
  List<RenderedEvent> before(List<E> next) {
    if (next.isEmpty()) {
      return List.of();
    }
    E first = next.getFirst();
    member = first;
    return first.sequence() <= last + 1
        ? List.of()
        : told(
            new ToldFact.Expired(last, first.sequence()), repaired(ToldFact.Reason.EXPIRED, null));
  }

  /// What is told behind them.
  List<RenderedEvent> behind(List<E> next) {
    if (next.isEmpty()) {
      return List.of();
    }
    last = next.getLast().sequence();
    events += next.size();
    return form.all() && loaded && next.stream().anyMatch(form.changes())
        ? told(new ToldFact.Updated(form.snapshot()))
        : List.of();
  }

  /// What is told once, when the reader has all that there is and the log goes on.
  List<RenderedEvent> caughtUp() {
    if (loaded) {
      return List.of();
    }
    List<RenderedEvent> told = new ArrayList<>(member == null ? ahead() : List.of());
    loaded = member != null;
    if (form.all()) {
      told.addAll(told(new ToldFact.WindowLoaded(began, events)));
    }
    return told;
  }

  private ToldFact repaired(ToldFact.Reason reason, @Nullable Long head) {
    return new ToldFact.Repaired(form.snapshot(), reason, head);
  }

  private List<RenderedEvent> told(ToldFact... facts) {
    E about = member;
    if (about == null) {
      return List.of();
    }
    Instant now = clock.instant();
    return Stream.of(facts)
        .map(fact -> new RenderedEvent(fact.type(), form.json(about, fact, last, now)))
        .toList();
  }
}
