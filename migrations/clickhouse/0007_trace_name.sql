-- Name that the client gave the trace of the span; '' where it sends none, and for spans stored before this column.
{{add_column('spans')}} trace_name String;
