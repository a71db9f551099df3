-- Error of a trace: code, and first 200 characters of the message, of its failed span that started last. A failed span always has a code: ''
-- in a failed trace marks a row of an earlier release, whose error is read from spans.
{{add_column('traces')}} error_code LowCardinality(String);
{{add_column('traces')}} error_message String;
