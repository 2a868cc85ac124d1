package dev.runyard.agent.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.agent.channel.Channel;
import dev.runyard.agent.channel.FromAgent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// What the runner has been written when a call returns.
final class RunnerLinkTest {
  private static final int ROUNDS = 200;

  @RepeatedTest(ROUNDS)
  void hasWrittenThatTheAgentStartedBeforeTheAgentMayEndItsProcess() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();

    new RunnerLink(Outbox.to(written)).started();

    assertEquals(List.of(new Channel.Read.Whole(new FromAgent.Started())), read(written));
  }

  @Test
  void startsAnAgentWhoseRunnerReadsNothingAnyMore() throws IOException {
    OutputStream broken = new PipedOutputStream(closed());

    new RunnerLink(Outbox.to(broken)).started();
  }

  private static List<Channel.Read> read(ByteArrayOutputStream written) {
    Channel.Lines lines = new Channel.Lines();
    return written.toString(StandardCharsets.US_ASCII).lines().map(lines::add).toList();
  }

  private static PipedInputStream closed() throws IOException {
    PipedInputStream in = new PipedInputStream();
    in.close();
    return in;
  }
}
