package dev.runyard.cli;

import dev.runyard.aws.ApiSigner;
import dev.runyard.aws.DirectKeys;
import dev.runyard.cli.client.NewKey;
import dev.runyard.cli.client.ServerProblem;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.core.access.KeyOrder;
import dev.runyard.core.access.ManageKeys;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.view.KeyJson;
import dev.runyard.core.view.ProblemJson;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The keys in the table of a deployed stack, for whoever has AWS credentials that may write it: so
/// a stack gets its first key.
///
/// @param region null for the usual search of the AWS SDK
record StackTable(String table, @Nullable String region) {
  /// Makes a key, as the stack itself would.
  ServerReply create(NewKey key) {
    return switch (KeyOrder.read(key.json())) {
      case KeyOrder.Result.Rejected rejected -> refused(rejected.problem());
      case KeyOrder.Result.Accepted accepted -> create(accepted.order());
    };
  }

  private ServerReply create(KeyOrder order) {
    Optional<String> where = Optional.ofNullable(region).or(ApiSigner::usualRegion);
    if (where.isEmpty()) {
      return new ServerReply.Unreachable(
          "no key was made: no AWS region is known; give --region", true);
    }
    try {
      return switch (DirectKeys.of(where.get(), table).make(DirectKeys.MAKER, order)) {
        case ManageKeys.Result.Refused refused -> refused(refused.problem());
        case ManageKeys.Result.Made made ->
            new ServerReply.Done(KeyJson.of(made.key()).put("key", made.text().secret()));
      };
    } catch (PortUnavailable e) {
      return new ServerReply.Unreachable(
          "no key was made: the table %s cannot be used: %s".formatted(table, why(e)), true);
    }
  }

  private static String why(RuntimeException e) {
    return Optional.ofNullable(e.getCause())
        .flatMap(cause -> Optional.ofNullable(cause.getMessage()))
        .orElseGet(() -> String.valueOf(e.getMessage()));
  }

  private static ServerReply refused(Problem problem) {
    return new ServerReply.Refused(
        ServerProblem.of(problem.code().status(), ProblemJson.of(problem)));
  }
}
