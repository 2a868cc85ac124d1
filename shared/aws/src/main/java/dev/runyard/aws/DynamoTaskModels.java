package dev.runyard.aws;

import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskState;
import java.time.Duration;
import java.time.InstantSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// Snapshots of tasks as items.
final class DynamoTaskModels extends DynamoModels<TaskKey, TaskState.Existing>
    implements TaskModels {
  DynamoTaskModels(DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    super(KIND, dynamo, table, retention, clock);
  }
}
