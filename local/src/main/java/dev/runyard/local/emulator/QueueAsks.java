package dev.runyard.local.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.rights.Asked;
import dev.runyard.local.template.PseudoParameters;
import java.io.IOException;
import java.util.List;

/// The action an SQS request needs. A batch needs the action it is a batch of.
final class QueueAsks {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BATCH = "Batch";

  private QueueAsks() {}

  /// @param target the request's `X-Amz-Target`
  static List<Asked> of(String target, byte[] body) throws IOException {
    String operation = target.substring(target.lastIndexOf('.') + 1);
    JsonNode request = JSON.readTree(body);
    String name =
        request.has("QueueUrl")
            ? request.path("QueueUrl").asText().replaceFirst(".*/", "")
            : request.path("QueueName").asText("*");
    String action =
        operation.endsWith(BATCH)
            ? operation.substring(0, operation.length() - BATCH.length())
            : operation;
    return List.of(Asked.of("sqs:" + action, PseudoParameters.arn("sqs", name)));
  }
}
