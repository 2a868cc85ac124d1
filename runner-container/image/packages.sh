#!/bin/sh
# Installs Debian packages as they were at one instant, without what nobody reads in a container: manuals, translations
# and the modules of Perl, of which git needs none for what agents do. Copyright notices stay.
# packages.sh MIRROR SNAPSHOT PACKAGE...   MIRROR: one that has no instants, or '' for Debian's archive of them
set -eu

mirror=$1
snapshot=$2
shift 2

cat >/etc/dpkg/dpkg.cfg.d/runyard <<'RULES'
path-exclude=/usr/share/doc/*
path-include=/usr/share/doc/*/copyright
path-exclude=/usr/share/man/*
path-exclude=/usr/share/info/*
path-exclude=/usr/share/locale/*
path-exclude=/usr/share/bash-completion/*
path-exclude=/usr/share/gitweb/*
RULES

if [ -z "$mirror" ]; then
  archive=http://snapshot.debian.org/archive
  options='[check-valid-until=no] '
  main="$archive/debian/$snapshot" security="$archive/debian-security/$snapshot"
else
  options='' main="$mirror/debian" security="$mirror/debian-security"
fi
rm -f /etc/apt/sources.list.d/*
cat >/etc/apt/sources.list <<SOURCES
deb $options$main bookworm main
deb $options$main bookworm-updates main
deb $options$security bookworm-security main
SOURCES

export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get upgrade --yes --no-install-recommends
apt-get install --yes --no-install-recommends "$@"
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/lib/dpkg/*-old /var/log/* /usr/share/locale \
  /usr/share/man /usr/share/info /usr/share/perl/5* /usr/lib/*/perl/5*
