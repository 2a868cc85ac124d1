package dev.runyard.agent.host;

import dev.runyard.agent.channel.ToAgent;
import dev.runyard.agent.channel.ToAgentJson;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;

/// The process of one execution of a Java agent, started as [AgentJvm] says. It ends with the
/// agent, whatever threads that leaves behind, or with the runner.
public final class Main {
  private static final int FAILED = 1;

  private Main() {}

  /// Without arguments it executes the agent that the runner names on the channel. With
  /// [AgentJvm#DESCRIBE] it prints what agents its class path has, with [AgentJvm#REHEARSE] it
  /// executes one without a runner.
  public static void main(String[] args) throws IOException {
    switch (args.length == 0 ? "" : args[0]) {
      case AgentJvm.DESCRIBE -> describe();
      case AgentJvm.REHEARSE -> serve(Rehearsal.input(), OutputStream.nullOutputStream());
      case String _ ->
          serve(new FileInputStream(AgentJvm.input()), new FileOutputStream(AgentJvm.output()));
    }
  }

  private static void describe() {
    PrintStream out = System.out;
    System.setOut(System.err);
    out.println(AgentDescriptions.ofClassPath());
    out.flush();
    exit(0);
  }

  private static void serve(InputStream in, OutputStream out) throws IOException {
    RunnerLink runner = new RunnerLink(Outbox.to(out));
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
      String first = lines.readLine();
      if (first != null && ToAgentJson.read(first) instanceof ToAgent.Start start) {
        AgentExecution execution =
            new AgentExecution(
                start,
                runner,
                InstantSource.system(),
                failure -> exit(failure.isEmpty() ? 0 : FAILED));
        execution.begin();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          pass(ToAgentJson.read(line), execution, runner);
        }
      }
    } finally {
      if (!runner.ended()) {
        exit(FAILED);
      }
    }
  }

  private static void pass(ToAgent message, AgentExecution execution, RunnerLink runner) {
    switch (message) {
      case ToAgent.Start _ -> throw new IllegalArgumentException("an agent is executed once");
      case ToAgent.Input(var input) -> execution.deliver(input);
      case ToAgent.History(var messages) -> runner.answer(Optional.of(messages));
      case ToAgent.NoHistory _ -> runner.answer(Optional.empty());
      case ToAgent.Stop _ -> execution.stop();
    }
  }

  /// Neither threads nor hooks of the agent may keep its process.
  private static void exit(int code) {
    Runtime.getRuntime().halt(code);
  }
}
