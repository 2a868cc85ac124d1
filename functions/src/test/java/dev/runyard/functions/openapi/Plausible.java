package dev.runyard.functions.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.testkit.openapi.DescribedOperation;
import java.util.List;
import java.util.Random;

/// Makes the names in a generated body those of things that there are, where they are texts, so
/// that what else is in it is looked at.
final class Plausible {
  private static final List<String> AGENTS = List.of("echo", "pi", "codex");
  private static final List<String> SOURCES = List.of("git", "upload", "session", "run", "none");
  private static final List<String> BOUNDS = List.of("max_turns", "max_tokens", "max_cost_usd");

  private static final String URL = "https://hooks.example.com/";
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

  private Plausible() {}

  static void make(DescribedOperation operation, ObjectNode body, Random random) {
    switch (operation.id()) {
      case "submitRun" -> submit(body, random);
      case "createWebhook", "changeWebhook" -> name(body, "url", URL);
      case "createHook", "changeHook" -> hook(body);
      case "acpCreateRun" -> {
        name(body, "agent_name", "echo");
        body.remove(random.nextBoolean() ? "config" : "session");
        if (body.path("session").isObject()) {
          ((ObjectNode) body.get("session")).remove("history");
          body.remove("session_id");
        }
      }
      case "acpResumeRun" -> body.remove("run_id");
      case "addJobItems" -> body.putArray("items").addObject().put("prompt", "hi");
      case "publishRun" -> publish(body);
      case "makeKey" -> name(body, "tenant", "default");
      default -> {}
    }
  }

  private static void submit(ObjectNode body, Random random) {
    name(body, "agent", AGENTS.get(random.nextInt(AGENTS.size())));
    body.remove(List.of("extensions", "requires"));
    if (random.nextInt(4) > 0) {
      body.remove("env");
      body.remove(BOUNDS);
    }
    if (body.path("webhook") instanceof ObjectNode webhook) {
      name(webhook, "url", URL);
      name(webhook, "secret", SECRET);
    }
    if (body.path("workspace") instanceof ObjectNode workspace) {
      name(body, "agent", "pi");
      List<String> sources = SOURCES.stream().filter(workspace::hasNonNull).toList();
      sources.stream().skip(1).forEach(workspace::remove);
      if (sources.isEmpty()) {
        workspace.put("none", true);
      }
      if (workspace.path("git") instanceof ObjectNode git) {
        name(git, "url", "https://github.com/acme/shop");
        name(git, "ref", "main");
        name(git, "credential", "GIT");
      }
      if (workspace.path("publish") instanceof ObjectNode publish) {
        publish(publish);
      }
    }
  }

  private static void hook(ObjectNode body) {
    name(body, "name", "issues");
    name(body, "secret", "GITHUB");
    if (body.path("run").isObject()) {
      body.putObject("run").put("agent", "echo").put("prompt", "{{/issue/title}}");
    }
    body.remove("allow");
    if (body.path("sender").asText().equals("hmac")) {
      name(body, "sender", "github");
    }
    body.remove("hmac");
    for (JsonNode filter : body.path("when")) {
      if (filter instanceof ObjectNode test) {
        test.remove(List.of("header", "in", "exists", "contains"));
        name(test, "pointer", "/action");
      }
    }
  }

  private static void publish(ObjectNode publish) {
    if (publish.path("branch").asText().length() < 200) {
      name(publish, "branch", "fix");
    }
    name(publish, "credential", "GIT");
  }

  private static void name(ObjectNode of, String member, String name) {
    if (of.path(member).isTextual()) {
      of.put(member, name);
    }
  }
}
