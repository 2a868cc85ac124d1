package dev.runyard.functions.api;

import java.util.Map;
import java.util.function.Consumer;

/// The part of [CommandScripts] about tasks.
final class TaskCommandScripts {
  private static final String X = "\"task_id\":\"x\"";
  private static final String NO_X = "\"task_id\":\"none\"";
  private static final String WHY = ",\"reason\":\"r\"";

  private TaskCommandScripts() {}

  static void addTo(Map<String, Consumer<CommandWorld>> scripts) {
    tasks(scripts);
    moreOfTasks(scripts);
  }

  private static void tasks(Map<String, Consumer<CommandWorld>> scripts) {
    scripts.put(
        "create_task",
        world -> {
          String task = X + ",\"title\":\"t\"";
          world.says("done", "create_task", task);
          world.says("no_op", "create_task", task);
          world.says("idempotency_mismatch", "create_task", task + ",\"priority\":1");
          String child = "\"title\":\"c\",\"parent_task_id\":\"none\"";
          world.says("task_not_found", "create_task", child);
        });
    scripts.put(
        "update_task",
        world -> {
          world.says("task_not_found", "update_task", NO_X + ",\"title\":\"u\"");
          world.task("x", "");
          world.says("done", "update_task", X + ",\"title\":\"u\"", "k");
          world.says("no_op", "update_task", X + ",\"title\":\"u\"", "k");
          world.says("idempotency_mismatch", "update_task", X + ",\"title\":\"v\"", "k");
          world.command("archive_task", X);
          world.says("task_closed", "update_task", X + ",\"title\":\"w\"");
        });
    scripts.put(
        "start_task",
        world -> {
          world.says("task_not_found", "start_task", NO_X);
          world.task("draft", ",\"draft\":true");
          world.says("task_blocked", "start_task", "\"task_id\":\"draft\"");
          world.task("x", "");
          world.task("y", "");
          world.command("link_tasks", X + ",\"kind\":\"blocks\",\"to\":\"y\"");
          world.says("queued", "start_task", "\"task_id\":\"y\"");
          world.says("accepted", "start_task", X);
          world.says("no_op", "start_task", X);
          world.task("z", "");
          world.command("archive_task", "\"task_id\":\"z\"");
          world.says("task_closed", "start_task", "\"task_id\":\"z\"");
        });
    scripts.put(
        "retry_task",
        world -> {
          world.says("task_not_found", "retry_task", NO_X + WHY);
          world.task("x", "");
          world.command("start_task", X);
          world.taskFails("x");
          world.says("accepted", "retry_task", X + WHY, "k");
          world.says("no_op", "retry_task", X + WHY, "k");
          world.says("idempotency_mismatch", "retry_task", X + ",\"reason\":\"other\"", "k");
          world.says("task_blocked", "retry_task", X + WHY);
          world.task("z", "");
          world.command("archive_task", "\"task_id\":\"z\"");
          world.says("task_closed", "retry_task", "\"task_id\":\"z\"" + WHY);
        });
    scripts.put(
        "cancel_task",
        world -> {
          world.says("task_not_found", "cancel_task", NO_X);
          world.task("x", "");
          world.command("start_task", X);
          world.says("accepted", "cancel_task", X + WHY);
          world.says("no_op", "cancel_task", X);
          world.task("y", "");
          world.command("archive_task", "\"task_id\":\"y\"");
          world.says("task_closed", "cancel_task", "\"task_id\":\"y\"");
        });
    scripts.put(
        "pause_task",
        world -> {
          world.says("task_not_found", "pause_task", NO_X);
          world.task("x", "");
          world.says("done", "pause_task", X + WHY);
          world.says("no_op", "pause_task", X);
          world.task("y", "");
          world.command("start_task", "\"task_id\":\"y\"");
          world.atWork("y");
          world.says("unavailable", "pause_task", "\"task_id\":\"y\"");
          world.command("archive_task", X);
          world.says("task_closed", "pause_task", X);
        });
  }

  private static void moreOfTasks(Map<String, Consumer<CommandWorld>> scripts) {
    scripts.put(
        "resume_task",
        world -> {
          world.says("task_not_found", "resume_task", NO_X);
          world.task("x", "");
          world.says("no_op", "resume_task", X);
          world.command("pause_task", X);
          world.says("done", "resume_task", X);
          world.command("archive_task", X);
          world.says("task_closed", "resume_task", X);
        });
    scripts.put(
        "append_task_progress",
        world -> {
          String name = "append_task_progress";
          String half = ",\"message\":\"half\",\"percent\":50";
          world.says("task_not_found", name, NO_X + half);
          world.task("x", "");
          world.says("done", name, X + half, "k");
          world.says("no_op", name, X + half, "k");
          world.says("idempotency_mismatch", name, X + half.replace("half", "more"), "k");
          world.command("archive_task", X);
          world.says("task_closed", name, X + half);
        });
    scripts.put(
        "complete_task",
        world -> {
          world.says("task_not_found", "complete_task", NO_X);
          world.task("x", "");
          world.command("start_task", X);
          world.says("task_blocked", "complete_task", X);
          world.task("y", "");
          world.says("done", "complete_task", "\"task_id\":\"y\",\"summary\":\"s\"");
          world.says("no_op", "complete_task", "\"task_id\":\"y\"");
          world.task("z", "");
          world.command("archive_task", "\"task_id\":\"z\"");
          world.says("task_closed", "complete_task", "\"task_id\":\"z\"");
        });
    scripts.put(
        "fail_task",
        world -> {
          world.says("task_not_found", "fail_task", NO_X + WHY);
          world.task("x", "");
          world.says("done", "fail_task", X + WHY);
          world.says("no_op", "fail_task", X + WHY);
          world.command("archive_task", X);
          world.says("task_closed", "fail_task", X + WHY);
        });
    scripts.put(
        "archive_task",
        world -> {
          world.says("task_not_found", "archive_task", NO_X);
          world.task("x", "");
          world.says("done", "archive_task", X);
          world.says("no_op", "archive_task", X);
          world.task("y", "");
          world.command("start_task", "\"task_id\":\"y\"");
          world.says("task_blocked", "archive_task", "\"task_id\":\"y\"");
        });
    for (String name : new String[] {"link_tasks", "unlink_tasks"}) {
      String edge = X + ",\"kind\":\"blocks\",\"to\":\"y\"";
      scripts.put(
          name,
          world -> {
            world.says("task_not_found", name, edge);
            world.task("x", "");
            world.task("y", "");
            boolean links = name.equals("link_tasks");
            if (!links) {
              world.command("link_tasks", edge);
            }
            world.says("done", name, edge);
            world.says("no_op", name, edge);
            if (links) {
              world.says("task_cycle", name, edge.replace("blocks", "blocked_by"));
              world.task("z", "");
              world.command("archive_task", X);
              world.says("task_closed", name, edge.replace("\"y\"", "\"z\""));
            }
          });
    }
  }
}
