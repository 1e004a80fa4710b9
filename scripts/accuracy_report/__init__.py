"""What scripts/accuracy is made of: arithmetic, reading, goals, pages and plots."""
