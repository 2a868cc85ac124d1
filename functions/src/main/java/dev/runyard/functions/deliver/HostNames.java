package dev.runyard.functions.deliver;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Looks host names up.
@FunctionalInterface
interface HostNames {
  List<InetAddress> addresses(String name) throws UnknownHostException;
}
