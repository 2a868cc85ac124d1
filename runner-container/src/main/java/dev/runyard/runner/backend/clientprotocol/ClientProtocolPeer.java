package dev.runyard.runner.backend.clientprotocol;

/// The agent at the other end of the protocol.
///
/// @param title its name for people
record ClientProtocolPeer(String title, ClientProtocolQuirks manners) {}
