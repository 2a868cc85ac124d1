package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.runner.backend.FakeProgram;
import java.io.IOException;
import java.nio.file.Path;

/// A program in place of an agent of the protocol that works in its own directory.
public final class FakeAcp extends FakeProgram {
  private static final String PROTOCOL =
      """
      id() { printf '%s' "$heard" | sed 's/.*"id":\\([0-9]*\\).*/\\1/'; }
      answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$(id)" "$1"; }
      fail() { printf '{"jsonrpc":"2.0","id":%s,"error":%s}\\n' "$(id)" "$1"; }
      update() {
        printf '{"jsonrpc":"2.0","method":"session/update",'
        printf '"params":{"sessionId":"s-1","update":%s}}\\n' "$1"
      }
      say() {
        update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"'"$1"'"}}'
      }
      ask() {
        printf '{"jsonrpc":"2.0","id":"p-1","method":"session/request_permission","params":'
        printf '{"sessionId":"s-1","toolCall":{"toolCallId":"c-1","title":"touch a",'
        printf '"kind":"execute"},"options":['
        printf '{"optionId":"yes","name":"Yes","kind":"allow_once"},'
        printf '{"optionId":"no","name":"No","kind":"reject_once"}]}}\\n'
      }
      open() {
        hear; answer '{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}'
        hear; answer '{"sessionId":"s-1"}'
      }
      """;

  private FakeAcp(Path directory, String script) throws IOException {
    super(directory, "agent", "cd \"$started\"\n" + HEAR + PROTOCOL + script);
  }

  /// Runs a shell script.
  ///
  /// `hear` reads a line of input, `answer` answers it with a result, `open` agrees on the protocol
  /// and opens a session, `update` sends an update, and `ask` asks for a permission.
  public static FakeAcp running(Path directory, String script) throws IOException {
    return new FakeAcp(directory, script);
  }
}
