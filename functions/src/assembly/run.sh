#!/bin/sh
# The web adapter layer starts this file as the function's handler; the class path is the unpacked archive around it.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:MaxRAMPercentage=70 \
  -Dsun.net.httpserver.nodelay=true -cp "$here" "$MAIN_CLASS"
