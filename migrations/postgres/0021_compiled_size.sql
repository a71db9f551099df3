-- States of a compiled guardrail (docs/semantics.md, "Guardrails"). What was stored before counts nothing until it is changed.
ALTER TABLE guardrails ADD COLUMN compiled_size integer NOT NULL DEFAULT 0;
