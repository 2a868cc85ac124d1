package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.client.StackProbe;
import dev.runyard.cli.doctor.Check;
import dev.runyard.cli.show.SafeText;
import java.time.InstantSource;
import picocli.CommandLine.ParameterException;

/// Which stack the commands talk to, how they show who calls, whether it lets them, what it takes,
/// whether its clock and that of this machine agree, and whether it is of the same release.
record StackCheck(Terminal terminal, ServerOption option) {
  private static final String NAME = "stack";

  Check examine() throws InterruptedException {
    Target target;
    try {
      target = option.target(terminal);
    } catch (ParameterException | IllegalStateException e) {
      return missing("no stack is chosen: " + e.getMessage(), "change what it says");
    }
    String said =
        StackProbe.of(target.server(), InstantSource.system())
            .map(probe -> " (%s)".formatted(probe.text()))
            .orElse("");
    String how = "%s (%s)".formatted(target.authentication().text(), target.because());
    try (RunyardClient client = target.client()) {
      ServerReply reply = client.agents();
      String where = target.server() + said + release(reply);
      return Works.of(reply)
          ? new Check(NAME, true, false, where, how, null, null, "", "")
          : missing(
              "%s, authentication: %s. %s%s".formatted(target.server(), how, why(reply), said),
              hint(reply));
    }
  }

  /// Other releases work together within a version of the API; who wonders about a command should
  /// know that they differ. Who may not list agents is not told.
  private static String release(ServerReply reply) {
    if (!(reply instanceof ServerReply.Done(JsonNode agents))) {
      return "";
    }
    String there = SafeText.line(agents.at("/stack/release").asText(""));
    String own = Version.number();
    return there.equals(own)
        ? ", release " + there
        : ", release %s, but this command is of release %s: what one of them adds, the other lacks"
            .formatted(there.isEmpty() ? "unknown" : there, own);
  }

  private static String why(ServerReply reply) {
    return switch (reply) {
      case ServerReply.Done _ -> "It works";
      case ServerReply.Refused(var problem) -> problem.code() + ": " + problem.detail();
      case ServerReply.Unreachable(var message, _) -> message;
    };
  }

  private static String hint(ServerReply reply) {
    return reply instanceof ServerReply.Refused
        ? "./runyard login, with what the stack takes"
        : "./runyard up, or --url or --profile of another";
  }

  private static Check missing(String purpose, String hint) {
    return new Check(NAME, false, false, null, null, null, null, SafeText.line(purpose), hint);
  }
}
