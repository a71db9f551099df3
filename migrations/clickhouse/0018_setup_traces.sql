-- Whether all spans of a trace prepare a run. Traces of earlier releases stay in lists.
{{add_column('traces')}} is_setup UInt8;
