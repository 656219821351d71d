"""The report of a tournament: one page, and tables for other programs.

`report_page` computes everything, and fills the template `report.html.jinja`;
`report_tables` has CSV, Markdown and JSON, and writes all files. The same results give
the same files: they contain no date.
"""
