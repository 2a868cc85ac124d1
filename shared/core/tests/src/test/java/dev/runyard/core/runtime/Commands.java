package dev.runyard.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.submit.RunRequestReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Commands as their bodies are read. The JSON of a test has single quotes.
final class Commands {
  private static final RuntimeCommandReader READER =
      new RuntimeCommandReader(new RunRequestReader(AgentCatalog.builtIn()));

  private Commands() {}

  static RuntimeCommandReader.Result read(String body) {
    return READER.read(quoted(body).getBytes(StandardCharsets.UTF_8));
  }

  static RuntimeCommandReader.Result read(String name, String params) {
    return read("{'command':'%s','params':%s}".formatted(name, params));
  }

  /// The command that these params make.
  static RuntimeCommand command(String name, String params) {
    return switch (read(name, params)) {
      case RuntimeCommandReader.Result.Read(String read, RuntimeCommand command) -> {
        assertEquals(name, read);
        yield command;
      }
      case RuntimeCommandReader.Result.Rejected(Problem problem) ->
          throw new AssertionError(problem.toString());
    };
  }

  static TaskRequest task(String name, String params) {
    return assertInstanceOf(RuntimeCommand.OfTask.class, command(name, params)).request();
  }

  static RuntimeJobCommand job(String name, String params) {
    return assertInstanceOf(RuntimeCommand.OfJob.class, command(name, params)).command();
  }

  static Problem problem(RuntimeCommandReader.Result result) {
    return assertInstanceOf(RuntimeCommandReader.Result.Rejected.class, result).problem();
  }

  /// Asserts that one member of the params is refused.
  static void refused(String name, String params, String pointer, String detail) {
    assertEquals(
        Problem.at(ProblemCode.INVALID_REQUEST, pointer, detail), problem(read(name, params)));
  }

  static void refused(String name, String params, String pointer) {
    assertEquals(List.of(pointer), problem(read(name, params)).pointers(), params);
  }

  static ObjectNode object(String json) {
    try {
      return JsonFormat.JSON.readValue(quoted(json), ObjectNode.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String quoted(String json) {
    return json.replace('\'', '"');
  }
}
