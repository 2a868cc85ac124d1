package dev.runyard.embedded;

import dev.runyard.core.problem.PortUnavailable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A queue of texts as rows of the table of messages: what has been visible longest comes first. A
/// message is held by the number of its delivery, so only the newest counts.
///
/// Who receives with a wait looks again when a message was sent or shown again, and when the next
/// one becomes visible; in between it does nothing.
final class MessageRows {
  /// Longest delay of a message.
  static final int DELAY_SECONDS_MAX = 900;

  /// Messages one receive moves to the dead letters.
  static final int MOVES_MAX = 100;

  private static final String SEND =
      "insert into messages (queue, id, body, visible, receives, expires)"
          + " values (?, ?, ?, ?, 0, ?)";
  private static final String NEXT_VISIBLE =
      "select min(visible) from messages indexed by messages_visible where queue = ?";
  private static final String VISIBLE =
      "select number, id, body, receives from messages indexed by messages_visible"
          + " where queue = ? and visible <= ? order by visible, number limit ?";
  private static final String HELD =
      "select count(*) from messages indexed by messages_visible"
          + " where queue = ? and visible > ? and receives > 0";
  private static final String TAKE =
      "update messages set visible = ?, receives = receives + 1 where number = ?";
  private static final String MOVE =
      "update messages set queue = ?, visible = ?, receives = 0, expires = ? where number in"
          + " (select number from messages indexed by messages_visible"
          + " where queue = ? and visible <= ? and receives >= ? order by visible limit ?)";
  private static final String EXTEND =
      "update messages set visible = ?"
          + " where id = ? and queue = ? and receives = ? and visible > ?";
  private static final String GIVE_BACK =
      "update messages set visible = ?1 where queue = ?2 and receives > 0 and visible > ?1";
  private static final String DELETE =
      "delete from messages where id = ? and queue = ? and receives = ?";
  private static final String DEPTH =
      "select count(*) filter (where visible <= ?1),"
          + " count(*) filter (where visible > ?1 and receives > 0)"
          + " from messages indexed by messages_visible where queue = ?2";

  private final StoreDatabase database;
  private final StoreEnvironment environment;
  private final QueueRule rule;
  private final Optional<ItemPace> pace;

  MessageRows(StoreDatabase database, StoreEnvironment environment, QueueRule rule) {
    this(database, environment, rule, Optional.empty());
  }

  /// @param pace of messages that are not handed out whenever there are some
  MessageRows(
      StoreDatabase database,
      StoreEnvironment environment,
      QueueRule rule,
      Optional<ItemPace> pace) {
    this.database = database;
    this.environment = environment;
    this.rule = rule;
    this.pace = pace;
  }

  void send(String text, int delaySeconds) {
    if (delaySeconds < 0 || delaySeconds > DELAY_SECONDS_MAX) {
      throw new IllegalArgumentException("a delay is 0 to " + DELAY_SECONDS_MAX + " s");
    }
    Instant now = now();
    String id = environment.ids().token();
    database.write(
        "send",
        connection ->
            connection.update(
                SEND,
                rule.name(),
                id,
                text,
                after(now, delaySeconds),
                after(now, rule.keptSeconds())),
        database.messages());
  }

  List<Held> receive(int max, int waitSeconds) {
    return receive(List.of(this), max, waitSeconds);
  }

  /// Messages of the first of several queues of a store that has any.
  static List<Held> receive(List<MessageRows> queues, int max, int waitSeconds) {
    MessageRows any = queues.getFirst();
    Instant end = any.now().plusSeconds(waitSeconds);
    while (true) {
      long rings = any.database.messages().rings();
      Optional<Instant> next = Optional.empty();
      Instant now = any.now();
      for (MessageRows queue : queues) {
        Optional<Instant> first = queue.nextVisible();
        if (first.filter(at -> !at.isAfter(now)).isPresent()) {
          Optional<Duration> pause = queue.pause(now);
          List<Held> taken = pause.isPresent() ? List.of() : queue.take(max, now);
          if (!taken.isEmpty()) {
            return taken;
          }
          first = pause.map(now::plus).or(queue::nextVisible);
        }
        next = Stream.concat(next.stream(), first.stream()).min(Comparator.naturalOrder());
      }
      if (next.filter(at -> !at.isAfter(now)).isEmpty()) {
        if (!now.isBefore(end)) {
          return List.of();
        }
        any.await(rings, Duration.between(now, next.filter(end::isAfter).orElse(end)));
      }
    }
  }

  private void await(long rings, Duration longest) {
    try {
      environment.waits().await(database.messages(), rings, longest);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PortUnavailable("receive was interrupted", e);
    }
  }

