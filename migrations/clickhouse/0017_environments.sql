-- Calls of which some class of tokens has no rate: their cost is known in part.
{{add_column('calls')}} partly_priced UInt8;
{{add_column('traces')}} partly_priced_calls UInt32;
-- Calls without a known cost, and with one that is known in part, behind a row: of a service's trace all of them. In rows of earlier releases a
-- successful call of a model that cost nothing stands for an unpriced one.
{{add_column('node_calls')}} unpriced UInt32 DEFAULT startsWith(node, 'model:') AND cost = 0 AND error = 0;
{{add_column('node_calls')}} partly_priced UInt32;
-- The environment of the scored span, else of the score's trace. Scores of earlier releases have none.
{{add_column('quality')}} environment LowCardinality(String);
-- Rollups by environment. Sealed hours of earlier releases have one row for all environments; PostgreSQL's hour_states.layout tells them apart.
{{add_column('model_hours')}} environment LowCardinality(String);
{{add_column('model_hours')}} partly_priced UInt64;
{{add_column('model_hour_sketches')}} environment LowCardinality(String);
{{add_column('quality_hours')}} environment LowCardinality(String);
{{add_column('graph_hours')}} unpriced UInt64;
{{add_column('graph_hours')}} partly_priced UInt64;
-- Tokens of further classes, such as audio, as a JSON object; '' where the client sent none.
{{add_column('spans')}} usage_details String;
