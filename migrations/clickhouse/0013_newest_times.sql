-- Skips what has expired whole in the search for traces with records on both sides of the retention edge.
{{alter_table('traces')}} ADD INDEX IF NOT EXISTS newest_times newest_time TYPE minmax GRANULARITY 1;
{{alter_table('traces')}} MATERIALIZE INDEX newest_times;
