-- Tombstones of summaries held the texts of their trace, which a deletion of the trace left on disk.
{{alter_table('traces')}} UPDATE name = '', session_id = '', user_id = '', tags = [], input_preview = '', output_preview = '' WHERE is_deleted = 1;
