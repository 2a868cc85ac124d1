package dev.runyard.core.application;

import dev.runyard.core.session.ChangeQueue;
import dev.runyard.core.session.GoOnFrom;
import dev.runyard.core.session.ReadThread;
import dev.runyard.core.submit.FindTurn;

/// The use cases of threads.
///
/// @param read reads them
/// @param queue changes the order of their turns
/// @param find finds a turn by its name
/// @param goOn has them go on from earlier turns
public record ThreadCases(ReadThread read, ChangeQueue queue, FindTurn find, GoOnFrom goOn) {}
