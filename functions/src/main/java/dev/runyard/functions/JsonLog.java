package dev.runyard.functions;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.function.Consumer;

/// The log: one JSON object on one line for each request and each failure. It contains codes, ids
/// and durations, and never what a caller or an agent wrote: of an exception it has the class and
/// the stack, not the message.
public final class JsonLog {
  private static final int FRAMES_MAX = 8;

  private final PrintStream out;
  private final String function;

  /// A log to standard output, where Lambda takes it from.
  public JsonLog(String function) {
    this(function, System.out);
  }

  public JsonLog(String function, PrintStream out) {
    this.function = function;
    this.out = out;
  }

  public void info(String event, Consumer<ObjectNode> members) {
    write("INFO", event, members);
  }

  /// Something went wrong without an exception.
  public void error(String event, Consumer<ObjectNode> members) {
    write("ERROR", event, members);
  }

  public void failure(String event, Throwable cause, Consumer<ObjectNode> members) {
    write(
        "ERROR",
        event,
        line -> {
          members.accept(line);
          line.put("exception", cause.getClass().getName());
          Throwable root = cause.getCause();
          if (root != null) {
            line.put("cause", root.getClass().getName());
          }
          var places = line.putArray("at");
          Arrays.stream(cause.getStackTrace())
              .limit(FRAMES_MAX)
              .forEach(
                  frame ->
                      places.add(
                          frame.getClassName()
                              + "."
                              + frame.getMethodName()
                              + ":"
                              + frame.getLineNumber()));
        });
  }

  private void write(String level, String event, Consumer<ObjectNode> members) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("level", level).put("function", function).put("event", event);
    members.accept(line);
    out.println(line);
  }
}
