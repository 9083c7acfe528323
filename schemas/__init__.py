"""JSON Schemas, generated from the option registry by ``python -m variant_engine.schema``."""
