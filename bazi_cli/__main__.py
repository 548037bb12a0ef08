"""`python -m bazi_cli` is `bazi`."""

from bazi_cli.main import main

if __name__ == "__main__":
    main()
