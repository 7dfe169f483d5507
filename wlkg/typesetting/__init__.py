"""Tables and texts as Markdown and LaTeX, and the style of figures: what a paper takes over."""
