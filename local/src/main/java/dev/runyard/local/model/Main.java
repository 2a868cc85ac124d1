package dev.runyard.local.model;

import java.util.concurrent.CountDownLatch;

/// Runs only the scripted model and prints its base URL, then a line for each request. The only
/// argument is the port; without it a free one is used.
public final class Main {

  private Main() {}

  public static void main(String[] arguments) throws InterruptedException {
    int port = arguments.length == 0 ? 0 : Integer.parseInt(arguments[0]);
    try (var server =
        ScriptedModelServer.start(port, exchange -> System.out.println(exchange.line()))) {
      System.out.println(server.baseUrl());
      new CountDownLatch(1).await();
    }
  }
}
