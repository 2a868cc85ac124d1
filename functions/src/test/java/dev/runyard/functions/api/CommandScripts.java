package dev.runyard.functions.api;

import dev.runyard.core.runtime.CommandNames;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// What is done to see every answer of each command.
final class CommandScripts {
  private static final String T = "\"thread_id\":\"t-1\"";
  private static final String NO_T = "\"thread_id\":\"t-9\"";
  private static final String J = "\"job_id\":\"j1\"";
  private static final String NO_J = "\"job_id\":\"none\"";
  private static final String X = "\"task_id\":\"x\"";
  private static final String NO_X = "\"task_id\":\"none\"";
  private static final String WHY = ",\"reason\":\"r\"";
  private static final String ITEMS = ",\"items\":[{\"prompt\":\"c\"}]";

  private CommandScripts() {}

  static Map<String, Consumer<CommandWorld>> all() {
    Map<String, Consumer<CommandWorld>> scripts = new HashMap<>();
    CommandNames.UNAVAILABLE.forEach(
        name -> scripts.put(name, world -> world.says("unavailable", name, "\"anything\":1")));
    turns(scripts);
    queue(scripts);
    reads(scripts);
    jobs(scripts);
    TaskCommandScripts.addTo(scripts);
    return scripts;
  }

  private static String turn(String name) {
    return T + ",\"turn_id\":\"" + name + "\"";
  }

  private static void turns(Map<String, Consumer<CommandWorld>> scripts) {
    scripts.put(
        "submit_turn",
        world -> {
          String run = "\"agent\":\"echo\",\"prompt\":\"hi\",\"thread_id\":\"t-1\"";
          world.says("accepted", "submit_turn", run + ",\"turn_id\":\"a\"");
          world.says("accepted", "submit_turn", run + ",\"turn_id\":\"a\"");
          world.says("queued", "submit_turn", run + ",\"turn_id\":\"b\"");
          world.says("thread_busy", "submit_turn", run + ",\"busy\":\"reject\"");
          world.says("unsupported_capability", "submit_turn", run + ",\"busy\":\"steer\"");
          world.says(
              "idempotency_mismatch",
              "submit_turn",
              run + ",\"turn_id\":\"a\",\"tags\":{\"x\":\"y\"}");
          world.says("task_not_found", "submit_turn", run + ",\"task_id\":\"none\"");
        });
    scripts.put(
        "interrupt_turn",
        world -> {
          world.says("thread_not_found", "interrupt_turn", NO_T);
          String a = world.turn("echo", "a");
          world.says("turn_not_found", "interrupt_turn", turn("z"));
          world.says("accepted", "interrupt_turn", turn("a"), "k");
          world.end(a);
          world.says("no_op", "interrupt_turn", turn("a"), "k");
          world.says("no_op", "interrupt_turn", T);
          world.says("idempotency_mismatch", "interrupt_turn", T, "k");
        });
    scripts.put(
        "respond_action",
        world -> {
          String action = world.asked();
          String params = "\"action_id\":\"%s\",\"decision\":\"answer\",\"payload\":\"this\"";
          world.says("done", "respond_action", params.formatted(action));
          world.says("action_decided", "respond_action", params.formatted(action));
          world.says("action_not_found", "respond_action", params.formatted("none"));
        });
    for (String name : new String[] {"resume_thread", "rollback_thread"}) {
      scripts.put(
          name,
          world -> {
            world.says("thread_not_found", name, NO_T + ",\"turn_id\":\"a\"");
            world.taken("a");
            world.taken("b");
            world.says("turn_not_found", name, turn("z"));
            world.says("done", name, turn("a"), "k");
            world.says("no_op", name, turn("a"));
            world.says("idempotency_mismatch", name, turn("b"), "k");
            String c = world.turn("pi", "c");
            world.says("thread_busy", name, turn("a"), "other");
            world.end(c);
            world.says("unavailable", name, turn("c"));
          });
    }
  }

  private static void queue(Map<String, Consumer<CommandWorld>> scripts) {
    for (String name : new String[] {"remove_queued_turn", "promote_queued_turn"}) {
      scripts.put(
          name,
          world -> {
            world.says("thread_not_found", name, NO_T + ",\"turn_id\":\"a\"");
            world.turn("echo", "a");
            world.turn("echo", "b");
            world.turn("echo", "c");
            world.says("turn_not_found", name, turn("z"));
            world.says("turn_not_queued", name, turn("a"));
            world.says("done", name, turn("c"), "k");
            world.says("no_op", name, turn("c"), "k");
            world.says("no_op", name, turn("c"));
            world.says("idempotency_mismatch", name, turn("b"), "k");
          });
    }
  }

