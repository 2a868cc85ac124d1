package dev.runyard.local.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.template.PseudoParameters;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The message Lambda sends to an on-failure queue for a batch of stream records.
final class FailureNote {
  private FailureNote() {}

  static ObjectNode of(
      String function,
      String condition,
      int invocations,
      ShardAddress shard,
      List<StreamEntry> entries,
      Instant now) {
    ObjectNode note = JsonNodeFactory.instance.objectNode();
    note.putObject("requestContext")
        .put("requestId", UUID.randomUUID().toString())
        .put(
            "functionArn",
            "arn:aws:lambda:%s:%s:function:%s"
                .formatted(PseudoParameters.REGION, PseudoParameters.ACCOUNT, function))
        .put("condition", condition)
        .put("approximateInvokeCount", invocations);
    note.putObject("responseContext")
        .put("statusCode", 200)
        .put("executedVersion", "$LATEST")
        .put("functionError", "Unhandled");
    note.put("version", "1.0");
    note.put("timestamp", now.toString());
    note.putObject("DDBStreamBatchInfo")
        .put("shardId", shard.shardId())
        .put("startSequenceNumber", entries.getFirst().sequenceNumber())
        .put("endSequenceNumber", entries.getLast().sequenceNumber())
        .put("approximateArrivalOfFirstRecord", entries.getFirst().arrived().toString())
        .put("approximateArrivalOfLastRecord", entries.getLast().arrived().toString())
        .put("batchSize", entries.size())
        .put("streamArn", shard.streamArn());
    return note;
  }
}
