"""Pictures: charts, luck, elements and years as SVG, pages as HTML and PDF, all in one hand."""
