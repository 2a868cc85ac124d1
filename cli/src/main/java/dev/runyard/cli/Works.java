package dev.runyard.cli;

import dev.runyard.cli.client.ServerReply;

/// Whether a server knows who calls it, by its answer to a call.
final class Works {
  private static final String SCOPE_MISSING = "scope_missing";

  private Works() {}

  /// A caller who may not do this one thing is known nonetheless.
  static boolean of(ServerReply reply) {
    return switch (reply) {
      case ServerReply.Done _ -> true;
      case ServerReply.Refused(var problem) -> problem.code().equals(SCOPE_MISSING);
      case ServerReply.Unreachable _ -> false;
    };
  }
}
