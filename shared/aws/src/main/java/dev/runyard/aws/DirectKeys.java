package dev.runyard.aws;

import dev.runyard.core.access.Identity;
import dev.runyard.core.access.ManageKeys;
import dev.runyard.core.ids.RandomIds;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// The keys of a deployed stack for whoever may write its views table with AWS credentials, such as
/// the one who deployed it: the first key of a stack, and any after all others were lost.
public final class DirectKeys {
  /// The name in events and lists of whoever makes keys in this way.
  public static final Identity.Operator MAKER = new Identity.Operator("deployer");

  private DirectKeys() {}

  /// Keys in a views table.
  ///
  /// @param table its name, as the output `ViewsTableName` of the stack says
  public static ManageKeys of(String region, String table) {
    Settings settings = new Settings(Map.of(Settings.REGION, region));
    return of(new AwsClients(settings).dynamo(), table);
  }

  static ManageKeys of(DynamoDbClient dynamo, String table) {
    SecureRandom random = new SecureRandom();
    return new ManageKeys(
        new DynamoKeys(dynamo, table), random, InstantSource.system(), new RandomIds(random));
  }
}
