"""``python -m variant_engine.cli``."""

from __future__ import annotations

from .main import main

if __name__ == "__main__":
    main()
