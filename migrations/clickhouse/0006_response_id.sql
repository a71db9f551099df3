-- Id that the model's server gave the response; '' where the client sends none, and for spans stored before this column.
{{add_column('spans')}} response_id String;
