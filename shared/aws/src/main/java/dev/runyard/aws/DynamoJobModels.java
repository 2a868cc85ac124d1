package dev.runyard.aws;

import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobState;
import java.time.Duration;
import java.time.InstantSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// Snapshots of jobs as items.
final class DynamoJobModels extends DynamoModels<JobKey, JobState.Existing> implements JobModels {
  DynamoJobModels(DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    super(KIND, dynamo, table, retention, clock);
  }
}
