"""``python -m efslint``: the same command as the console script."""

from efslint.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
