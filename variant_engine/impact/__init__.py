"""How much a rule matters: the same deals and the same choices under two rulesets, and what comes of the difference.

>>> import variant_engine as ve
>>> from variant_engine.impact import impact
>>> found = impact(ve.load("foster"), option="closing_draw", deals=50, compiled=False, players=[("greedy", "greedy")])
>>> [effect.variant.label for effect in found.panels[0].ranked]
['closing_draw=before_drawing', 'closing_draw=after_drawing']
"""

from __future__ import annotations

from .result import Difference, Effect, Explained, Impact, Panel, Variant
from .run import DEALS, PANEL, impact

__all__ = ["DEALS", "PANEL", "Difference", "Effect", "Explained", "Impact", "Panel", "Variant", "impact"]