  private static void reads(Map<String, Consumer<CommandWorld>> scripts) {
    scripts.put(
        "get_session",
        world -> {
          String session = "\"session_id\":\"s-1\"";
          world.says("session_not_found", "get_session", session);
          world.project(world.turn("echo", "a"));
          world.says("done", "get_session", session + ",\"limit\":1");
          world.says("done", "get_session", session + ",\"view\":\"lime\"");
          world.says("invalid_cursor", "get_session", session + ",\"cursor\":\"x\"");
        });
    scripts.put(
        "get_thread_read",
        world -> {
          world.says("thread_not_found", "get_thread_read", T);
          world.turn("echo", "a");
          world.says("done", "get_thread_read", T + ",\"limit\":1");
          world.says("done", "get_thread_read", T + ",\"view\":\"lime\"");
          world.says("invalid_cursor", "get_thread_read", T + ",\"cursor\":\"x\"");
        });
    scripts.put(
        "list_jobs",
        world -> {
          world.job(false);
          world.says("done", "list_jobs", "\"limit\":1");
          world.says("invalid_cursor", "list_jobs", "\"cursor\":\"x\"");
        });
    scripts.put(
        "get_job",
        world -> {
          world.job(false);
          world.says("done", "get_job", J);
          world.says("job_not_found", "get_job", NO_J);
        });
    scripts.put(
        "list_tasks",
        world -> {
          world.task("x", "");
          world.says("done", "list_tasks", "\"limit\":1");
          world.says("invalid_cursor", "list_tasks", "\"cursor\":\"x\"");
        });
    scripts.put(
        "get_task",
        world -> {
          world.task("x", "");
          world.says("done", "get_task", X);
          world.says("task_not_found", "get_task", NO_X);
        });
  }

  private static void jobs(Map<String, Consumer<CommandWorld>> scripts) {
    scripts.put(
        "create_job",
        world -> {
          String job = J + ",\"request\":{\"agent\":\"echo\"},\"items\":[{\"prompt\":\"a\"}]";
          world.says("done", "create_job", job);
          world.says("done", "create_job", job);
          world.says("idempotency_mismatch", "create_job", job + ",\"concurrency\":3");
        });
    scripts.put(
        "add_job_items",
        world -> {
          world.says("job_not_found", "add_job_items", NO_J + ITEMS);
          world.job(false);
          world.says("done", "add_job_items", J + ITEMS, "k");
          world.says("idempotency_mismatch", "add_job_items", J + ITEMS.replace("c", "d"), "k");
          world.command("cancel_job", J);
          world.says("job_closed", "add_job_items", J + ITEMS);
        });
    scripts.put(
        "start_job",
        world -> {
          world.says("job_not_found", "start_job", NO_J);
          world.job(false);
          world.says("accepted", "start_job", J);
          world.says("no_op", "start_job", J);
          world.command("cancel_job", J);
          world.says("job_closed", "start_job", J);
        });
    scripts.put(
        "cancel_job",
        world -> {
          world.says("job_not_found", "cancel_job", NO_J);
          world.job(true);
          world.says("accepted", "cancel_job", J + WHY);
          world.says("no_op", "cancel_job", J);
        });
    scripts.put(
        "retry_job_item",
        world -> {
          String name = "retry_job_item";
          world.says("job_not_found", name, NO_J + ",\"item\":1");
          world.job(true);
          world.says("item_not_found", name, J + ",\"item\":9");
          world.says("item_not_failed", name, J + ",\"item\":1");
          world.itemsFail();
          world.says("accepted", name, J + ",\"item\":1", "k");
          world.says("no_op", name, J + ",\"item\":1", "k");
          world.says("idempotency_mismatch", name, J + ",\"item\":2", "k");
          world.command("cancel_job", J);
          world.says("job_closed", name, J + ",\"item\":2");
        });
    scripts.put(
        "report_job_item",
        world -> {
          String name = "report_job_item";
          String note = ",\"note\":\"n\"";
          world.says("job_not_found", name, NO_J + ",\"item\":1" + note);
          world.job(true);
          world.says("item_not_found", name, J + ",\"item\":9" + note);
          world.says("item_not_failed", name, J + ",\"item\":1" + note);
          world.itemsFail();
          world.says("done", name, J + ",\"item\":1" + note, "k");
          world.says("no_op", name, J + ",\"item\":1" + note, "k");
          world.says("idempotency_mismatch", name, J + ",\"item\":2" + note, "k");
          world.command("cancel_job", J);
          world.says("job_closed", name, J + ",\"item\":2" + note);
        });
  }
}
