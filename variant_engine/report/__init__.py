"""Reports: comparisons, gaps and witnesses as CSV, as Markdown, and as one page that is complete in itself."""
