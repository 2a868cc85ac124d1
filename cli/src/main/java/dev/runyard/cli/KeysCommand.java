package dev.runyard.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "keys", description = "Make, list and revoke the keys of a stack.")
final class KeysCommand extends CommandGroup {
  private final Terminal terminal;

  KeysCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  List<Callable<Integer>> commands() {
    return List.of(
        new CreateKeyCommand(terminal),
        new ListKeysCommand(terminal),
        new RevokeKeyCommand(terminal));
  }
}
