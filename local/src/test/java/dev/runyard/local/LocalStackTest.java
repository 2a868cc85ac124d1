package dev.runyard.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.local.emulator.FakeTask;
import dev.runyard.local.emulator.FakeTaskListener;
import dev.runyard.local.emulator.TaskLaunch;
import dev.runyard.local.template.TemplateException;
import dev.runyard.testkit.ports.ReservedPort;
import dev.runyard.testkit.threads.KeptCarriers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStackTest {
  private static final Path TEMPLATE =
      Path.of("src", "test", "resources", "fixture", "template.yaml");

  @TempDir Path folder;

  private FakeTaskListener listener;
  private HttpClient client;

  @BeforeEach
  void start() throws IOException {
    listener = new FakeTaskListener();
    client = HttpClient.newHttpClient();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    listener.close();
  }

  @Test
  void carriesARequestThroughEveryPartToATask() throws Exception {
    FakeTaskListener.Connection running;
    try (LocalStack stack = LocalStack.start(options(), launch())) {
      assertEquals(201, put(stack, "one"));
      running = listener.accept();
      assertEquals("one", running.variables().get("JOB"));
      assertEquals(
          folder.resolve("work").resolve("work").toString(), running.variables().get("WORK_DIR"));
      assertTrue(
          running.variables().getOrDefault("JOBS", "").endsWith("/000000000000/Jobs"),
          running.variables().get("JOBS"));
      assertTrue(running.variables().containsKey("AWS_ENDPOINT_URL_DYNAMODB"));
    }
    try (running) {
      running.awaitEnd();
    }
  }

  /// A stack that has just started loads classes in all of its parts at once.
  @Test
  void worksWhileVirtualThreadsLoadClasses() throws Exception {
    try (KeptCarriers _ = new KeptCarriers();
        LocalStack stack = LocalStack.start(options(), launch())) {
      assertEquals("Items", get(stack.uri(), "/stream").body());
      assertEquals(201, put(stack, "one"));
      try (var running = listener.accept()) {
        assertEquals("one", running.variables().get("JOB"));
      }
    }
  }

  @Test
  void servesStreamsAndLocalParameters() throws Exception {
    Path agents = Files.writeString(folder.resolve("agents.json"), "{\"agents\":1}");
    URI uri;
    try (LocalStack stack = LocalStack.start(options().withAgents(agents), launch())) {
      uri = stack.uri();
      assertEquals("Items", get(uri, "/stream").body());
      assertEquals("10 {\"agents\":1} ItemsFunction true", get(uri, "/settings").body());
      assertEquals(404, get(uri, "/none").statusCode());
    }
    assertThrows(ConnectException.class, () -> get(uri, "/settings"));
  }

  @Test
  void skipsAPoisonousRecord() throws Exception {
    try (LocalStack stack = LocalStack.start(options(), launch())) {
      assertEquals(201, put(stack, "poison"));
      assertEquals(201, put(stack, "after"));
      try (var running = listener.accept()) {
        assertEquals("after", running.variables().get("JOB"));
      }
    }
  }

  @Test
  void continuesWithItsDataAfterARestart() throws Exception {
    Path data = folder.resolve("data");
    try (ReservedPort port = new ReservedPort()) {
      continuesWith(data, options().withData(data).withPort(port.number()));
    }
  }

  private void continuesWith(Path data, LocalOptions options) throws Exception {
    try (LocalStack stack = LocalStack.start(options, launch())) {
      assertThrows(
          IllegalStateException.class,
          () -> LocalStack.start(options().withData(data), launch()).close());
      for (String own : List.of("tables", "queues", "objects")) {
        assertEquals(
            "rwx------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(own))));
      }
      assertEquals(201, put(stack, "first"));
      try (var running = listener.accept()) {
        assertEquals("first", running.variables().get("JOB"));
      }
    }
    try (LocalStack stack = LocalStack.start(options, launch())) {
      assertEquals(201, put(stack, "second"));
      try (var running = listener.accept()) {
        assertEquals("second", running.variables().get("JOB"));
      }
    }
  }

  @Test
  void saysWhichParameterTheTemplateDoesNotHave() {
    TemplateException e =
        assertThrows(
            TemplateException.class,
            () -> LocalStack.start(options().withParameter("FakePorts", "1"), launch()).close());
    assertTrue(
        String.valueOf(e.getMessage())
            .startsWith("the template has no parameter FakePorts; it has"),
        e.getMessage());
  }

  @Test
  void leavesNothingRunningWhenItCannotStart() throws Exception {
    Path broken = folder.resolve("template.yaml");
    Files.writeString(
        broken,
        Files.readString(TEMPLATE).replace("fixture.ItemsHandler", "fixture.NoSuchHandler"));
    TemplateException e =
        assertThrows(
            TemplateException.class,
            () ->
                LocalStack.start(LocalOptions.of(broken, folder.resolve("work")), launch())
                    .close());
    assertTrue(String.valueOf(e.getMessage()).contains("NoSuchHandler"), e.getMessage());
  }

  @Test
  void refusesAPortInUseBeforeItReadsTheTemplate() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      UncheckedIOException e =
          assertThrows(
              UncheckedIOException.class,
              () ->
                  LocalStack.start(
                          LocalOptions.of(folder.resolve("missing.yaml"), folder.resolve("work"))
                              .withPort(other.getLocalPort()),
                          launch())
                      .close());
      assertTrue(String.valueOf(e.getMessage()).contains("choose another port"), e.getMessage());
    }
  }

  private LocalOptions options() {
    return LocalOptions.of(TEMPLATE, folder.resolve("work"))
        .withParameter("FakePort", Integer.toString(listener.port()));
  }

  private static TaskLaunch launch() {
    return new TaskLaunch(
        Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java"),
        System.getProperty("java.class.path"),
        FakeTask.class.getName(),
        List.of("-XX:TieredStopAtLevel=1"));
  }

  private int put(LocalStack stack, String id) throws IOException, InterruptedException {
    return client
        .send(
            request(stack.uri(), "/items/" + id).PUT(BodyPublishers.noBody()).build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  private HttpResponse<String> get(URI uri, String path) throws IOException, InterruptedException {
    return client.send(request(uri, path).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(URI stack, String path) throws IOException {
    return StackRequests.in(folder.resolve("work"), stack, path);
  }
}
