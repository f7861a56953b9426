"""``python -m livery_client``, the same as the command ``livery-client``."""

import sys

from livery_client.cli.run import main

if __name__ == "__main__":
    sys.exit(main())
