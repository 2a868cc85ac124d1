package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.ItemIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TaskIds;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.job.JobCodec;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.stream.ToldFact;
import dev.runyard.core.task.TaskCodec;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// docs/events.md against the events there are.
@Reads("docs/events.md")
final class EventsCatalogueTest {
  private static final Requester BY = new Requester("key:k1", "r-1");
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final Set<String> WRITERS = Set.of("api", "runner", "advance");

  @Gate
  @Breach(
      replace = "`delaySeconds` `resend`",
      by = "`delaySeconds`",
      named = "task.queued=attempt delaySeconds behind? form? / yes")
  @Breach(
      replace = "| advance | no | runners do not start",
      by = "| advance | yes | runners do not start",
      named = "task.blocked=cause error / yes")
  @Breach(replace = "| `run.status` |", by = "| `run.state` |", named = "run.state=phase / no")
  void listsEveryTypeWithItsPayloadAndWhetherItChangesState(Repository repository)
      throws Exception {
    var written = new TreeMap<String, String>();
    for (List<String> row : page(repository).table("Types")) {
      String type = Page.codes(row.get(0)).getFirst();
      written.put(type, String.join(" ", Page.codes(row.get(1))) + " / " + row.get(3));
    }
    var known = new TreeMap<String, String>();
    for (RunEvent event : events()) {
      known.put(
          EventTypes.nameOf(event),
          String.join(" ", members(event.getClass()))
              + " / "
              + (event instanceof RunEvent.StateChange ? "yes" : "no"));
    }
    assertEquals(known, written);
  }

  @Gate
  @Breach(replace = "| api | yes |", by = "| nobody | yes |", named = "nobody")
  void namesAWriterOfEveryType(Repository repository) {
    for (List<String> row : page(repository).table("Types")) {
      List<String> writers = List.of(row.get(2).split(", ", -1));
      assertTrue(WRITERS.containsAll(writers), row.toString());
    }
  }

  /// An attempt is alive by what its runner alone writes, and never by what others write alone.
  @Gate
  @Breach(replace = "| `phase` | runner |", by = "| `phase` | advance |", named = "run.status")
  @Breach(replace = "| advance | no |", by = "| runner | no |", named = "task.blocked")
  void agreesOnWhatShowsAnAttemptAlive(Repository repository) throws Exception {
    var writers = new TreeMap<String, String>();
    page(repository)
        .table("Types")
        .forEach(row -> writers.put(Page.codes(row.get(0)).getFirst(), row.get(2)));
    for (RunEvent event : events()) {
      String by = writers.getOrDefault(EventTypes.nameOf(event), "");
      boolean alive = event instanceof RunEvent.SignOfLife;
      assertTrue(alive ? by.contains("runner") : !by.equals("runner"), EventTypes.nameOf(event));
    }
  }

  @Gate
  @Breach(
      replace = "| `code` `category` `message` |",
      by = "| `code` `message` |",
      named = "Failure=[code, message]")
  void describesTheShapesInsidePayloads(Repository repository) {
    var written = new TreeMap<String, List<String>>();
    page(repository)
        .table("Shapes inside payloads")
        .forEach(row -> written.put(Page.codes(row.get(0)).getFirst(), Page.codes(row.get(1))));
    var known = new TreeMap<String, List<String>>();
    for (String name : EventTypes.names()) {
      addShapes(Objects.requireNonNull(EventTypes.typeOf(name)), known);
    }
    assertEquals(known, written);
  }

  @Gate
  @Breach(replace = "| `traceId` |", by = "| `trackId` |", named = "trackId")
  void describesEveryMemberOfTheEnvelope(Repository repository) throws Exception {
    Set<String> known = new HashSet<>();
    for (RunEvent event : events()) {
      known.addAll(envelope(event));
    }
    List<String> written =
        page(repository).table("Envelope").stream()
            .map(row -> Page.codes(row.get(0)).getFirst())
            .toList();
    assertEquals(known, Set.copyOf(written));
  }

