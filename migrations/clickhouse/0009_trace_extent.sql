-- Start of the first and of the last record of a trace, its own record included: a trace may have records on both sides of the retention edge.
-- Rows of earlier releases do not have them. The expressions stand in: exact for the first span, and the latest end for the last one.
{{add_column('traces')}} oldest_time DateTime64(9, 'UTC') DEFAULT start_time;
{{add_column('traces')}} newest_time DateTime64(9, 'UTC') DEFAULT greatest(start_time, ifNull(end_time, start_time));
{{alter_table('traces')}} ADD INDEX IF NOT EXISTS oldest_times oldest_time TYPE minmax GRANULARITY 1;
{{alter_table('traces')}} MATERIALIZE INDEX oldest_times;
