package dev.runyard.local.emulator;

import dev.runyard.local.events.TableStreams;
import dev.runyard.local.function.FunctionEnvironment;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.rights.Asked;
import dev.runyard.local.template.PseudoParameters;
import dev.runyard.local.template.TableDeclaration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.ListTablesRequest;
import software.amazon.dynamodb.services.dataMembers.RequestData;
import software.amazon.dynamodb.services.dataMembers.ResponseData;
import software.amazon.dynamodb.services.exceptions.AWSExceptionFactory;
import software.amazon.dynamodb.services.exceptions.AmazonServiceExceptionType;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/// DynamoDB Local in this JVM: served on a free loopback port to functions and runners, while
/// tables are created and streams read by direct calls. It is started from its parts, since its own
/// launcher listens on every interface and reports usage.
public final class EmbeddedTables implements Tables {
  private static final String KEY = FunctionEnvironment.CREDENTIAL;
  private static final String REGION = PseudoParameters.REGION;
  private static final String TARGET = "X-Amz-Target";

  /// Between two reads of a stream without a write, for what DynamoDB Local deletes by itself when
  /// its time has come. As long may it take to stop.
  private static final long IDLE_MILLIS = 300;

  private final LocalDynamoDBRequestHandler database;
  private final Server server;
  private final URI endpoint;
  private final WriteSignal signal = new WriteSignal();

  /// Starts it.
  ///
  /// @param folder of the database file; in memory when empty
  /// @param access checked for every request, except the stack's own direct calls
  public EmbeddedTables(Optional<Path> folder, AccessCheck access) {
    try {
      if (folder.isPresent()) {
        Files.createDirectories(folder.get());
      }
      database =
          new LocalDynamoDBRequestHandler(
              0, folder.isEmpty(), folder.map(Path::toString).orElse(null), true, false);
      server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      server.setHandler(new Guard(new Asking(database, access)));
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make the data folder", e);
    } catch (Exception e) {
      throw new IllegalStateException("DynamoDB Local does not start", e);
    }
    ServerConnector connector = (ServerConnector) server.getConnectors()[0];
    endpoint = URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  @Override
  public URI endpoint() {
    return endpoint;
  }

  @Override
  public void create(TableDeclaration table) {
    if (database
        .listTables(KEY, REGION, ListTablesRequest.builder().build())
        .tableNames()
        .contains(table.name())) {
      return;
    }
    database.createTable(KEY, REGION, TableRequests.create(table));
    TableRequests.timeToLive(table)
        .ifPresent(request -> database.updateTimeToLive(KEY, REGION, request));
  }

  @Override
  public TableStreams streams() {
    return new Streams();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("DynamoDB Local does not stop", e);
    } finally {
      database.shutdown();
    }
  }

  private final class Streams implements TableStreams {
    @Override
    public Stream describe(String table) {
      String arn =
          database
              .describeTable(KEY, REGION, DescribeTableRequest.builder().tableName(table).build())
              .table()
              .latestStreamArn();
      return StreamReplies.describe(arn, request -> database.describeStream(KEY, REGION, request));
    }

    @Override
    public String position(String streamArn, String shardId, Start start) {
      return StreamReplies.position(
          start,
          from ->
              database
                  .getShardIterator(KEY, REGION, StreamReplies.request(streamArn, shardId, from))
                  .shardIterator());
    }

    @Override
    public Optional<Page> read(String position) {
      return StreamReplies.page(
          () ->
              database.getRecords(
                  KEY, REGION, GetRecordsRequest.builder().shardIterator(position).build()));
    }

    @Override
    public long writes() {
      return signal.writes();
    }

    @Override
    public void awaitWrite(long seen) throws InterruptedException {
      signal.await(seen, IDLE_MILLIS);
    }
  }

  /// DynamoDB Local, with a check of every caller's rights.
  private static final class Asking extends LocalDynamoDBServerHandler {
    private final AccessCheck access;

    Asking(LocalDynamoDBRequestHandler database, AccessCheck access) {
      super(database, "http://127.0.0.1");
      this.access = access;
    }

    @Override
    protected void packageDynamoDBResponse(RequestData request, ResponseData response) {
      HttpFields headers = request.getBaseRequest().getHeaders();
      access
          .refusal(
              headers.get(HttpHeader.AUTHORIZATION),
              asked(String.valueOf(headers.get(TARGET)), request))
          .ifPresent(
              why -> {
                throw AWSExceptionFactory.buildAWSException(
                    AmazonServiceExceptionType.ACCESS_DENIED_EXCEPTION, why);
              });
      super.packageDynamoDBResponse(request, response);
    }

    private static List<Asked> asked(String target, RequestData request) {
      try {
        return TableAsks.of(target, request.getRequestBody());
      } catch (IOException e) {
        throw AWSExceptionFactory.buildAWSException(
            AmazonServiceExceptionType.VALIDATION_EXCEPTION, e.getMessage());
      }
    }
  }

  /// Refuses requests that a web page could have caused or that ask for nothing, and notifies
  /// readers of writes.
  private final class Guard extends Handler.Wrapper {
    Guard(Handler database) {
      super(database);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      String target = request.getHeaders().get(TARGET);
      if (target == null
          || request.getHeaders().contains(HttpHeader.ORIGIN)
          || !Request.getServerName(request).equals("127.0.0.1")) {
        Response.writeError(request, response, callback, 403);
        return true;
      }
      boolean handled = super.handle(request, response, callback);
      if (isWrite(target)) {
        signal.raise();
      }
      return handled;
    }

    private static boolean isWrite(String target) {
      return !target.contains(".Get")
          && !target.contains(".Query")
          && !target.contains(".Scan")
          && !target.contains(".BatchGet")
          && !target.contains(".TransactGet")
          && !target.contains(".Describe")
          && !target.contains(".List");
    }
  }
}
