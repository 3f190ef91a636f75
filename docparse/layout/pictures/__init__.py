"""Pictures: figures, charts, drawings and photos, and the text that is shown in them."""
