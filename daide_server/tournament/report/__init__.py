"""What people see of a tournament: its report, and the views of its page.

`standing_columns` are the columns of the table, wherever it is shown.
`report_page` computes everything, and fills the template `report.html.jinja`;
`report_tables` has CSV, Markdown and JSON, and writes all files. The same results give
the same files: they contain no date. `tournament_views` has the same for the page,
while the tournament runs; `curves` are lines over games or years.
"""
