package dev.runyard.local.embedded;

import dev.runyard.runner.isolation.UserClaims;
import dev.runyard.runner.isolation.UsersEnd;
import dev.runyard.runner.process.RunMark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A small process that outlives this one, however it ends, and then ends every process that has
/// its mark, or a user that an attempt of the stack had. It notices by its standard input, which
/// the system closes.
final class Watchdog implements AutoCloseable {
  /// How long its last look is waited for.
  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

  /// Reads until the end; then looks for marked processes, which it first asks to stop, and kills
  /// from the third second on. Then it has all ended that users of the stack's attempts still have,
  /// by a program that these cannot signal, and again where that could not start or end them and
  /// nobody else has taken them meanwhile.
  private static final String SCRIPT =
      """
      trap '' HUP INT TERM
      while read -r _; do :; done
      signal=TERM
      round=0
      while [ $round -lt 100 ]; do
        found=$(grep -lszx -e "$1" /proc/[0-9]*/environ | cut -d / -f 3)
        [ -n "$found" ] || break
        for pid in $found; do
          [ $signal = TERM ] && [ $round -gt 0 ] || kill -$signal $pid 2>/dev/null
        done
        [ $round -lt 20 ] || signal=KILL
        round=$((round + 1))
        sleep 0.1
      done
      claims=$2
      line=$3
      shift 3
      round=0
      while [ $round -lt 20 ]; do
        users=$(cd "$claims" 2>/dev/null && grep -lx -e "$line" [0-9]* | grep -x '[0-9]*')
        [ -n "$users" ] && ! "$@" $users || break
        round=$((round + 1))
        sleep 0.5
      done
      """;

  private final Process process;

  private Watchdog(Process process) {
    this.process = process;
  }

  /// Starts one for the processes that have this value of [RunMark#STACK_VARIABLE].
  static Watchdog start(String stack) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "setsid",
                "/bin/sh",
                "-c",
                SCRIPT,
                "runyard-watchdog",
                RunMark.STACK_VARIABLE + "=" + stack,
                UserClaims.SYSTEM.toString(),
                UserClaims.line(stack)));
    command.addAll(UsersEnd.command());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      return new Watchdog(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("the process that ends agents after a crash", e);
    }
  }

  /// Lets it look once more, and go. It is waited for, but never ended: it goes by itself, and on a
  /// busy machine it may just be about to kill what did not stop.
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      process.waitFor(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