  @Gate
  @Breach(replace = "\"taskId\":\"task-", by = "\"taskId\":\"", named = "task-019c")
  void showsAnEventAsItIsStored(Repository repository) throws IOException {
    String example = page(repository).json();
    StoredEvent read =
        EventCodec.RUNS.decode(RUN, example.getBytes(StandardCharsets.UTF_8)).getFirst();
    assertEquals(example, EventCodec.RUNS.json(read));
  }

  @Gate
  @Breach(replace = "| `job.item.started` |", by = "| `job.item.begun` |", named = "job.item.begun")
  void listsEveryTypeOfAJob(Repository repository) {
    assertEquals(
        JobCodec.types(),
        page(repository).table("Events of jobs").stream()
            .map(row -> Page.codes(row.getFirst()).getFirst())
            .sorted()
            .toList());
  }

  @Gate
  @Breach(replace = "| `task.delegated` |", by = "| `task.entrusted` |", named = "task.entrusted")
  void listsEveryTypeOfATask(Repository repository) {
    assertEquals(
        TaskCodec.types(),
        page(repository).table("Events of tasks").stream()
            .map(row -> Page.codes(row.getFirst()).getFirst())
            .sorted()
            .toList());
  }

  @Gate
  @Breach(replace = "| `output.expired` |", by = "| `output.gone` |", named = "output.gone")
  @Breach(replace = "| `after` `events` |", by = "| `events` |", named = "[events]")
  void listsWhatReadersAreTold(Repository repository) {
    List<ToldFact> facts =
        List.of(
            new ToldFact.WindowLoaded(0, 0),
            new ToldFact.Expired(0, 1),
            new ToldFact.Repaired("", ToldFact.Reason.AHEAD, null),
            new ToldFact.Updated(""));
    assertEquals(ToldFact.class.getPermittedSubclasses().length, facts.size());
    var known = new TreeMap<String, List<String>>();
    facts.forEach(fact -> known.put(fact.type(), members(fact.getClass())));
    var written = new TreeMap<String, List<String>>();
    page(repository)
        .table("Told to readers")
        .forEach(row -> written.put(Page.codes(row.get(0)).getFirst(), Page.codes(row.get(1))));
    assertEquals(known, written);
  }

  private static Page page(Repository repository) {
    return Page.of(repository, "docs/events.md");
  }

  /// The records inside a record, at any depth, with their members.
  private static void addShapes(Class<?> record, Map<String, List<String>> shapes) {
    for (RecordComponent member : record.getRecordComponents()) {
      Type type = member.getGenericType();
      Type part = type instanceof ParameterizedType list ? list.getActualTypeArguments()[0] : type;
      if (part instanceof Class<?> shape
          && shape.isRecord()
          && shapes.put(shape.getSimpleName(), members(shape)) == null) {
        addShapes(shape, shapes);
      }
    }
  }

  private static List<RunEvent> events() throws ReflectiveOperationException {
    List<RunEvent> events = new ArrayList<>();
    for (String name : EventTypes.names()) {
      Class<?> type = Objects.requireNonNull(EventTypes.typeOf(name));
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      @Nullable Object[] values =
          Arrays.stream(types).map(EventsCatalogueTest::empty).toArray(Object[]::new);
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      events.add((RunEvent) constructor.newInstance(values));
    }
    return events;
  }

  private static @Nullable Object empty(Class<?> type) {
    if (type == String.class) {
      return "";
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
  }

  private static List<String> members(Class<?> record) {
    return Arrays.stream(record.getRecordComponents())
        .map(
            member ->
                member.getAnnotatedType().isAnnotationPresent(Nullable.class)
                    ? member.getName() + "?"
                    : member.getName())
        .toList();
  }

  private static List<String> envelope(RunEvent event) throws IOException {
    TurnIds turn =
        new TurnIds(
            "s1",
            "thread-s1",
            "turn-1",
            "4bf92f3577b34da6a3ce929d0e0e4736",
            new ItemIds("j1", 1),
            new TaskIds("t1", "t0"));
    StoredEvent stored = new StoredEvent(RUN, turn, "a1", 1, Instant.EPOCH, event, BY);
    JsonNode node = JsonFormat.JSON.readTree(EventCodec.RUNS.json(stored));
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
