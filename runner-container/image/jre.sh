#!/bin/sh
# Makes the JVM that runners and Java agents have of a JDK's modules: those of Java SE without windows, and what servers
# and libraries expect besides.
# jre.sh FOLDER
set -eu

se=java.base,java.compiler,java.instrument,java.logging,java.management,java.management.rmi,java.naming,java.net.http
se=$se,java.prefs,java.rmi,java.scripting,java.security.jgss,java.security.sasl,java.sql,java.sql.rowset
se=$se,java.transaction.xa,java.xml,java.xml.crypto
jdk=jdk.crypto.ec,jdk.httpserver,jdk.management,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs

jlink --add-modules "$se,$jdk" --compress zip-9 --strip-java-debug-attributes --no-man-pages --no-header-files \
  --vm server --output "$1"
"$1/bin/java" -Xshare:dump
