package dev.runyard.aws;

import dev.runyard.core.job.JobItems;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobPorts;
import java.time.Duration;
import java.time.InstantSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// What is stored of jobs, as items of the views table.
record DynamoJobs(JobModels models, JobItems items) implements JobPorts {
  DynamoJobs(DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    this(
        new DynamoJobModels(dynamo, table, retention, clock),
        new DynamoJobItems(dynamo, table, retention, clock));
  }
}
