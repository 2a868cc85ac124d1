package dev.runyard.bench.temporal;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.internal.testservice.TestServicesStarter;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/// Serves `POST /` with a text: executes [TwoSteps] with it and answers the result. Prints `ready`
/// and its address once it does. The server keeps everything in memory, and client and worker reach
/// it over gRPC on the loopback interface; its own entry point would listen on all interfaces.
public final class Main {
  private static final String QUEUE = "two-steps";

  private Main() {}

  public static void main(String[] args) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    TestServicesStarter services = new TestServicesStarter(true, 0);
    NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(loopback, 0));
    services.getServices().forEach(builder::addService);
    Server server = builder.build().start();
    WorkflowClient client =
        WorkflowClient.newInstance(
            WorkflowServiceStubs.newServiceStubs(
                WorkflowServiceStubsOptions.newBuilder()
                    .setTarget(loopback.getHostAddress() + ":" + server.getPort())
                    .build()));
    WorkerFactory workers = WorkerFactory.newInstance(client);
    Worker worker = workers.newWorker(QUEUE);
    worker.registerWorkflowImplementationTypes(TwoSteps.InTurn.class);
    worker.registerActivitiesImplementations(new Steps.Quick());
    workers.start();
    HttpServer front = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    front.setExecutor(Executors.newCachedThreadPool());
    front.createContext("/", exchange -> answer(client, exchange));
    front.start();
    System.out.println(
        "ready http://" + loopback.getHostAddress() + ":" + front.getAddress().getPort());
  }

  private static void answer(WorkflowClient client, HttpExchange exchange) throws IOException {
    try (exchange) {
      String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      TwoSteps workflow =
          client.newWorkflowStub(
              TwoSteps.class, WorkflowOptions.newBuilder().setTaskQueue(QUEUE).build());
      byte[] result = workflow.run(text).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, result.length);
      exchange.getResponseBody().write(result);
    }
  }
}
