#!/bin/sh
# Install Microsoft's SARIF Multitool, the validator that the SARIF tests run, and print the path of its program.
#
# It goes through npm, outside the checkout: into $EFSLINT_TOOLS, or ~/.cache/efslint-tests.
# Nothing happens when it is there already. Fails where npm or the network is missing; the tests then skip.
set -eu

version=5.7.0
folder=${EFSLINT_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/efslint-tests}
case $(uname -s) in
  Linux) package=@microsoft/sarif-multitool-linux ;;
  Darwin) package=@microsoft/sarif-multitool-darwin ;;
  *) echo "no SARIF Multitool for $(uname -s)" >&2 && exit 1 ;;
esac
program=$folder/sarif-multitool-$version/node_modules/$package/Sarif.Multitool

if [ ! -f "$program" ]; then
  mkdir -p "$folder/sarif-multitool-$version"
  npm install --loglevel=error --no-audit --no-fund --ignore-scripts --fetch-retries=0 --fetch-timeout=60000 \
    --prefix "$folder/sarif-multitool-$version" "$package@$version" >&2
fi
chmod u+x "$program"  # the package's own install script does only this
echo "$program"
