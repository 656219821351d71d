"""How Sphinx builds the site: make docs."""

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

from daide_server import __version__

project = "daide-server"
author = "the daide-server contributors"
copyright = f"2026, {author}"  # noqa: A001 - Sphinx's name
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["notebooks"]
nitpicky = False

lexers["mermaid"] = TextLexer()  # the diagram is readable as text, without scripts

html_theme = "furo"
html_title = "daide-server"
html_static_path: list[str] = []
html_show_sphinx = False
copybutton_prompt_text = "$ "

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True, "show-inheritance": False}
suppress_warnings = [
    "myst.header",  # the first heading of an included part is no title
    "myst.xref_missing",  # links to files of the repository, which tests check
]
