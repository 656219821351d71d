"""Write what follows from the table of settings: the default file, the README's table.

make settings
"""

from pathlib import Path

from daide_server.app.settings import default_file, readme_options

TOP = Path(__file__).parents[1]
BEGIN = "<!-- written by make settings -->\n"
END = "<!-- until here -->\n"


def with_options(readme: str) -> str:
    """Return the text of the README with the table of options put in its place."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{readme_options()}\n{END}{after}"


def main() -> None:
    """Write both files."""
    (TOP / "config" / "server.toml").write_text(default_file(), encoding="utf-8")
    readme = TOP / "README.md"
    text = with_options(readme.read_text(encoding="utf-8"))
    readme.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
