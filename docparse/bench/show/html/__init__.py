"""A bench report as one HTML file that needs nothing else: tables and plots."""