  private Optional<Instant> nextVisible() {
    return database
        .read(
            "receive",
            connection ->
                connection.row(
                    found -> Optional.ofNullable(found.getString(1)), NEXT_VISIBLE, rule.name()))
        .flatMap(millis -> millis)
        .map(millis -> Instant.ofEpochMilli(Long.parseLong(millis)));
  }

  /// How long to wait for room; empty when there is some.
  private Optional<Duration> pause(Instant now) {
    return pace.flatMap(
        items -> {
          int held = database.read("receive", connection -> held(connection, now));
          return items.room(now, held) > 0 ? Optional.empty() : Optional.of(items.pause(held));
        });
  }

  private int held(StoreConnection connection, Instant now) throws SQLException {
    return connection
        .row(found -> found.getInt(1), HELD, rule.name(), now.toEpochMilli())
        .orElseThrow();
  }

  private int room(StoreConnection connection, int max, Instant now) throws SQLException {
    return pace.isEmpty() ? max : Math.min(max, pace.get().room(now, held(connection, now)));
  }

  /// Up to `max` messages that are visible now, but for those others were quicker to take.
  private List<Held> take(int max, Instant now) {
    Taken taken =
        database.write(
            "receive",
            connection -> {
              int moved = move(connection, now);
              Instant begun = now();
              List<Message> messages =
                  connection.rows(
                      Message::of,
                      VISIBLE,
                      rule.name(),
                      now.toEpochMilli(),
                      Math.max(0, room(connection, max, begun)));
              for (Message message : messages) {
                connection.update(TAKE, after(now, rule.hiddenSeconds()), message.number());
                pace.ifPresent(items -> items.handed(message.id(), begun));
              }
              return new Taken(
                  messages.stream().map(message -> message.held(rule.name())).toList(), moved);
            });
    if (taken.moved() > 0) {
      database.messages().ring();
    }
    return taken.messages();
  }

  /// Moves what was received too often to the dead letters.
  private int move(StoreConnection connection, Instant now) throws SQLException {
    if (rule.deadLetters().isEmpty()) {
      return 0;
    }
    QueueRule.DeadLetters dead = rule.deadLetters().get();
    return connection.update(
        MOVE,
        dead.queue().name(),
        now.toEpochMilli(),
        after(now, dead.queue().keptSeconds()),
        rule.name(),
        now.toEpochMilli(),
        dead.receivesMax(),
        MOVES_MAX);
  }

  /// Hides messages for `seconds` from now on, and says which of them others hold by now.
  List<Held> extend(List<Held> messages, int seconds) {
    Instant now = now();
    return database.write(
        "extend",
        connection -> {
          List<Held> lost = new ArrayList<>();
          for (Held message : messages) {
            int hidden =
                connection.update(
                    EXTEND,
                    after(now, seconds),
                    message.id(),
                    rule.name(),
                    message.delivery(),
                    now.toEpochMilli());
            if (hidden == 0) {
              lost.add(message);
            }
          }
          return lost;
        },
        database.messages());
  }

  /// Shows again all that was received and is still hidden, because nobody has it any more.
  void giveBack() {
    long now = now().toEpochMilli();
    database.write(
        "give back",
        connection -> connection.update(GIVE_BACK, now, rule.name()),
        database.messages());
  }

  void delete(Held message) {
    pace.ifPresent(items -> items.over(message.id()));
    Bell[] waiting = pace.isPresent() ? new Bell[] {database.messages()} : new Bell[0];
    database.write(
        "delete",
        connection -> connection.update(DELETE, message.id(), rule.name(), message.delivery()),
        waiting);
  }

  /// How many messages are visible, and how many are held.
  <T> T depth(StoreConnection.Row<T> row) {
    long now = now().toEpochMilli();
    return database
        .read("depth", connection -> connection.row(row, DEPTH, now, rule.name()))
        .orElseThrow();
  }

  private Instant now() {
    return environment.clock().instant();
  }

  private static long after(Instant now, int seconds) {
    return now.plusSeconds(seconds).toEpochMilli();
  }

  /// A message as one who received it holds it.
  ///
  /// @param queue its name
  /// @param delivery how often it was received, this time included
  record Held(String queue, String id, String text, int delivery) {}

  private record Taken(List<Held> messages, int moved) {}

  private record Message(long number, String id, String body, int receives) {
    static Message of(ResultSet found) throws SQLException {
      return new Message(found.getLong(1), found.getString(2), found.getString(3), found.getInt(4));
    }

    /// The message as it is delivered now.
    Held held(String queue) {
      return new Held(queue, id, body, receives + 1);
    }
  }
}
