-- A batch of spans is one part in one file instead of one in some fifty files, which costs the insert a third less; what merges make of
-- several batches is wide as before.
{{alter_table('spans')}} MODIFY SETTING min_bytes_for_wide_part = 67108864;
