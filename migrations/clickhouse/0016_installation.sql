-- The installation that these tables belong to: its id is also in PostgreSQL, in the write-ahead log and in the data directory (ADR 0027).
{{create_table('installation', 'rand()')}} (
    id String,
    made_at DateTime DEFAULT now()
) ENGINE = {{merge_tree}} ORDER BY id SETTINGS {{durable}};
