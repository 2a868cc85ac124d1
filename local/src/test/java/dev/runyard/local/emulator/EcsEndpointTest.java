package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.template.TaskDeclaration;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ClusterNotFoundException;
import software.amazon.awssdk.services.ecs.model.ConflictException;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.EcsException;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

class EcsEndpointTest {
  @TempDir Path folder;

  private FakeTaskListener listener;
  private Tasks tasks;
  private EcsEndpoint endpoint;
  private EcsClient ecs;

  @BeforeEach
  void start() throws IOException {
    listener = new FakeTaskListener();
    tasks = tasks();
    endpoint = new EcsEndpoint(tasks, AccessCheck.NONE);
    ecs = client(endpoint);
  }

  private static EcsClient client(EcsEndpoint of) {
    return EcsClient.builder()
        .endpointOverride(of.uri())
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .httpClient(UrlConnectionHttpClient.create())
        .build();
  }

  @AfterEach
  void stop() throws IOException {
    ecs.close();
    endpoint.close();
    tasks.close();
    listener.close();
  }

  @Test
  void startsATaskWithItsEnvironment() throws IOException {
    Task task = ecs.runTask(request("a").build()).tasks().getFirst();
    try (var running = listener.accept()) {
      assertEquals("declared", running.variables().get("OWN"));
      assertEquals("yes", running.variables().get("INHERITED"));
      assertEquals(folder.resolve("work").toString(), running.variables().get("WORK_DIR"));
      assertEquals(
          Long.toString(ProcessHandle.current().pid()),
          running.variables().get("RUNYARD_PARENT_PID"));
      assertEquals("RUNNING", describe(task).lastStatus());
      assertEquals(List.of(task.taskArn()), list("advance"));
      assertEquals(List.of(), list("someone-else"));
    }
  }

  @Test
  void refusesStartsAsItIsToldTo() throws IOException {
    endpoint.refuseStarts(Optional.of("Capacity is unavailable at this time."));

    RunTaskResponse refused = ecs.runTask(request("a").build());

    assertEquals(List.of(), refused.tasks());
    assertEquals("Capacity is unavailable at this time.", refused.failures().getFirst().reason());
    endpoint.refuseStarts(Optional.empty());
    assertEquals(1, ecs.runTask(request("a").build()).tasks().size());
    listener.accept().close();
  }

  @Test
  void takesATaskWhoseImageIsNotThereAndStopsIt() throws Exception {
    try (Tasks imageless = tasks("registry.invalid/runner:1");
        EcsEndpoint other = new EcsEndpoint(imageless, AccessCheck.NONE);
        EcsClient client = client(other)) {
      Task task = client.runTask(request("a").build()).tasks().getFirst();
      imageless.find("Cluster", task.taskArn()).orElseThrow().awaitStopped(TestPatience.LONG);

      Task stopped =
          client.describeTasks(r -> r.cluster("Cluster").tasks(task.taskArn())).tasks().getFirst();
      assertEquals("STOPPED", stopped.lastStatus());
      assertEquals("TaskFailedToStart", stopped.stopCodeAsString());
      assertTrue(stopped.stoppedReason().startsWith("CannotPullContainerError: "));
    }
  }

  @Test
  void reportsHowATaskExited() throws Exception {
    Task task = ecs.runTask(request("a", "FAKE_EXIT", "7").build()).tasks().getFirst();
    try (var running = listener.accept()) {
      running.socket().shutdownOutput();
      running.awaitEnd();
    }
    tasks.find("Cluster", task.taskArn()).orElseThrow().awaitEnded();
    Task ended = describe(task);
    assertEquals("STOPPED", ended.lastStatus());
    assertEquals(7, ended.containers().getFirst().exitCode());
    assertEquals("EssentialContainerExited", ended.stopCodeAsString());
    assertEquals(List.of(), list("advance"));
    assertEquals("", Files.readString(folder.resolve("pids")));
  }

  @Test
  void answersARepeatedClientTokenWithTheSameTask() throws IOException {
    Task first = ecs.runTask(request("token").build()).tasks().getFirst();
    Task second = ecs.runTask(request("token").build()).tasks().getFirst();
    assertEquals(first.taskArn(), second.taskArn());
    ConflictException conflict =
        assertThrows(
            ConflictException.class,
            () -> ecs.runTask(request("token").startedBy("another").build()));
    assertEquals(List.of(first.taskArn()), conflict.resourceIds());
    try (var running = listener.accept()) {
      assertEquals(1, list("advance").size());
      assertEquals("local", running.variables().get("AWS_ACCESS_KEY_ID"));
    }
  }

