package dev.runyard.local.model;

/// One instruction to the scripted model, found in a prompt between `[[` and `]]`.
///
/// `source` is the text between the brackets, unchanged.
public sealed interface Directive {

  String source();

  /// Runs a command with the agent's shell tool.
  record Sh(String source, String command) implements Directive {}

  /// Writes a file with the agent's own tool for files, or with its shell when it has none.
  record Write(String source, String file, String text) implements Directive {}

  /// Calls a tool by name. `arguments` is a JSON object, or plain text for a free-form tool.
  record Call(String source, String tool, String arguments) implements Directive {}

  /// Answers with a text, sent in one delta.
  record Say(String source, String text) implements Directive {}

  /// Answers with a text sent in `deltas` pieces, `pauseMillis` apart.
  record Slow(String source, int deltas, int pauseMillis, String text) implements Directive {}

  /// Reasons before the rest of the step.
  record Think(String source, String text) implements Directive {}

  /// Sets the tokens the step reports.
  record Usage(String source, Tokens tokens) implements Directive {}

  /// Waits before the step is answered.
  record Delay(String source, int millis) implements Directive {}

  /// Answers with an HTTP error: the first `times` requests of the step, or all when it is 0.
  record Status(String source, int code, int times) implements Directive {
    boolean always() {
      return times == 0;
    }
  }

  /// Sends the step so far, then the provider's own report of a failure with this code.
  record Fail(String source, String code) implements Directive {}

  /// Sends the step so far, then nothing, and keeps the connection open.
  record Hang(String source) implements Directive {}

  /// Sends the step so far, then breaks the connection.
  record Drop(String source) implements Directive {}

  /// A known word with an invalid body; `expected` is the form to write.
  record Unclear(String source, String expected) implements Directive {}
}
