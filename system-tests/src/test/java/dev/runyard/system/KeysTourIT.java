package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The tour of a stack that takes keys: its operator gives one to a tenant, which uses it over HTTP
/// and from the command line. [BrowserIT] and [AcpClientIT] do so from a page and with the
/// protocol's client.
final class KeysTourIT {
  private static final String SCOPES = "runs:read,runs:write,agents:read";

  @TempDir private Path folder;

  private record Said(int status, String out, String err) {}

  @Test
  void aTenantUsesTheKeyItWasGiven() throws Exception {
    try (SystemStack stack = SystemStack.start(StackFolder.in(folder), "--access", "keys")) {
      String key =
          stack
              .command(
                  folder,
                  "keys",
                  "create",
                  "--tenant",
                  "acme",
                  "--name",
                  "tour",
                  "--scopes",
                  SCOPES)
              .strip();
      assertTrue(key.matches("ry_[0-9A-Za-z]{36}"), "the key and nothing else is printed");
      try (Api tenant = stack.as(key);
          Api stranger = stack.as(key.replaceFirst("ry_.", "ry_-"))) {
        overHttp(tenant, stranger);
        String run = fromTheCommandLine(stack, key, tenant);
        assertEquals(200, tenant.get("/v1/runs/" + run).status());
        assertEquals(404, stack.api().get("/v1/runs/" + run).status());
      }
      JsonNode listed =
          Api.JSON
              .readTree(stack.command(folder, "keys", "list", "--tenant", "acme", "-o", "json"))
              .path("keys");
      assertEquals(1, listed.size(), listed::toString);
      String id = listed.path(0).path("id").asText();
      assertEquals(
          "revoked " + id, stack.command(folder, "keys", "revoke", id, "--tenant", "acme").strip());
      assertFalse(Files.readString(folder.resolve("stack.log")).contains(key));
    }
  }

  private static void overHttp(Api tenant, Api stranger) throws Exception {
    String run = tenant.run(Api.echo(3, 0, ""));
    assertEquals("completed", tenant.ended(run).path("status").asText());
    try (Api.Live live = tenant.stream(run, 0, true)) {
      assertTrue(Api.isTerminal(live.next(100).getLast()));
    }
    Api.Answer unknown = stranger.get("/v1/runs/" + run);
    assertEquals(401, unknown.status());
    assertEquals("unauthenticated", unknown.code());
    assertEquals(403, tenant.get("/v1/keys").status());
  }

  /// Logs in with the key, and works; with no key nothing works.
  private String fromTheCommandLine(SystemStack stack, String key, Api tenant) throws Exception {
    String url = stack.api().uri().toString();
    assertEquals(0, command(Map.of(), key + "\n", "login", "--url", url).status());
    Said watched = command(Map.of(), "", "run", "echo", "hello", "--watch");
    assertEquals(0, watched.status(), watched::toString);
    String run = command(Map.of("RUNYARD_TOKEN", key), "", "run", "echo", "hi").out().strip();
    tenant.listed(run, "limit=100");
    Said listed = command(Map.of(), "", "list");
    assertTrue(listed.out().contains(run), listed::toString);
    Said keys = command(Map.of(), "", "keys", "list");
    assertEquals(2, keys.status(), keys::toString);
    assertTrue(keys.err().contains("scope_missing"), keys::toString);
    Said doctor = command(Map.of(), "", "doctor");
    assertTrue(doctor.out().contains("key or token (profile default)  " + url), doctor::toString);
    Said forged = command(Map.of("RUNYARD_TOKEN", "ry_forged"), "", "list");
    assertEquals(2, forged.status(), forged::toString);
    assertFalse((watched + "" + listed + keys + doctor).contains(key));
    return run;
  }

  /// A command of somebody who has no access token of the stack.
  private Said command(Map<String, String> variables, String input, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = CommandLine.of(folder, List.of(arguments));
    builder.environment().put("RUNYARD_CACHE", folder.resolve("nobody").toString());
    builder.environment().put("RUNYARD_CONFIG", folder.resolve("config").toString());
    builder.environment().putAll(variables);
    Path errors = Files.createTempFile(folder, "errors-", ".txt");
    Process process = builder.redirectError(errors.toFile()).start();
    try (var out = process.getOutputStream()) {
      out.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), printed, Files.readString(errors));
  }
}
