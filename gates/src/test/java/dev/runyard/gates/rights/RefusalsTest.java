package dev.runyard.gates.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.Settings;
import dev.runyard.gates.Planted;
import dev.runyard.local.rights.CallRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/// A caller that may not sees what AWS would answer it: the SDK's own exception, with the service's
/// code.
@Planted
@ResourceLock(ProductRig.PROCESSORS)
class RefusalsTest {
  private static final String SECRET = "default/sessions/codex/left/hidden-name.json";

  @TempDir private static Path folder;

  private static ProductRig rig;

  @BeforeAll
  static void start() throws Exception {
    rig = new ProductRig(folder);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @Test
  void ofATable() {
    Settings project = new Settings(rig.function("ProjectFunction"));
    var dynamo = new AwsClients(project).dynamo();
    refused(
        400,
        "AccessDeniedException",
        "dynamodb:DeleteItem on resource: arn:aws:dynamodb:us-east-1:000000000000:table/ViewsTable",
        () ->
            dynamo.deleteItem(
                delete ->
                    delete
                        .tableName(project.viewsTable())
                        .key(Map.of("pk", AttributeValue.fromS("a")))));
    refused(
        400,
        "AccessDeniedException",
        "dynamodb:Query on resource:"
            + " arn:aws:dynamodb:us-east-1:000000000000:table/ViewsTable/index/due",
        () -> dynamo.query(query -> query.tableName(project.viewsTable()).indexName("due")));
    Update update =
        Update.builder()
            .tableName(project.eventsTable())
            .updateExpression("SET a = b")
            .key(Map.of("pk", AttributeValue.fromS("a")))
            .build();
    refused(
        400,
        "AccessDeniedException",
        "dynamodb:UpdateItem on resource:"
            + " arn:aws:dynamodb:us-east-1:000000000000:table/EventsTable",
        () ->
            dynamo.transactWriteItems(
                write -> write.transactItems(TransactWriteItem.builder().update(update).build())));
  }

  @Test
  void ofAQueue() {
    Settings runner = new Settings(rig.runner());
    var sqs = new AwsClients(new Settings(rig.function("ProjectFunction"))).sqs();
    String resource = "sqs:SendMessage on resource: arn:aws:sqs:us-east-1:000000000000:RunQueue";
    refused(
        403,
        "AccessDenied",
        resource,
        () -> sqs.sendMessage(send -> send.queueUrl(runner.runQueueUrl()).messageBody("x")));
    refused(
        403,
        "AccessDenied",
        resource,
        () ->
            sqs.sendMessageBatch(
                send ->
                    send.queueUrl(runner.runQueueUrl())
                        .entries(
                            SendMessageBatchRequestEntry.builder()
                                .id("1")
                                .messageBody("x")
                                .build())));
  }

  @Test
  void ofAnObject() throws Exception {
    Settings api = new Settings(rig.function("ApiFunction"));
    var own = new AwsClients(api).s3();
    var runner = new AwsClients(new Settings(rig.runner())).s3();
    runner.putObject(
        put -> put.bucket(api.artifactsBucket()).key(SECRET), RequestBody.fromString("x"));

    refused(
        403,
        "AccessDenied",
        "s3:GetObject on resource: arn:aws:s3:::artifactsbucket/" + SECRET,
        () -> own.getObjectAsBytes(get -> get.bucket(api.artifactsBucket()).key(SECRET)));
    assertThrows(
        NoSuchKeyException.class,
        () ->
            own.getObjectAsBytes(
                get -> get.bucket(api.artifactsBucket()).key("default/runs/1/outputs/none")));
    String record = Files.readString(folder.resolve(CallRecord.FILE));
    assertTrue(record.contains("refused ApiFunction s3:GetObject arn:aws:s3:::artifactsbucket/x"));
    assertTrue(
        record.contains(
            "granted RunnerRole s3:PutObject arn:aws:s3:::artifactsbucket/x/sessions/x"));
    assertFalse(record.contains("hidden-name"), "keys stay out of the record");
  }

  @Test
  void ofAnObjectThatIsMissingToWhoMayNotListTheBucket(@TempDir Path other) throws Exception {
    try (ProductRig blind =
        new ProductRig(other, "ApiFunction s3:ListBucket arn:aws:s3:::artifactsbucket")) {
      Settings api = new Settings(blind.function("ApiFunction"));
      var s3 = new AwsClients(api).s3();
      refused(
          403,
          "AccessDenied",
          "s3:ListBucket on resource: arn:aws:s3:::artifactsbucket",
          () ->
              s3.getObjectAsBytes(
                  get -> get.bucket(api.artifactsBucket()).key("default/runs/1/outputs/none")));
    }
  }

  @Test
  void ofATask() {
    Settings advance = new Settings(rig.function("AdvanceFunction"));
    var ecs = new AwsClients(advance).ecs();
    refused(
        400,
        "AccessDeniedException",
        "ecs:StopTask on resource: arn:aws:ecs:us-east-1:000000000000:task/Cluster/t",
        () -> ecs.stopTask(stop -> stop.cluster(advance.cluster()).task("t")));
    refused(
        400,
        "AccessDeniedException",
        "ecs:ListTasks on resource: *",
        () -> ecs.listTasks(list -> list.cluster("another")));
  }

  @Test
  void ofAKeyThatIsNoRolesOwn() {
    Map<String, String> variables = new HashMap<>(rig.runner());
    variables.put(Settings.ACCESS_KEY_ID, "local");
    Settings nobody = new Settings(variables);
    refused(
        400,
        "AccessDeniedException",
        "dynamodb:Query on resource",
        () ->
            new AwsClients(nobody).dynamo().query(query -> query.tableName(nobody.eventsTable())));
  }

  private static void refused(int status, String code, String message, Runnable call) {
    AwsServiceException e = assertThrows(AwsServiceException.class, call::run);
    assertEquals(status, e.statusCode());
    assertEquals(code, e.awsErrorDetails().errorCode());
    assertTrue(
        String.valueOf(e.getMessage()).contains("not authorized to perform: " + message),
        e::getMessage);
  }
}
