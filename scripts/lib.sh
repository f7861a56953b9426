# Shared by the scripts behind make: messages, and stamps that let a step be skipped while its inputs are unchanged.

say() { printf '%s\n' "livery: $*" >&2; }
die() { say "$*"; exit 1; }

# quietly NAME COMMAND...: runs the command into .cache/NAME.log; shows the end of that and stops the script when it fails.
quietly() {
  local log=.cache/$1.log
  shift
  mkdir -p .cache
  "$@" </dev/null >"$log" 2>&1 && return
  tail -60 "$log" >&2
  die "failed: $* (all of it is in $log)"
}

sha256() { if command -v sha256sum >/dev/null 2>&1; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

# digest PATH...: one line that changes with the name or content of any file below the paths (tests and build results left out).
digest() {
  find "$@" \( -name node_modules -o -name dist -o -name test-results \) -prune \
    -o -type f ! -name '*.test.ts' ! -name '*.test.tsx' ! -name '*.tsbuildinfo' -print0 |
    LC_ALL=C sort -z | { if command -v sha256sum >/dev/null 2>&1; then xargs -0 sha256sum; else xargs -0 shasum -a 256; fi; } |
    sha256 | cut -d' ' -f1
}

# is_current NAME DIGEST: whether the step NAME was last finished with these inputs.
is_current() { [ "$(cat ".cache/stamps/$1" 2>/dev/null)" = "$2" ]; }

finished() { mkdir -p .cache/stamps && printf '%s\n' "$2" >".cache/stamps/$1"; }
