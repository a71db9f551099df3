-- What a rule of type guardrail counts; null: checks that triggered, and of other types nothing.
ALTER TABLE alert_rules ADD COLUMN count text CHECK (count IN ('triggered', 'failed'));
