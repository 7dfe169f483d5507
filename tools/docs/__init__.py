"""The documentation: its generated pages and pictures, and the commands that its pages show."""
