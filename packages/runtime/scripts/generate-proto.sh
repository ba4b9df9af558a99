#!/usr/bin/env bash
# Writes src/generated/<name>.ts from every proto/<name>.proto. A test fails when they differ.
set -euo pipefail
cd "$(dirname "$0")/.."
folder="${1:-src/generated}"
mkdir -p "$folder"
for proto in proto/*.proto; do
  name="$(basename "$proto" .proto)"
  out="$folder/$name.ts"
  constant="$(sed -E 's/-(.)/\U\1/g' <<<"$name")Schema"
  {
    echo "// Generated from $proto by scripts/generate-proto.sh; not for editing."
    printf 'export const %s = ' "$constant"
    npx pbjs -t json "$proto" | tr -d '\r'
    echo ';'
  } >"$out"
  npx prettier --write --log-level warn "$out"
done
