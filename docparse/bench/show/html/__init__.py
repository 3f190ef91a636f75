"""A bench report as one HTML file that needs nothing else: tables, plots and the pictures of one page."""
