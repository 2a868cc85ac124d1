package dev.runyard.local.emulator;

import com.typesafe.config.ConfigFactory;
import dev.runyard.local.template.PseudoParameters;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import org.elasticmq.NodeAddress;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.actor.queue.QueueEvent;
import org.elasticmq.persistence.sql.SqlQueuePersistenceActor;
import org.elasticmq.persistence.sql.SqlQueuePersistenceConfig;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.rest.sqs.TheSQSRestServerBuilder;
import org.elasticmq.util.NowProvider;
import scala.Option;
import scala.collection.immutable.List$;
import scalikejdbc.ConnectionPool$;
import scalikejdbc.ConnectionPoolSettings;

/// ElasticMQ in this JVM, on a free loopback port. It takes any request from anybody, so it does so
/// under an address that has a secret in it; everything else is not found. With a folder, queues
/// and messages are in a database file there, so that a message that was being processed comes back
/// after a restart. There can be one database per JVM, a limit of ElasticMQ.
public final class EmbeddedQueues implements AutoCloseable {
  private static final Duration RESTORE_MAX = Duration.ofSeconds(30);

  /// How much of its messages a stack that is killed may lose; those of runs and deliveries `sweep`
  /// sends again. The database looks ten times as often whether it has something to write, which at
  /// a delay of 10 ms takes 3 % of a processor of a stack that does nothing.
  private static final int WRITE_DELAY_MILLIS = 50;

  private static final int SECRET_BYTES = 16;

  /// Makes it answer with the address that it was asked at.
  private static final String AS_ASKED = "*";

  /// Between two looks of its actors for what is due. Times of queues are given in seconds, and the
  /// usual 10 ms would be a fifth of the processor time of a stack that does nothing.
  private static final int TICK_MILLIS = 50;

  private final ActorSystem actors =
      ActorSystem.create(
          "queues",
          ConfigFactory.parseMap(Map.of("pekko.scheduler.tick-duration", TICK_MILLIS + "ms"))
              .withFallback(ConfigFactory.load()));
  private final boolean kept;
  private final URI endpoint;

  /// Starts it.
  ///
  /// @param folder of the database file; in memory when empty
  public EmbeddedQueues(Optional<Path> folder) {
    kept = folder.isPresent();
    String secret = secret(new SecureRandom());
    TheSQSRestServerBuilder builder =
        SQSRestServerBuilder.withInterface("127.0.0.1")
            .withDynamicPort()
            .withServerAddress(new NodeAddress("http", AS_ASKED, 0, secret))
            .withAWSRegion(PseudoParameters.REGION)
            .withAWSAccountId(PseudoParameters.ACCOUNT)
            .withActorSystem(actors);
    SQSRestServer server = folder.map(file -> restored(builder, file)).orElseGet(builder::start);
    int port = server.waitUntilStarted().localAddress().getPort();
    endpoint = URI.create("http://127.0.0.1:" + port + "/" + secret);
  }

  private static String secret(RandomGenerator random) {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /// The address, which is a secret.
  public URI endpoint() {
    return endpoint;
  }

  private SQSRestServer restored(TheSQSRestServerBuilder builder, Path folder) {
    SqlQueuePersistenceConfig database = database(folder);
    connect(database);
    ActorRef storage =
        actors.actorOf(
            Props.create(SqlQueuePersistenceActor.class, database, List$.MODULE$.empty()));
    ActorRef queues =
        actors.actorOf(
            Props.create(
                QueueManagerActor.class,
                new NowProvider(),
                StrictSQSLimits$.MODULE$,
                Option.apply(storage)));
    SQSRestServer server =
        builder.withQueueManagerActor(queues).withQueueEventListener(storage).start();
    restore(storage, queues);
    return server;
  }

  /// ElasticMQ connects only once per JVM, so a second stack would get the first one's closed pool.
  private static void connect(SqlQueuePersistenceConfig database) {
    ConnectionPool$ pools = ConnectionPool$.MODULE$;
    ConnectionPoolSettings settings = pools.singleton$default$4();
    pools.singleton(
        database.uri(),
        database.username(),
        database.password(),
        settings,
        pools.singleton$default$5(
            database.uri(), database.username(), database.password(), settings));
  }

  private static SqlQueuePersistenceConfig database(Path folder) {
    String file = folder.toAbsolutePath().resolve("queues").toString();
    return new SqlQueuePersistenceConfig(
        true,
        "org.h2.Driver",
        "jdbc:h2:file:" + file + ";DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=" + WRITE_DELAY_MILLIS,
        "",
        "",
        false);
  }

  private static void restore(ActorRef storage, ActorRef queues) {
    try {
      Patterns.ask(storage, new QueueEvent.Restore(queues), RESTORE_MAX)
          .toCompletableFuture()
          .get(RESTORE_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while queues were restored", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the stored queues cannot be restored", e);
    }
  }

  /// Ends at once: the server's own stop would wait for every receive that waits for a message.
  @Override
  public void close() {
    actors.terminate();
    try {
      actors.getWhenTerminated().toCompletableFuture().get(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("ElasticMQ does not stop", e);
    } finally {
      if (kept) {
        ConnectionPool$.MODULE$.closeAll();
      }
    }
  }
}
