"""Charts of a board: data, tables and Plotly figures."""
