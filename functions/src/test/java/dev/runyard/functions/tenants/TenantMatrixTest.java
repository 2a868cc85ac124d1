package dev.runyard.functions.tenants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.functions.tenants.Belongings.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Every route of both functions is called with every kind of id of another tenant. The routes come
/// from the functions, so a new one is tested too.
final class TenantMatrixTest {
  private static final String OWNER = "owner";
  private static final String STRANGER = "stranger";
  private static final Pattern PARAMETER = Pattern.compile("\\{[^}]+}");
  private static final String PLACE = "<id>";

  /// Routes that answer about no tenant's belongings.
  private static final Set<String> OF_EVERYBODY =
      Set.of("GET /v1/agents/{kind}", "GET /agents/{name}");

  /// An upload that was never ordered is one that waits for its bytes: nothing is kept of an order.
  private static final Set<String> WITHOUT_RECORDS = Set.of("GET /v1/uploads/{id}");

  /// Open to whoever proves to be the sender; to others a hook is one that never was.
  private static final Set<String> OPEN_TO_SENDERS = Set.of("POST /v1/hooks/{id}");

  private ClientFunctions functions;
  private String owner = "";
  private String stranger = "";
  private Belongings belongings;

  @BeforeEach
  void open() throws Exception {
    functions = new ClientFunctions();
    owner = functions.key(OWNER);
    stranger = functions.key(STRANGER);
    belongings = Belongings.of(functions, OWNER, owner);
  }

  @AfterEach
  void close() {
    functions.close();
  }

  @Test
  void answersAStrangerAsIfTheIdsOfOthersHadNeverBeen() throws Exception {
    Map<String, Integer> calls = new TreeMap<>();
    for (String route : functions.routes()) {
      for (Kind kind : belongings.ids()) {
        for (List<String> paths : paths(route, kind)) {
          ClientFunctions.Answer owned = call(stranger, route, paths.getFirst());
          ClientFunctions.Answer never = call(stranger, route, paths.getLast());
          String what = route + " with the id of another's " + kind.name();
          assertEquals(
              never.body().replace(kind.never(), PLACE),
              owned.body().replace(kind.owned(), PLACE),
              what);
          assertEquals(never.status(), owned.status(), what);
          assertFalse(owned.body().contains(Belongings.MARK), what);
          if (!WITHOUT_RECORDS.contains(route)) {
            assertTrue(
                Set.of(404, 405, 422).contains(owned.status()), what + ": " + owned.status());
          }
          calls.merge(route, 1, Integer::sum);
        }
      }
    }
    System.out.printf(
        "tenants: %d routes, %d kinds of ids, %d calls, 0 leaks%n",
        functions.routes().size(),
        belongings.ids().size(),
        calls.values().stream().mapToInt(Integer::intValue).sum());
  }

  /// Without this, an id of the wrong form would pass for one that is hidden.
  @Test
  void tellsTheOwnerOfEachRouteWhatIsThere() throws Exception {
    Set<String> untested = new TreeSet<>();
    for (String route : functions.routes()) {
      if (PARAMETER.matcher(route).find()
          && !OF_EVERYBODY.contains(route)
          && !OPEN_TO_SENDERS.contains(route)
          && !reaches(route)) {
        untested.add(route);
      }
    }
    assertEquals(
        Set.of(),
        untested,
        "add to Belongings what these routes are about, and the body with which they do something");
  }

  private boolean reaches(String route) throws IOException, InterruptedException {
    for (Kind kind : belongings.ids()) {
      for (List<String> paths : paths(route, kind)) {
        String never = call(owner, route, paths.getLast()).body();
        String there = call(owner, route, paths.getFirst()).body();
        if (!there.replace(kind.owned(), PLACE).equals(never.replace(kind.never(), PLACE))) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void listsNothingOfOthers() throws Exception {
    for (String route : functions.routes()) {
      if (route.startsWith("GET ") && !PARAMETER.matcher(route).find()) {
        String body = call(stranger, route, path(route)).body();
        assertFalse(body.contains(Belongings.MARK), route);
        for (Kind kind : belongings.ids()) {
          assertFalse(body.contains(kind.owned()), route + " names another's " + kind.name());
        }
      }
    }
    assertTrue(call(owner, "GET /v1/runs", "/v1/runs").body().contains(Belongings.MARK));
  }

  @Test
  void beginsNoRunWithWhatIsOfOthers() throws Exception {
    Map<String, String> workspaces =
        Map.of("ended run", "{\"run\":\"%s\"}", "upload", "{\"upload\":{\"id\":\"%s\"}}");
    int tried = 0;
    for (Kind kind : belongings.ids()) {
      String workspace = workspaces.get(kind.name());
      if (workspace != null) {
        String with = workspace.formatted(kind.owned());
        ClientFunctions.Answer owned = submit(stranger, with);
        ClientFunctions.Answer never = submit(stranger, workspace.formatted(kind.never()));
        assertEquals(never.body(), owned.body(), kind.name());
        assertTrue(owned.status() >= 400, owned.body());
        assertEquals(202, submit(owner, with).status(), kind.name());
        tried++;
      }
    }
    assertEquals(workspaces.size(), tried);
  }

  private ClientFunctions.Answer submit(String key, String workspace)
      throws IOException, InterruptedException {
    return functions.call(
        key,
        "POST /v1/runs",
        "/v1/runs",
        "{\"agent\":\"codex\",\"prompt\":\"hi\",\"workspace\":" + workspace + "}");
  }

  /// The same session id, key and cursor mean something else for each tenant.
  @Test
  void keepsSessionsKeysAndCursorsApart() throws Exception {
    String session = "\"session_id\":\"shared\"";
    String first = run(owner, session);
    String second = run(stranger, session);
    assertNotEquals(first, second);
    functions.useCases.projectRun().project(new RunKey(OWNER, first));
    functions.useCases.projectRun().project(new RunKey(STRANGER, second));
    String listed = call(stranger, "GET /v1/runs", "/v1/runs").body();
    assertTrue(listed.contains(second), listed);
    assertFalse(listed.contains(first), listed);
  }

  private String run(String key, String more) throws IOException, InterruptedException {
    String body =
        functions
            .call(
                key,
                "POST /v1/runs",
                "/v1/runs",
                "{\"agent\":\"echo\",\"prompt\":\"hi\"," + more + "}")
            .body();
    return body.replaceAll(".*\"run_id\":\"([^\"]+)\".*", "$1");
  }

  /// Each parameter of the route in turn has the id of `kind`, or one of its kind that never was;
  /// the others have ids of what the owner has.
  private List<List<String>> paths(String route, Kind kind) {
    List<List<String>> pairs = new ArrayList<>();
    List<String> parameters =
        PARAMETER.matcher(route).results().map(found -> found.group()).toList();
    for (String parameter : parameters) {
      String others = path(route);
      for (String other : parameters) {
        if (!other.equals(parameter)) {
          others = others.replace(other, belongings.companion(route, other));
        }
      }
      pairs.add(
          List.of(
              others.replace(parameter, kind.owned()), others.replace(parameter, kind.never())));
    }
    return pairs;
  }

  private static String path(String route) {
    Matcher path = Pattern.compile("[A-Z]+ (.*)").matcher(route);
    return path.matches() ? path.group(1) : route;
  }

  private ClientFunctions.Answer call(String key, String route, String path)
      throws IOException, InterruptedException {
    return functions.call(key, route, path, Belongings.BODIES.getOrDefault(route, "{}"));
  }
}
