package dev.runyard.runner.backend.clientprotocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A program in the place of an agent that writes down how it was started and what it was told.
public final class FakeAcp {
  private final Path directory;
  private final Path program;

  private FakeAcp(Path directory) {
    this.directory = directory;
    this.program = directory.resolve("agent");
  }

  /// Runs a shell script once it has written down how it was started.
  ///
  /// `hear` reads a line of what it is told, `answer` answers it with a result, `open` agrees on
  /// the protocol and opens a session, `update` tells an update, and `ask` asks for a permission.
  public static FakeAcp running(Path directory, String script) throws IOException {
    FakeAcp fake = new FakeAcp(directory);
    Files.writeString(
        fake.program,
        """
        #!/bin/sh
        printf '%%s\\n' "$@" > '%1$s/argv'
        env -0 > '%1$s/env'
        cd '%1$s'
        : > said
        hear() { IFS= read -r heard && printf '%%s\\n' "$heard" >> said; }
        id() { printf '%%s' "$heard" | sed 's/.*"id":\\([0-9]*\\).*/\\1/'; }
        answer() { printf '{"jsonrpc":"2.0","id":%%s,"result":%%s}\\n' "$(id)" "$1"; }
        fail() { printf '{"jsonrpc":"2.0","id":%%s,"error":%%s}\\n' "$(id)" "$1"; }
        update() {
          printf '{"jsonrpc":"2.0","method":"session/update",'
          printf '"params":{"sessionId":"s-1","update":%%s}}\\n' "$1"
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
        %2$s
        """
            .formatted(directory, script));
    if (!fake.program.toFile().setExecutable(true)) {
      throw new IOException("cannot make the program executable");
    }
    return fake;
  }

  public Path program() {
    return program;
  }

  List<String> argv() throws IOException {
    return Files.readAllLines(directory.resolve("argv"));
  }

  /// The lines it was told.
  List<String> said() throws IOException {
    return Files.readAllLines(directory.resolve("said"));
  }

  Map<String, String> environment() throws IOException {
    Map<String, String> environment = new TreeMap<>();
    for (String variable : Files.readString(directory.resolve("env")).split("\0", -1)) {
      if (!variable.isEmpty()) {
        int equals = variable.indexOf('=');
        environment.put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    return environment;
  }
}
