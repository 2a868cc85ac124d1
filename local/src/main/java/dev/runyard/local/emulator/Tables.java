package dev.runyard.local.emulator;

import dev.runyard.local.events.TableStreams;
import dev.runyard.local.template.TableDeclaration;
import java.net.URI;

/// A DynamoDB with the stack's tables.
public sealed interface Tables extends AutoCloseable permits EmbeddedTables, RemoteTables {

  /// The address for functions and runners.
  URI endpoint();

  /// Creates the table with its indexes and stream; an existing table is not changed.
  void create(TableDeclaration table);

  TableStreams streams();

  @Override
  void close();
}
