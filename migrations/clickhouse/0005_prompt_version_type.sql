-- JSON type of a span's promptVersion as the client sent it: 'number', or '' for a string and for spans stored before this column.
{{add_column('spans')}} prompt_version_type LowCardinality(String);
