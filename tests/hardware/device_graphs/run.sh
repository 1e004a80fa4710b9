#!/bin/sh
# All scenes of device_graphs, each with a time limit: program -> CSV on standard output.
program=${1:?}
scene() {
  timeout 8 "$program" "$@" || echo "ended.$1.$2,,$?"
}
echo name,unit,value
for i in $(seq 0 23); do scene times "$i"; done
scene shapes
scene self
for i in 0 1 2; do scene order "$i"; done
scene instantiation
scene updates
for i in 0 1 2; do scene limits "$i"; done
for i in $(seq 0 23); do scene errors "$i"; done
