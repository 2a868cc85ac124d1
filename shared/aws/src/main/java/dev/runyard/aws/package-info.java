/// The ports on DynamoDB, SQS and ECS, by synchronous SDK clients.
@NullMarked
package dev.runyard.aws;

import org.jspecify.annotations.NullMarked;
