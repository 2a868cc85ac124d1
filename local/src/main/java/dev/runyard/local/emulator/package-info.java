/// The AWS services of the stack: DynamoDB and SQS, embedded or on another emulator, and the part
/// of ECS that starts runners.
@NullMarked
package dev.runyard.local.emulator;

import org.jspecify.annotations.NullMarked;