  @Test
  void startsSeveralTasksAndPagesThroughThem() throws IOException {
    assertEquals(3, ecs.runTask(request("a").count(3).build()).tasks().size());
    try (var one = listener.accept();
        var two = listener.accept();
        var three = listener.accept()) {
      for (var running : List.of(one, two, three)) {
        assertFalse(running.variables().isEmpty());
      }
      var pages =
          ecs.listTasksPaginator(r -> r.cluster("Cluster").startedBy("advance").maxResults(2));
      assertEquals(3, pages.taskArns().stream().distinct().count());
    }
  }

  @Test
  void killsATaskThatDoesNotStop() throws Exception {
    Task task = ecs.runTask(request("a", "FAKE_STUBBORN", "1").build()).tasks().getFirst();
    try (var running = listener.accept()) {
      ecs.stopTask(r -> r.cluster("Cluster").task(task.taskArn()).reason("enough"));
      running.awaitEnd();
    }
    tasks.find("Cluster", task.taskArn()).orElseThrow().awaitStopped(TestPatience.LONG);
    Task ended = describe(task);
    assertEquals("UserInitiated", ended.stopCodeAsString());
    assertEquals("enough", ended.stoppedReason());
    assertEquals(137, ended.containers().getFirst().exitCode());
  }

  @Test
  void endsEveryTaskOnClose() throws IOException {
    ecs.runTask(request("a", "FAKE_STUBBORN", "1").build());
    try (var running = listener.accept()) {
      tasks.close();
      running.awaitEnd();
      assertThrows(
          AssertionError.class,
          () -> {
            if (ecs.runTask(request("b").build()).tasks().isEmpty()) {
              throw new AssertionError("started nothing");
            }
          });
    }
  }

  @Test
  void killsWhatAKilledStackLeft() throws IOException {
    ecs.runTask(request("a", "FAKE_STUBBORN", "1").build());
    try (var running = listener.accept()) {
      tasks().close();
      running.awaitEnd();
    }
  }

  @Test
  void refusesWhatEcsRefuses() {
    assertThrows(
        ClusterNotFoundException.class, () -> ecs.runTask(request("a").cluster("Other").build()));
    EcsException unknown =
        assertThrows(
            EcsException.class, () -> ecs.runTask(request("a").taskDefinition("other").build()));
    assertTrue(String.valueOf(unknown.getMessage()).contains("TaskDefinition not found"));
    assertThrows(EcsException.class, () -> ecs.runTask(request("a").count(11).build()));
    assertThrows(EcsException.class, () -> ecs.stopTask(r -> r.cluster("Cluster").task("nothing")));
    assertEquals(
        "MISSING",
        ecs.describeTasks(r -> r.cluster("Cluster").tasks("nothing"))
            .failures()
            .getFirst()
            .reason());
  }

  @Test
  void refusesRequestsOfWebPages() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(endpoint.uri() + "/"))
            .header("Content-Type", "text/plain")
            .header("X-Amz-Target", "AmazonEC2ContainerServiceV20141113.RunTask")
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertEquals(400, client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
    }
  }

  private RunTaskRequest.Builder request(String token, String... more) {
    KeyValuePair port =
        KeyValuePair.builder().name("FAKE_PORT").value(String.valueOf(listener.port())).build();
    List<KeyValuePair> variables =
        more.length == 0
            ? List.of(port)
            : List.of(port, KeyValuePair.builder().name(more[0]).value(more[1]).build());
    return RunTaskRequest.builder()
        .cluster("Cluster")
        .taskDefinition("fake-runner")
        .clientToken(token)
        .startedBy("advance")
        .overrides(
            o ->
                o.containerOverrides(
                    ContainerOverride.builder().name("runner").environment(variables).build()));
  }

  private Task describe(Task task) {
    return ecs.describeTasks(r -> r.cluster("Cluster").tasks(task.taskArn())).tasks().getFirst();
  }

  private List<String> list(String startedBy) {
    return ecs.listTasks(r -> r.cluster("Cluster").startedBy(startedBy)).taskArns();
  }

  private Tasks tasks() {
    return tasks("registry.example/runner:1");
  }

  private Tasks tasks(String image) {
    String java = Objects.requireNonNull(System.getProperty("java.home"));
    Tasks created =
        new Tasks(
            List.of("Cluster"),
            new TaskLaunch(
                Path.of(java, "bin", "java"),
                System.getProperty("java.class.path"),
                FakeTask.class.getName(),
                List.of("-XX:TieredStopAtLevel=1")),
            folder,
            Map.of("INHERITED", "yes"),
            InstantSource.system());
    created.define(
        List.of(
            new TaskTemplate(
                new TaskDeclaration(
                    "RunnerTask",
                    "fake-runner",
                    "runner",
                    image,
                    JsonNodeFactory.instance.arrayNode(),
                    Duration.ofSeconds(1),
                    Map.of("/work", "work")),
                Map.of("OWN", "declared", "WORK_DIR", "/work", "AWS_ACCESS_KEY_ID", "local"),
                List.of())));
    return created;
  }
}
